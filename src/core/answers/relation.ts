import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { type Around, type Indication, isSame, type Related, relationByClass } from './around.ts';
import { dosagesIn, reasonReferencesOf } from './history.ts';

/** How a drug relates to the ordered drug: by class, or else by the indications of its entries. */
export function relationOf(
  ingredients: string,
  entries: readonly TherapyEntry[],
  indications: readonly Indication[],
  around: Around,
): Related | undefined {
  const usage = { drugs: entries.map(({ drug }) => drug), dosages: entries.flatMap(dosagesIn) };
  const byClass = relationByClass(around, ingredients, usage);
  if (byClass !== undefined) return byClass;
  const names = entries.some((entry) => indications.some((indication) => isFor(entry, indication, around)));
  return names ? { relation: 'for this diagnosis' } : undefined;
}

function isFor(entry: TherapyEntry, { concept, condition }: Indication, { chart }: Around): boolean {
  if (entry.purposes.some((purpose) => isSame(purpose, concept) || isSame(purpose, condition?.resource.code)))
    return true;
  return condition !== undefined && reasonReferencesOf(entry, chart).includes(condition.reference);
}

import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import type { DrugReading } from '../drug/reading.ts';
import { Cited, nodeOf } from '../evidence/cite.ts';
import type { Node } from '../mapping/input.ts';
import { drugReadings } from '../roles/drug-of.ts';
import type { Facts } from '../roles/facts.ts';
import type { Answering } from './answering.ts';
import { isBrand } from './ingredients.ts';
import { releaseIn } from './taken-products.ts';

/**
 * The ordered product in one node: the brand with its ingredients, or the ingredients alone, and the kind of release or
 * the piece. Each value comes from the first name that states it; for the release, names in texts come before those of
 * codes.
 */
export function productAround({ chart, knowledge: { drugs } }: Answering, facts: Facts): Node[] {
  const first = firstSaid(facts);
  const brand = first(({ brand: marked, ingredients }) => marked ?? ingredients.find((name) => isBrand(name, drugs)));
  const ingredient = first((reading) => ingredientsIn(reading, drugs)) ?? (brand && ingredientsBy(brand, drugs));
  if (ingredient === undefined && brand === undefined) return [];
  const release = first((reading) => (reading.source === 'text' ? kindIn(reading) : undefined)) ?? first(kindIn);
  return [nodeOf({ product: { name: brand ?? ingredient, ingredient: brand && ingredient, release } }, chart.order)];
}

function firstSaid(facts: Facts) {
  const nodes = facts
    .root('drug')
    .nodes.flatMap((node) => drugReadings(node).map((reading) => ({ reading, source: node.source })));
  return (of: (reading: DrugReading) => string | undefined): Cited<string> | undefined => {
    const found = nodes.find(({ reading }) => of(reading) !== undefined);
    const said = found && of(found.reading);
    return said === undefined || found?.source === undefined ? undefined : new Cited(said, found.source);
  };
}

function ingredientsIn({ ingredients, otherNames }: DrugReading, drugs: DrugKnowledge): string | undefined {
  const isOwn = (names: readonly string[]) => names.length > 0 && !names.some((name) => isBrand(name, drugs));
  return [ingredients, otherNames].find(isOwn)?.join(' / ');
}

function ingredientsBy({ value, source }: Cited<string>, drugs: DrugKnowledge): Cited<string> | undefined {
  const row = drugs.rowOf(value);
  return row && new Cited(row.ingredients.join(' / '), source);
}

// RxNorm writes "12 HR" before a name and "Extended Release" after it.
function kindIn(reading: DrugReading): string | undefined {
  const release = releaseIn(reading)?.replace(/(?<=^\d+ HR) | (?=\d)/, ', ');
  const piece = reading.piece?.words;
  const isForm = piece !== undefined && reading.form?.includes(piece) === true;
  return [release, isForm ? undefined : piece].filter(Boolean).join(', ') || undefined;
}

import type { AllergyIntolerance } from 'fhir/r4.js';
import { reactionsOf, stands } from '../evidence/allergies.ts';
import { type Cited, cite, nodeOf } from '../evidence/cite.ts';
import { presentReasons } from '../evidence/finding.ts';
import { sensitivityOf } from '../evidence/therapies.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { Answering } from './answering.ts';
import { type Around, relationByClass } from './around.ts';
import { drugKey, ingredientsInName } from './ingredients.ts';
import type { TherapyOutcome } from './knowledge.ts';
import { stopReasonsOf, wordsOfStop } from './purpose.ts';
import { outcomesOf } from './trial-outcome.ts';
import { type RelatedAttempt, relatedAttempts } from './trials.ts';

/**
 * Active allergies and intolerances to drugs, each with the relation of its substance to the ordered drug; foods and
 * pollen do not count. After them, drugs whose trial ended for an intolerance or contraindication, by the stop reason.
 * One node each.
 */
export function intolerancesAround(around: Answering, facts: Facts): Node[] {
  const attempts = relatedAttempts(around, facts);
  return [...allergiesAround(attempts, around), ...stopsAround(attempts, around)];
}

function allergiesAround(attempts: readonly RelatedAttempt[], around: Around): Node[] {
  return around.chart
    .mine('AllergyIntolerance')
    .filter(({ resource }) => stands(resource) && mayBeDrug(resource))
    .flatMap((allergy) => {
      const name = meaningful(labelOf(allergy.resource.code));
      return name === undefined ? [] : [nodeOfAllergy(allergy, { name, attempts }, around)];
    });
}

function mayBeDrug({ category = [] }: AllergyIntolerance): boolean {
  return category.length === 0 || category.includes('medication') || category.includes('biologic');
}

interface Substance {
  readonly name: string;
  readonly attempts: readonly RelatedAttempt[];
}

function nodeOfAllergy(allergy: Located<AllergyIntolerance>, substance: Substance, around: Around): Node {
  const { code, reaction = [] } = allergy.resource;
  const related = relationOf(substance, around);
  const notes = notesOf(allergy);
  const manifestations = reaction.flatMap(({ manifestation = [] }) => manifestation);
  const facts = {
    intolerance: {
      substance: cite(allergy, substance.name, 'code'),
      ...related,
      reactions: reactionsOf(allergy),
      notes,
      allergy: cite(allergy, allergy.resource),
      source: cite(allergy, allergy.reference),
      ...presentReasons({
        sensitive: around.privacy.of(allergy, code, ...manifestations, ...notes.map(({ value }) => value)),
      }),
    },
  };
  return nodeOf(facts, allergy);
}

// What is said of it and of its reactions in words.
function notesOf(allergy: Located<AllergyIntolerance>): Cited<string>[] {
  const { note = [], reaction = [] } = allergy.resource;
  const texts = [
    ...note.map(({ text }, index) => [text, `note[${index}].text`] as const),
    ...reaction.flatMap(({ description, note: notes = [] }, index) => [
      [description, `reaction[${index}].description`] as const,
      ...notes.map(({ text }, inner) => [text, `reaction[${index}].note[${inner}].text`] as const),
    ]),
  ];
  return texts.flatMap(([text, path]) => {
    const words = meaningful(text);
    return words === undefined ? [] : [cite(allergy, words, path)];
  });
}

// By its class, else as its trials stand to the ordered drug.
function relationOf(
  { name, attempts }: Substance,
  around: Around,
): { readonly relation?: string; readonly class?: string } {
  const ingredients = ingredientsInName(name, around.knowledge.drugs);
  const isOf = (other: string) => ingredients.some((one) => drugKey(one) === drugKey(other));
  if (isOf(around.ordered)) return { relation: 'the ordered drug' };
  const byClass = ingredients.map((one) => relationByClass(around, one)).find((related) => related !== undefined);
  return byClass ?? attempts.find(({ attempt }) => isOf(attempt.history.ingredients))?.related ?? {};
}

function stopsAround(attempts: readonly RelatedAttempt[], around: Around): Node[] {
  const seen = new Set<string>();
  return attempts.flatMap((one) => {
    const { attempt, related } = one;
    const ofDrug = sensitivityOf(attempt.entries, around.privacy);
    return attempt.entries.flatMap((entry) =>
      stopsIn(entry, one, around).flatMap(({ type, reasons }) => {
        const sensitive = ofDrug ?? sensitiveIn(reasons, around);
        const key = [attempt.history.ingredients, type.value, ...reasons.map(({ value }) => value)].join('|');
        if (seen.has(key)) return [];
        seen.add(key);
        const row = {
          substance: entry.drug.product,
          ...related,
          type,
          reasons,
          source: cite(entry.located, entry.located.reference),
          ...presentReasons({ sensitive }),
        };
        return [nodeOf({ intolerance: row }, entry.located)];
      }),
    );
  });
}

function sensitiveIn(words: readonly Cited<string>[], { privacy }: Around): string | undefined {
  return privacy.words.of(...words.map(({ value }) => value));
}

function stopsIn(entry: TherapyEntry, of: RelatedAttempt, around: Around) {
  return stopReasonsOf(entry, of, around).flatMap((reason) => {
    const [type] = outcomesOf([reason], around.knowledge.stopReasons).filter(({ value }) => harms.includes(value));
    // More than a reaction may stand in it: they are the words of the stop.
    return type === undefined ? [] : [{ type, reasons: wordsOfStop(reason) }];
  });
}

const harms: readonly TherapyOutcome[] = ['not tolerated', 'contraindicated'];

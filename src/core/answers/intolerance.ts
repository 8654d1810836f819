import type { AllergyIntolerance } from 'fhir/r4.js';
import { isActiveAllergy, reactionsOf } from '../evidence/allergies.ts';
import { Cited, cite, nodeOf } from '../evidence/cite.ts';
import { evidenceDay } from '../evidence/dates.ts';
import { presentReasons } from '../evidence/finding.ts';
import { sensitivityOf } from '../evidence/therapies.ts';
import { entryDate, type TherapyEntry } from '../evidence/therapy-entries.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { Answering } from './answering.ts';
import { type Around, relationByClass } from './around.ts';
import { type Attempt, isFilledFrom } from './history.ts';
import { drugKey, ingredientsInName } from './ingredients.ts';
import type { TherapyOutcome } from './knowledge.ts';
import { stopReasonsOf, wordsOfStop } from './purpose.ts';
import { takenEntries } from './taken-products.ts';
import { outcomesOf } from './trial-outcome.ts';
import { type RelatedAttempt, relatedAttempts } from './trials.ts';

/**
 * Active allergies and intolerances to drugs, one node each; foods and pollen do not count. Then one node for each stop
 * of a related drug because of an intolerance or contraindication.
 */
export function intolerancesAround(around: Answering, facts: Facts): Node[] {
  const attempts = relatedAttempts(around, facts);
  return [...allergiesAround(attempts, around), ...stopsAround(attempts, around)];
}

function allergiesAround(attempts: readonly RelatedAttempt[], around: Around): Node[] {
  return around.chart
    .mine('AllergyIntolerance')
    .filter(({ resource }) => isActiveAllergy(resource) && mayBeDrug(resource))
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

// An allergy to a drug reveals as much about the patient as a trial of that drug.
function sensitivityOfTrials({ name, attempts }: Substance, around: Around): string | undefined {
  const entries = attemptsOf(name, attempts, around).flatMap(({ attempt }) => attempt.entries);
  return sensitivityOf(entries, around.privacy);
}

function attemptsOf(name: string, attempts: readonly RelatedAttempt[], around: Around): RelatedAttempt[] {
  const keys = ingredientsInName(name, around.knowledge.drugs).map(drugKey);
  return attempts.filter(({ attempt }) => keys.includes(drugKey(attempt.history.ingredients)));
}

function nodeOfAllergy(allergy: Located<AllergyIntolerance>, substance: Substance, around: Around): Node {
  const { code, reaction = [] } = allergy.resource;
  const related = relationOf(substance, around);
  const notes = notesOf(allergy);
  const texts = notes.map(({ value }) => value);
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
        sensitive:
          around.privacy.of(allergy, code, ...manifestations, ...texts) ?? sensitivityOfTrials(substance, around),
      }),
    },
  };
  return nodeOf(facts, allergy);
}

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

// Uses the relation by class, where the allergy may name the class itself. Otherwise uses the relation of a trial of
// the substance.
function relationOf(
  { name, attempts }: Substance,
  around: Around,
): { readonly relation?: string; readonly class?: string } {
  const ingredients = ingredientsInName(name, around.knowledge.drugs);
  const isOf = (other: string) => ingredients.some((one) => drugKey(one) === drugKey(other));
  if (isOf(around.ordered)) return { relation: 'the ordered drug' };
  const named = around.classes().find((row) => classKey(row.name) === classKey(name));
  if (named !== undefined) return { relation: `same ${named.kind}`, class: named.name };
  const byClass = ingredients.map((one) => relationByClass(around, one)).find((related) => related !== undefined);
  return byClass ?? attemptsOf(name, attempts, around)[0]?.related ?? {};
}

// Makes `TNF inhibitor` equal to `TNF inhibitors`.
function classKey(name: string): string {
  return name.trim().toLowerCase().replace(/s$/, '');
}

function stopsAround(attempts: readonly RelatedAttempt[], around: Around): Node[] {
  const stops = attempts.flatMap((one) =>
    one.attempt.entries.flatMap((entry) => stopsIn(entry, one, around).map((stop) => ({ ...stop, one, entry }))),
  );
  // Entries with the same words describe the same stop, so only the last of them becomes a node.
  return [...Map.groupBy(stops, keyOfStop).values()].flatMap((same) => {
    const last = same.at(-1);
    return last === undefined ? [] : [nodeOfStop(last, around)];
  });
}

interface Stop {
  readonly type: Cited<TherapyOutcome>;
  readonly reasons: readonly Cited<string>[];
  readonly one: RelatedAttempt;
  readonly entry: TherapyEntry;
}

function keyOfStop({ type, reasons, one }: Stop): string {
  return [one.attempt.history.ingredients, type.value, ...reasons.map(({ value }) => value)].join('|');
}

function nodeOfStop({ type, reasons, one, entry }: Stop, around: Around): Node {
  const { attempt, related } = one;
  const sensitive = sensitivityOf(attempt.entries, around.privacy) ?? sensitiveIn(reasons, around);
  const row = {
    ...stoppedDrug(entry, attempt, around),
    ...related,
    type,
    reasons,
    source: cite(entry.located, entry.located.reference),
    ...presentReasons({ sensitive }),
  };
  return nodeOf({ intolerance: row }, entry.located);
}

// The product taken last before the stop, or the ingredient if the drug was never taken.
function stoppedDrug(entry: TherapyEntry, { entries, history }: Attempt, { chart }: Around) {
  const stop = evidenceDay(entry.stop);
  const taken = takenEntries(
    entries.filter(({ kind }) => kind !== 'order'),
    { chart },
  );
  const own = taken.filter((one) => one === entry || isFilledFrom(one, entry, chart));
  const until = taken.filter((one) => stop === undefined || (evidenceDay(entryDate(one)) ?? '') <= stop);
  const drug = (own.length > 0 ? own : until).at(-1)?.drug.product;
  const ordered = entry.drug.product;
  const substance = drug ?? new Cited(history.ingredients, ordered.source);
  return substance.value === ordered.value ? { substance } : { substance, orderedAs: ordered };
}

function sensitiveIn(words: readonly Cited<string>[], { privacy }: Around): string | undefined {
  return privacy.words.of(...words.map(({ value }) => value));
}

function stopsIn(entry: TherapyEntry, of: RelatedAttempt, around: Around) {
  return stopReasonsOf(entry, of, around).flatMap((reason) => {
    const [type] = outcomesOf([reason], around.knowledge.stopReasons).filter(({ value }) => harms.includes(value));
    // The stop reason may be more than a reaction, so it is stated as the reason for the stop, not as a reaction.
    return type === undefined ? [] : [{ type, reasons: wordsOfStop(reason) }];
  });
}

const harms: readonly TherapyOutcome[] = ['not tolerated', 'contraindicated'];

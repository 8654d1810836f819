import { icd10Of } from '../evidence/asked-tests.ts';
import { Cited } from '../evidence/cite.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { type Around, codesOfIndication, type Indication } from './around.ts';
import { type Attempt, reasonReferencesOf, stopConceptsOf } from './history.ts';
import { stopNotesOf } from './stop-notes.ts';
import type { StopReason } from './trial-outcome.ts';

/**
 * Why an entry was stopped, with the indication of the drug: first the coded reasons, then the notes. A coded reason is
 * about the end of the entry, so it counts only for the last trial of the entry.
 */
export function stopReasonsOf(
  entry: TherapyEntry,
  { attempt, indications }: { readonly attempt: Attempt; readonly indications: readonly Indication[] },
  around: Around,
): StopReason[] {
  const concepts = attempt.ended.includes(entry) ? stopConceptsOf(entry) : [];
  const notes = stopNotesOf(entry, attempt, around);
  if (concepts.length + notes.length === 0) return [];
  const purposes = purposesOf(entry, indications, around);
  return [
    ...concepts.map((concept) => ({ concept, purposes })),
    ...notes.map(({ concept, saysEnd }) => ({ concept, purposes: saysEnd ? purposes : [] })),
  ];
}

export function wordsOfStop({ concept: { value, source } }: StopReason): Cited<string>[] {
  const words = meaningful(labelOf(value));
  return words === undefined ? [] : [new Cited(words, source)];
}

// An entry without its own indication is on the sheet because it relates to the order, so the order's indications count
// for it.
function purposesOf(entry: TherapyEntry, indications: readonly Indication[], { chart }: Around): string[] {
  const references = reasonReferencesOf(entry, chart);
  const conditions = chart.mine('Condition').filter(({ reference }) => references.includes(reference));
  const own = [...entry.purposes, ...conditions.map(({ resource }) => resource.code)];
  if (own.length > 0) return own.flatMap(icd10Of);
  return indications.flatMap(codesOfIndication);
}

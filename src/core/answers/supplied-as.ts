import type { CodeableConcept, MedicationDispense } from 'fhir/r4.js';
import { type Cited, cite } from '../evidence/cite.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import type { Around } from './around.ts';
import { sentencesIn } from './sentences.ts';

export interface SuppliedAs {
  readonly day: Cited<string> | undefined;
  readonly words: Cited<string>;
}

export function suppliedAs(entries: readonly TherapyEntry[], { knowledge, privacy }: Around): SuppliedAs[] {
  return entries
    .filter(({ kind }) => kind === 'dispense')
    .flatMap((entry) => {
      const said = saidOf(entry).filter(
        ({ value }) => knowledge.supplyWords.free.test(value) && privacy.words.ofText(value) === undefined,
      );
      return said
        .filter((words, index) => !said.slice(0, index).some((before) => contains(before.value, words.value)))
        .map((words) => ({ day: entry.handedOver, words }));
    });
}

function contains(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase());
}

function saidOf({ located }: TherapyEntry): Cited<string>[] {
  const { note = [], type, category } = located.resource as MedicationDispense; // `kind` implies this type
  const named = (concept: CodeableConcept | undefined, path: string) =>
    sentencesIn(labelOf(concept) ?? '').map((words) => cite(located, words, path));
  return [
    ...note.flatMap(({ text }, index) =>
      sentencesIn(text).map((sentence) => cite(located, sentence, `note[${index}].text`)),
    ),
    ...named(type, 'type'),
    ...named(category, 'category'),
  ];
}

import type { CodeableConcept, MedicationRequest } from 'fhir/r4.js';
import { type Cited, cite } from '../evidence/cite.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { wholeDate } from '../fhir/time/date-time.ts';
import type { Around } from './around.ts';
import { ingredientsOfEntry } from './drug-by-order.ts';
import { type Attempt, courseOfAttempt, isLastSupply, isRunning } from './history.ts';
import { namesOtherDrug, sentencesIn } from './sentences.ts';
import { isOfAnyKind } from './trial-outcome.ts';

/** A sentence of a note that says how a drug ended. */
export interface StopNote {
  readonly concept: Cited<CodeableConcept>;
  /** Whether it says that the drug was stopped; otherwise how it helped, or that it was not tolerated. */
  readonly saysEnd: boolean;
}

/** What the notes of a trial's order or statement that is over, and of its last fill or dose, say of its end. */
export function stopNotesOf(entry: TherapyEntry, attempt: Attempt, around: Around): StopNote[] {
  const { located } = entry;
  const { note = [] } = located.resource as MedicationRequest; // each kind has the element
  if (note.length === 0 || !isOver(entry, attempt, around)) return [];
  const ingredients = ingredientsOfEntry(entry, around);
  return note.flatMap(({ text, time }, index) => {
    if (!isWrittenOf(wholeDate(time), entry, attempt)) return [];
    return sentencesIn(text).flatMap((sentence) => {
      const concept = cite<CodeableConcept>(located, { text: sentence }, `note[${index}].text`);
      const found = readStop(concept, around);
      return found === undefined || tellsOfOther(sentence, ingredients, around) ? [] : [found];
    });
  });
}

// A fill or a dose is over as soon as it is recorded: behind an earlier one the drug was taken on. What an order or
// statement says of an earlier trial is over, since another one followed.
function isOver(entry: TherapyEntry, attempt: Attempt, around: Around): boolean {
  const { kind, status } = entry;
  if (kind === 'order' || kind === 'statement') return !attempt.ended.includes(entry) || !isRunning(status.value);
  return isLastSupply(entry, attempt) && courseOfAttempt(attempt, around).isOver;
}

/**
 * Whether a note of an entry is about this one of its trials: a note with its day is of the last trial that had begun
 * by then, one without of the last of them.
 */
function isWrittenOf(day: string | undefined, entry: TherapyEntry, { begun, ended, spans, next }: Attempt): boolean {
  if (day === undefined) return ended.includes(entry);
  const hasBegun = begun.includes(entry) || day >= (spans[0]?.from ?? '');
  return hasBegun && (ended.includes(entry) || next === undefined || day < next);
}

function readStop(concept: Cited<CodeableConcept>, { knowledge }: Around): StopNote | undefined {
  const { stopReasons, stopWords } = knowledge;
  const { text = '' } = concept.value;
  if (stopWords.ended.test(text)) return { concept, saysEnd: true };
  if (stopWords.lasted.test(text)) return { concept, saysEnd: false };
  if (!stopWords.effect.test(text)) return undefined;
  // A sign alone may be one of the disease.
  return isOfAnyKind({ concept, purposes: [] }, stopReasons) ? { concept, saysEnd: false } : undefined;
}

// "Switched to adalimumab" is the end of this drug.
function tellsOfOther(sentence: string, ingredients: string, { knowledge: { drugs, stopWords } }: Around): boolean {
  return namesOtherDrug(sentence.replace(stopWords.next, ''), ingredients, drugs);
}

import type { CodeableConcept, MedicationRequest } from 'fhir/r4.js';
import { type Cited, cite } from '../evidence/cite.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { wholeDate } from '../fhir/time/date-time.ts';
import type { Around } from './around.ts';
import { ingredientsOfEntry } from './drug-by-order.ts';
import { type Attempt, courseOfAttempt, isLastSupply, isRunning } from './history.ts';
import { namesOtherDrug, sentencesIn } from './sentences.ts';
import { isOfAnyKind } from './trial-outcome.ts';

export interface StopNote {
  readonly concept: Cited<CodeableConcept>;
  /** The sentence says that the drug was stopped. Otherwise it is about the drug's effect or intolerance. */
  readonly saysEnd: boolean;
}

/**
 * What notes say about the end of a trial. Only notes on an order or statement that is over, or on the last fill or
 * dose, are read.
 */
export function stopNotesOf(entry: TherapyEntry, attempt: Attempt, around: Around): StopNote[] {
  const { located } = entry;
  const { note = [] } = located.resource as MedicationRequest; // every kind of entry has `note`
  if (note.length === 0 || !isOver(entry, attempt, around)) return [];
  const ingredients = ingredientsOfEntry(entry, around);
  return note.flatMap(({ text, time }, index) => {
    if (!isWrittenOf(wholeDate(time), entry, attempt)) return [];
    return sentencesIn(text).flatMap((sentence) => {
      const concept = cite<CodeableConcept>(located, { text: sentence }, `note[${index}].text`);
      const found = readStop(concept, around);
      return found === undefined || isAboutOther(sentence, ingredients, around) ? [] : [found];
    });
  });
}

// A fill or dose is always complete, so only the last one of a trial can say how therapy ended. An order or statement
// of an earlier trial is over because another trial followed.
function isOver(entry: TherapyEntry, attempt: Attempt, around: Around): boolean {
  const { kind, status } = entry;
  if (kind === 'order' || kind === 'statement') return !attempt.ended.includes(entry) || !isRunning(status.value);
  return isLastSupply(entry, attempt) && courseOfAttempt(attempt, around).isOver;
}

/**
 * Whether a note of an entry is about this trial. A dated note belongs to the last trial that began by its date, and an
 * undated note to the last trial.
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
  // A sign without other words may come from the disease.
  return isOfAnyKind({ concept, purposes: [] }, stopReasons) ? { concept, saysEnd: false } : undefined;
}

// "Switched to adalimumab" is about the end of this drug, so the name of the next drug is ignored.
function isAboutOther(sentence: string, ingredients: string, { knowledge: { drugs, stopWords } }: Around): boolean {
  return namesOtherDrug(sentence.replace(stopWords.next, ''), ingredients, drugs);
}

import type { MappingInput, Question } from '../input.ts';
import type { QuestionPlace } from '../plan/question-places.ts';
import type { Edits } from '../result.ts';
import { isWithin } from '../target.ts';
import type { Mapping } from '../words/define.ts';

export interface PlacedQuestion {
  readonly question: Question;
  readonly place: QuestionPlace;
}

/** The chart's unanswered questions that have a place in this mapping. */
export function openQuestions(mapping: Mapping<unknown>, input: MappingInput, edits: Edits): PlacedQuestion[] {
  const filled = Object.entries(edits).flatMap(([target, value]) => (value === null || value === '' ? [] : [target]));
  return input.questions(mapping.plan.roles).flatMap((question) => {
    const place = mapping.questionPlace(question);
    return place === undefined || isAnswered(question, place, filled) ? [] : [{ question, place }];
  });
}

// An entry inside a part cannot fix a problem of the whole part.
function isAnswered({ reason }: Question, { target, leaves }: QuestionPlace, filled: readonly string[]): boolean {
  if (reason === 'invalid' && !leaves.includes(target)) return filled.some((entry) => isWithin(target, entry));
  return filled.some((entry) => leaves.some((leaf) => isWithin(leaf, entry) || isWithin(entry, leaf)));
}

import type { Contradiction } from '../../fhir/dosage/directions.ts';
import type { Question, Root } from '../../mapping/input.ts';
import type { CompiledClause } from '../compile-clauses.ts';
import type { Facts } from '../facts.ts';
import type { Filled } from '../filled.ts';
import type { Subject } from '../subject.ts';
import type { Ask, AskWhen } from '../words.ts';

/** A compiled role: fills it from what the chart holds. Pure. */
export type Filler = (facts: Facts, role: string) => Filled;

/** A root without nodes that says nothing more. */
export const noRoot: Root = Object.freeze({ nodes: [] });

/** An `AskWhen` with its clause and words compiled. */
export interface CompiledAsk {
  readonly ask: AskWhen;
  readonly when: CompiledClause;
  readonly beside: CompiledClause | undefined;
  readonly words: CompiledClause['words'];
}

/** The question of a role about one candidate. */
export function questionOf(role: string, ask: Ask, message: string, options?: Question['options']): Question {
  const { severity, reason, part } = ask;
  const question: { -readonly [Key in keyof Question]: Question[Key] } = { role, severity, reason, message, looks: [] };
  if (part !== undefined) question.part = part;
  if (options !== undefined && options.length > 0) question.options = options;
  return question;
}

const none: readonly Question[] = [];

/** The questions that hold for the chosen candidate. */
export function askedOf(
  role: string,
  asks: readonly CompiledAsk[],
  subject: Subject,
  facts: Facts,
): readonly Question[] {
  let questions = none;
  for (const { ask, when, beside, words } of asks) {
    if (beside !== undefined || !when.holds(subject, facts)) continue;
    const question = compared(role, ask, words(subject, facts), when.contradiction?.(facts));
    questions = [...questions, question];
  }
  return questions;
}

// The labels of directions that a person chooses from are the directions.
function compared(role: string, ask: Ask, message: string, found: Contradiction | undefined): Question {
  if (found === undefined) return questionOf(role, ask, message);
  const options = found.options.map(({ value, reason }) => ({ value, label: value, reason }));
  return questionOf(
    role,
    ask,
    message.replace('{said}', () => found.said),
    options,
  );
}

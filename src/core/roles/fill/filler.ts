import type { Contradiction } from '../../drug/dosage/directions.ts';
import type { Refusal } from '../../fhir/references/refusals.ts';
import type { CompiledPath } from '../../fhirpath/compile.ts';
import type { Question, Root } from '../../mapping/input.ts';
import { refusedItem } from '../../mapping/refused.ts';
import type { Look } from '../../mapping/result.ts';
import type { CompiledClause } from '../compile-clauses.ts';
import type { Facts } from '../facts.ts';
import type { Filled } from '../filled.ts';
import { itemsAt, type Subject, textAt } from '../subject.ts';
import type { Ask, AskWhen } from '../words.ts';

/** A compiled role. Fills the role from the chart, without side effects. */
export type Filler = (facts: Facts, role: string) => Filled;

/** A root without nodes, looks and note. */
export const noRoot: Root = Object.freeze({ nodes: [] });

/** An `AskWhen` with its clauses and paths compiled. */
export interface CompiledAsk {
  readonly ask: AskWhen;
  readonly when: CompiledClause;
  readonly beside: CompiledClause | undefined;
  readonly words: CompiledClause['words'];
  /** `part` finds the value in question, and `confirms` the value that a person may confirm. */
  readonly part: CompiledPath | undefined;
  readonly confirms: CompiledPath | undefined;
}

export function questionOf(role: string, ask: Ask, message: string, options?: Question['options']): Question {
  const { severity, reason, part } = ask;
  const question: { -readonly [Key in keyof Question]: Question[Key] } = { role, severity, reason, message, looks: [] };
  if (part !== undefined) question.part = part;
  if (options !== undefined && options.length > 0) question.options = options;
  return question;
}

const none: readonly Question[] = [];

/** The questions whose conditions hold for the chosen candidate. */
export function askedOf(
  role: string,
  asks: readonly CompiledAsk[],
  subject: Subject,
  facts: Facts,
): readonly Question[] {
  let questions = none;
  for (const compiled of asks) {
    const { ask, when, beside, words } = compiled;
    if (beside !== undefined || !when.holds(subject, facts)) continue;
    const message = words(subject, facts);
    const question =
      ask.why === undefined
        ? compared(role, ask, message, when.contradiction?.(facts))
        : doubted({ role, message, why: ask.why }, compiled, subject, facts);
    questions = [...questions, question];
  }
  return questions;
}

interface Doubt extends Pick<Question, 'role' | 'message'> {
  readonly why: Refusal;
}

// A question with the value of the chart, and the value that a person may confirm.
function doubted(
  { role, message, why }: Doubt,
  { ask, part, confirms }: CompiledAsk,
  subject: Subject,
  facts: Facts,
): Question {
  const found = part === undefined ? [] : itemsAt(part, [subject.item], facts);
  const looks: Look[] =
    part === undefined || found.length === 0
      ? []
      : [{ expression: part.expression, steps: [], refused: found.map((item) => refusedItem(why, item)) }];
  const value = confirms === undefined ? undefined : textAt(confirms, subject.item, facts);
  const options = value === undefined ? undefined : [{ value, label: value, reason: 'as the chart says it' }];
  return { ...questionOf(role, ask, message, options), why, looks };
}

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

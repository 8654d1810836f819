import type { Entered, Entries, User } from '../../../cases/case.ts';

/** Names in `enteredBy` for what a person can change besides fields. */
export const answerKeys = ['coverage', 'diagnoses', 'evidence'] as const;

/**
 * Who made each entry and answer, and when. An unchanged entry keeps its author; a changed entry gets the person who
 * saves now (`at`, ISO 8601).
 */
export function enteredByOf(
  before: Pick<Entries, 'edits' | 'answers' | 'enteredBy'>,
  after: Pick<Entries, 'edits' | 'answers'>,
  { user, at }: { readonly user: User; readonly at: string },
): NonNullable<Entries['enteredBy']> {
  const now: Entered = { ...user, at };
  const entries = Object.entries(after.edits).map(
    ([target, value]) => [target, target in before.edits && before.edits[target] === value] as const,
  );
  const answers = answerKeys.flatMap((key) =>
    after.answers[key] === undefined
      ? []
      : [[key, JSON.stringify(after.answers[key]) === JSON.stringify(before.answers[key])] as const],
  );
  const made = [...entries, ...answers].flatMap(([key, isKept]) => {
    const by = isKept ? before.enteredBy?.[key] : now;
    return by === undefined ? [] : [[key, by] as const];
  });
  return Object.fromEntries(made);
}

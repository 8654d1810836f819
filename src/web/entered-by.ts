import type { Entries, User } from '../cases/case.ts';
import type { Edits } from '../mapping/result.ts';

/** Who made each entry: whoever made it before where it is the same, else the person who saves now. */
export function enteredByOf(
  before: Pick<Entries, 'edits' | 'enteredBy'>,
  edits: Edits,
  user: User,
): NonNullable<Entries['enteredBy']> {
  const made = Object.entries(edits).flatMap(([target, value]) => {
    const isKept = target in before.edits && before.edits[target] === value;
    const by = isKept ? before.enteredBy?.[target] : user;
    return by === undefined ? [] : [[target, by] as const];
  });
  return Object.fromEntries(made);
}

import { BridgeError } from '../../core/errors.ts';
import type { Current } from '../assemble.ts';
import type { Actor, User } from '../case.ts';
import type { CaseChange, Changed } from '../change.ts';
import { actorKey } from '../events.ts';
import type { FollowedBy } from '../followed-by.ts';
import type { CaseHead, Note } from '../sealed-parts.ts';

/** Transitions that change who works on a case. They reach neither the service nor the chart. */

export function assigned({ head }: Current, { to, by }: { readonly to?: User; readonly by: User }): Changed {
  const given = to === undefined ? undefined : actorKey(to, head.users);
  if (given?.key === head.assigned) return undefined;
  return {
    head: { assigned: given?.key, ...(given === undefined ? {} : { users: given.users }) },
    says: [{ type: 'assigned', facts: given === undefined ? {} : { to: given.key }, by }],
  };
}

export function takenOver({ head }: Current, { by }: { readonly by: User }): Changed {
  const owned = ownedBy(head, by);
  if (owned.owner === head.owner && head.assigned === undefined) return undefined;
  const from = head.assigned ?? head.owner;
  return {
    head: { ...owned, assigned: undefined },
    says: [{ type: 'taken_over', facts: from === undefined ? {} : { from }, by }],
  };
}

/** Makes `by` the owner, and marks the previous owner to be notified. */
export function ownedBy(head: CaseHead, by: Actor): Pick<CaseHead, 'owner' | 'told' | 'users'> {
  const { key, users } = actorKey(by, head.users);
  if (key === 'bridge') return { ...(head.owner === undefined ? {} : { owner: head.owner }), users };
  const before = head.assigned ?? head.owner;
  if (before === undefined || before === key) return { owner: key, users };
  return { owner: key, told: { person: before, by: key }, users };
}

/** Clears the notification if `by` is the person to notify. */
export function takeOverSeen({ head }: Current, { by }: { readonly by: User }): Changed {
  return head.told?.person === actorKey(by, head.users).key ? { head: { told: undefined } } : undefined;
}

const mostNotes = 50;
const longestNote = 1000;

export function noteAdded(
  { head }: Current,
  { text, by }: { readonly text: string; readonly by: User },
  at: string,
): Changed {
  const short = text.trim().slice(0, longestNote);
  if (short === '') return undefined;
  const { key, users } = actorKey(by, head.users);
  return {
    head: { users, notes: withNote(head.notes, { at, by: key, text: short }) },
    says: [{ type: 'note_added', facts: {}, by }],
  };
}

/** The notes with a new note; the oldest notes are dropped. */
export function withNote(notes: CaseHead['notes'] = [], { text, ...note }: Note): readonly Note[] {
  return [...notes, { ...note, text: text.trim().slice(0, longestNote) }].slice(-mostNotes);
}

/**
 * An approved request can be marked as done again on another day: once when its work is done, and a year later when
 * nobody renews it.
 */
export function doneMarked({ stored, head, one }: Current, { by }: { readonly by: User }, at: string): Changed {
  if (stored.state !== 'ended' && head.orderEnded !== true)
    throw new BridgeError('case_not_ready', { case: stored.id });
  const said = one.events.findLast(({ type }) => type === 'marked_done')?.at.slice(0, 10);
  return head.done === true && said === at.slice(0, 10)
    ? undefined
    : { head: { done: true }, says: [{ type: 'marked_done', facts: {}, by }] };
}

/** A newer request replaces this request; without `by`, the newer request was canceled. */
export function followedByNewer({ head }: Current, { by }: { readonly by?: FollowedBy }): Changed {
  if (head.followed?.case === by?.case) return undefined;
  return {
    head: { followed: by },
    says: [{ type: 'followed', facts: by === undefined ? {} : { case: by.case }, by: 'bridge' }],
  };
}

export function restricted(_: Current, _facts: object): CaseChange {
  return { head: { restricted: true } };
}

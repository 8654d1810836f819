import { BridgeError } from '../../core/errors.ts';
import type { Current } from '../assemble.ts';
import type { Entries, User } from '../case.ts';
import type { CaseChange, Changed } from '../change.ts';
import { actorKey } from '../events.ts';
import type { CaseHead } from '../sealed-parts.ts';
import { isSigned, type StoredSignature } from '../signature.ts';
import { withNote } from './people.ts';

/** A draft is submitted to the prescriber, who signs it or returns it with a note. */

export interface SignatureAsked {
  readonly digest: string;
  readonly by: User;
  readonly prescriber?: string;
}

/** Submitting the same content again changes nothing while the content waits or is signed. */
export function signatureAsked({ head }: Current, { digest, by, prescriber }: SignatureAsked, at: string): Changed {
  const before = head.signature;
  if (before?.digest === digest && before.state !== 'returned' && !before.isChanged) return undefined;
  const { key, users } = actorKey(by, head.users);
  return {
    head: {
      users,
      signature: { state: 'asked', digest, askedBy: key, askedAt: at, isChanged: false },
      ...(prescriber === undefined ? {} : { prescriber }),
    },
    says: [{ type: 'sign_asked', facts: {}, by }],
  };
}

export interface SignatureGiven {
  readonly digest: string;
  readonly by: User;
}

/** Signs the content that the signer saw. Throws signature_changed if the draft has changed since, or was returned. */
export function signatureGiven({ head, stored }: Current, { digest, by }: SignatureGiven, at: string): Changed {
  const before = standing(head, digest, stored.id);
  if (before.state === 'signed') return undefined;
  if (before.state === 'returned') throw new BridgeError('signature_changed', { case: stored.id });
  return signed(head, before, { digest, by }, at);
}

export function signed(
  head: CaseHead,
  before: StoredSignature | undefined,
  { digest, by }: SignatureGiven,
  at: string,
): CaseChange {
  const { key, users } = actorKey(by, head.users);
  const asked = before?.digest === digest ? before : undefined;
  return {
    head: { users, signature: { ...asked, state: 'signed', digest, settledBy: key, settledAt: at, isChanged: false } },
    says: [{ type: 'signed', facts: {}, by }],
  };
}

export interface SignatureReturned extends SignatureGiven {
  readonly note: string;
}

/** Returns the content with a note, or withdraws a signature if nothing was sent yet. */
export function signatureReturned(
  { head, stored }: Current,
  { digest, note, by }: SignatureReturned,
  at: string,
): Changed {
  const before = standing(head, digest, stored.id);
  if (before.state === 'returned') return undefined;
  const { key, users } = actorKey(by, head.users);
  return {
    head: {
      users,
      notes: withNote(head.notes, { at, by: key, text: note }),
      signature: { ...before, state: 'returned', settledBy: key, settledAt: at },
    },
    says: [{ type: 'sign_returned', facts: {}, by }],
  };
}

function standing({ signature }: CaseHead, digest: string, id: string): StoredSignature {
  if (signature === undefined || signature.digest !== digest || signature.isChanged)
    throw new BridgeError('signature_changed', { case: id });
  return signature;
}

export interface SignedForSending {
  /** The fingerprint of the content that is being sent. */
  readonly digest: string;
  readonly isRequired: boolean;
  /** The sender signs by sending. */
  readonly signer?: User;
}

/** The signature after sending. Throws signature_required inside the transaction that would send the request. */
export function signedForSending({ head, stored }: Current, facts: SignedForSending, at: string): CaseChange {
  const { digest, isRequired, signer } = facts;
  const before = head.signature;
  if (isSigned(before, digest)) return before?.isChanged === true ? { head: { signature: unchanged(before) } } : {};
  if (signer !== undefined) return signed(head, before, { digest, by: signer }, at);
  if (isRequired) throw new BridgeError('signature_required', { case: stored.id });
  return {};
}

function unchanged(signature: StoredSignature): StoredSignature {
  return { ...signature, isChanged: false };
}

/**
 * The signature after a change of the draft. If the page computed the fingerprint of the request, the fingerprint
 * decides. Otherwise any changed entry counts as a change until a page computes the fingerprint again.
 */
export function signatureAfter(
  { signature }: CaseHead,
  digest: string | undefined,
  [before, after]: readonly [Entries, Entries],
): Pick<CaseHead, 'signature'> {
  if (signature === undefined) return {};
  const isChanged = digest === undefined ? signature.isChanged || differs(before, after) : digest !== signature.digest;
  return isChanged === signature.isChanged ? {} : { signature: { ...signature, isChanged } };
}

function differs(before: Entries, after: Entries): boolean {
  return JSON.stringify(contentOf(before)) !== JSON.stringify(contentOf(after));
}

function contentOf({ edits, answers, attached, sheet, setAside, enteredFor, consent }: Entries): unknown {
  return [edits, answers, attached ?? [], sheet ?? {}, setAside ?? {}, enteredFor ?? {}, consent ?? {}];
}

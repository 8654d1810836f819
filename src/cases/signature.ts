import { createHash } from 'node:crypto';
import type { Site } from '../config/config.ts';
import { answersTitle } from '../core/answers/request-parts.ts';
import type { Kind } from '../core/contract/kinds.ts';
import { isObject } from '../core/fhir/is-object.ts';
import type { User } from './actor.ts';

/**
 * A prescriber's approval of what is about to be sent. It is recorded by name and time and belongs to one content: what
 * is changed afterwards has another fingerprint and needs another approval. It is no legal signature.
 */
export interface Signature {
  /** `asked`: handed over; `signed`; `returned`: with a note, to be corrected. */
  readonly state: 'asked' | 'signed' | 'returned';
  /** `fingerprintOf` what was shown. */
  readonly digest: string;
  /** Who handed it over, and when; absent where the signer sent it at once. */
  readonly askedBy?: User;
  readonly askedAt?: string;
  /** Who signed or returned it, and when. */
  readonly settledBy?: User;
  readonly settledAt?: string;
  /** Why it was returned. */
  readonly note?: string;
  /** The draft was changed since. */
  readonly isChanged: boolean;
}

/** The same as the head of a case stores it: people as events name them, the note among the notes for colleagues. */
export interface StoredSignature extends Pick<Signature, 'state' | 'digest' | 'askedAt' | 'settledAt' | 'isChanged'> {
  readonly askedBy?: string;
  readonly settledBy?: string;
}

/**
 * What identifies the content of a request or draft: the same content has the same one. The day on which the answers
 * were put together is left out, so that what is signed today can be sent tomorrow.
 */
export function fingerprintOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body, withoutDayOfAnswers)).digest('base64url');
}

// JSON.stringify gives the object that has the key as `this`.
function withoutDayOfAnswers(this: unknown, key: string, value: unknown): unknown {
  return key === 'date_created' && isObject(this) && (this.title === answersTitle || 'questions' in this)
    ? undefined
    : value;
}

/** Whether a site offers signing for requests of a kind: a benefit verification decides nothing and has none. */
export function offersSignature({ signature }: Pick<Site, 'signature'>, kind: Kind): boolean {
  return signature !== undefined && kind !== 'benefit-verification';
}

/** Whether a request of a kind, or a reply, leaves this site only with a signature. */
export function requiresSignature(site: Pick<Site, 'signature'>, kind: Kind): boolean {
  return offersSignature(site, kind) && site.signature?.required === true;
}

/** The order's prescriber, and whom the site names. */
export function maySign(
  { signature }: Pick<Site, 'signature'>,
  { prescriber, restricted }: { readonly prescriber?: string | undefined; readonly restricted?: boolean | undefined },
  { fhirUser }: User,
): boolean {
  if (signature === undefined || fhirUser === undefined) return false;
  return fhirUser === prescriber || (restricted !== true && signature.signers.includes(fhirUser));
}

/** Whether this very content is signed. */
export function isSigned(signature: Pick<Signature, 'state' | 'digest'> | undefined, digest: string): boolean {
  return signature?.state === 'signed' && signature.digest === digest;
}

/** Waits for the signer. */
export function isAsked(signature: Pick<Signature, 'state' | 'isChanged'> | undefined): boolean {
  return signature?.state === 'asked' && !signature.isChanged;
}

/** What a draft is before: `send` where nothing is to be signed any more; `sign`: to be handed over, or signed. */
export type SignatureStage = 'send' | 'sign' | 'asked' | 'returned';

export function signatureStage(
  site: Pick<Site, 'signature'>,
  { kind, signature }: { readonly kind: Kind; readonly signature?: Signature | undefined },
): SignatureStage {
  if (!offersSignature(site, kind)) return 'send';
  if (signature === undefined || signature.isChanged) return requiresSignature(site, kind) ? 'sign' : 'send';
  return signature.state === 'signed' ? 'send' : signature.state;
}

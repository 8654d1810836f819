import { createHash } from 'node:crypto';
import type { Site } from '../config/config.ts';
import { answersTitle } from '../core/answers/request-parts.ts';
import type { Kind } from '../core/contract/kinds.ts';
import { isObject } from '../core/fhir/is-object.ts';
import type { User } from './actor.ts';

/**
 * A prescriber's approval of content that is about to be sent. It records a name and a time, and is valid for exactly
 * one content: changed content has another fingerprint and needs another approval. It is not a legal signature.
 */
export interface Signature {
  /** `asked`: submitted for signature; `returned`: sent back with a note, to be corrected. */
  readonly state: 'asked' | 'signed' | 'returned';
  /** `fingerprintOf` the content that was submitted for signature. */
  readonly digest: string;
  /** Who submitted the content for signature, and when; absent if the signer sent it directly. */
  readonly askedBy?: User;
  readonly askedAt?: string;
  /** Who signed or returned the content, and when. */
  readonly settledBy?: User;
  readonly settledAt?: string;
  /** Why the content was returned. */
  readonly note?: string;
  /** The draft was changed after it was submitted or signed. */
  readonly isChanged: boolean;
}

/**
 * The signature as the head of a case stores it. People are stored as actor keys, and the signer's note is stored with
 * the notes for colleagues.
 */
export interface StoredSignature extends Pick<Signature, 'state' | 'digest' | 'askedAt' | 'settledAt' | 'isChanged'> {
  readonly askedBy?: string;
  readonly settledBy?: string;
}

export function fingerprintOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body, withoutDayOfAnswers)).digest('base64url');
}

// JSON.stringify passes the object that has the key as `this`.
function withoutDayOfAnswers(this: unknown, key: string, value: unknown): unknown {
  return key === 'date_created' && isObject(this) && (this.title === answersTitle || 'questions' in this)
    ? undefined
    : value;
}

/**
 * Whether a site offers signing for a kind of request. Benefit verifications are never signed: they ask for no
 * decision.
 */
export function offersSignature({ signature }: Pick<Site, 'signature'>, kind: Kind): boolean {
  return signature !== undefined && kind !== 'benefit-verification';
}

/** Whether this site requires a signature before it sends a request of this kind, or a reply. */
export function requiresSignature(site: Pick<Site, 'signature'>, kind: Kind): boolean {
  return offersSignature(site, kind) && site.signature?.required === true;
}

/** The order's prescriber may sign, and so may the signers that the site lists unless the chart is restricted. */
export function maySign(
  { signature }: Pick<Site, 'signature'>,
  { prescriber, restricted }: { readonly prescriber?: string | undefined; readonly restricted?: boolean | undefined },
  { fhirUser }: User,
): boolean {
  if (signature === undefined || fhirUser === undefined) return false;
  return fhirUser === prescriber || (restricted !== true && signature.signers.includes(fhirUser));
}

/** true if exactly this content is signed. */
export function isSigned(signature: Pick<Signature, 'state' | 'digest'> | undefined, digest: string): boolean {
  return signature?.state === 'signed' && signature.digest === digest;
}

/** true while the content waits for the signer. */
export function isAsked(signature: Pick<Signature, 'state' | 'isChanged'> | undefined): boolean {
  return signature?.state === 'asked' && !signature.isChanged;
}

/**
 * The next step of a draft. `send`: it needs no signature; `sign`: it is to be submitted for signature, or signed;
 * `asked`: it waits for the signer; `returned`: the signer wants a change.
 */
export type SignatureStage = 'send' | 'sign' | 'asked' | 'returned';

export function signatureStage(
  site: Pick<Site, 'signature'>,
  { kind, signature }: { readonly kind: Kind; readonly signature?: Signature | undefined },
): SignatureStage {
  if (!offersSignature(site, kind)) return 'send';
  if (signature === undefined || signature.isChanged) return requiresSignature(site, kind) ? 'sign' : 'send';
  return signature.state === 'signed' ? 'send' : signature.state;
}

import { createHash } from 'node:crypto';
import type { Site } from '../config/config.ts';
import { answersTitle } from '../core/answers/request-parts.ts';
import { BridgeError } from '../core/errors.ts';
import { isObject } from '../core/fhir/is-object.ts';
import type { Provenance } from '../core/mapping/result.ts';
import type { Case, CaseKind, Entered, User } from './case.ts';
import type { CaseContext } from './context.ts';
import { patientFormMark } from './patient-form-mark.ts';

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

/** What the signer sees, as it was when it was handed over. */
export interface ShownToSign {
  readonly title: string;
  /** One line for each section of the request. */
  readonly lines: readonly { readonly id: string; readonly title: string; readonly says: readonly string[] }[];
  readonly warnings: readonly string[];
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  /** Who made each entry, by target. */
  readonly enteredBy: Readonly<Record<string, Entered>>;
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
export function offersSignature({ signature }: Pick<Site, 'signature'>, kind: CaseKind): boolean {
  return signature !== undefined && kind !== 'benefit-verification';
}

/** Whether a request of a kind, or a reply, leaves this site only with a signature. */
export function requiresSignature(site: Pick<Site, 'signature'>, kind: CaseKind): boolean {
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

export interface SignatureRequest {
  readonly shown: ShownToSign;
  readonly by: User;
  /** `patientMark` of the chart that the page showed; another one is refused with case_changed. */
  readonly expectedPatient: string;
  /** Who prescribed, as the chart has it. */
  readonly prescriber?: string;
}

/** See `Cases.askSignature`. What is shown is stored before the signer can see that something waits. */
export async function askSignature(
  context: CaseContext,
  id: string,
  { shown, by, prescriber, expectedPatient }: SignatureRequest,
): Promise<Case> {
  const one = await context.get(id);
  if (patientFormMark(context, one.site, one.patient) !== expectedPatient)
    throw new BridgeError('case_changed', { case: id });
  if (!offersSignature(context.siteOf(one.site), one.kind)) throw new BridgeError('not_found', { case: id });
  const digest = fingerprintOf(shown.body);
  await context.store.cases.putFile(id, shownName(digest), Buffer.from(JSON.stringify(shown), 'utf8'));
  return await context.change(id, 'ask-signature', {
    digest,
    by,
    ...(prescriber === undefined ? {} : { prescriber }),
  });
}

/** What was handed over under this fingerprint. */
export async function shownToSign(
  { store }: Pick<CaseContext, 'store'>,
  id: string,
  digest: string,
): Promise<ShownToSign | undefined> {
  const bytes = await store.cases.file(id, shownName(digest));
  // Only `askSignature` puts files there.
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString('utf8')) as ShownToSign);
}

function shownName(digest: string): string {
  return `signature/${digest}`;
}

/** What is signed or returned: a request by its fingerprint, a reply by its key. */
export type Signable = { readonly digest: string } | { readonly reply: string };

/** See `Cases.sign`. */
export async function sign(context: CaseContext, id: string, what: Signable, by: User): Promise<Case> {
  const site = await signableAt(context, id, by);
  if ('digest' in what) return await context.change(id, 'sign', { digest: what.digest, by });
  const state = site.service.profile === 'current' ? 'queued' : 'printed';
  return await context.change(id, 'sign-reply', { key: what.reply, state, by });
}

/** See `Cases.returnUnsigned`. */
export async function returnUnsigned(
  context: CaseContext,
  id: string,
  what: Signable,
  { note, by }: { readonly note: string; readonly by: User },
): Promise<Case> {
  await signableAt(context, id, by);
  if (note.trim() === '')
    throw new BridgeError('bad_request', { case: id, reason: 'no note' }, { next: 'Write what has to change.' });
  if ('digest' in what) return await context.change(id, 'return-signature', { digest: what.digest, note, by });
  return await context.change(id, 'return-reply', { key: what.reply, note, by });
}

async function signableAt(context: CaseContext, id: string, by: User): Promise<Site> {
  const one = await context.get(id);
  const site = context.siteOf(one.site);
  if (!maySign(site, one, by)) throw new BridgeError('sign_refused', { case: id });
  return site;
}

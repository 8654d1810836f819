import type { Site } from '../config/config.ts';
import { BridgeError } from '../core/errors.ts';
import type { Provenance } from '../core/mapping/result.ts';
import type { Case, Entered, User } from './case.ts';
import type { CaseContext } from './context.ts';
import { patientFormMark } from './patient-form-mark.ts';
import { readyState } from './rounds/reply.ts';
import { fingerprintOf, maySign, offersSignature } from './signature.ts';

/** The content that the signer sees, as of the time of submission. */
export interface ShownToSign {
  readonly title: string;
  /** One entry for each section of the request. */
  readonly lines: readonly { readonly id: string; readonly title: string; readonly says: readonly string[] }[];
  readonly warnings: readonly string[];
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  /** Display titles of the request's diagnosis codes, by code. */
  readonly codeTitles?: Readonly<Record<string, string>>;
  /** The author of each entry, by target. */
  readonly enteredBy: Readonly<Record<string, Entered>>;
  /** Chart values that the bridge did not accept in fields that entries fill, as text, by target. */
  readonly notTaken?: Readonly<Record<string, readonly string[]>>;
  /**
   * Values that the bridge proposed for fields that entries fill and that the chart does not state, as text, by target.
   */
  readonly proposed?: Readonly<Record<string, readonly string[]>>;
}

export interface SignatureRequest {
  readonly shown: ShownToSign;
  readonly by: User;
  /** `patientMark` of the chart that the page showed; if it differs, case_changed is thrown. */
  readonly expectedPatient: string;
  /** The prescriber, as stated in the chart. */
  readonly prescriber?: string;
}

/**
 * Implements `Cases.askSignature`. The content is stored first, because the signer may open it as soon as the draft
 * changes.
 */
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

/** The content that was submitted for signature under this fingerprint. */
export async function shownToSign(
  { store }: Pick<CaseContext, 'store'>,
  id: string,
  digest: string,
): Promise<ShownToSign | undefined> {
  const bytes = await store.cases.file(id, shownName(digest));
  // The cast is safe: only `askSignature` stores files here.
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString('utf8')) as ShownToSign);
}

function shownName(digest: string): string {
  return `signature/${digest}`;
}

/** The item to sign or return: a request by its fingerprint, or a reply by its key. */
export type Signable = { readonly digest: string } | { readonly reply: string };

/** Implements `Cases.sign`. */
export async function sign(context: CaseContext, id: string, what: Signable, by: User): Promise<Case> {
  const site = await signableAt(context, id, by);
  if ('digest' in what) return await context.change(id, 'sign', { digest: what.digest, by });
  return await context.change(id, 'sign-reply', { key: what.reply, state: readyState(site), by });
}

/** Implements `Cases.returnUnsigned`. */
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

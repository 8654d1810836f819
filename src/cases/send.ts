import type { Site } from '../config/config.ts';
import { asBridgeError, BridgeError } from '../core/errors.ts';
import { present } from './assemble.ts';
import { createAt } from './at-service.ts';
import { type RequestBody, requestBody } from './body.ts';
import { type Case, type Editable, isEditable } from './case.ts';
import type { CaseContext } from './context.ts';
import { patientFormMark } from './patient-form-mark.ts';
import type { Submission } from './requests.ts';
import { assertNoDuplicate } from './same-request.ts';
import { fingerprintOf, maySign, requiresSignature } from './signature.ts';
import type { SignedForSending } from './transitions/sign-off.ts';

/** Seconds after which the answer of a request in `sending` counts as lost: longer than the client's own limit. */
export const settleSeconds = 180;

/**
 * Implements `Cases.send`. The intent is stored before the request is sent, so that no failure causes a second request.
 */
export async function sendCase(context: CaseContext, id: string, submission: Submission): Promise<Case> {
  const draft = await context.get(id);
  if (patientFormMark(context, draft.site, draft.patient) !== submission.expectedPatient)
    throw new BridgeError('case_changed', { case: id });
  if (!isEditable(draft)) throw new BridgeError('case_already_sent', { case: id });
  const attempt = Math.max(0, ...draft.requests.map((each) => each.attempt)) + 1;
  const request = requestBody(draft, context.siteOf(draft.site), { attempt, submission });
  const signed = signedBy(context.siteOf(draft.site), draft, submission);
  const { provenance, gaps, mappedBy, codeTitles, by, launch, duplicatesSeen = [] } = submission;
  await context.store.exclusively(`duplicate|${context.store.mark(`${draft.site}|${draft.patient}`)}`, async () => {
    const beside = await assertNoDuplicate(context, draft, request, duplicatesSeen);
    const content = { body: request.body, provenance, gaps, mappedBy, by, ...present({ codeTitles }) };
    await context.change(id, 'send', { attempt, content, launch, beside, settleSeconds, signed });
  });
  return await settled(context, draft, attempt, await submit(context, draft.site, request));
}

// Whether this signature is sufficient is checked later, under the lock of the case.
function signedBy(site: Site, draft: Editable, { body, by, signs = false }: Submission): SignedForSending {
  const isRequired = requiresSignature(site, draft.kind);
  const digest = fingerprintOf(body);
  if (!signs) return { digest, isRequired };
  if (by === 'bridge' || !maySign(site, draft, by)) throw new BridgeError('sign_refused', { case: draft.id });
  return { digest, isRequired, signer: by };
}

/** Every answer is stored with its attempt, so that a late answer never changes another attempt. */
async function settled(
  context: CaseContext,
  { id }: Editable,
  attempt: number,
  answer: { readonly serviceId?: string } | BridgeError,
): Promise<Case> {
  if (answer instanceof BridgeError) {
    if (answer.code === 'service_unclear' || answer.code === 'internal')
      return await context.change(id, 'lose', { attempt });
    const isRefused = answer.code === 'service_refused' || answer.code === 'service_too_large';
    const name = isRefused ? 'refuse' : 'not-sent';
    return await context.change(id, name, { attempt, error: answer });
  }
  try {
    return await context.change(id, 'accept', { ...answer, attempt, pollSeconds: context.config.pollSeconds });
  } catch (error) {
    // The log has the id, because a person has to look the request up at the service.
    const { serviceId } = answer;
    context.log.error(
      { case: id, ...(serviceId === undefined ? {} : { service_id: serviceId }) },
      'accepted by the service, but not stored',
    );
    throw error;
  }
}

async function submit(
  context: CaseContext,
  site: string,
  request: RequestBody,
): Promise<{ readonly serviceId?: string } | BridgeError> {
  try {
    const client = context.services(context.siteOf(site));
    return await createAt(client, request);
  } catch (thrown) {
    return asBridgeError(thrown);
  }
}

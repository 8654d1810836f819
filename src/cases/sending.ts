import type { z } from 'zod';
import type { Site } from '../config.ts';
import { asBridgeError, BridgeError } from '../errors.ts';
import { CreateEnrollmentRequest, CreatePriorAuthRequest } from '../service/contract.ts';
import type { Case } from './case.ts';
import { accepted, lost, notAccepted, sending } from './life.ts';
import { pollDelay } from './poll-delay.ts';
import type { Submission } from './requests.ts';
import type { Room } from './room.ts';

/** Seconds after which a request in `sending` has lost its answer: longer than the client's own limit. */
export const settleSeconds = 180;

/**
 * See `Cases.send`. The intent is durable before the request leaves; whatever happens afterwards, it is not sent twice.
 */
export async function sendCase(room: Room, id: string, submission: Submission): Promise<Case> {
  const draft = await room.rows.get(id);
  assertShown(room, draft, submission);
  if (draft.state !== 'draft' && draft.state !== 'refused') throw new BridgeError('case_already_sent', { case: id });
  const request = requestOf(draft, room.siteOf(draft.site), submission);
  const stored = await room.rows.change(id, (current) =>
    sending(current, submission, request.body, settleSeconds, room.now()),
  );
  const answer = await submit(room, stored, request);
  if (answer instanceof BridgeError) {
    return await room.rows.change(id, (current) =>
      answer.code === 'service_unclear' || answer.code === 'internal'
        ? lost(current, room.now())
        : notAccepted(current, answer, room.now()),
    );
  }
  try {
    return await room.rows.change(id, (current) =>
      accepted(current, answer.serviceId, pollDelay(stored, room.config.pollSeconds, room.clock()), room.now()),
    );
  } catch (error) {
    // The id is in the log, for the person who will look the request up.
    room.log.error(
      { case: id, ...(answer.serviceId === undefined ? {} : { service_id: answer.serviceId }) },
      'accepted by the service, but not stored',
    );
    throw error;
  }
}

type Request =
  | { readonly kind: 'prior-auth'; readonly body: CreatePriorAuthRequest }
  | { readonly kind: 'enrollment'; readonly body: z.infer<typeof CreateEnrollmentRequest> };

function assertShown(room: Room, draft: Case, { expectedPatient }: Submission): void {
  if (!room.store.vault.marks(patientText(draft.site, draft.patient)).includes(expectedPatient))
    throw new BridgeError('case_changed', { case: draft.id });
}

/** What patient marks are made of. */
export function patientText(site: string, patient: string): string {
  return `patient|${site}|${patient}`;
}

/**
 * The body with our submission id in it, checked against the contract once more. Throws `case_not_ready` with the
 * fields.
 */
function requestOf(draft: Case, site: Site, { body, gaps }: Submission): Request {
  const open = gaps.filter((gap) => gap.severity === 'blocks').map((gap) => gap.target);
  if (draft.kind === 'enrollment' && draft.consent === undefined) open.push('consent');
  if (open.length > 0) throw new BridgeError('case_not_ready', { case: draft.id, fields: open });
  if (draft.kind === 'enrollment') {
    const request = parsed(CreateEnrollmentRequest, body, draft.id);
    return { kind: 'enrollment', body: { ...request, metadata: { enrollment_id: draft.id } } };
  }
  const request = parsed(CreatePriorAuthRequest, body, draft.id);
  const prescription = { ...request.prescription, extra: { ...request.prescription.extra, submission_id: draft.id } };
  return {
    kind: 'prior-auth',
    body: { ...request, prescription, ...(site.service.training ? { is_training_data: true } : {}) },
  };
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown, id: string): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (!result.success)
    throw new BridgeError('case_not_ready', {
      case: id,
      fields: result.error.issues.map((issue) => issue.path.join('.')),
    });
  return result.data;
}

async function submit(
  room: Room,
  stored: Case,
  request: Request,
): Promise<{ readonly serviceId?: string } | BridgeError> {
  try {
    const client = room.services(room.siteOf(stored.site));
    if (request.kind === 'prior-auth') return { serviceId: (await client.createPriorAuthorization(request.body)).id };
    const confirmation = await client.submitEnrollment(request.body);
    return confirmation?.id === undefined ? {} : { serviceId: confirmation.id };
  } catch (thrown) {
    return asBridgeError(thrown);
  }
}

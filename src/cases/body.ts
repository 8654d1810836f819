import type { z } from 'zod';
import type { Site } from '../config.ts';
import { BridgeError } from '../errors.ts';
import { CreateEnrollmentRequest, CreatePriorAuthRequest } from '../service/contract.ts';
import type { Editable } from './case.ts';
import { submissionIdOf } from './record.ts';
import type { Submission } from './requests.ts';

/** A request as it leaves. */
export type RequestBody =
  | { readonly kind: 'prior-auth'; readonly body: CreatePriorAuthRequest }
  | { readonly kind: 'enrollment'; readonly body: CreateEnrollmentRequest };

/**
 * The body with our submission id in it, checked against the contract once more. Throws `case_not_ready` with the
 * fields.
 */
export function requestBody(
  draft: Editable,
  site: Site,
  { attempt, submission }: { readonly attempt: number; readonly submission: Submission },
): RequestBody {
  const { id, kind } = draft;
  const open = submission.gaps.filter((gap) => gap.severity === 'blocks').map((gap) => gap.target);
  if (kind === 'enrollment' && draft.consent === undefined) open.push('consent');
  if (open.length > 0) throw new BridgeError('case_not_ready', { case: id, fields: open });
  const submissionId = submissionIdOf(id, attempt);
  if (kind === 'enrollment') {
    const request = parsed(CreateEnrollmentRequest, submission.body, id);
    return { kind, body: { ...request, metadata: { enrollment_id: submissionId } } };
  }
  const request = parsed(CreatePriorAuthRequest, submission.body, id);
  const extra = { ...request.prescription.extra, submission_id: submissionId };
  const body = { ...request, prescription: { ...request.prescription, extra } };
  return { kind, body: { ...body, ...(site.service.training ? { is_training_data: true } : {}) } };
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

import type { z } from 'zod';
import type { Site } from '../config/config.ts';
import { CreateBenefitVerificationRequest } from '../core/contract/benefit-verification.ts';
import { CreateEnrollmentRequest } from '../core/contract/enrollment.ts';
import type { Kind, RequestOf } from '../core/contract/kinds.ts';
import { contractFor, type PriorAuthRequest } from '../core/contract/profiles.ts';
import { BridgeError } from '../core/errors.ts';
import type { Editable } from './case.ts';
import { verifiesBenefits } from './offered.ts';
import type { Submission } from './requests.ts';
import { submissionIdOf } from './service-record.ts';

/** A request in the form in which it is sent. */
export type RequestBody = { readonly [Of in Kind]: { readonly kind: Of; readonly body: RequestOf[Of] } }[Kind];

/**
 * The body with our submission id, validated again against the contract of the site's service. Throws `case_not_ready`
 * with the open or invalid fields.
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
  return made[kind](submission.body, { id, site, submissionId: submissionIdOf(id, attempt) });
}

interface Making {
  readonly id: string;
  readonly site: Site;
  readonly submissionId: string;
}

const made: { readonly [Of in Kind]: (body: unknown, making: Making) => RequestBody } = {
  'prior-auth': (given, { id, site, submissionId }) => {
    const { profile, training } = site.service;
    const request = parsed(contractFor(profile, given), given, id);
    const extra = { ...request.prescription.extra, submission_id: submissionId };
    // Spreading a union of prescriptions gives one object whose type TypeScript cannot narrow.
    const body = { ...request, prescription: { ...request.prescription, extra } } as PriorAuthRequest;
    const isTraining = training && profile === 'documented';
    return { kind: 'prior-auth', body: isTraining ? { ...body, is_training_data: true } : body };
  },
  enrollment: (given, { id, submissionId }) => {
    const request = parsed(CreateEnrollmentRequest, given, id);
    return { kind: 'enrollment', body: { ...request, metadata: { enrollment_id: submissionId } } };
  },
  // The request has no field for our id, so its record is recognized by its content; see benefit-record.ts.
  'benefit-verification': (given, { id, site }) => {
    if (!verifiesBenefits(site)) throw new BridgeError('benefits_not_offered', { case: id });
    return { kind: 'benefit-verification', body: parsed(CreateBenefitVerificationRequest, given, id) };
  },
};

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown, id: string): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (!result.success)
    throw new BridgeError('case_not_ready', {
      case: id,
      fields: result.error.issues.map((issue) => issue.path.join('.')),
    });
  return result.data;
}

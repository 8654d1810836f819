import { z } from 'zod';
import { BridgeError, type ErrorFacts } from '../errors.ts';
import type { Interaction } from '../fhir/scopes.ts';
import { type Answer, jsonOf, type NoAnswer } from './http.ts';

/** What a request was about, in words that are safe to show. */
export interface Subject {
  readonly type: string;
  readonly interaction: Interaction | 'batch' | 'metadata';
}

const Outcome = z.object({
  resourceType: z.literal('OperationOutcome'),
  issue: z.array(
    z.object({
      code: z.string().optional().catch(undefined),
      details: z
        .object({ coding: z.array(z.object({ code: z.string().optional().catch(undefined) })).optional() })
        .optional()
        .catch(undefined),
    }),
  ),
});

/** Epic's codes for a chart behind Break-the-Glass: a policy's no, which repeating does not change. */
const breakTheGlass = new Set(['4130', '4131', '4134']);

/**
 * The codes of an OperationOutcome: the issues' details where they have one, else their type. Its texts may hold chart
 * values and are left out.
 */
export function outcomeCodes(resource: unknown): string[] {
  const parsed = Outcome.safeParse(resource);
  if (!parsed.success) return [];
  const codes = parsed.data.issue.flatMap(
    ({ code, details }) =>
      details?.coding?.flatMap((coding) => coding.code ?? []) ?? (code === undefined ? [] : [code]),
  );
  return [...new Set(codes.filter((code) => /^[A-Za-z0-9._-]{1,60}$/.test(code)))];
}

/** Whether an answer is a policy's no, which no repeat changes. */
export function isBreakTheGlass(answer: Answer): boolean {
  return outcomeCodes(jsonOf(answer)).some((code) => breakTheGlass.has(code));
}

/** Throws ehr_forbidden when the codes say that the chart is closed to this user. */
export function refuseBrokenGlass(codes: readonly string[], subject: Subject): void {
  if (codes.some((code) => breakTheGlass.has(code)))
    throw new BridgeError('ehr_forbidden', { resource: subject.type, reason: 'break-the-glass', codes });
}

/** The BridgeError of a read that the EHR did not answer with what was asked. */
export function readError(answer: Answer, subject: Subject): BridgeError {
  const { facts, codes } = factsOf(answer, subject);
  if (codes.some((code) => breakTheGlass.has(code)))
    return new BridgeError('ehr_forbidden', { ...facts, reason: 'break-the-glass' });
  if (answer.status === 403) return new BridgeError('ehr_forbidden', { ...facts, scope: scopeName(subject) });
  return new BridgeError('ehr_error', facts);
}

/**
 * The BridgeError of a write: who may repeat it depends on whether it can have happened. A 5xx or a 408 may
 * come from a gateway after the EHR stored the resource, so it is unclear; what the EHR itself refuses is refused.
 */
export function writeError(answer: Answer, subject: Subject): BridgeError {
  const { facts, codes } = factsOf(answer, subject);
  const { status } = answer;
  if (status === 403)
    return new BridgeError('ehr_forbidden', {
      ...facts,
      scope: scopeName(subject),
      ...(codes.some((code) => breakTheGlass.has(code)) ? { reason: 'break-the-glass' } : {}),
    });
  if (status === 409 || status === 412) return new BridgeError('ehr_conflict', facts);
  if (status === 429) return new BridgeError('ehr_error', facts);
  if (status === 408 || (status >= 500 && status !== 501)) return new BridgeError('ehr_write_unclear', facts);
  return new BridgeError('ehr_write_refused', facts);
}

/** The BridgeError of a request that got no usable answer. A write that may have arrived is ehr_write_unclear. */
export function noAnswerError(cause: NoAnswer, subject: Subject): BridgeError {
  const facts = { resource: subject.type, reason: cause.reason };
  const isWrite = ['c', 'u', 'd'].includes(subject.interaction);
  if (isWrite && cause.sent) return new BridgeError('ehr_write_unclear', facts, { cause });
  return new BridgeError(cause.reason === 'too-large' ? 'ehr_not_fhir' : 'ehr_unreachable', facts, { cause });
}

function factsOf(answer: Answer, subject: Subject): { facts: ErrorFacts; codes: string[] } {
  const codes = outcomeCodes(jsonOf(answer));
  return { codes, facts: { http: answer.status, resource: subject.type, ...(codes.length === 0 ? {} : { codes }) } };
}

function scopeName({ type, interaction }: Subject): string {
  return interaction === 'batch' || interaction === 'metadata' ? type : `${type}.${interaction}`;
}

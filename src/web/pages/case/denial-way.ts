import { isDenied } from '../../../cases/appeal.ts';
import { type Case, outcomeOf, recordOf } from '../../../cases/case.ts';
import type { DraftEdits } from '../../../cases/requests.ts';
import type { Site } from '../../../config/config.ts';
import type { QuestionRow } from '../../../core/answers/cells-for.ts';
import type { Statement } from '../../../core/answers/sheet.ts';
import type { Edits } from '../../../core/mapping/result.ts';
import { answersTo, type QuestionAnswers, type ReplyAnswers } from '../../request/reply-answers.ts';
import type { DenialWay } from './words.ts';

/** Denial reasons that no document resolves, so that the plan is asked for an exception. */
const exceptions: ReadonlySet<string> = new Set([
  'plan_exclusion',
  'formulary_alternative_preferred',
  'coverage_limits_exceeded',
]);

/**
 * The recommended next step after a denial. An appeal is recommended only if the service accepts appeals (profile
 * `current`).
 */
export function denialWay(one: Case, { service }: Pick<Site, 'service'>): DenialWay {
  const advice = recordOf(one)?.denial_reason_analysis?.next_steps?.toLowerCase();
  const code = outcomeOf(one)?.detailCode ?? '';
  if (takesAppeals({ service }) && (advice === 'appeal' || code === 'existing_denial')) return 'appeal';
  return exceptions.has(code) ? 'exception' : 'again';
}

export function takesAppeals({ service }: Pick<Site, 'service'>): boolean {
  return service.profile === 'current';
}

/** The URL fragment of the review section at which the next request opens; '' for the top of the page. */
export function sectionOf(way: DenialWay, { service }: Pick<Site, 'service'>): string {
  if (service.profile !== 'current' || way === 'again') return '';
  return way === 'appeal' ? '#section-appeal' : '#section-resubmission';
}

/** Values for the next request that nobody enters: the service's id of the denied request. */
export function knownOf(one: Case, { service }: Pick<Site, 'service'>): Edits {
  if (service.profile !== 'current' || one.kind !== 'prior-auth' || !isDenied(one) || !('serviceId' in one)) return {};
  return { 'resubmission_info.previous_prior_auth_request_id': one.serviceId ?? null };
}

/**
 * The person's reason for an exception: in the request's own field if the profile has one, else as a statement in the
 * answers sheet.
 */
export function exceptionOf({ service }: Pick<Site, 'service'>, { text, by, at }: Omit<Statement, 'cell'>): DraftEdits {
  if (text === '') return {};
  return service.profile === 'current'
    ? { edits: { 'resubmission_info.note': text } }
    : { sheet: { goes: true, statements: [{ cell: 'rationale', text, by, at }] } };
}

export function answersToDenial(
  one: Case,
  answers: ReplyAnswers,
  by: { readonly questions: readonly QuestionRow[]; readonly evidence: Site['evidence'] },
): QuestionAnswers {
  const outcome = outcomeOf(one);
  const text = [outcome?.label, outcome?.detail, recordOf(one)?.denial_reason_analysis?.explanation];
  return answersTo(text.filter((part) => part !== undefined).join('\n'), answers, by);
}

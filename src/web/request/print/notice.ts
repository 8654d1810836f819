import { approvedDifferences, differenceText } from '../../../cases/approved.ts';
import { type Case, isSent, outcomeOf, recordOf } from '../../../cases/case.ts';
import { approvedNote } from '../../../cases/letter-terms.ts';
import type { Site } from '../../../config/config.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import type { OutcomeView } from '../../../service/outcome-words.ts';
import { appealDeadlineOf, payerOf } from '../../pages/case/appeal.ts';
import { noticeWords as words } from './notice-words.ts';

/** For whom a notice is written. */
export type NoticeFor = 'pharmacy' | 'patient';

/**
 * A decision in plain language for a person outside the clinic. It has only what the payer or the service's record
 * states.
 */
export interface Notice {
  readonly title: string;
  readonly says: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly source: string;
}

/** The notice of an approval or a denial; undefined before the decision and for any other outcome. */
export function noticeOf(
  one: Case,
  site: Site,
  { reader, now }: { readonly reader: NoticeFor; readonly now: Date },
): Notice | undefined {
  if (!hasNotice(one)) return undefined;
  const outcome = outcomeOf(one);
  if (outcome === undefined) return undefined;
  const isApproval = outcome.kind === 'approved';
  const plan = payerOf(one) ?? words.thePlan;
  const { title: drug, banner } = one;
  const text = words[reader];
  const differs = approvedDifferences(one);
  // A difference that only the service's record states may be an error in the record, so the reader is advised to ask
  // first.
  const isFromLetter = differs.every(({ source }) => source === 'letter');
  const otherwise = isFromLetter ? text.differs : text.differsInRecord;
  const appeal = appealDeadlineOf(one, site);
  // Outside the clinic, only the letter's own deadline is stated. A deadline from the clinic's table is for staff.
  const until = appeal?.isFromLetter === true ? appeal.on : undefined;
  return {
    title: isApproval ? words.approvedTitle : words.deniedTitle,
    says: [
      isApproval ? text.approved(plan, drug) : text.denied(plan, drug),
      ...(isApproval ? [] : reasonsOf(outcome, reader)),
      ...(differs.length === 0 ? [] : [otherwise(differs.map(differenceText).join('; '))]),
      ...(until === undefined ? [] : [text.appeal(dayText(until))]),
      ...(isApproval || reader === 'pharmacy' ? [] : nextOf(one, until !== undefined)),
    ],
    facts: [
      [words.patientName, banner.name],
      ...fact(words.born, banner.birthDate === undefined ? undefined : dayText(banner.birthDate)),
      [words.drug, drug],
      ...fact(words.from, dayOf(outcome.authorizationStart)),
      ...fact(words.until, dayOf(outcome.authorizationExpiration)),
      ...fact(words.number, approvedNote(one.events)?.number || undefined),
      ...fact(words.request, reader === 'pharmacy' && 'serviceId' in one ? one.serviceId : undefined),
      [words.printed, dayText(dayIn(now.getTime(), site.timeZone))],
    ],
    source: words.source,
  };
}

function reasonsOf({ detail, detailCode = '' }: OutcomeView, reader: NoticeFor): readonly string[] {
  const plain = reader === 'patient' ? words.plainReasons[detailCode] : undefined;
  return [plain, detail === undefined ? undefined : words.reason(detail)].filter((text) => text !== undefined);
}

/**
 * The patient's next steps. An appeal is suggested only if the record advises it and no other sentence has its
 * deadline.
 */
function nextOf(one: Case, hasDeadline: boolean): readonly string[] {
  const advice = recordOf(one)?.denial_reason_analysis?.next_steps?.toLowerCase();
  const { appealAdvised, next } = words.patient;
  return advice === 'appeal' && !hasDeadline ? [appealAdvised, next] : [next];
}

/** true if there is a decision that a notice can report. */
export function hasNotice(one: Case): boolean {
  if (one.kind !== 'prior-auth' || one.state !== 'ended' || !isSent(one)) return false;
  return ['approved', 'denied'].includes(outcomeOf(one)?.kind ?? '');
}

function fact(label: string, value: string | undefined): (readonly [string, string])[] {
  return value === undefined ? [] : [[label, value]];
}

function dayOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : dayText(text);
}

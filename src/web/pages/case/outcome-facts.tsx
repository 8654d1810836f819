import type { VNode } from 'preact';
import { type ApprovedDifference, differenceText } from '../../../cases/approved.ts';
import type { ApprovedTerms } from '../../../cases/letter-terms.ts';
import type { RenewalWindow } from '../../../config/renewal-window.ts';
import type { PriorAuthorization } from '../../../core/contract/prior-authorization.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { OutcomeView } from '../../../service/outcome-words.ts';
import { statusRule } from '../../../service/statuses.ts';
import { capitalized } from '../../ui/common-words.ts';
import { hasPassed } from '../../ui/status.tsx';
import type { AppealDeadline } from './appeal.ts';
import { approval, nextStepText, renewalText, denial as words } from './words.ts';

interface OutcomeProps {
  readonly outcome: OutcomeView;
  readonly record: PriorAuthorization;
  readonly service: string;
  /** Present after a denial. */
  readonly appeal?: AppealDeadline | undefined;
  /** true if the service accepts an appeal from this site. */
  readonly takesAppeals: boolean;
  /** Present for an approval with an end. */
  readonly renewal?: RenewalWindow | undefined;
  readonly approved?: readonly ApprovedDifference[];
  /** The terms that a person entered from the letter. */
  readonly letter?: ApprovedTerms | undefined;
  /** Where the reader can open the payer's letter: `here`, or only with the patient's `chart` open. */
  readonly letterIn?: 'here' | 'chart';
  /** The date at the site, YYYY-MM-DD. */
  readonly today: string;
}

/** Details of a decision below its headline: the dates of an approval; the reason, advice and appeal of a denial. */
export function OutcomeFacts({
  outcome,
  record,
  service,
  appeal,
  takesAppeals,
  renewal,
  approved = [],
  letter,
  letterIn = 'here',
  today,
}: OutcomeProps): VNode {
  const isPayers = statusRule('prior-auth', record.status).shows === 'payer';
  const reason = outcome.detail ?? (outcome.kind === 'denied' ? words.noReason[letterIn] : undefined);
  return (
    <>
      {approved.length > 0 && <ApprovedOtherwise approved={approved} service={service} />}
      {outcome.kind === 'approved' && outcome.isGood !== true && (
        <ApprovalDates outcome={outcome} renewal={renewal} letter={letter} letterIn={letterIn} today={today} />
      )}
      {reason !== undefined && (
        <dl class="facts reason-facts">
          <div>
            <dt>{isPayers ? words.reason : words.serviceReason(service)}</dt>
            <dd>{reason}</dd>
          </div>
          {appeal !== undefined && <Deadline appeal={appeal} letterIn={letterIn} today={today} />}
        </dl>
      )}
      <Advice analysis={record.denial_reason_analysis} takesAppeals={takesAppeals} />
    </>
  );
}

function ApprovedOtherwise({
  approved,
  service,
}: {
  readonly approved: readonly ApprovedDifference[];
  readonly service: string;
}): VNode {
  return (
    <ul class="approved-otherwise">
      {approved.map((one) => (
        <li key={one.term}>
          <strong>{capitalized(differenceText(one))}</strong>
          <span class="reason">{one.source === 'letter' ? approval.fromLetter : approval.fromRecord(service)}</span>
        </li>
      ))}
    </ul>
  );
}

type DatesProps = Pick<OutcomeProps, 'outcome' | 'renewal' | 'letter' | 'today'> & InLetter;

interface InLetter {
  readonly letterIn: NonNullable<OutcomeProps['letterIn']>;
}

function ApprovalDates({ outcome, renewal, letter, letterIn, today }: DatesProps): VNode {
  const { from = '', until = '', number = '' } = letter ?? {};
  return (
    <>
      <Dates outcome={outcome} renewal={renewal} letterIn={letterIn} today={today} />
      {from + until !== '' && <p class="quiet-text">{approval.datesFromLetter}</p>}
      {number !== '' && (
        <p>
          {approval.terms.number}: <strong>{number}</strong>
        </p>
      )}
    </>
  );
}

function Dates({ outcome, renewal, letterIn, today }: Omit<DatesProps, 'letter'>): VNode | null {
  const { authorizationStart: from, authorizationExpiration: until } = outcome;
  if (until !== undefined && hasPassed(until, today)) return null;
  return (
    <p>
      {from !== undefined && `${approval.starts(dayText(from))} `}
      {until === undefined && approval.noEnd[letterIn]}
      {renewal !== undefined && renewalText(renewal, today)}
    </p>
  );
}

interface DeadlineProps extends InLetter {
  readonly appeal: AppealDeadline;
  readonly today: string;
}

function Deadline({ appeal, letterIn, today }: DeadlineProps): VNode {
  const { on, source, isFromLetter } = appeal;
  return (
    <div>
      <dt>{words.deadline}</dt>
      <dd>
        {on === undefined ? words.seeLetter[letterIn] : dayText(on)}
        {on !== undefined && on < today && <strong class="passed"> {words.passed}</strong>}
        {source !== undefined && <span class="quiet-text appeal-source">{source}</span>}
        {on !== undefined && !isFromLetter && <span class="quiet-text appeal-source">{words.letterCounts}</span>}
      </dd>
    </div>
  );
}

interface AdviceProps extends Pick<OutcomeProps, 'takesAppeals'> {
  readonly analysis: PriorAuthorization['denial_reason_analysis'];
}

function Advice({ analysis, takesAppeals }: AdviceProps): VNode | null {
  if (analysis === undefined) return null;
  const categories = analysis.categories?.map((category) => category.replaceAll('_', ' ')) ?? [];
  return (
    <div class="analysis">
      <h3>{words.why}</h3>
      {categories.length > 0 && <p class="quiet-text">{categories.join(', ')}</p>}
      {analysis.explanation !== undefined && <p>{analysis.explanation}</p>}
      {analysis.next_steps !== undefined && (
        <p>
          <strong>{words.suggested}:</strong> {nextStepText(analysis.next_steps, takesAppeals)}
        </p>
      )}
      {analysis.next_steps_explanation !== undefined && <p>{analysis.next_steps_explanation}</p>}
    </div>
  );
}

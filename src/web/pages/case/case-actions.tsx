import type { VNode } from 'preact';
import { appealNote, isDenied } from '../../../cases/appeal.ts';
import { isApproved } from '../../../cases/approved.ts';
import { type Case, outcomeOf, recordOf, roundsOf } from '../../../cases/case.ts';
import {
  type ApprovedTerm,
  approvedNote,
  approvedTerms,
  type LetterFact,
  letterFacts,
} from '../../../cases/letter-terms.ts';
import { askedStanding } from '../../../cases/rounds/case-asked.ts';
import type { Site } from '../../../config/config.ts';
import { hasRecord } from '../../../core/contract/kinds.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import { type OutcomeView, visibleOutcome } from '../../../service/outcome-words.ts';
import { statusRule } from '../../../service/statuses.ts';
import { isAsked } from '../../../writeback/channel-plan.ts';
import { concernsStaff } from '../../../writeback/ledger.ts';
import { refusalOf } from '../../http/rights.ts';
import { hasNotice } from '../../request/print/notice.ts';
import { Icon } from '../../ui/icon.tsx';
import { refused } from '../launch/words.ts';
import { isToRenew } from './appeal.ts';
import { reviewPlace } from './case-place.ts';
import { denialWay } from './denial-way.ts';
import { questionWords } from './question-words.ts';
import { isAnsweredThere, leadingRound, takesNotes } from './round-state.ts';
import { sentCopyOf } from './sent-copy.ts';
import type { CaseView } from './view.ts';
import { approval, asked, benefits, chart, denial, serviceName, actions as words } from './words.ts';
import { isLetterGivenUp, notSaved } from './writes.tsx';

/** Identifies the available actions. The page replaces its action buttons only when this changes. */
export function offersOf({ case: one, launch }: Pick<CaseView, 'case' | 'launch'>): string {
  return [
    one.state,
    ...(notSaved(one).length > 0 || isToSave(one, launch.site) ? ['unwritten'] : []),
    ...(isLetterGivenUp(one) ? ['letter'] : []),
    ...(isDenied(one) ? ['denied'] : []),
    ...(one.followed === undefined ? [] : ['followed']),
  ].join('-');
}

/** The next step, shown beside the headline; null if there is nothing to do. */
export function LeadingAction({ view }: { readonly view: CaseView }): VNode | null {
  const { case: one, here, launch } = view;
  const acts = refusalOf(launch) === undefined;
  if (one.state === 'draft' || one.state === 'refused') return <Lead href={reviewOf(view)} text={words.correct} />;
  if (one.kind === 'benefit-verification') return acts ? <AfterBenefits view={view} /> : null;
  const record = recordOf(one);
  if (record === undefined) return null;
  // The reply form above is the next step.
  if (leadingRound(one) !== undefined || isReplied(one, record.status)) return null;
  if (roundsOf(one).some((round) => isAnsweredThere(view, round))) return null;
  if (one.state === 'open' && statusRule('prior-auth', record.status).shows === 'asked')
    return <AnswerThere view={view} />;
  if (one.state === 'ended' && view.started !== undefined)
    return <Lead href={view.started} text={denial.openStarted} />;
  if (isDenied(one))
    return acts ? <Lead href={`${here}/again`} text={denial.ways[denialWay(one, launch.site)]} /> : null;
  if (acts && isToRenew(one, launch.site, view.today))
    return <Lead href={`${reviewOf(view)}?anew=1`} text={approval.startRenewal} />;
  if (goesDirectly(one)) return <Lead href={`${here}/fax.pdf`} text={words.fax} isFile />;
  return null;
}

/** The link to answer the question in the service. */
export function AnswerThere({ view: { case: one, platform, launch } }: { readonly view: CaseView }): VNode | null {
  if (platform === undefined) return null;
  const service = serviceName(launch.site);
  const isReview = recordOf(one)?.status === 'awaiting_review';
  return <Lead href={platform} text={isReview ? asked.review(service) : asked.answer(service)} isNewWindow />;
}

// The record may still show the question until the service has read the reply.
function isReplied(one: Case, status: string): boolean {
  const standing = one.state === 'open' ? askedStanding(roundsOf(one), status) : undefined;
  return standing === 'replying' || standing === 'answered';
}

/**
 * The next step after a benefit verification: the prior authorization that the plan requires, or another verification.
 */
function AfterBenefits({ view: { case: one, home } }: { readonly view: CaseView }): VNode | null {
  const outcome = one.state === 'ended' ? outcomeOf(one) : undefined;
  if (outcome === undefined || outcome.isGood === true) return null;
  const needsPa = outcome.kind === 'covered' || outcome.isByException === true;
  if (needsPa)
    return <Lead href={`${home}/${reviewPlace({ kind: 'prior-auth', order: one.order })}`} text={benefits.startPa} />;
  return <Lead href={`${home}/${reviewPlace(one)}?anew=1`} text={benefits.again} />;
}

interface LeadProps {
  readonly href: string;
  readonly text: string;
  readonly isNewWindow?: true;
  readonly isFile?: true;
}

function Lead({ href, text, isNewWindow, isFile }: LeadProps): VNode {
  return (
    <p class="actions">
      <a
        href={href}
        class="button go"
        {...(isNewWindow ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
        {...(isFile ? { download: true } : {})}
      >
        {text}
        {isFile && <Icon name="download" />}
        {isNewWindow && <Icon name="external-link" />}
        {isNewWindow && <span class="hidden">{words.newWindow}</span>}
      </a>
    </p>
  );
}

/** All actions apart from the next step. */
export function CaseActions({ view }: { readonly view: CaseView }): VNode {
  const { case: one, here, home, token, platform, launch } = view;
  const isFollowed = one.state === 'open';
  const refusal = refusalOf(launch);
  const acts = refusal === undefined;
  return (
    <section class="card" aria-labelledby="act">
      <h2 id="act">{words.heading}</h2>
      {refusal !== undefined && <p class="notice">{refused[refusal]}</p>}
      {one.state === 'unknown' && acts && <Reconcile view={view} />}
      <form method="post" action={here} class="actions">
        <input type="hidden" name="token" value={token} />
        {isFollowed && (
          <button type="submit" name="action" value="refresh" class="secondary">
            {words.updates}
          </button>
        )}
        {isToSave(one, launch.site) && notSaved(one).length === 0 && acts && (
          <button type="submit" name="action" value="write" class="secondary">
            {chart.saveAgain}
          </button>
        )}
        {platform !== undefined && (
          <a href={platform} class="button quiet-button" target="_blank" rel="noopener noreferrer">
            {words.openService(serviceName(launch.site))}
            <Icon name="external-link" />
            <span class="hidden">{words.newWindow}</span>
          </a>
        )}
        {takesNotes(view) && (
          <a href={`${here}/questions/new`} class="button quiet-button">
            {questionWords.noted}
          </a>
        )}
        {one.state === 'ended' && !isDenied(one) && acts && !leadsOn(view) && (
          <a href={`${reviewOf(view)}?anew=1`} class="button quiet-button">
            {words.again}
          </a>
        )}
        {sentCopyOf(one) !== undefined && (
          <>
            <a href={`${here}/request.pdf`} class="button quiet-button" download>
              {words.print}
              <Icon name="download" />
            </a>
            {one.kind === 'prior-auth' && !goesDirectly(one) && (
              <a href={`${here}/fax.pdf`} class="button quiet-button" download>
                {words.fax}
                <Icon name="download" />
              </a>
            )}
          </>
        )}
        {hasNotice(one) && (
          <>
            <a href={`${here}/pharmacy-notice.pdf`} class="button quiet-button" download>
              {words.pharmacyNotice}
              <Icon name="download" />
            </a>
            <a href={`${here}/patient-notice.pdf`} class="button quiet-button" download>
              {words.patientNotice}
              <Icon name="download" />
            </a>
          </>
        )}
        <a href={`${home}/orders`} class="button quiet-button">
          {words.orders}
        </a>
      </form>
      {isApproved(one) && acts && <ApprovedForm view={view} />}
      {isDenied(one) && acts && <AppealForm view={view} />}
      {isFollowed && acts && <Cancel view={view} />}
    </section>
  );
}

/** true if the headline already links to the next request. */
function leadsOn({ case: one, launch, started, today }: CaseView): boolean {
  return started !== undefined || isToRenew(one, launch.site, today);
}

/** true if something is missing from the chart and a person may retry writing it. */
function isToSave(one: Case, { writeback }: Site): boolean {
  return one.writes
    .filter(concernsStaff)
    .some(
      ({ what, state }) =>
        state !== 'done' && state !== 'retracted' && (state !== 'skipped' || isAsked(what, writeback.channels)),
    );
}

/** true if the service cannot submit to this plan, so that the request must reach the plan another way. */
function goesDirectly(one: Case): boolean {
  const record = recordOf(one);
  const outcome: OutcomeView | undefined =
    record === undefined || one.state !== 'ended' ? undefined : visibleOutcome(record);
  return outcome?.kind === 'not_submitted' && outcome.isGood !== true;
}

function reviewOf({ home, case: one }: CaseView): string {
  return `${home}/${reviewPlace(one)}`;
}

/** The buttons for writes to the chart that failed (`SaveTrouble`). */
export function SaveForm({ view: { case: one, here, token, launch } }: { readonly view: CaseView }): VNode | null {
  if (refusalOf(launch) !== undefined) return null;
  return (
    <form method="post" action={here} class="actions">
      <input type="hidden" name="token" value={token} />
      {notSaved(one).length > 0 && (
        <button type="submit" name="action" value="write">
          {chart.saveAgain}
        </button>
      )}
      {isLetterGivenUp(one) && (
        <button type="submit" name="action" value="fetch-letter">
          {chart.fetchAgain}
        </button>
      )}
    </form>
  );
}

function AppealForm({ view: { case: one, here, token, launch } }: { readonly view: CaseView }): VNode {
  const decided = 'endedAt' in one ? dayIn(Date.parse(one.endedAt), launch.site.timeZone) : '';
  return (
    <form method="post" action={here} class="appeal">
      <input type="hidden" name="token" value={token} />
      <label for="appeal-on">{denial.enter}</label>
      <input id="appeal-on" name="on" type="date" value={appealNote(one.events)?.on ?? ''} />
      <details>
        <summary>{denial.byDays}</summary>
        <label for="appeal-days">{denial.days}</label>
        <input id="appeal-days" name="days" type="text" inputMode="numeric" maxLength={3} autocomplete="off" />
        <label for="appeal-from">{denial.daysFrom}</label>
        <input id="appeal-from" name="from" type="date" value={decided} />
      </details>
      <button type="submit" name="action" value="appeal" class="secondary">
        {denial.save}
      </button>
    </form>
  );
}

/**
 * The form for the terms of an approval. A person enters them from the letter, because the service does not have all of
 * them.
 */
function ApprovedForm({ view: { case: one, here, token } }: { readonly view: CaseView }): VNode {
  const noted = approvedNote(one.events);
  return (
    <details class="approved-terms" open={noted !== undefined}>
      <summary>{approval.enter}</summary>
      <form method="post" action={here}>
        <input type="hidden" name="token" value={token} />
        <p class="hint">{approval.enterHint}</p>
        {[...approvedTerms, ...letterFacts].map((term) => (
          <div key={term} class="field">
            <label for={`approved-${term}`}>{approval.terms[term]}</label>
            <TermInput term={term} value={noted?.[term] ?? ''} />
          </div>
        ))}
        <button type="submit" name="action" value="approved" class="secondary">
          {approval.save}
        </button>
      </form>
    </details>
  );
}

function TermInput({ term, value }: { readonly term: ApprovedTerm | LetterFact; readonly value: string }): VNode {
  const of = { id: `approved-${term}`, name: term, value };
  if (term === 'from' || term === 'until') return <input {...of} type="date" />;
  const isNumber = term === 'quantity' || term === 'days';
  return (
    <input {...of} type="text" autocomplete="off" maxLength={60} {...(isNumber ? { inputMode: 'decimal' } : {})} />
  );
}

function Cancel({ view }: { readonly view: CaseView }): VNode {
  return (
    <details class="cancel">
      <summary>{words.cancel}</summary>
      <form method="post" action={view.here}>
        <input type="hidden" name="token" value={view.token} />
        <label for="reason">{words.cancelReason}</label>
        <select id="reason" name="reason" required>
          <option value="">{words.choose}</option>
          {words.reasons.map((reason) => (
            <option key={reason}>{reason}</option>
          ))}
        </select>
        <button type="submit" name="action" value="cancel" class="danger">
          {words.cancel}
          <span class="hidden"> of {view.case.banner.name}</span>
        </button>
      </form>
    </details>
  );
}

function Reconcile({ view }: { readonly view: CaseView }): VNode {
  return (
    <div class="reconcile">
      <h3>{words.arrivedHeading}</h3>
      <form method="post" action={view.here}>
        <input type="hidden" name="token" value={view.token} />
        {hasRecord(view.case.kind) && (
          <>
            <label for="service-id">{words.serviceId(serviceName(view.launch.site))}</label>
            <input id="service-id" name="serviceId" type="text" autocomplete="off" required />
          </>
        )}
        <div class="actions">
          <button type="submit" name="action" value="arrived">
            {words.arrived}
          </button>
          <button type="submit" name="action" value="not-arrived" class="secondary" formnovalidate>
            {words.notArrived}
          </button>
        </div>
      </form>
    </div>
  );
}

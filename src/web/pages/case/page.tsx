import type { VNode } from 'preact';
import { approvedDifferences } from '../../../cases/approved.ts';
import { type Case, isSent, kindRecordOf, outcomeOf, recordOf, roundsOf, userText } from '../../../cases/case.ts';
import { approvedNote } from '../../../cases/letter-terms.ts';
import { countsSent } from '../../../cases/value-counts.ts';
import type { Site } from '../../../config/config.ts';
import { refusalOf } from '../../http/rights.ts';
import { leavesOf } from '../../request/leaves.ts';
import { Heading } from '../../ui/heading.tsx';
import { ToneIcon } from '../../ui/icon.tsx';
import { ItSupport } from '../../ui/it-support.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { standingOf, waitsFor } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { SignedLine } from '../sign/standing.tsx';
import { NotesOfChart } from '../worklist/notes.tsx';
import { renewalOf } from './appeal.ts';
import { Asked } from './asked.tsx';
import { Benefits } from './benefits-block.tsx';
import { CaseActions, LeadingAction, offersOf, SaveForm } from './case-actions.tsx';
import { stepsOf } from './case-steps.ts';
import { timelineOf } from './case-timeline.ts';
import { ChartLacks } from './chart-lacks.tsx';
import { takesAppeals } from './denial-way.ts';
import { FaxOffers } from './fax-offers.tsx';
import { FollowLinks } from './follow-links.tsx';
import { OutcomeFacts } from './outcome-facts.tsx';
import { Questions } from './payer-asks.tsx';
import { questionWords } from './question-words.ts';
import { ReplySaid } from './reply-said.tsx';
import { hasQuestionForm, isAnsweredThere, isWaiting, roundsSeen } from './round-state.ts';
import { WhatWasSent } from './sent.tsx';
import { Steps } from './steps.tsx';
import { TimelineCard } from './timeline.tsx';
import type { CaseView } from './view.ts';
import { actions, askedThere, away, chart, inSiteWords, kinds, sent, serviceName } from './words.ts';
import { workText } from './work-words.ts';
import { isBeingSaved, SaveTrouble, thingOf, Writes } from './writes.tsx';

/** The page of one request: the next step and its deadline, the status, and the writes to the chart. */
export function CasePage({ view }: { readonly view: CaseView }): VNode {
  const { launch, home, token } = view;
  const one = view.case;
  return (
    <Page
      title={`${one.title}: ${kinds[one.kind].sentence}`}
      session={launch}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? one.banner : undefined}
      assets={['case.css']}
    >
      <p class="crumb">
        <a href={`${home}/orders`}>{actions.orders}</a>
      </p>
      <Heading title={one.title}>
        {kinds[one.kind].name}
        {programName(one, launch.site)}
        <SentLine view={view} />
      </Heading>
      {/* Screen readers announce only the new status, not the whole page. */}
      <p id="announce" class="hidden" aria-live="polite" />
      <p id="away" class="notice bad" role="alert" hidden>
        {away}
      </p>
      <ReplySaid view={view} />
      <div class={isWaiting(one) ? 'question-grid' : ''}>
        <Questions view={view} />
        {isWaiting(one) && (
          <section id="what-was-sent" tabindex={0} aria-label={sent.heading}>
            <WhatWasSent case={one} site={launch.site} here={view.here} isOpen />
          </section>
        )}
      </div>
      <FaxOffers view={view} />
      <div class="case-grid">
        <CaseStatus view={view} />
        <div class="case-side">
          <aside id="actions" aria-label={actions.aside}>
            <CaseActions view={view} />
          </aside>
          <NotesOfChart one={one} view={view} />
        </div>
      </div>
      {/* Outside the polled part, so that a reader who has unfolded the request keeps it open. */}
      {!isWaiting(one) && (
        <div id="what-was-sent">
          <WhatWasSent case={one} site={launch.site} here={view.here} />
        </div>
      )}
    </Page>
  );
}

/** ` in Humira Complete`, for a sent enrollment. */
function programName(one: Case, site: Site): string {
  const id = isSent(one) && one.kind === 'enrollment' ? leavesOf(one.body).get('programId') : undefined;
  const program = site.enrollment.programs.find(({ programId }) => programId === id);
  return program === undefined ? '' : ` in ${program.name}`;
}

function SentLine({ view: { case: one, launch } }: { readonly view: CaseView }): VNode | null {
  if (!isSent(one)) return null;
  return (
    <>
      , sent <Time at={one.sentAt} zone={launch.site.timeZone} />
      {one.sentBy !== 'bridge' && ` by ${userText(one.sentBy)}`}
      <SignedLine signature={one.signature} zone={launch.site.timeZone} />
    </>
  );
}

/** The part of the page that can change without the user. It is polled until no more changes are expected. */
export function CaseStatus({ view }: { readonly view: CaseView }): VNode {
  const { here, launch, documents } = view;
  const one = view.case;
  const { timeZone: zone, service } = launch.site;
  const every = pollSeconds(one);
  const polling =
    every === undefined
      ? {}
      : {
          'hx-get': `${here}/status?${seenOf(view)}`,
          'hx-trigger': `every ${every}s`,
          'hx-swap': 'outerHTML',
        };
  return (
    <div class="case" id="status" {...polling}>
      <Standing view={view} />
      <section class="card" aria-labelledby="written">
        <h2 id="written">{chart.heading}</h2>
        {isSent(one) && isBeingSaved(one) && <p class="quiet-text">{chart.saving}</p>}
        <Writes
          case={one}
          site={view.launch.site}
          here={here}
          documents={documents}
          zone={zone}
          acts={refusalOf(launch) === undefined}
        />
      </section>
      <TimelineCard timeline={timelineOf(one, service.timeZone)} zone={zone} />
      <Technical view={view} />
    </div>
  );
}

/** Query parameters that state what the page shows, so that the server can detect changes. */
function seenOf(view: CaseView): string {
  const form = hasQuestionForm(view) ? '&form=1' : '';
  return `seen=${view.seen}&state=${offersOf(view)}&rounds=${roundsSeen(view)}${form}`;
}

/** The response to a poll: the status part, and the status as text for screen readers. */
export function CaseUpdate({
  view,
  seenState,
  seenRounds,
}: {
  readonly view: CaseView;
  readonly seenState: string | undefined;
  readonly seenRounds: string | undefined;
}): VNode {
  const { label, meaning } = wordsOf(view);
  return (
    <>
      <CaseStatus view={view} />
      <p id="announce" hx-swap-oob="innerHTML">
        {label}. {meaning}
      </p>
      {/* The reply form is not replaced, because somebody may be typing in it; a notice says that it is outdated. */}
      {seenRounds !== undefined && seenRounds !== roundsSeen(view) && (
        <p id="question-news" hx-swap-oob="true" class="news" role="status">
          {questionWords.news}
        </p>
      )}
      {/* The actions are replaced only if they differ, because somebody may be choosing a reason in them. */}
      {offersOf(view) !== seenState && (
        <div id="actions" hx-swap-oob="innerHTML">
          <CaseActions view={view} />
        </div>
      )}
    </>
  );
}

/**
 * Seconds between two polls; undefined once no more changes are expected. Writes that wait for a launch rarely change,
 * so they are polled less often.
 */
export function pollSeconds(one: Case): number | undefined {
  const isUnderWay = one.state === 'sending' || one.state === 'open' || one.state === 'unknown';
  if (isUnderWay || one.unwritten) return 3;
  return isBeingSaved(one) ? 30 : undefined;
}

function wordsOf(view: CaseView): ReturnType<typeof standingOf> {
  const { case: one, launch, today } = view;
  const { label, meaning: usual, tone } = standingOf(one, today);
  const isThere = roundsOf(one).some((round) => isAnsweredThere(view, round));
  const meaning = isThere ? askedThere : usual;
  return { label: inSiteWords(label, launch.site), meaning: inSiteWords(meaning, launch.site), tone };
}

function Standing({ view }: { readonly view: CaseView }): VNode {
  const { case: one, launch, appeal, today } = view;
  const { label, meaning, tone } = wordsOf(view);
  const zone = launch.site.timeZone;
  const person = waitsFor(one, today);
  const read = kindRecordOf(one);
  const record = recordOf(one);
  const outcome = one.state === 'ended' ? outcomeOf(one) : undefined;
  const service = serviceName(launch.site);
  // The status itself already explains what to do about a lost answer.
  const problem = one.state === 'unknown' && one.problem?.code === 'service_unclear' ? undefined : one.problem;
  return (
    <section class={`card standing tone-${tone}`} aria-labelledby="standing">
      <div class={`headline tone-${tone}`}>
        <ToneIcon tone={tone} />
        <h2 id="standing">{label}</h2>
        <p>{meaning}</p>
        {record !== undefined && outcome !== undefined && (
          <OutcomeFacts
            outcome={outcome}
            record={record}
            service={service}
            appeal={appeal}
            takesAppeals={takesAppeals(launch.site)}
            renewal={renewalOf(one, launch.site)}
            approved={approvedDifferences(one)}
            letter={approvedNote(one.events)}
            today={today}
          />
        )}
        {read?.kind === 'benefit-verification' && outcome !== undefined && (
          <Benefits outcome={outcome} record={read.record} />
        )}
        {record !== undefined && one.state === 'open' && !isWaiting(one) && roundsOf(one).length === 0 && (
          <Asked
            record={record}
            since={one.changedAt}
            service={service}
            serviceZone={launch.site.service.timeZone}
            zone={zone}
          />
        )}
        {person !== undefined && (
          <p class="waits-for">
            {actions.waitsFor} <strong>{userText(person)}</strong>
          </p>
        )}
        <FollowLinks follow={view.follow} zone={zone} />
        <LeadingAction view={view} />
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} heading={actions.problem} />}
      <SaveTrouble case={one} zone={zone}>
        <SaveForm view={view} />
      </SaveTrouble>
      <ChartLacks view={view} />
      <Steps steps={stepsOf(one)} zone={zone} />
    </section>
  );
}

/** Details for a call to the service and, folded, for IT support. */
function Technical({ view: { case: one, launch, effort } }: { readonly view: CaseView }): VNode {
  const work = effort === undefined ? '' : workText(countsSent(one), effort);
  const followed = 'serviceId' in one ? one.serviceId : undefined;
  return (
    <div class="technical-facts">
      <dl class="facts ids">
        {followed !== undefined && (
          <div>
            <dt>{actions.requestId}</dt>
            <dd>{followed}</dd>
          </div>
        )}
        {furtherIds(one).map((id) => (
          <div key={id}>
            <dt>{actions.furtherId}</dt>
            <dd>{id}</dd>
          </div>
        ))}
        {one.changedAt !== undefined && (
          <div>
            <dt>{actions.updated}</dt>
            <dd>
              <Time at={one.changedAt} zone={launch.site.timeZone} />
            </dd>
          </div>
        )}
        {work !== '' && (
          <div class="no-print">
            <dt>{actions.work}</dt>
            <dd>{work}</dd>
          </div>
        )}
      </dl>
      <ForItSupport case={one} />
    </div>
  );
}

function ForItSupport({ case: one }: { readonly case: Case }): VNode | null {
  const code = one.state === 'ended' ? outcomeOf(one)?.detailCode : undefined;
  const rows = one.writes.filter(({ reference, reason }) => reference !== undefined || reason !== undefined);
  if (code === undefined && rows.length === 0) return null;
  return (
    <ItSupport of={actions.written}>
      {code !== undefined && (
        <p>
          {actions.outcomeCode}: <code>{code}</code>
        </p>
      )}
      {rows.map((row) => (
        <p key={`${row.what} ${row.version}`}>
          {thingOf(row)}: {row.reference !== undefined && <code>{row.reference}</code>} {row.reason}
          {row.says !== undefined && ` ${actions.ehrSays(row.says)}`}
        </p>
      ))}
    </ItSupport>
  );
}

/** Ids of other requests of this case that the service has, open or not. */
function furtherIds(one: Case): string[] {
  const followed = 'serviceId' in one ? one.serviceId : undefined;
  const ids = [...one.requests.map((request) => request.serviceId), ...one.others];
  return [...new Set(ids)].filter((id) => id !== undefined).filter((id) => id !== followed);
}

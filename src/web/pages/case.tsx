import type { VNode } from 'preact';
import { type Case, isSent, recordOf, userText } from '../../cases/case.ts';
import { statusRow, visibleOutcome } from '../../service/status.ts';
import type { Launch } from '../../smart/types.ts';
import { ActivityLog } from '../parts/activity.tsx';
import { History } from '../parts/history.tsx';
import { OutcomeCard } from '../parts/outcome.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem.tsx';
import { WhatWasSent } from '../parts/sent.tsx';
import { standingOf, waitsFor } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { isLetterGivenUp, MissingLetter, Writes } from '../parts/writes.tsx';

export interface CaseView {
  readonly launch: Launch;
  readonly case: Case;
  /** Names what this page shows; see `Cases.seen`. */
  readonly seen: string;
  readonly home: string;
  readonly here: string;
  readonly token: string;
  /** Whether the payer's own letter is kept here. */
  readonly hasPayerLetter: boolean;
  /** Link to the record in the service's platform, when it is safe to follow. */
  readonly platform?: string | undefined;
}

/** One request and its life: where it stands, the outcome once it is final, and what was written where. */
export function CasePage({ view }: { readonly view: CaseView }): VNode {
  const { launch, home, token } = view;
  const one = view.case;
  const what = one.kind === 'prior-auth' ? 'Prior authorization' : 'Enrollment';
  return (
    <Page
      title={what}
      site={launch.site.name}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? one.banner : undefined}
    >
      <p class="crumb">
        <a href={`${home}/orders`}>Orders</a>
      </p>
      <h1>
        {what} <span class="sub">{one.title}</span>
      </h1>
      {/* Only the new standing is read out, not the whole page with it. */}
      <p id="announce" class="hidden" aria-live="polite" />
      <p id="away" class="notice bad" role="alert" hidden>
        The bridge cannot be reached. What stands here may be out of date; this page goes on by itself as soon as it
        can.
      </p>
      <div class="case-grid">
        <CaseStatus view={view} />
        <aside id="actions" aria-label="Actions">
          <Actions view={view} />
        </aside>
      </div>
      {/* Outside the polled part, so that it stays open while the rest changes. */}
      <WhatWasSent case={one} site={launch.site} />
    </Page>
  );
}

/** Everything that can change by itself; polled while the case is not at its end. */
export function CaseStatus({ view }: { readonly view: CaseView }): VNode {
  const { here } = view;
  const one = view.case;
  const polling = isMoving(one)
    ? {
        'hx-get': `${here}/status?seen=${view.seen}&state=${actionsOf(one)}`,
        'hx-trigger': 'every 3s',
        'hx-swap': 'outerHTML',
      }
    : {};
  return (
    <div class="case" id="status" {...polling}>
      <Standing view={view} />
      <Outcome view={view} />
      <section class="card" aria-labelledby="written">
        <h2 id="written">In the chart</h2>
        <MissingLetter case={one} />
        <Writes case={one} here={here} />
      </section>
      <ActivityLog entries={recordOf(one)?.activity_log ?? []} />
      <section class="card" aria-labelledby="history">
        <h2 id="history">History</h2>
        <History entries={one.history} />
      </section>
    </div>
  );
}

/** The fragment that polling gets: the state, and its name to be read out. */
export function CaseUpdate({
  view,
  seenState,
}: {
  readonly view: CaseView;
  readonly seenState: string | undefined;
}): VNode {
  const { label, meaning } = standingOf(view.case);
  return (
    <>
      <CaseStatus view={view} />
      <p id="announce" hx-swap-oob="innerHTML">
        {label}. {meaning}
      </p>
      {/* Left alone while it offers the same: somebody may be choosing a reason there. */}
      {actionsOf(view.case) !== seenState && (
        <div id="actions" hx-swap-oob="innerHTML">
          <Actions view={view} />
        </div>
      )}
    </>
  );
}

/** true while the service or the write-back may still change it. */
export function isMoving(one: Case): boolean {
  return one.state === 'sending' || one.state === 'open' || one.state === 'unknown' || one.unwritten;
}

function Standing({ view }: { readonly view: CaseView }): VNode {
  const one = view.case;
  const { label, meaning, tone } = standingOf(one);
  const person = waitsFor(one);
  // What to do about a lost answer is said once, by the standing.
  const problem = one.state === 'unknown' && one.problem?.code === 'service_unclear' ? undefined : one.problem;
  return (
    <section class={`card standing tone-${tone}`} aria-labelledby="standing">
      <h2 id="standing">{label}</h2>
      <p>{meaning}</p>
      {problem !== undefined && <ProblemNotice problem={problem} heading="What stands in the way" />}
      <dl class="facts">
        {person !== undefined && (
          <div>
            <dt>Waits for</dt>
            <dd>{userText(person)}</dd>
          </div>
        )}
        {isSent(one) && (
          <div>
            <dt>Sent</dt>
            <dd>
              <Time at={one.sentAt} />
            </dd>
          </div>
        )}
        {'serviceId' in one && one.serviceId !== undefined && (
          <div>
            <dt>Reference at the service</dt>
            <dd>{one.serviceId}</dd>
          </div>
        )}
        {furtherIds(one).map((id) => (
          <div key={id}>
            <dt>Further request at the service</dt>
            <dd>{id}</dd>
          </div>
        ))}
        {one.changedAt !== undefined && (
          <div>
            <dt>Last change</dt>
            <dd>
              <Time at={one.changedAt} />
            </dd>
          </div>
        )}
      </dl>
      {view.platform !== undefined && (
        <p>
          <a href={view.platform} target="_blank" rel="noopener noreferrer">
            Open the record in the platform (new window)
          </a>
        </p>
      )}
    </section>
  );
}

/** Ids of other requests of this case that arrived, whether they still run or not. */
function furtherIds(one: Case): string[] {
  const followed = 'serviceId' in one ? one.serviceId : undefined;
  const ids = [...one.requests.map((request) => request.serviceId), ...one.others];
  return [...new Set(ids)].filter((id) => id !== undefined).filter((id) => id !== followed);
}

function Outcome({ view }: { readonly view: CaseView }): VNode | null {
  const one = view.case;
  const record = recordOf(one);
  const outcome = record === undefined || one.state !== 'ended' ? undefined : visibleOutcome(record);
  if (record === undefined || outcome === undefined) return null;
  const isPayers = statusRow(record.status).shows === 'payer';
  const letters = [
    ...(isPayers ? [{ label: 'Download the summary (PDF)', address: `${view.here}/letter.pdf` }] : []),
    ...(view.hasPayerLetter
      ? [{ label: 'Download the payer’s letter (PDF)', address: `${view.here}/payer-letter.pdf` }]
      : []),
  ];
  return (
    <OutcomeCard outcome={outcome} analysis={record.denial_reason_analysis} isPayers={isPayers} letters={letters} />
  );
}

function Actions({ view }: { readonly view: CaseView }): VNode | null {
  const one = view.case;
  return (
    <section class="card" aria-labelledby="act">
      <h2 id="act">Actions</h2>
      <form method="post" action={view.here} class="actions">
        <input type="hidden" name="token" value={view.token} />
        {one.state === 'open' && one.kind === 'prior-auth' && (
          <button type="submit" name="action" value="refresh" class="secondary outline">
            Ask the service now
          </button>
        )}
        {isUnwritten(one) && (
          <button type="submit" name="action" value="write" class="secondary outline">
            Write to the chart again
          </button>
        )}
        {isLetterGivenUp(one) && (
          <button type="submit" name="action" value="fetch-letter" class="secondary outline">
            Fetch again
          </button>
        )}
        {one.state === 'ended' && (
          <a href={`${reviewOf(view)}?anew=1`} class="button quiet-button">
            Start a new request
          </a>
        )}
        <a href={`${view.home}/orders`} class="button quiet-button">
          All orders of this patient
        </a>
        {(one.state === 'draft' || one.state === 'refused') && (
          <a href={reviewOf(view)} class="button">
            Correct and send again
          </a>
        )}
      </form>
      {one.state === 'open' && one.kind === 'prior-auth' && <Cancel view={view} />}
      {one.state === 'unknown' && <Reconcile view={view} />}
    </section>
  );
}

/** Names what the actions offer: the state, and whether something is still to be written or to be fetched. */
function actionsOf(one: Case): string {
  return [one.state, ...(isUnwritten(one) ? ['unwritten'] : []), ...(isLetterGivenUp(one) ? ['letter'] : [])].join('-');
}

function isUnwritten(one: Case): boolean {
  return one.writes.some(({ state }) => state !== 'done' && state !== 'retracted');
}

function reviewOf({ home, case: one }: CaseView): string {
  const page = `${home}/orders/${one.order.replace('MedicationRequest/', '')}`;
  return one.kind === 'enrollment' ? `${page}/enrollment` : page;
}

function Cancel({ view }: { readonly view: CaseView }): VNode {
  return (
    <details class="cancel">
      <summary>Cancel this request</summary>
      <form method="post" action={view.here}>
        <input type="hidden" name="token" value={view.token} />
        <label for="reason">Reason</label>
        <select id="reason" name="reason" required>
          <option value="">Choose…</option>
          <option>The drug was changed or stopped</option>
          <option>The patient’s insurance changed</option>
          <option>Sent by mistake</option>
          <option>Handled in another way</option>
        </select>
        <button type="submit" name="action" value="cancel" class="danger">
          Cancel for {view.case.banner.name}
        </button>
      </form>
    </details>
  );
}

function Reconcile({ view }: { readonly view: CaseView }): VNode {
  return (
    <div class="reconcile">
      <h3>Did the request arrive?</h3>
      <form method="post" action={view.here}>
        <input type="hidden" name="token" value={view.token} />
        {view.case.kind === 'prior-auth' && (
          <>
            <label for="service-id">Its id in the platform</label>
            <input id="service-id" name="serviceId" type="text" autocomplete="off" required />
          </>
        )}
        <div class="actions">
          <button type="submit" name="action" value="arrived">
            It arrived
          </button>
          <button type="submit" name="action" value="not-arrived" class="secondary outline" formnovalidate>
            It did not arrive
          </button>
        </div>
      </form>
    </div>
  );
}

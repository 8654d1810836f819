import type { ComponentChildren } from 'preact';
import { renderToStringAsync } from 'preact-render-to-string';
import { BenefitSection } from './benefits/list.tsx';
import { decisionNamed, decisions } from './decisions.ts';
import { plays } from './play.ts';
import type { RefusedRequest } from './refusals.ts';
import type { RequestHandler } from './request-handler.ts';
import { isTraining, requestedDrug } from './requests.ts';
import { isTerminal, type Status, statuses } from './statuses.ts';
import type { StoredPriorAuthorization } from './stored-record.ts';

const listed = 200;

export function listPage(handler: RequestHandler, refusals: readonly RefusedRequest[]): Promise<string> {
  const list = handler.list(listed);
  const enrollments = handler.enrollments(listed);
  const total = handler.counts().priorAuthorizations;
  return platformPage(
    'Prior authorizations',
    <>
      <h1>Prior authorizations</h1>
      <section
        hx-get="/"
        hx-select="#list"
        hx-target="#list"
        hx-swap="outerMorph"
        hx-trigger="every 2s"
        aria-label="Prior authorizations"
        class="card"
      >
        <div id="list">
          {list.length === 0 ? (
            <p>Nothing was sent yet. Send a prior authorization from the bridge; it then appears here.</p>
          ) : (
            <div class="scroll">
              <table>
                <caption>
                  {total === 1 ? '1 prior authorization' : `${total} prior authorizations`}, newest first
                  {total > listed ? `; the first ${listed} of them` : ''}
                </caption>
                <thead>
                  <tr>
                    <th scope="col">Drug</th>
                    <th scope="col">Status</th>
                    <th scope="col">Next</th>
                    <th scope="col">Actions</th>
                    <th scope="col">Reference</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((stored) => (
                    <tr key={stored.id}>
                      <th scope="row">
                        <a href={`/prior-authorizations/${encodeURIComponent(stored.id)}`}>
                          {requestedDrug(stored.request).name}
                        </a>
                      </th>
                      <td>
                        <StatusMark stored={stored} />
                      </td>
                      <td class="next">{nextOf(stored, handler.now())}</td>
                      <td>
                        <Actions stored={stored} back="/" />
                      </td>
                      <td class="reference">{stored.id}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </div>
      </section>
      <BenefitSection handler={handler.benefits} listed={listed} />
      {enrollments.length > 0 && (
        <section aria-labelledby="enrollments" class="card">
          <h2 id="enrollments">Enrollments</h2>
          <ul>
            {enrollments.map((stored) => (
              <li key={stored.id}>
                {stored.id}: program {stored.request.programId},{' '}
                {stored.request.prescription?.drug_name ?? 'no drug stated'}, received {stored.createdAt} UTC
              </li>
            ))}
          </ul>
        </section>
      )}
      {refusals.length > 0 && <Refused refusals={refusals} />}
      <section aria-labelledby="decisions" class="card">
        <h2 id="decisions">How the sandbox decides</h2>
        <p>Invented rules, applied by drug name. The first match wins.</p>
        <ol>
          {decisions.map((decision) => (
            <li key={decision.name}>{decision.story}</li>
          ))}
        </ol>
      </section>
    </>,
  );
}

export function recordPage(handler: RequestHandler, stored: StoredPriorAuthorization): Promise<string> {
  const { request } = stored;
  const drug = requestedDrug(request);
  const record = handler.record(stored);
  const path = `/prior-authorizations/${encodeURIComponent(stored.id)}`;
  return platformPage(
    drug.name,
    <>
      <p class="crumb">
        <a href="/">All prior authorizations</a>
      </p>
      <h1>{drug.name}</h1>
      <section
        hx-get={path}
        hx-select="#record"
        hx-target="#record"
        hx-swap="outerMorph"
        hx-trigger="every 2s"
        aria-label="Record"
        class="card"
      >
        <div id="record">
          <p>
            <StatusMark stored={stored} /> {statuses[stored.status].meaning}
          </p>
          <p>{nextOf(stored, handler.now())}</p>
          <Actions stored={stored} back={path} />
          <Facts
            facts={[
              ['Reference', stored.id],
              ['Received', `${stored.createdAt} UTC`],
              ['Drug', [drug.name, drug.strength, drug.form].filter((part) => part !== undefined).join(', ')],
              ['Quantity', drug.amount],
              ['Directions', request.prescription.directions],
              ['Diagnoses', request.diagnoses.map(({ code }) => code).join(', ')],
              [
                'Patient',
                `${request.patient.first_name} ${request.patient.last_name}, born ${request.patient.date_of_birth}`,
              ],
              [
                'Prescriber',
                `${request.provider.first_name} ${request.provider.last_name}, NPI ${request.provider.npi}`,
              ],
              ['Sandbox rule', decisionNamed(stored.decision).story],
              [
                'Outcome',
                stored.outcome.detail === null
                  ? 'None yet'
                  : `${stored.outcome.result}: ` +
                    `${stored.outcome.detail}${isTerminal(stored.status) ? '' : ' (not validated yet)'}`,
              ],
            ]}
          />
          <h2>Activity</h2>
          <ActivityList record={record} />
          {stored.answers !== undefined && (
            <>
              <h2>Answers for the payer’s form</h2>
              <Facts facts={stored.answers.map(({ question, answer }) => [question, answer])} />
            </>
          )}
        </div>
      </section>
    </>,
  );
}

export function missingPage(): Promise<string> {
  return platformPage(
    'Not found',
    <>
      <h1>Not found</h1>
      <p>
        This sandbox has no such record; perhaps its data was reset. <a href="/">All prior authorizations</a>
      </p>
    </>,
  );
}

/** Refused requests with the reasons. The requests themselves are not stored. */
function Refused({ refusals }: { refusals: readonly RefusedRequest[] }) {
  return (
    <section aria-labelledby="refused" class="card">
      <h2 id="refused">Refused</h2>
      <div class="scroll">
        <table>
          <caption>What was refused since the start, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Time (UTC)</th>
              <th scope="col">Request</th>
              <th scope="col">From</th>
              <th scope="col">Answer</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {refusals.map(({ at, method, path, site, profile, status, reasons }, index) => (
              <tr key={refusals.length - index}>
                <td>{at.replace('T', ' ')}</td>
                <td>
                  {method} {path}
                </td>
                <td>{site === undefined ? 'a token that is nobody’s' : `${site}, profile ${profile}`}</td>
                <td>{status}</td>
                <td>
                  <ul>
                    {reasons.map((reason) => (
                      <li key={reason}>{reason}</li>
                    ))}
                  </ul>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function StatusMark({ stored }: { stored: StoredPriorAuthorization }) {
  const finished = isTerminal(stored.status) && stored.outcome.detail_code !== null ? `: ${stored.outcome.result}` : '';
  return (
    <strong class={`status ${stored.status}`}>
      {statuses[stored.status].label}
      {finished}
    </strong>
  );
}

function Actions({ stored, back }: { stored: StoredPriorAuthorization; back: string }) {
  if (isTerminal(stored.status)) return <span>Finished</span>;
  if (isTraining(stored.request)) return <span>Training data: never processed</span>;
  const base = `/prior-authorizations/${encodeURIComponent(stored.id)}`;
  return (
    <form class="actions" method="post" action={`${base}/step`}>
      <input type="hidden" name="back" value={back} />
      <button type="submit">{stepWords[stored.status] ?? 'Step'}</button>
      {plays
        .filter((play) => play !== 'asks' || stored.status !== 'awaiting_provider_response')
        .map((play) => (
          <button key={play} type="submit" class="secondary" formaction={`${base}/play/${play}`}>
            {playWords[play]}
          </button>
        ))}
      <button type="submit" class="secondary" formaction={`${base}/cancel`}>
        Cancel
      </button>
    </form>
  );
}

const stepWords: Readonly<Partial<Record<Status, string>>> = {
  awaiting_review: 'Submit to payer',
  awaiting_provider_response: 'The reply arrived',
};

const playWords = {
  asks: 'Play: the payer asks a question',
  approves: 'Play: approved',
  'approves-less': 'Play: approved for half',
  denies: 'Play: denied',
};

function ActivityList({ record }: { record: Readonly<Record<string, unknown>> }) {
  const entries = Array.isArray(record.activity_log) ? record.activity_log : [];
  if (entries.length === 0) return <p>Nothing yet.</p>;
  return (
    <ul>
      {entries.map(({ id, type, created_at, details }) => (
        <li key={id}>
          {String(type).replaceAll('_', ' ')}, {created_at} UTC{' '}
          {typeof details.url === 'string' ? (
            <a href={details.url}>Open the fax{id.startsWith('rec_') ? ` received ${created_at}` : ''}</a>
          ) : (
            details.notes
          )}
        </li>
      ))}
    </ul>
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function nextOf(stored: StoredPriorAuthorization, now: Date): string {
  if (isTerminal(stored.status)) return '';
  if (stored.dueAt !== undefined)
    return `Moves on in ${Math.max(0, Math.ceil((stored.dueAt - now.getTime()) / 1000))} s.`;
  return isTraining(stored.request) ? '' : 'Waiting for you.';
}

export async function platformPage(title: string, children: ComponentChildren): Promise<string> {
  const html = await renderToStringAsync(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Sandbox of the service`}</title>
        <link rel="icon" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/assets/pico.min.css" />
        <link rel="stylesheet" href="/assets/bridge.css" />
        <link rel="stylesheet" href="/assets/sandbox.css" />
        <link rel="stylesheet" href="/assets/platform.css" />
        <script src="/assets/htmx.min.js" defer />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="top">
          <p class="ribbon">Sandbox of the prior-authorization service. Invented people, no payer behind it.</p>
          <div class="bar">
            <p class="brand">
              <a href="/">Prior authorization service</a>
            </p>
            <nav aria-label="Main">
              <a href="/">All requests</a>
              <a href="/sandbox/faults">Faults</a>
            </nav>
          </div>
        </header>
        <main id="main">{children}</main>
      </body>
    </html>,
  );
  return `<!doctype html>${html}`;
}

import type { VNode } from 'preact';
import { isSent, type ListedCase, userText } from '../../../cases/case.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { codeTitles } from '../../request/code-titles.ts';
import { gapText } from '../../request/field-words.ts';
import { payerWords } from '../../request/payer-words.ts';
import { ChangedFromChart, changedIn } from '../../request/print/changed-from-chart.tsx';
import { LeftByChange } from '../../request/print/left-by-change.tsx';
import { DrugChange, RequestSections } from '../../request/print/request-table.tsx';
import { SentAnswersTables } from '../../request/print/sent-answers.tsx';
import { requestOf } from '../../request/print/shown-request.ts';
import { marksRules } from '../../request/rules-change.ts';
import { Page } from '../../ui/page.tsx';
import { Technical } from '../../ui/source.tsx';
import { standingOf } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { placeOf } from '../case/case-place.ts';
import { kinds } from '../case/words.ts';
import { linesOf } from '../confirm/going-lines.ts';
import type { ConfirmView } from '../confirm/view.ts';
import { confirm } from '../confirm/words.ts';
import { homeOf } from '../launch/route.ts';
import { cautionsOf } from '../review/notices.tsx';
import { sign as signWords } from '../sign/words.ts';
import type { StaffVisit } from '../worklist/worklist-access.ts';
import type { OpenDrafts } from './drafts.ts';
import { type WhyLeft, ready as words } from './words.ts';

export interface ReadyView extends StaffVisit, OpenDrafts {
  /** The results of the last action; `why` is absent for a request that was sent. */
  readonly done: readonly { readonly one: ListedCase; readonly why: WhyLeft | undefined }[];
  readonly notice: 'unattested' | 'none' | undefined;
}

/** Several drafts, each as it would be sent, with its warnings and a checkbox. One button sends the checked drafts. */
export function ReadyPage({ view }: { readonly view: ReadyView }): VNode {
  const { staff, home, token, ready, notice } = view;
  const { attestation } = staff.site;
  return (
    <Page
      title={words.title}
      session={staff}
      home={home}
      token={token}
      within={staff.patient === undefined ? 'worklist' : 'chart'}
      assets={['review.css', 'sign.css', 'confirm.js']}
    >
      <Technical.Provider value={false}>
        <h1 id="title" tabIndex={-1}>
          {words.title}
        </h1>
        <Done view={view} />
        {notice !== undefined && (
          <p class="notice bad" role="alert">
            {notice === 'none' ? words.noneChecked : words.unattested}
          </p>
        )}
        <p class="no-print">{ready.length === 0 ? words.none : words.lead}</p>
        {ready.length > 0 && (
          <form method="post" action={`${home}/ready`} class="confirm">
            <input type="hidden" name="token" value={token} />
            {ready.map((one) => (
              <ReadyCard key={one.draft.case.id} one={one} />
            ))}
            {attestation !== undefined && (
              <label class="option">
                <input type="checkbox" name="attested" value="yes" required />
                <span>{attestation}</span>
              </label>
            )}
            <div class="actions">
              <button type="submit" class="go">
                {words.send}
              </button>
            </div>
          </form>
        )}
        <Others view={view} />
        <SentToday view={view} />
      </Technical.Provider>
    </Page>
  );
}

function ReadyCard({ one }: { readonly one: ConfirmView }): VNode {
  const { draft, launch, home, body, result, sections, signing } = one;
  const { id, banner } = draft.case;
  const { provenance } = result;
  const request = requestOf({ kind: draft.kind, site: launch.site, body, provenance, codeTitles: codeTitles(draft) });
  const action = signing.is === 'signs' ? 'sign' : 'send';
  const marks = { patient: one.patientMark, digest: one.digest, rules: marksRules(draft.mappedBy), action };
  return (
    <section class="card ready-draft" aria-labelledby={`draft-${id}`}>
      <h2 id={`draft-${id}`}>
        {banner.name}: {draft.title}
      </h2>
      <p class="quiet-text">
        {banner.birthDate === undefined ? words.noBirthDate : `${words.born} ${dayText(banner.birthDate)}`}
        {banner.mrn !== undefined && ` · ${words.mrn} ${banner.mrn}`} · {kinds[draft.kind].name}
      </p>
      {Object.entries(marks).map(([name, value]) => (
        <input key={name} type="hidden" name={`${name}.${id}`} value={value} />
      ))}
      <DrugChange drug={request.drug} />
      <CardWarnings one={one} />
      <dl class="lines">
        {linesOf(one).map(({ id: section, title, says }) => (
          <div key={section} class="line">
            <dt>{title}</dt>
            <dd>{says.join(' · ')}</dd>
          </div>
        ))}
      </dl>
      {changedIn(request).length > 0 && (
        <>
          <h3>{signWords.changed}</h3>
          <ChangedFromChart
            request={request}
            sections={sections}
            enteredBy={draft.case.enteredBy ?? {}}
            zone={launch.site.timeZone}
          />
        </>
      )}
      {request.answers !== undefined && (
        <>
          <h3>{payerWords.title}</h3>
          <SentAnswersTables sent={request.answers} />
          <LeftByChange cells={one.leftByChange} />
        </>
      )}
      <details class="all-values">
        <summary>{confirm.all}</summary>
        <RequestSections request={request} prefix={`goes-${id}`} withSources={false} />
      </details>
      <label class="option no-print">
        <input type="checkbox" name="send" value={id} />
        <span>{words.box[action](draft.title, banner.name)}</span>
      </label>
      <p class="no-print">
        <a href={`${home}/${placeOf(draft.case)}/confirm`}>
          {words.alone}
          <span class="hidden">
            : {draft.title}, {banner.name}
          </span>
        </a>
      </p>
    </section>
  );
}

function CardWarnings({ one: view }: { readonly one: ConfirmView }): VNode | null {
  const { draft, open, earlier } = view;
  const { warnings } = cautionsOf(draft, view);
  const all = [
    ...earlier.map((other) => confirm.decided(standingOf(other).label)),
    ...[...draft.result.gaps, ...open].map(gapText),
    ...warnings,
  ];
  if (all.length === 0) return null;
  return (
    <div class="notice">
      <h3>{words.warnings(all.length)}</h3>
      <ul>
        {all.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  );
}

function Done({ view: { done, charts } }: { readonly view: ReadyView }): VNode | null {
  if (done.length === 0) return null;
  return (
    <div class={done.some(({ why }) => why !== undefined) ? 'notice' : 'notice good'} role="status">
      <ul>
        {done.map(({ one, why }) => (
          <li key={one.id}>
            <CaseLink one={one} charts={charts} />. {why === undefined ? words.sent : whyText(one, why)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Others({ view: { others } }: { readonly view: ReadyView }): VNode | null {
  if (others.length === 0) return null;
  return (
    <section class="card" aria-labelledby="others">
      <h2 id="others">{words.others}</h2>
      <ul class="plain">
        {others.map(({ one, review, why }) => (
          <li key={one.id}>
            <a href={review}>
              {one.banner.name}: {one.title}
            </a>
            . {why}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SentToday({ view: { sent, done, charts } }: { readonly view: ReadyView }): VNode | null {
  const others = sent.filter(({ id }) => done.every(({ one }) => one.id !== id));
  if (others.length === 0) return null;
  return (
    <section class="card" aria-labelledby="sent-today">
      <h2 id="sent-today">{words.sentToday}</h2>
      <ul class="plain">
        {others.map((one) => (
          <li key={one.id}>
            <CaseLink one={one} charts={charts} />. {one.sentBy !== 'bridge' && words.sentBy(userText(one.sentBy))}{' '}
            <Time at={one.sentAt} zone={charts[0]?.site.timeZone ?? 'UTC'} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function CaseLink({ one, charts }: { readonly one: ListedCase } & Pick<ReadyView, 'charts'>): VNode {
  const launch = charts.find(({ patient }) => `Patient/${patient}` === one.patient);
  return (
    <a href={`${launch === undefined ? '' : homeOf(launch.id)}/${placeOf(one)}`}>
      {one.banner.name}: {one.title}
      {one.kind !== 'prior-auth' && ` (${kinds[one.kind].name})`}
    </a>
  );
}

function whyText(one: ListedCase, why: WhyLeft): string {
  const isTheirs = why === 'gone' && isSent(one) && one.sentBy !== 'bridge';
  return isTheirs ? words.sentAlready(userText(one.sentBy)) : words.left[why];
}

import type { VNode } from 'preact';
import type { Signature } from '../../../cases/signature.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { refusalOf } from '../../http/rights.ts';
import { codeTitles } from '../../request/code-titles.ts';
import type { Draft } from '../../request/draft.ts';
import { kindPages, targetOf } from '../../request/kind-pages.ts';
import { notTakenIn, proposedIn } from '../../request/not-taken.ts';
import { payerWords } from '../../request/payer-words.ts';
import { ChangedFromChart, changedIn } from '../../request/print/changed-from-chart.tsx';
import { LeftByChange } from '../../request/print/left-by-change.tsx';
import { DrugChange, RequestSections } from '../../request/print/request-table.tsx';
import { SentAnswersTables } from '../../request/print/sent-answers.tsx';
import { type RequestView, requestOf } from '../../request/print/shown-request.ts';
import { marksRules } from '../../request/rules-change.ts';
import { common } from '../../ui/common-words.ts';
import { stateOf } from '../../ui/control.tsx';
import { Heading } from '../../ui/heading.tsx';
import { Page } from '../../ui/page.tsx';
import { Technical } from '../../ui/source.tsx';
import { standingOf } from '../../ui/status.tsx';
import { documentCounts } from '../documents/documents-list.tsx';
import { refused } from '../launch/words.ts';
import { cautionsOf, countOf, Warnings } from '../review/notices.tsx';
import { attachedWords, readyWords, review } from '../review/words.ts';
import { SignatureStanding } from '../sign/standing.tsx';
import { sign as signWords } from '../sign/words.ts';
import { linesOf } from './going-lines.ts';
import type { Signing } from './signing.ts';
import type { ConfirmView } from './view.ts';
import { confirm } from './words.ts';

/** The final check: the warnings, the request with one line for each section, and the button that sends. */
export function ConfirmPage({ view }: { readonly view: ConfirmView }): VNode {
  const { launch, draft, home, token } = view;
  const gaps = [...draft.result.gaps, ...view.open];
  const cautions = cautionsOf(draft, view);
  const request = requestOf({
    kind: draft.kind,
    site: launch.site,
    body: view.body,
    provenance: view.result.provenance,
    codeTitles: codeTitles(draft),
  });
  return (
    <Page
      title={confirm.pageTitle[draft.kind]}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? draft.case.banner : undefined}
      session={launch}
      savesItself
      assets={['review.css', 'sign.css', 'confirm.js']}
    >
      <Technical.Provider value={false}>
        <p class="crumb">
          <a href={`${home}/orders`}>{common.orders}</a> › <a href={view.review}>{review.pageTitle[draft.kind]}</a>
        </p>
        <Heading title={confirm.pageTitle[draft.kind]} isStart>
          {subtitleOf(draft)}
        </Heading>
        <DrugChange drug={request.drug} />
        <SigningState view={view} />
        <Warnings cautions={cautions} gaps={gaps} home={home} hrefOf={(anchor) => `${view.review}#${anchor}`} />
        <div class="with-verdict">
          <aside class="verdict-bar" aria-label={confirm.sending}>
            <Ready view={view} warnings={gaps.length + countOf(cautions)} />
            <SendForm view={view} />
          </aside>
          <div class="verdict-beside">
            <WhatGoes view={view} request={request} />
          </div>
        </div>
      </Technical.Provider>
    </Page>
  );
}

function subtitleOf({ kind, values }: Draft): string {
  const [payer] = (['payer', 'plan'] as const).flatMap((means) => values.get(targetOf(kind, means) ?? '') ?? []);
  const where = kind === 'enrollment' ? [] : [confirm.goesTo(payer?.toString())];
  return [...where, confirm.afterwards[kind]].join(' ');
}

/** The summary of the request; null while its signature needs another step first. */
function Ready({ view, warnings }: { readonly view: ConfirmView; readonly warnings: number }): VNode | null {
  const { draft, signing } = view;
  if (isSaidAbove(draft.case.signature, signing)) return null;
  const { attached } = documentCounts(draft.chart.choice('evidence'));
  const documents = kindPages[draft.kind].evidence === 'always' ? attachedWords(attached) : undefined;
  const goes = signing.mayGo || signing.is === 'signs';
  return (
    <div class={warnings + suggestedAlone(view) === 0 && goes ? 'verdict ready' : 'verdict open'}>
      <h2>{readyWords(warnings, documents, goes ? 'send' : 'sign')}</h2>
    </div>
  );
}

function isSaidAbove(signature: Signature | undefined, { is }: Signing): boolean {
  if (is === 'asked') return true;
  return is === 'open' && signature?.state === 'returned' && !signature.isChanged;
}

function SendForm({ view }: { readonly view: ConfirmView }): VNode {
  const { draft, launch, signing } = view;
  const { banner } = draft.case;
  const refusal = refusalOf(launch);
  const open = suggestedAlone(view);
  const withoutDocuments = open > 0;
  const born = banner.birthDate === undefined ? confirm.noBirthDate : confirm.born(dayText(banner.birthDate));
  return (
    <form method="post" action={`${view.review}/confirm`} class="confirm">
      <input type="hidden" name="token" value={view.token} />
      <input type="hidden" name="patient" value={view.patientMark} />
      <input type="hidden" name="digest" value={view.digest} />
      <input type="hidden" name="rules" value={marksRules(draft.mappedBy)} />
      {/* Enter in a text field presses the first button of the form, which must not be the one that sends. */}
      <button type="submit" disabled class="hidden" tabIndex={-1} aria-hidden="true">
        {review.save}
      </button>
      <p class="who">
        <strong>{banner.name}</strong>, {born}
        {banner.mrn !== undefined && `, ${confirm.mrn(banner.mrn)}`}
      </p>
      <p class="what">{draft.title}</p>
      {view.duplicates.length > 0 && <Duplicates view={view} />}
      {launch.site.attestation !== undefined && signing.is !== 'asked' && (
        <Attestation text={launch.site.attestation} isMissed={view.notice === 'unattested'} />
      )}
      {signing.is === 'open' && <p class="hint">{signing.mayGo ? signWords.notNeeded : signWords.needed}</p>}
      {signing.is === 'signs' && <p class="hint">{signWords.record}</p>}
      {withoutDocuments && <p class="ask">{confirm.suggested(open)}</p>}
      {refusal !== undefined && <p class="notice">{refused[refusal]}</p>}
      <div class="actions">
        {refusal === undefined && (
          <SendButtons signing={signing} patient={banner.name} withoutDocuments={withoutDocuments} />
        )}
        {withoutDocuments && launch.site.evidence !== 'each' && (
          <button
            type="submit"
            formAction={view.review}
            formNoValidate
            name="action"
            value="attach-and-check"
            class="secondary"
          >
            {confirm.attach(open)}
          </button>
        )}
        <a href={view.review} class="button quiet-button">
          {confirm.back}
        </a>
      </div>
    </form>
  );
}

/** The state of the draft's signature; null if the site has no signatures. */
function SigningState({ view: { signing, draft, launch, notice } }: { readonly view: ConfirmView }): VNode | null {
  if (signing.is === 'off') return null;
  const { signature } = draft.case;
  return (
    <>
      {notice === 'unsigned' && (
        <p class="notice bad" role="alert">
          {signWords.sendWithout}
        </p>
      )}
      {signature !== undefined && (
        <SignatureStanding signature={signature} zone={launch.site.timeZone} prescriber={signing.prescriber} />
      )}
    </>
  );
}

/** The main button, and the alternatives to it. */
function SendButtons({
  signing,
  patient,
  withoutDocuments,
}: {
  readonly signing: Signing;
  readonly patient: string;
  readonly withoutDocuments: boolean;
}): VNode {
  const { is, mayGo, prescriber } = signing;
  return (
    <>
      {is === 'open' && (
        <button type="submit" name="action" value="ask" class="go" formNoValidate>
          {signWords.ask(prescriber)}
        </button>
      )}
      {is === 'signs' && (
        <button type="submit" name="action" value="sign" class="go">
          {signWords.signAndSend(patient)}
        </button>
      )}
      {mayGo && is !== 'signs' && (
        <button type="submit" name="action" value="send" class={is === 'open' || is === 'asked' ? 'secondary' : 'go'}>
          {withoutDocuments ? confirm.sendWithout(patient) : confirm.sendFor(patient)}
        </button>
      )}
    </>
  );
}

/**
 * The number of suggested documents, if the request has no attachment; 0 once the request was submitted for signature
 * or signed.
 */
function suggestedAlone({
  draft: { kind, chart, case: one },
  signing: { is },
}: Pick<ConfirmView, 'draft' | 'signing'>): number {
  const { attached = [] } = one;
  if (is === 'asked' || is === 'signed') return 0;
  if (kindPages[kind].evidence !== 'always' || attached.some((file) => file.kind === 'document')) return 0;
  const counts = documentCounts(chart.choice('evidence'));
  return counts.attached === 0 ? counts.open : 0;
}

function Attestation({ text, isMissed }: { readonly text: string; readonly isMissed: boolean }): VNode {
  return (
    <div id="attestation">
      {isMissed && (
        <p class="tried" role="alert" id="unattested">
          {confirm.unattested}
        </p>
      )}
      <label class="option">
        <input
          type="checkbox"
          name="attested"
          value="yes"
          required
          {...(isMissed ? stateOf({ invalid: true, describedBy: 'unattested' }) : {})}
        />
        <span>{text}</span>
      </label>
    </div>
  );
}

function Duplicates({ view: { duplicates, home } }: { readonly view: ConfirmView }): VNode {
  return (
    <fieldset class="choice" id="duplicates">
      <legend>{confirm.asked}</legend>
      <ul>
        {duplicates.map((one) => (
          <li key={one.id}>
            <a href={`${home}/cases/${one.id}`}>{one.title}</a>: {standingOf(one).label}
          </li>
        ))}
      </ul>
      <label class="option">
        <input type="checkbox" name="duplicates" value={duplicates.map(({ id }) => id).join(' ')} required />
        <span>{confirm.sendBoth}</span>
      </label>
    </fieldset>
  );
}

/** The request with one line for each section and a link to edit it. All values are folded below. */
function WhatGoes({ view, request }: { readonly view: ConfirmView; readonly request: RequestView }): VNode {
  const { draft, sections, launch } = view;
  return (
    <section class="card" aria-labelledby="goes">
      <h2 id="goes">{confirm.what}</h2>
      <dl class="lines">
        {linesOf(view).map(({ id, title, says, anchor }) => (
          <div key={id} class="line" id={`goes-line-${id}`}>
            <dt>{title}</dt>
            <dd>
              {says.map((part, index) => (
                <span key={part}>
                  {index > 0 && ' · '}
                  {part}
                </span>
              ))}
            </dd>
            <dd class="act">
              <a href={`${view.review}#${anchor}`}>
                {common.change}
                <span class="hidden"> {title}</span>
              </a>
            </dd>
          </div>
        ))}
      </dl>
      {draft.kind === 'prior-auth' && <AnswersThatGo view={view} sent={request.answers} />}
      {changedIn(request).length > 0 && (
        <section class="changed" aria-labelledby="goes-changed">
          <h3 id="goes-changed">{signWords.changed}</h3>
          <ChangedFromChart
            request={request}
            sections={sections}
            enteredBy={draft.case.enteredBy ?? {}}
            notTaken={notTakenIn(draft)}
            proposed={proposedIn(draft)}
            zone={launch.site.timeZone}
          />
        </section>
      )}
      <details class="all-values">
        <summary>{confirm.all}</summary>
        <RequestSections request={request} prefix="goes" withSources={false} />
      </details>
    </section>
  );
}

/** The answers that are sent, each under its question. */
function AnswersThatGo({
  view: { review: back, leftByChange },
  sent,
}: {
  readonly view: ConfirmView;
  readonly sent: RequestView['answers'];
}): VNode {
  return (
    <section class="answers-go" aria-labelledby="goes-answers">
      <h3 id="goes-answers">
        {payerWords.title}{' '}
        <a href={`${back}#section-answers`} class="act">
          {common.change}
          <span class="hidden"> {payerWords.title}</span>
        </a>
      </h3>
      {sent === undefined ? <p>{payerWords.leftOut}</p> : <SentAnswersTables sent={sent} />}
      <LeftByChange cells={leftByChange} />
    </section>
  );
}

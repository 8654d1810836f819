import type { ComponentChildren, VNode } from 'preact';
import { userText } from '../../../cases/case.ts';
import { readyState } from '../../../cases/rounds/reply.ts';
import type { ShownToSign } from '../../../cases/sign.ts';
import { answersTitle } from '../../../core/answers/request-parts.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { leavesOf } from '../../request/leaves.ts';
import { ChangedFromChart, changedIn } from '../../request/print/changed-from-chart.tsx';
import { DrugChange, RequestSections } from '../../request/print/request-table.tsx';
import { SentAnswersTables } from '../../request/print/sent-answers.tsx';
import { requestOf } from '../../request/print/shown-request.ts';
import { Heading } from '../../ui/heading.tsx';
import { Page } from '../../ui/page.tsx';
import { Technical } from '../../ui/source.tsx';
import { Time } from '../../ui/time.tsx';
import { QuestionSaid } from '../case/question-said.tsx';
import { kinds } from '../case/words.ts';
import { prescriberIn } from '../confirm/signing.ts';
import { EvidenceItems } from '../documents/evidence-item.tsx';
import { Notes } from '../worklist/notes.tsx';
import { SignatureStanding } from './standing.tsx';
import { isWaiting, type SignView, type ToSign } from './view.ts';
import { sign as words } from './words.ts';

/**
 * What the signer needs on one page: the drug, its indication and reasons, the attachments, and the differences from
 * the chart.
 */
export function SignPage({ view }: { readonly view: SignView }): VNode {
  const { staff, home, token, one, what, signs } = view;
  const heading = signs ? words.heading : words.headingOthers;
  return (
    <Page
      title={words.title}
      session={staff}
      home={home}
      token={token}
      within={staff.patient === undefined ? 'worklist' : 'chart'}
      banner={one.banner}
      assets={['case.css', 'review.css', 'sign.css', 'confirm.js']}
    >
      <Technical.Provider value={false}>
        <p class="crumb">
          <a href={`${home}/worklist`}>{words.worklist}</a>
        </p>
        <Heading title={one.title} isStart>
          {heading[what.is]} · {kinds[one.kind].name}
        </Heading>
        <Notice view={view} />
        <div class="with-verdict">
          <aside class="verdict-bar" aria-label={words.title}>
            <Act view={view} />
          </aside>
          <div class="verdict-beside">
            {what.is === 'draft' ? <DraftShown view={view} what={what} /> : <ReplyShown view={view} what={what} />}
            {signs && <ReturnForm view={view} />}
            {one.notes !== undefined && (
              <Notes one={one} at={{ home, token, zone: staff.site.timeZone, adds: false }} />
            )}
          </div>
        </div>
      </Technical.Provider>
    </Page>
  );
}

function Notice({ view: { notice, what, next, home, request } }: { readonly view: SignView }): VNode {
  return (
    <>
      {notice === 'stale' && (
        <p class="notice bad" role="alert">
          {words.stale}
        </p>
      )}
      {notice !== undefined && notice !== 'stale' && (
        <p class="notice good" role="status">
          {notice === 'signed' ? words.signedNow : words.returnedNow}{' '}
          {next !== undefined && <a href={`${home}/sign/${next}`}>{words.nextOne}</a>}
        </p>
      )}
      {what.is === 'draft' && what.signature.isChanged && <p class="notice">{words.gone}</p>}
      {request !== undefined && (
        <p class="no-print">
          <a href={request}>{words.open}</a>
        </p>
      )}
    </>
  );
}

/** The button to sign, or why the reader cannot sign here. */
function Act({ view }: { readonly view: SignView }): VNode {
  const { what, signs, one, staff } = view;
  if (!isWaiting(what)) return <Settled view={view} />;
  if (!signs) {
    const { site } = staff;
    const others = one.restricted !== true && (site.signature?.signers.length ?? 0) > 0;
    return <p class="notice">{words.mayNot(prescriberOf(what), others)}</p>;
  }
  return (
    <form method="post" action={`${view.home}/sign/${one.id}`} class="confirm">
      <Hidden view={view} />
      <p class="hint" id="signing">
        {words.record} {afterwardsOf(view)}
      </p>
      <div class="actions">
        <button type="submit" name="action" value="sign" class="go" aria-describedby="signing">
          {what.is === 'draft' ? words.approve : words.approveReply[readyState(view.staff.site)]}
        </button>
        <a href="#note" class="button quiet-button">
          {words.returnIt}
        </a>
      </div>
    </form>
  );
}

function Hidden({ view: { token, what } }: { readonly view: SignView }): VNode {
  const [name, value] = what.is === 'draft' ? ['digest', what.signature.digest] : ['reply', what.reply.key];
  return (
    <>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name={name} value={value} />
    </>
  );
}

function Settled({ view: { what, staff } }: { readonly view: SignView }): VNode {
  const zone = staff.site.timeZone;
  if (what.is === 'draft')
    return <SignatureStanding signature={what.signature} zone={zone} prescriber={prescriberOf(what)} />;
  const { state, signedBy, signedAt, settledBy, settledAt, note } = what.reply;
  const [by, at] = state === 'returned' ? [settledBy, settledAt] : [signedBy, signedAt];
  return (
    <div class={state === 'returned' ? 'notice' : 'notice good'}>
      <p>
        {state === 'returned' ? words.returnedReply : words.signedReply}{' '}
        {by !== undefined && by !== 'bridge' && userText(by)} {at !== undefined && <Time at={at} zone={zone} />}
      </p>
      {note !== undefined && <blockquote>{note}</blockquote>}
    </div>
  );
}

function afterwardsOf(view: SignView): string {
  return words.afterwards[view.what.is === 'draft' ? 'draft' : readyState(view.staff.site)];
}

function prescriberOf(what: ToSign): string {
  return what.is === 'draft' ? prescriberIn(leavesOf(what.shown.body)) : words.prescriber;
}

interface Shown<Is extends ToSign['is']> {
  readonly view: SignView;
  readonly what: Extract<ToSign, { readonly is: Is }>;
}

function DraftShown({ view: { one, staff }, what: { shown } }: Shown<'draft'>): VNode {
  const { site } = staff;
  const { body, provenance, codeTitles, lines, warnings, enteredBy, notTaken, proposed } = shown;
  const request = requestOf({ kind: one.kind, site, body, provenance, codeTitles });
  const { sections } = kindPages[one.kind];
  // The evidence item with the answers is left out, because the answers are listed below their questions.
  const evidence = request.sections
    .flatMap((section) => section.evidence)
    .filter(({ title }) => request.answers === undefined || title !== answersTitle);
  return (
    <>
      <DrugChange drug={request.drug} />
      <Card id="what" title={words.what}>
        <dl class="lines">
          {inOrderToSign(lines).map(({ id, title, says }) => (
            <div key={id} class="line">
              <dt>{title}</dt>
              <dd>{says.join(' · ')}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card id="changed" title={words.changed}>
        {changedIn(request).length === 0 ? (
          <p>{words.unchanged}</p>
        ) : (
          <ChangedFromChart
            request={request}
            sections={sections}
            enteredBy={enteredBy}
            notTaken={notTaken}
            proposed={proposed}
            zone={site.timeZone}
          />
        )}
      </Card>
      {one.kind === 'prior-auth' && (
        <Card id="why" title={words.why}>
          {request.answers === undefined ? <p>{words.noWhy}</p> : <SentAnswersTables sent={request.answers} />}
        </Card>
      )}
      <Card id="attached" title={words.attached}>
        {evidence.length === 0 ? <p>{words.noneAttached}</p> : <EvidenceItems items={evidence} withSources={false} />}
      </Card>
      {warnings.length > 0 && (
        <Card id="warnings" title={words.warnings(warnings.length)}>
          <ul class="plain">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Card>
      )}
      <details class="card all-values">
        <summary>{words.all}</summary>
        <RequestSections request={request} prefix="goes" withSources={false} />
      </details>
    </>
  );
}

const firstToSign = ['prescription', 'diagnoses'];
/** Sections shown elsewhere: the patient in the banner, attachments in a list of their own. */
const elsewhere: ReadonlySet<string> = new Set(['patient', 'evidence']);

/** The sections with the drug and its indication come first. */
function inOrderToSign(lines: ShownToSign['lines']): ShownToSign['lines'] {
  const rank = ({ id }: { readonly id: string }) => (firstToSign.includes(id) ? firstToSign.indexOf(id) : lines.length);
  return lines.filter(({ id }) => !elsewhere.has(id)).toSorted((one, other) => rank(one) - rank(other));
}

function ReplyShown({ view: { one, staff }, what: { round, reply, documents } }: Shown<'reply'>): VNode {
  const items = documents.map(({ title, date_created: date, content, asset }) => ({
    title,
    date,
    content: content ?? (asset === undefined ? undefined : { file: words.file }),
  }));
  return (
    <>
      <Card id="question" title={words.question}>
        <QuestionSaid one={one} round={round} site={staff.site} />
      </Card>
      <Card id="reply" title={words.reply}>
        {reply.text !== '' && <blockquote>{reply.text}</blockquote>}
        <p class="quiet-text">{words.replyBy(reply.by === 'bridge' ? '' : userText(reply.by))}</p>
      </Card>
      <Card id="attached" title={words.documents}>
        {items.length === 0 ? <p>{words.noneAttached}</p> : <EvidenceItems items={items} withSources={false} />}
      </Card>
    </>
  );
}

function Card({ id, title, children }: { readonly id: string; readonly title: string; children: ComponentChildren }) {
  return (
    <section class="card" aria-labelledby={`sign-${id}`}>
      <h2 id={`sign-${id}`}>{title}</h2>
      {children}
    </section>
  );
}

/** The form to return a request that waits for a signature, or to withdraw a signature before anything was sent. */
function ReturnForm({ view }: { readonly view: SignView }): VNode | null {
  const { what, one, home } = view;
  const isBack = what.is === 'draft' && what.signature.state === 'signed' && !what.signature.isChanged;
  if (!isWaiting(what) && !isBack) return null;
  const form = (
    <form method="post" action={`${home}/sign/${one.id}`}>
      <Hidden view={view} />
      <label for="note">{words.note}</label>
      <textarea id="note" name="note" rows={3} maxLength={1000} required aria-describedby="note-hint" />
      <p class="hint" id="note-hint">
        {words.noteHint}
      </p>
      <button type="submit" name="action" value="return" class="secondary">
        {isBack ? words.takeBackButton : words.returnButton}
      </button>
    </form>
  );
  return (
    <section class="card no-print" id="return" tabIndex={-1} aria-labelledby="return-title">
      <h2 id="return-title">{isBack ? words.takeBack : words.returnIt}</h2>
      {form}
    </section>
  );
}

import type { ComponentChildren, VNode } from 'preact';
import { isAsked, maySign, offersSignature, type SignatureStage, signatureStage } from '../../../cases/signature.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { userOf } from '../../http/user.ts';
import type { Draft } from '../../request/draft.ts';
import { plural } from '../../request/field-words.ts';
import { openPoints } from '../../request/open-points.ts';
import { answersGo } from '../../request/payer-answers.ts';
import { isOpen, type OpenPoints, openPointsBy } from '../../request/questions.ts';
import { marksRules } from '../../request/rules-change.ts';
import { common } from '../../ui/common-words.ts';
import { Heading } from '../../ui/heading.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Technical } from '../../ui/source.tsx';
import { Time } from '../../ui/time.tsx';
import { AttachedDocuments, CarriedOver, previewAddress } from '../attach/attach-block.tsx';
import { lackWords } from '../case/chart-lack-words.ts';
import { prescriberIn } from '../confirm/signing.ts';
import { chosenOf } from '../confirm/submission.ts';
import { documentCounts, SupportingDocuments } from '../documents/documents-list.tsx';
import { SignatureStanding } from '../sign/standing.tsx';
import { NotesHint, NotesOfChart } from '../worklist/notes.tsx';
import { answeredAt } from './answered.ts';
import { ApprovedHere, OnlyOldEvidence } from './approved-before.tsx';
import { ChangedValues, NewRules } from './changes.tsx';
import { ColleagueChanges } from './colleagues-block.tsx';
import { type Cautions, cautionsOf, Warnings } from './notices.tsx';
import { PayerQuestions } from './payer-questions.tsx';
import { OpenQuestions } from './questions-block.tsx';
import { RecordBlock } from './record-block.tsx';
import { ReplacedEntries } from './replaced-block.tsx';
import { answerTo, ReviewSections } from './sections.tsx';
import { Verdict, warningsIn } from './verdict.tsx';
import type { ReviewView } from './view.ts';
import { review } from './words.ts';

/** The review page of a request: first the questions to answer, then the warnings, then all values. */
export function ReviewPage({ view }: { readonly view: ReviewView }): VNode {
  const { launch, draft, home, token } = view;
  return (
    <Page
      title={review.pageTitle[draft.kind]}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? draft.case.banner : undefined}
      session={launch}
      savesItself
      assets={['review.css', 'review.js', 'documents.css', 'documents.js']}
    >
      <ReviewBody view={view} />
      <NotesOfChart one={draft.case} view={view} />
    </Page>
  );
}

/** The part of the page that a save may change. An open page fetches only this part. */
export function ReviewBody({ view }: { readonly view: ReviewView }): VNode {
  const { draft, sections, home, here, token } = view;
  const gaps = openPoints([...draft.result.gaps, ...view.open], sections);
  const points = openPointsBy(gaps, sections, view.asked);
  const cautions = cautionsOf(draft, view);
  const documents = draft.chart.choices.find(({ role }) => role === 'evidence');
  const answer = answerTo(view, gaps);
  const zone = view.launch.site.timeZone;
  return (
    <Technical.Provider value={view.isTechnical}>
      <div id="page" data-go-to={view.goTo}>
        <p class="crumb">
          <a href={`${home}/orders`}>{common.orders}</a>
        </p>
        <Heading title={draft.title} isStart>
          {subtitleOf(draft)}
        </Heading>
        <Notices view={view} />
        <div class="with-verdict">
          {/* Enter in a field presses the first button of the form, which must only save. */}
          <button
            type="submit"
            form="review"
            name="action"
            value="next"
            class="hidden"
            tabIndex={-1}
            aria-hidden="true"
          >
            {review.save}
          </button>
          <Aside view={view} points={points} cautions={cautions} documents={documentCounts(documents)} />
          <form
            id="review"
            method="post"
            action={here}
            class="verdict-beside"
            noValidate
            hx-post={here}
            hx-trigger="autosave, submit"
            hx-target="#page"
            hx-swap="outerMorph"
            hx-sync="this:queue all"
          >
            <input type="hidden" name="token" value={token} />
            <input type="hidden" name="patient" value={view.patientMark} />
            <input type="hidden" name="rules" value={marksRules(draft.mappedBy)} />
            <input type="hidden" name="since" value={view.since} />
            {view.isTechnical && <input type="hidden" name="technical" value="1" />}
            <p class="quiet-actions">
              <span class="pulled">
                {review.chartAsOf} <Time at={draft.pull.at} />
              </span>
              <button type="submit" name="action" value="pull" class="link">
                {review.refresh}
              </button>
              <span class="pulled" id="saved-at" />
            </p>
            <Look view={view} />
            <OpenQuestions
              questions={points.questions}
              controlOf={answer}
              answeredAt={(anchor) => answeredAt(anchor, view)}
              isTried={view.notice === 'incomplete'}
            />
            <Warnings
              cautions={cautions}
              gaps={warningsIn(points)}
              home={home}
              form="review"
              hrefOf={(anchor) => `#${anchor}`}
            />
            {sections.some(({ id }) => id === 'evidence') && (
              <SupportingDocuments
                isWhole={draft.pull.unread.length === 0}
                choice={documents}
                mayAttachAll={view.launch.site.evidence !== 'each'}
                previewOf={draft.kind === 'prior-auth' ? previewAddress(here) : undefined}
                before={
                  draft.kind === 'prior-auth' && (
                    <>
                      <CarriedOver draft={draft} />
                      <OnlyOldEvidence approved={view.approved} zone={zone} values={draft.values} />
                    </>
                  )
                }
                after={draft.kind === 'prior-auth' && <AttachedDocuments draft={draft} here={here} />}
              />
            )}
            {draft.kind === 'prior-auth' && (
              <PayerQuestions
                before={<ApprovedHere approved={view.approved} zone={zone} />}
                goes={answersGo(view.launch, draft)}
                carried={draft.case.carried}
                answers={view.answers}
                askedBefore={view.askedBefore}
                here={here}
              />
            )}
            <ReviewSections view={view} gaps={gaps} points={points} />
          </form>
        </div>
        {view.isRecordable === true && view.isTechnical && <RecordBlock here={here} token={token} />}
      </div>
    </Technical.Provider>
  );
}

/** The element with which the page's script polls for changes by colleagues. */
function Look({ view: { draft, here, seen } }: { readonly view: ReviewView }): VNode {
  const query = new URLSearchParams({ case: draft.case.id, seen }).toString();
  return (
    <span
      id="look"
      hx-get={`${here}/changes?${query}`}
      hx-trigger="look"
      hx-include="#review [name=asked], #review [name=since], #review [name=technical], #review [name=answers-shown]"
      hx-target="#page"
      hx-swap="outerMorph"
    />
  );
}

function subtitleOf({ kind, chart, values, title, orderWords }: Draft): string {
  const ordered = values.get('prescription.prescription_date')?.toString();
  const prescriber = [values.get('provider.first_name'), values.get('provider.last_name')].filter(Boolean).join(' ');
  const order = [
    ...(ordered === undefined ? [] : [dayText(ordered.slice(0, 10))]),
    ...(prescriber === '' ? [] : [`by ${prescriber}`]),
  ].join(' ');
  const coverage = chart.choices.find(({ role }) => role === 'coverage');
  const plan = coverage?.candidates.find(({ reference }) => reference === coverage.chosen)?.label;
  return [
    review.pageTitle[kind],
    ...(order === '' ? [] : [`ordered ${order}`]),
    ...(plan === undefined ? [] : [plan]),
    ...(title === orderWords ? [] : [review.inOrder(orderWords)]),
  ].join(' · ');
}

function Notices({ view }: { readonly view: ReviewView }): VNode {
  const { draft, notice, sections } = view;
  const { problem } = draft.case;
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} heading="Not sent" sections={sections} />}
      <NotesHint one={draft.case} user={view.launch.fhirUser} />
      {draft.case.signature !== undefined && offersSignature(view.launch.site, draft.kind) && (
        <SignatureStanding
          signature={draft.case.signature}
          zone={view.launch.site.timeZone}
          prescriber={prescriberIn(draft.values)}
          toSign={isToSign(view) ? `${view.home}/sign/${draft.case.id}` : undefined}
        />
      )}
      {notice === 'changed' && (
        <p class="notice bad" role="alert">
          {review.changedSinceConfirmed}
        </p>
      )}
      {notice === 'rules' && draft.rulesChange === undefined && (
        <p class="notice bad" role="alert">
          {review.rulesWhileOpen}
        </p>
      )}
      {draft.rulesChange !== undefined && <NewRules change={draft.rulesChange} sections={sections} />}
      <ReplacedEntries draft={draft} sections={sections} />
      <ColleagueChanges changes={view.colleagues} sections={sections} />
      {view.lacking > 0 && (
        <p class="notice">
          {lackWords.others(view.lacking)} <a href={`${view.home}/orders#requests`}>{lackWords.seeOthers}</a>
        </p>
      )}
      {notice === 'pulled' && <Changes view={view} />}
    </>
  );
}

// Signers open this page from the signing page or from the list of orders.
function isToSign({ draft: { case: one }, launch }: ReviewView): boolean {
  return isAsked(one.signature) && maySign(launch.site, one, userOf(launch));
}

function Changes({ view }: { readonly view: ReviewView }): VNode {
  const { changes } = view.draft;
  if (changes.length === 0)
    return (
      <p class="notice good" role="status">
        {review.refreshedNothing}
      </p>
    );
  return (
    <div class="notice" role="status">
      <h2>Chart refreshed: {plural(changes.length, 'value changed', 'values changed')}</h2>
      <ChangedValues
        changes={changes}
        sections={view.sections}
        noteOf={({ target }) => (view.draft.provenance.get(target)?.kind === 'entered' ? review.entryKept : undefined)}
      />
    </div>
  );
}

interface AsideProps {
  readonly view: ReviewView;
  readonly points: OpenPoints;
  readonly cautions: Cautions;
  readonly documents: ReturnType<typeof documentCounts>;
}

/** The verdict and the actions, which stay visible while the page scrolls. */
function Aside({ view, points, cautions, documents }: AsideProps): VNode {
  const { draft, sections, notice } = view;
  const isReady = !points.questions.some(isOpen) && points.stoppers.length === 0;
  const stage = signatureStage(view.launch.site, draft.case);
  return (
    <aside class="verdict-bar" aria-label={review.aside}>
      <Verdict
        points={points}
        cautions={cautions}
        attached={draft.kind === 'prior-auth' ? documents.attached : undefined}
        suggested={draft.kind === 'prior-auth' ? documents.open : 0}
        sections={sections}
        stage={stage}
      />
      <div class="actions">
        <FormButton
          id="go-on"
          action="check"
          look={isReady ? 'go' : 'go secondary'}
          keyed={isReady ? { key: 'F8', help: review.sendHelp } : undefined}
        >
          {goOnText(view, stage)}
        </FormButton>
        {!isReady && (
          <FormButton id="next-question" action="next" look="go" keyed={{ key: 'F8', help: review.nextHelp }}>
            {review.next}
          </FormButton>
        )}
        {isReady && draft.kind === 'prior-auth' && !answersGo(view.launch, draft) && (
          <FormButton
            id="go-on-with-answers"
            action="answers-and-check"
            look="secondary"
            keyed={{ key: 'F9', help: review.withAnswersHelp }}
          >
            {review.withAnswers}
          </FormButton>
        )}
      </div>
      <button type="submit" form="review" name="action" value="save" class="secondary without-script">
        {review.save}
      </button>
      <p class="pulled" id="save-state" role="status">
        {notice === 'saved' ? review.saved : ''}
      </p>
      <p class="notice bad" id="away" role="alert" hidden>
        {review.notSaving}
      </p>
    </aside>
  );
}

interface FormButtonProps {
  readonly id: string;
  readonly action: string;
  readonly look: string;
  /** The key that focuses this button. */
  readonly keyed: { readonly key: string; readonly help: string } | undefined;
  readonly children: ComponentChildren;
}

function FormButton({ id, action, look, keyed, children }: FormButtonProps): VNode {
  return (
    <button
      id={id}
      type="submit"
      form="review"
      name="action"
      value={action}
      class={look}
      {...(keyed === undefined ? {} : { 'aria-keyshortcuts': keyed.key, title: keyed.help })}
    >
      {children}
      {keyed !== undefined && (
        <>
          {' '}
          <kbd class="only-script">{keyed.key}</kbd>
        </>
      )}
    </button>
  );
}

function goOnText({ launch, draft }: ReviewView, stage: SignatureStage): string {
  const { goOn } = review;
  if (stage === 'asked' || stage === 'send') return goOn[stage];
  const { restricted, prescriber: known } = draft.case;
  const { prescriber = known } = chosenOf(draft);
  return maySign(launch.site, { prescriber, restricted }, userOf(launch)) ? goOn.signs : goOn.sign;
}

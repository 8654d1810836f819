import type { VNode } from 'preact';
import { recordOf, roundsOf } from '../../../cases/case.ts';
import { type Asking, type Round, roundStanding } from '../../../cases/rounds/round.ts';
import { hasSecrets } from '../../../cases/rounds/secrets.ts';
import { refusalOf } from '../../http/rights.ts';
import { questionText } from '../../request/reply-answers.ts';
import { Time } from '../../ui/time.tsx';
import { Asked } from './asked.tsx';
import { AnswerThere } from './case-actions.tsx';
import { AskedText, shownOf, Until } from './question-text.tsx';
import { questionWords as words } from './question-words.ts';
import { ReplyForm } from './reply-form.tsx';
import { ReplyLine } from './reply-line.tsx';
import { SentByHand, Settle, WaitsToSign } from './reply-next.tsx';
import { isAnsweredThere, leadingRound, takesReply } from './round-state.ts';
import type { CaseView } from './view.ts';
import { serviceName } from './words.ts';

/** The payer's questions at the top of the page: open questions with their replies, and earlier questions folded. */
export function Questions({ view }: { readonly view: CaseView }): VNode {
  const rounds = roundsOf(view.case);
  const open = rounds.filter((round) => roundStanding(round) !== 'ended');
  const ended = rounds.filter((round) => roundStanding(round) === 'ended');
  return (
    <div id="questions">
      {/* Also present without a question, because a question may arrive while the page is open. */}
      <p id="question-news" class="news" role="status" />
      <NotTaken view={view} />
      {open.map((round, index) => (
        <Question key={round.number} view={view} round={round} place={{ number: index + 1, of: open.length }} />
      ))}
      {ended.length > 0 && (
        <details class="card">
          <summary>
            <h2>{words.before}</h2> <span class="quiet-text">{words.overCount(ended.length)}</span>
          </summary>
          {ended.toReversed().map((round) => (
            <Ended key={round.number} view={view} round={round} />
          ))}
        </details>
      )}
    </div>
  );
}

/** The text of a reply that was typed for a question that was closed or answered in the meantime. */
function NotTaken({ view: { typed, case: one, launch } }: { readonly view: CaseView }): VNode | null {
  const round = roundsOf(one).find(({ number }) => number === typed?.round);
  if (typed === undefined || (round !== undefined && takesReply(round) && refusalOf(launch) === undefined)) return null;
  return (
    <section class="card" aria-labelledby="not-taken">
      <h2 id="not-taken">{words.notTaken}</h2>
      <p class="notice bad" role="alert">
        {typed.why}
      </p>
      <label for="not-taken-text">{words.typed}</label>
      <textarea id="not-taken-text" rows={5} readOnly>
        {typed.text}
      </textarea>
      <p class="hint">{words.copyTyped}</p>
    </section>
  );
}

interface RoundProps {
  readonly view: CaseView;
  readonly round: Round;
}

function Question({
  view,
  round,
  place,
}: RoundProps & { readonly place: { readonly number: number; readonly of: number } }): VNode {
  const { launch } = view;
  const standing = roundStanding(round);
  const acts = refusalOf(launch) === undefined;
  const last = round.replies.at(-1);
  const isRepliable = takesReply(round);
  const leads = leadingRound(view.case)?.number === round.number;
  return (
    <section
      class={`card question ${standing === 'open' ? 'tone-act' : ''}`}
      aria-labelledby={`question-${round.number}`}
    >
      <h2 id={`question-${round.number}`}>{words.heading(place.number, place.of)}</h2>
      <Until round={round} zone={launch.site.timeZone} />
      <AskedTexts view={view} round={round} />
      {round.replies.map((reply) => (
        <ReplyLine key={reply.key} view={view} reply={reply} />
      ))}
      {standing === 'unsigned' && <WaitsToSign view={view} leads={leads} />}
      {standing === 'unknown' && <p class="notice">{words.unknown}</p>}
      {acts && standing === 'unclear' && last !== undefined && <Settle view={view} reply={last} />}
      {acts && standing === 'printed' && last !== undefined && <SentByHand view={view} reply={last} leads={leads} />}
      {acts && isAnsweredThere(view, round) && <TwoWays view={view} />}
      {acts && isRepliable && <ReplyForm view={view} round={round} leads={leads && standing === 'open'} />}
      {acts && isRepliable && <CloseForm view={view} round={round} />}
      <KeepLink view={view} round={round} />
    </section>
  );
}

/** The two ways to answer a question without a message: in the service, or on paper with the form below. */
function TwoWays({ view }: { readonly view: CaseView }): VNode {
  return (
    <div class="ways">
      <h3>{words.twoWays}</h3>
      <AnswerThere view={view} />
      <h3>{words.onPaper}</h3>
      <p class="hint">{words.onPaperHow}</p>
    </div>
  );
}

/** The text of each attempt. A text that was repeated on another channel is shown once. */
function AskedTexts({ view, round }: RoundProps): VNode {
  const service = serviceName(view.launch.site);
  const shown = shownOf(view, round);
  const texts = new Map(shown.toReversed().map((asking): [string, Asking] => [JSON.stringify(asking.fields), asking]));
  const hasAny = [...texts.values()].some(({ fields, files }) => fields.length + files.length > 0);
  return (
    <>
      {[...texts.values()].toReversed().map((asking) => (
        <AskedText key={asking.id} view={view} round={round} asking={asking} />
      ))}
      {shown.length < round.asked.length && <p class="notice">{words.held(service)}</p>}
      {!hasAny && shown.length === round.asked.length && <FromRecord view={view} round={round} />}
      {shown.some(({ isSigned }) => isSigned === false) && <p class="hint">{words.unsigned}</p>}
      {shown.some(({ fields }) => hasSecrets(fields)) && <Reveal view={view} round={round} />}
    </>
  );
}

/** The link to release a question for later requests; null if the user may not act or the question has no text. */
function KeepLink({ view, round }: RoundProps): VNode | null {
  if (view.kept === undefined || questionText(view.case, round) === '') return null;
  return (
    <p class="keep no-print">
      <a href={`${view.here}/questions/${round.number}/keep`}>
        {view.kept.has(round.number) ? words.kept : words.keep}
      </a>
    </p>
  );
}

/** The notes of calls in the record that ask for something, for a question without a message. */
function FromRecord({ view, round }: RoundProps): VNode {
  const { site } = view.launch;
  const record = recordOf(view.case);
  const service = serviceName(site);
  if (record === undefined || view.case.state !== 'open') return <p>{words.noText(service)}</p>;
  return (
    <Asked
      record={record}
      since={round.openedAt}
      service={service}
      serviceZone={site.service.timeZone}
      zone={site.timeZone}
    />
  );
}

function Reveal({ view, round }: RoundProps): VNode {
  return (
    <form method="post" action={`${view.here}/questions/${round.number}`} class="inline">
      <input type="hidden" name="token" value={view.token} />
      <span class="hint">{words.hiddenNote}</span>{' '}
      {refusalOf(view.launch) === undefined && (
        <button type="submit" class="quiet-button">
          {words.reveal}
        </button>
      )}
    </form>
  );
}

/** The form to close a question that a person entered. Only the service closes its own questions. */
function CloseForm({ view, round }: RoundProps): VNode | null {
  if (round.from === 'service') return null;
  return (
    <form method="post" action={view.here} class="inline">
      <input type="hidden" name="token" value={view.token} />
      <input type="hidden" name="round" value={String(round.number)} />
      <button type="submit" name="action" value="close-round" class="quiet-button">
        {words.close}
      </button>
    </form>
  );
}

function Ended({ view, round }: RoundProps): VNode {
  const { ended } = round;
  const how = ended === undefined ? undefined : words.ended[ended.how];
  return (
    <div class="ended-question">
      <AskedTexts view={view} round={round} />
      {round.replies.map((reply) => (
        <ReplyLine key={reply.key} view={view} reply={reply} />
      ))}
      {ended !== undefined && (
        <p class="quiet-text">
          {how ?? words.endedOther} <Time at={ended.at} zone={view.launch.site.timeZone} />
        </p>
      )}
      <KeepLink view={view} round={round} />
    </div>
  );
}

import type { VNode } from 'preact';
import { recordOf, roundsOf, userText } from '../../../cases/case.ts';
import { type Asking, type Reply, type Round, roundSeen, roundStanding } from '../../../cases/rounds/round.ts';
import { hasSecrets } from '../../../cases/rounds/secrets.ts';
import { maySign, requiresSignature } from '../../../cases/signature.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import { refusalOf } from '../../http/rights.ts';
import { userOf } from '../../http/user.ts';
import { questionText } from '../../request/reply-answers.ts';
import { FileInput } from '../../ui/file-input.tsx';
import { Time } from '../../ui/time.tsx';
import { sign as signWords } from '../sign/words.ts';
import { Asked } from './asked.tsx';
import { AnswerThere } from './case-actions.tsx';
import { AnswersFor, OfferedDocument } from './question-answers.tsx';
import { isAnsweredThere, leadingRound } from './question-offers.tsx';
import { AskedText, shownOf, Until } from './question-text.tsx';
import { replyFileWords as fileWords, questionWords as words } from './question-words.ts';
import type { CaseView, TypedReply } from './view.ts';
import { serviceName } from './words.ts';

/** Names what the page shows of all rounds; the polled part tells when it is not so any more. */
export function roundsSeen({ case: one }: Pick<CaseView, 'case'>): string {
  return roundsOf(one).map(roundSeen).join('_');
}

/** Whether the page has a form for a question, in which somebody may be typing. */
export function hasQuestionForm({ case: one, launch }: Pick<CaseView, 'case' | 'launch'>): boolean {
  const standings: readonly string[] = ['open', 'unsigned', 'answered', 'unclear', 'printed'];
  return refusalOf(launch) === undefined && roundsOf(one).some((round) => standings.includes(roundStanding(round)));
}

/** The payer's questions on top of the page: those that wait, each with its reply; the earlier ones folded. */
export function Questions({ view }: { readonly view: CaseView }): VNode {
  const rounds = roundsOf(view.case);
  const open = rounds.filter((round) => roundStanding(round) !== 'ended');
  const ended = rounds.filter((round) => roundStanding(round) === 'ended');
  return (
    <div id="questions">
      {/* Also where nothing is asked yet: a question may come while the page is open. */}
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

/** What somebody typed for a question that takes no reply any more: it was closed or answered meanwhile. */
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

export function takesReply(round: Round): boolean {
  return ['open', 'answered', 'unsigned'].includes(roundStanding(round));
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

/** Where the service asks without a message: what to do there, and what the form below is for. */
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

/** Each attempt by its text; the same text on another channel is said once. */
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

/** The way to release a question for the next request; nothing for who may not act, or where no text came. */
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

/** What the record says where no message came: notes of calls that only ask. */
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

function ReplyLine({ view, reply }: { readonly view: CaseView; readonly reply: Reply }): VNode {
  const state = Object.hasOwn(words.states_of_reply, reply.state)
    ? words.states_of_reply[reply.state]
    : words.otherState(reply.state);
  return (
    <div class="reply-line">
      <p>
        <strong>{words.replyOf(reply.by === 'bridge' ? '' : userText(reply.by))}</strong>{' '}
        <Time at={reply.at} zone={view.launch.site.timeZone} /> {state}.
      </p>
      {reply.note !== undefined && (
        <p class="notice">
          {signWords.returnedReply}{' '}
          {reply.settledBy !== undefined && reply.settledBy !== 'bridge' && userText(reply.settledBy)}: {reply.note}
        </p>
      )}
      {reply.text !== '' && <blockquote>{reply.text}</blockquote>}
      <SignedReply view={view} reply={reply} />
      {reply.documents.length > 0 && (
        <p class="quiet-text">
          {words.enclosed}: {reply.documents.join('; ')}
        </p>
      )}
    </div>
  );
}

interface Leading {
  readonly view: CaseView;
  /** It is the next thing to do on the page. */
  readonly leads: boolean;
}

/** The reply waits for who signs it, who may be the reader. */
function WaitsToSign({ view: { launch, home, case: one }, leads }: Leading): VNode {
  const signs = maySign(launch.site, one, userOf(launch));
  return (
    <div class="notice">
      <p>{signWords.replyWaits}</p>
      <p class="actions">
        <a class={signs && leads ? 'button go' : 'button quiet-button'} href={`${home}/sign/${one.id}`}>
          {signs ? signWords.toSign : signWords.see}
        </a>
      </p>
    </div>
  );
}

function Settle({ view, reply }: { readonly view: CaseView; readonly reply: Reply }): VNode {
  return (
    <form method="post" action={view.here} class="reconcile">
      <h3>{words.unclearHeading}</h3>
      <p>{words.unclearHelp(serviceName(view.launch.site))}</p>
      <input type="hidden" name="token" value={view.token} />
      <input type="hidden" name="key" value={reply.key} />
      <div class="actions">
        <button type="submit" name="action" value="reply-arrived">
          {words.arrived}
        </button>
        <button type="submit" name="action" value="reply-not-arrived" class="secondary">
          {words.notArrived}
        </button>
      </div>
    </form>
  );
}

function SentByHand({ view, reply, leads }: Leading & { readonly reply: Reply }): VNode {
  return (
    <div class="by-hand">
      <p class="actions">
        <a
          href={`${view.here}/replies/${reply.key}.pdf`}
          class={leads ? 'button go' : 'button'}
          target="_blank"
          rel="noopener noreferrer"
        >
          {words.packet}
        </a>
      </p>
      <form method="post" action={view.here}>
        <input type="hidden" name="token" value={view.token} />
        <input type="hidden" name="key" value={reply.key} />
        <label for="reply-how">{words.sentHow}</label>
        <select id="reply-how" name="how">
          {Object.entries(words.ways).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <label for="reply-on">{words.sentOn}</label>
        <input id="reply-on" name="on" type="date" value={view.today} max={view.today} required />
        <label>
          <input type="checkbox" name="completes" value="yes" checked /> {words.all}
        </label>
        <button type="submit" name="action" value="reply-sent">
          {words.noteSent}
        </button>
      </form>
    </div>
  );
}

function ReplyForm({ view, round, leads }: RoundProps & Leading): VNode {
  const { launch, typed } = view;
  const mine: TypedReply | undefined = typed?.round === round.number ? typed : undefined;
  const { profile, outreachEndField } = launch.site.service;
  const goesByItself = profile === 'current';
  const id = `reply-${round.number}`;
  return (
    <form method="post" action={`${view.here}/replies`} encType="multipart/form-data" class="reply">
      <input type="hidden" name="token" value={view.token} />
      <input type="hidden" name="round" value={String(round.number)} />
      <input type="hidden" name="seen" value={roundSeen(round)} />
      {mine !== undefined && (
        <p class="notice bad" role="alert">
          {mine.why}
        </p>
      )}
      <AnswersFor view={view} round={round} ticked={mine && [...mine.answers, ...mine.ticked]} />
      <label for={id}>{words.reply}</label>
      <textarea id={id} name="text" rows={5} maxLength={20_000}>
        {mine?.text}
      </textarea>
      <Documents candidates={otherDocuments(view, round)} ticked={mine?.ticked ?? []} id={id} />
      <OwnFiles id={id} today={view.today} pictures={!goesByItself} />
      {goesByItself && outreachEndField !== undefined && (
        <label>
          <input type="checkbox" name="completes" value="yes" checked={mine?.completes ?? false} /> {words.all}
        </label>
      )}
      {goesByItself && outreachEndField === undefined && <p class="hint">{words.noAll(serviceName(launch.site))}</p>}
      <div class="actions">
        <ReplyButton view={view} leads={leads} />
      </div>
    </form>
  );
}

function SignedReply({ view, reply: { signedBy, signedAt } }: { readonly view: CaseView; readonly reply: Reply }) {
  if (signedBy === undefined || signedBy === 'bridge' || signedAt === undefined) return null;
  return (
    <p class="quiet-text">
      {signWords.signedReply} {userText(signedBy)} <Time at={signedAt} zone={view.launch.site.timeZone} />
    </p>
  );
}

/** What becomes of the reply: it leaves or is printed, signed by who writes it, or waits for who signs it. */
function ReplyButton({ view: { launch, case: one }, leads }: Leading): VNode {
  const look = leads ? 'go' : undefined;
  const way = launch.site.service.profile === 'current' ? 'queued' : 'printed';
  if (!requiresSignature(launch.site, one.kind))
    return (
      <button type="submit" name="action" value="reply" class={look}>
        {way === 'queued' ? words.send : words.make}
      </button>
    );
  const signs = maySign(launch.site, one, userOf(launch));
  return (
    <button type="submit" name="action" value={signs ? 'sign-reply' : 'reply'} class={look}>
      {signs ? signWords.signsReply[way] : signWords.askReply}
    </button>
  );
}

interface OwnFilesProps {
  readonly id: string;
  readonly today: string;
  /** The reply has a place for pictures. */
  readonly pictures: boolean;
}

function OwnFiles({ id, today, pictures }: OwnFilesProps): VNode {
  return (
    <details>
      <summary>{fileWords.summary}</summary>
      <label for={`${id}-file`}>{fileWords.file(pictures)}</label>
      <FileInput id={`${id}-file`} multiple tooLarge={fileWords.tooLarge} />
      <label for={`${id}-file-title`}>{fileWords.title}</label>
      <input id={`${id}-file-title`} name="file-title" maxLength={200} autocomplete="off" />
      <label for={`${id}-file-date`}>{fileWords.date}</label>
      <input id={`${id}-file-date`} name="file-date" type="date" value={today} max={today} />
    </details>
  );
}

/** Of a question that somebody here noted: the service's own end with the service. */
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

/** What is not offered beside the question already; undefined where the chart offers nothing. */
function otherDocuments(view: CaseView, round: Round): readonly Candidate[] | undefined {
  const beside = view.answers?.(round).asked.flatMap(({ documents }) => documents) ?? [];
  return view.candidates?.filter((one) => !beside.includes(one));
}

function Documents({
  candidates,
  ticked,
  id,
}: {
  readonly candidates: readonly Candidate[] | undefined;
  readonly ticked: readonly string[];
  readonly id: string;
}): VNode {
  if (candidates === undefined || candidates.length === 0) return <p class="hint">{words.noDocuments}</p>;
  return (
    <details open={ticked.length > 0 || candidates.length <= 8}>
      <summary>
        {words.documents} <span class="quiet-text">{words.documentsCount(candidates.length)}</span>
      </summary>
      {candidates.map((one, index) => (
        <OfferedDocument
          key={one.reference}
          candidate={one}
          id={`${id}-${index}`}
          isChecked={ticked.includes(one.reference)}
        />
      ))}
    </details>
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

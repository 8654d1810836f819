import type { VNode } from 'preact';
import { userText } from '../../../cases/case.ts';
import type { Asking, QuestionFile, Round } from '../../../cases/rounds/round.ts';
import { piecesOf } from '../../../cases/rounds/secrets.ts';
import { mayBeShown } from '../../../cases/rounds/shown.ts';
import type { SentField } from '../../../core/contract/outreach.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { common } from '../../ui/common-words.ts';
import { FoldWord } from '../../ui/fold-word.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { questionWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';
import { serviceName } from './words.ts';

/** The payer's deadline for an answer. */
export function Until({ round: { until }, zone }: { readonly round: Round; readonly zone: string }): VNode {
  if (until === undefined) return <p class="quiet-text">{words.noDeadline}</p>;
  return (
    <p class="until">
      {words.by} <strong>{/^\d{4}-\d{2}-\d{2}$/.test(until) ? dayText(until) : <Time at={until} zone={zone} />}</strong>
    </p>
  );
}

interface AskedProps {
  readonly view: CaseView;
  readonly round: Round;
  readonly asking: Asking;
  /** true for a user who asked for the original text. */
  readonly isRevealed?: boolean;
}

const longest = 1200;

/** One attempt to ask: its text without credentials, its channel, and its files. */
export function AskedText({ view, round, asking, isRevealed = false }: AskedProps): VNode {
  const { fields, files } = asking;
  const isLong = fields.reduce((length, { text }) => length + text.length, 0) > longest;
  const text = fields.map((field, index) => <Field key={index} field={field} isRevealed={isRevealed} />);
  return (
    <div class="asked-text">
      {isLong && !isRevealed ? (
        <details>
          <summary>
            <FoldWord folded={common.show} /> {words.whole}: <q>{startOf(fields)}</q>
          </summary>
          {text}
        </details>
      ) : (
        text
      )}
      {files.length > 0 && <Files view={view} files={files} />}
      <p class="quiet-text">
        {words.asked} <Time at={asking.at ?? asking.seenAt} zone={view.launch.site.timeZone} /> {wayOf(asking)}
        {round.openedBy !== 'bridge' && `, ${words.notedBy} ${userText(round.openedBy)}`}
      </p>
    </div>
  );
}

/** Names of parts that are the message itself, so that the names are not shown. */
const unnamed: ReadonlySet<string> = new Set(['text', 'message', 'body', 'content', 'subject']);

function Field({ field, isRevealed }: { readonly field: SentField; readonly isRevealed: boolean }): VNode {
  return (
    <p class="said">
      {!unnamed.has(field.name) && <span class="quiet-text">{field.name.replaceAll('_', ' ')}: </span>}
      {piecesOf(field).map(({ text, isSecret }, index) =>
        isSecret && !isRevealed ? (
          <span key={index} class="secret">
            {words.hidden}
          </span>
        ) : (
          <Breakable key={index} text={text} />
        ),
      )}
    </p>
  );
}

function startOf(fields: readonly SentField[]): string {
  const [first] = fields.filter(({ name }) => name !== 'subject');
  const text =
    first === undefined
      ? ''
      : piecesOf(first)
          .map((piece) => (piece.isSecret ? words.hidden : piece.text))
          .join('');
  return `${text.slice(0, 200)}…`;
}

/** States of an attempt that arrived; they are not worth showing. */
const came: ReadonlySet<string> = new Set(['sent', 'delivered']);

function wayOf({ channel, state }: Asking): string {
  const way = channel === undefined ? undefined : (words.channels[channel.toLowerCase()] ?? channel);
  const stands =
    state === undefined || came.has(state.toLowerCase()) ? undefined : (words.states[state.toLowerCase()] ?? state);
  return [way, stands === undefined ? undefined : `(${stands})`].filter((part) => part !== undefined).join(' ');
}

function Files({ view, files }: { readonly view: CaseView; readonly files: readonly QuestionFile[] }): VNode {
  return (
    <ul class="files">
      {files.map(({ id, name, state }) => (
        <li key={id}>
          {state === 'kept' ? (
            <a href={`${view.here}/questions/files/${id}`} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          ) : (
            `${name}: ${state === 'due' ? words.fileDue : words.fileGone(serviceName(view.launch.site))}`
          )}
        </li>
      ))}
    </ul>
  );
}

export function shownOf({ case: one }: Pick<CaseView, 'case'>, round: Round): readonly Asking[] {
  const isOwn = round.from !== 'service';
  return round.asked.filter((asking) => mayBeShown(asking, { hasEnded: one.state === 'ended', isOwn }));
}

/** A question in its original wording, with credentials. */
export function RevealedPage({ view, round }: { readonly view: CaseView; readonly round: Round }): VNode {
  const { launch, home, token, here } = view;
  return (
    <Page
      title={words.revealed}
      session={launch}
      home={home}
      token={token}
      banner={launch.needPatientBanner ? view.case.banner : undefined}
      assets={['case.css']}
    >
      <p class="crumb">
        <a href={here}>{words.back}</a>
      </p>
      <h1>{words.revealed}</h1>
      <p class="notice">{words.revealedNote}</p>
      <section class="card">
        {shownOf(view, round).map((asking) => (
          <AskedText key={asking.id} view={view} round={round} asking={asking} isRevealed />
        ))}
      </section>
    </Page>
  );
}

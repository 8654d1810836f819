import type { VNode } from 'preact';
import { readyState } from '../../../cases/rounds/reply.ts';
import { type Round, roundSeen } from '../../../cases/rounds/round.ts';
import { maySign, requiresSignature } from '../../../cases/signature.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import { userOf } from '../../http/user.ts';
import { stateOf } from '../../ui/control.tsx';
import { FileInput } from '../../ui/file-input.tsx';
import { sign as signWords } from '../sign/words.ts';
import { AnswersFor, OfferedDocument } from './question-answers.tsx';
import { replyFileWords as fileWords, questionWords as words } from './question-words.ts';
import type { Leading } from './reply-next.tsx';
import type { CaseView, FileField, TypedReply } from './view.ts';
import { serviceName } from './words.ts';

/** The form for a reply, with the chart's answers and documents and the person's own files. */
export function ReplyForm({ view, round, leads }: Leading & { readonly round: Round }): VNode {
  const { launch, typed } = view;
  const mine: TypedReply | undefined = typed?.round === round.number ? typed : undefined;
  const { outreachEndField } = launch.site.service;
  const goesByItself = readyState(launch.site) === 'queued';
  const id = `reply-${round.number}`;
  return (
    <form
      method="post"
      action={`${view.here}/replies`}
      encType="multipart/form-data"
      class="reply"
      {...stateOf({ describedBy: mine === undefined ? '' : `${id}-why` })}
    >
      <input type="hidden" name="token" value={view.token} />
      <input type="hidden" name="round" value={String(round.number)} />
      <input type="hidden" name="seen" value={roundSeen(round)} />
      {mine !== undefined && (
        <p class="notice bad" role="alert" id={`${id}-why`}>
          {mine.why}
        </p>
      )}
      <AnswersFor view={view} round={round} ticked={mine && [...mine.answers, ...mine.ticked]} />
      <label for={id}>{words.reply}</label>
      <textarea id={id} name="text" rows={5} maxLength={20_000}>
        {mine?.text}
      </textarea>
      <Documents candidates={otherDocuments(view, round)} ticked={mine?.ticked ?? []} id={id} />
      <OwnFiles id={id} today={view.today} pictures={!goesByItself} wrong={mine?.field} />
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

/** The button of a reply: it sends or prints the reply, signs it too, or submits it for signature. */
function ReplyButton({ view: { launch, case: one }, leads }: Leading): VNode {
  const look = leads ? 'go' : undefined;
  const way = readyState(launch.site);
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
  /** true if the reply can include pictures. */
  readonly pictures: boolean;
  readonly wrong: FileField | undefined;
}

function OwnFiles({ id, today, pictures, wrong }: OwnFilesProps): VNode {
  const state = (field: FileField) => (wrong === field ? stateOf({ invalid: true, describedBy: `${id}-why` }) : {});
  return (
    <details open={wrong !== undefined}>
      <summary>{fileWords.summary}</summary>
      <label for={`${id}-file`}>{fileWords.file(pictures)}</label>
      <FileInput id={`${id}-file`} multiple tooLarge={fileWords.tooLarge} {...state('file')} />
      <label for={`${id}-file-title`}>{fileWords.title}</label>
      <input id={`${id}-file-title`} name="file-title" maxLength={200} autocomplete="off" {...state('file-title')} />
      <label for={`${id}-file-date`}>{fileWords.date}</label>
      <input id={`${id}-file-date`} name="file-date" type="date" value={today} max={today} {...state('file-date')} />
    </details>
  );
}

/** The chart's documents that are not already offered beside the question; undefined if the chart has none. */
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

import type { VNode } from 'preact';
import { type Attached, type Carried, userText } from '../../../cases/case.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { cardsFor, unplacedIn } from '../../request/attached.ts';
import type { Draft } from '../../request/draft.ts';
import { Time } from '../../ui/time.tsx';
import { attach, carriedWords } from '../documents/words.ts';

interface AttachProps {
  readonly draft: Draft;
  readonly here: string;
}

export function AttachedDocuments({ draft, here }: AttachProps): VNode {
  const { attached = [] } = draft.case;
  // A file that the review shows nowhere else can be removed here.
  const unplaced = unplacedIn(attached, draft.schema);
  const documents = attached.filter((one) => one.kind === 'document' || unplaced.includes(one));
  return <AttachedFiles files={documents} here={here} what="document" />;
}

export function AttachedCards({ draft, here }: AttachProps): VNode {
  const { attached = [] } = draft.case;
  const going = cardsFor(attached, draft.chart.choice('coverage')?.chosen);
  const cards = attached.filter(({ kind }) => kind === 'card');
  return <AttachedFiles files={cards} here={here} what="card" isStaying={(one) => !going.includes(one)} />;
}

export function AttachedConsents({ draft, here }: AttachProps): VNode {
  const scans = (draft.case.attached ?? []).filter(({ kind }) => kind === 'consent');
  return <AttachedFiles files={scans} here={here} what="consent" />;
}

/** Appeal letters that a person attached, and the link to attach another. Only the last letter is sent. */
export function AttachedAppeals({ draft, here }: AttachProps): VNode {
  const letters = (draft.case.attached ?? []).filter(({ kind }) => kind === 'appeal');
  return (
    <AttachedFiles
      files={letters}
      here={here}
      what="appeal"
      staying={attach.laterLetter}
      isStaying={(one) => one !== letters.at(-1)}
    />
  );
}

function AttachedFiles({
  files,
  here,
  what,
  isStaying = () => false,
  staying = attach.otherPlan,
}: {
  readonly files: readonly Attached[];
  readonly here: string;
  readonly what: Attached['kind'];
  /** true if the file is not part of the request. */
  readonly isStaying?: (file: Attached) => boolean;
  /** Why the file is not part of the request. */
  readonly staying?: string;
}): VNode {
  return (
    <div class="attached">
      {files.length > 0 && (
        <ul class="found" aria-label={attach.listed}>
          {files.map((file) => (
            <li key={file.id}>
              <span>
                {file.title}
                {file.date !== undefined && `, ${dayText(file.date)}`}
                <span class="reason">
                  {attach.attachedBy(userText(file.by))}, <Time at={file.at} />.
                  {file.shortened === true && ` ${attach.shortened}`}
                </span>
                {isStaying(file) && <span class="reason unfit">{staying}</span>}
              </span>
              <a href={`${here}/attached/${file.id}`} class="preview">
                {attach.view}
                <span class="hidden"> {file.title}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <p class="find-link">
        <a href={`${here}/attach/${what}`}>{attach[what].link}</a>
      </p>
    </div>
  );
}

/**
 * Documents that were selected because the earlier request had them, and documents of that request that are not sent.
 */
export function CarriedOver({ draft }: { readonly draft: Draft }): VNode | null {
  const { carried, answers } = draft.case;
  if (carried?.sentAt === undefined) return null;
  const kept = carried.kept.filter((reference) => answers.evidence?.includes(reference) === true);
  if (kept.length + carried.dropped.length === 0) return null;
  const candidates = draft.chart.choice('evidence')?.candidates ?? [];
  const names = kept.flatMap((reference) => candidates.find((one) => one.reference === reference)?.label ?? []);
  return (
    <div class="notice calm carried">
      {kept.length > 0 && (
        <p>
          {carriedWords.kept(kept.length)} <Time at={carried.sentAt} />: {names.join('; ')}.{' '}
          {carriedWords.again(kept.length)}
        </p>
      )}
      {carried.dropped.length > 0 && <Dropped dropped={carried.dropped} />}
    </div>
  );
}

function Dropped({ dropped }: { readonly dropped: Carried['dropped'] }): VNode {
  return (
    <>
      <p>{carriedWords.dropped}</p>
      <ul>
        {dropped.map(({ title, why }) => (
          <li key={title}>
            {title}: {carriedWords.why[why]}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the URL of a chart document's full content, by its reference. */
export function previewAddress(here: string): (reference: string) => string {
  return (reference) => `${here}/documents/${encodeURIComponent(reference)}`;
}

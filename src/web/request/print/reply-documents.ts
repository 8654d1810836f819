import { z } from 'zod';
import type { Case, RequestContent } from '../../../cases/case.ts';
import type { ReplyDocument } from '../../../cases/rounds/reply.ts';
import { asBridgeError, BridgeError } from '../../../core/errors.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { replyGone } from '../../pages/case/question-words.ts';
import type { Draft } from '../draft.ts';
import { draftOf } from '../open-draft.ts';
import { answersDocument, answersNow, answersSent, type ReplyAnswers } from '../reply-answers.ts';
import { asDraft } from '../typed/carried.ts';

type Sent = Case & RequestContent & { readonly sentAt: string };

/** What of the chart can go with a reply. */
export interface ReplyOffers {
  /** Documents of the chart as it is now; undefined where the chart offers none now. */
  readonly candidates?: readonly Candidate[];
  readonly answers: ReplyAnswers;
}

export async function replyOffers(deps: Deps, pulls: Pulls, launch: Launch, one: Sent): Promise<ReplyOffers> {
  try {
    const draft = await draftWith(deps, pulls, launch, one, []);
    return { candidates: offeredIn(draft), answers: answersNow(deps, launch, draft) };
  } catch (thrown) {
    // Words alone can still be sent: an order that was stopped, or an EHR that is away, keeps nobody from answering.
    deps.log.warn({ case: one.id, code: asBridgeError(thrown).code }, 'no documents for a reply');
    return { answers: answersSent(one, launch.site) };
  }
}

/** What a person chose for a reply. */
export interface ReplyChoice {
  /** References of documents. */
  readonly ticked: readonly string[];
  /** Keys of answers, and where the page had them from. */
  readonly answers: readonly string[];
  readonly from: ReplyAnswers['from'];
}

/** The chosen documents and answers as they go. Throws bad_request for one that is not offered any more. */
export async function replyDocuments(
  deps: Deps,
  pulls: Pulls,
  launch: Launch,
  one: Sent,
  { ticked, answers, from }: ReplyChoice,
): Promise<{ readonly documents: readonly ReplyDocument[]; readonly sensitive: number }> {
  const isRead = ticked.length > 0 || (answers.length > 0 && from === 'chart');
  const draft = isRead ? await draftWith(deps, pulls, launch, one, ticked) : undefined;
  const chosen = draft === undefined ? [] : offeredIn(draft).filter(({ reference }) => ticked.includes(reference));
  if (chosen.length < ticked.length) throw goneFrom(one, replyGone.document);
  const sheet =
    draft === undefined || from === 'sent' ? answersSent(one, launch.site) : answersNow(deps, launch, draft);
  const going = sheet.lines.filter(({ key }) => answers.includes(key));
  if (going.length < answers.length) throw goneFrom(one, replyGone.answer);
  const answered = answersDocument(sheet, new Set(answers));
  const sensitive = [...chosen, ...going].filter((part) => part.sensitive !== undefined).length;
  return { documents: [...(answered === undefined ? [] : [answered]), ...evidenceIn(draft)], sensitive };
}

function goneFrom({ id }: Case, next: string): BridgeError {
  return new BridgeError('bad_request', { case: id, reason: 'no longer in the chart' }, { next });
}

function evidenceIn(draft: Draft | undefined): readonly ReplyDocument[] {
  if (draft === undefined) return [];
  const { result } = draft;
  return Items.parse(result.status === 'complete' ? result.body : result.draft).evidence.map(documentOf);
}

const Items = z.object({
  evidence: z
    .array(
      z.object({
        title: z.string(),
        date_created: z.string(),
        content: z.record(z.string(), z.unknown()).optional(),
        asset: z.object({ file_content: z.string() }).optional(),
      }),
    )
    .default([]),
});

function documentOf({ title, date_created, content, asset }: z.infer<typeof Items>['evidence'][number]): ReplyDocument {
  return {
    title,
    date_created,
    ...(content === undefined ? {} : { content }),
    ...(asset === undefined ? {} : { asset }),
  };
}

function offeredIn({ chart }: Draft): readonly Candidate[] {
  return (chart.choice('evidence')?.candidates ?? []).filter(({ fits }) => fits);
}

// What was attached from the disk went with the request; a reply takes documents of the chart.
async function draftWith(
  deps: Deps,
  pulls: Pulls,
  launch: Launch,
  one: Sent,
  ticked: readonly string[],
): Promise<Draft> {
  const { attached: _, ...entries } = one.entries;
  const answers = { ...entries.answers, evidence: [...ticked] };
  return await draftOf(deps, pulls, { launch, case: asDraft(one, { ...entries, answers }) });
}

import { z } from 'zod';
import type { Case, RequestContent } from '../../../cases/case.ts';
import type { ReplyDocument } from '../../../cases/rounds/reply.ts';
import { asBridgeError, BridgeError } from '../../../core/errors.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import { enclosedLimits } from '../../../ehr/documents/enclosed-limits.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { packetWords, replyGone } from '../../pages/case/question-words.ts';
import type { Draft } from '../draft.ts';
import { draftOf } from '../open-draft.ts';
import { answersDocument, answersNow, answersSent, type ReplyAnswers } from '../reply-answers.ts';
import { asDraft } from '../typed/carried.ts';
import { asFiles, bytesIn, chartFiles, headingOf, printable, saysMore } from './chart-files.ts';

type Sent = Case & RequestContent & { readonly sentAt: string };

/** What a person can choose for a reply. */
export interface ReplyOffers {
  /** Documents in the chart; undefined if the chart offers none now. */
  readonly candidates?: readonly Candidate[];
  readonly answers: ReplyAnswers;
}

export async function replyOffers(deps: Deps, pulls: Pulls, launch: Launch, one: Sent): Promise<ReplyOffers> {
  try {
    const draft = await draftWith(deps, pulls, launch, one, []);
    return { candidates: offeredIn(draft, launch), answers: answersNow(deps, launch, draft) };
  } catch (thrown) {
    // A reply without documents is still possible if the order was stopped or the EHR is unavailable.
    deps.log.warn({ case: one.id, code: asBridgeError(thrown).code }, 'no documents for a reply');
    return { answers: answersSent(one, launch.site) };
  }
}

/** What a person chose for a reply. */
export interface ReplyChoice {
  /** References of documents in the chart. */
  readonly ticked: readonly string[];
  /** Keys of answers; `from` states whether the page showed the answers of the chart or of the sent request. */
  readonly answers: readonly string[];
  readonly from: ReplyAnswers['from'];
}

/**
 * The chosen documents and answers in the format of the reply. Throws bad_request for a document or answer that is no
 * longer offered.
 */
export async function replyDocuments(
  deps: Deps,
  pulls: Pulls,
  launch: Launch,
  one: Sent,
  { ticked, answers, from }: ReplyChoice,
): Promise<{ readonly documents: readonly ReplyDocument[]; readonly sensitive: number }> {
  const isRead = ticked.length > 0 || (answers.length > 0 && from === 'chart');
  const draft = isRead ? await draftWith(deps, pulls, launch, one, ticked) : undefined;
  const chosen =
    draft === undefined ? [] : offeredIn(draft, launch).filter(({ reference }) => ticked.includes(reference));
  if (chosen.length < ticked.length) throw goneFrom(one, replyGone.document);
  const sheet =
    draft === undefined || from === 'sent' ? answersSent(one, launch.site) : answersNow(deps, launch, draft);
  const going = sheet.lines.filter(({ key }) => answers.includes(key));
  if (going.length < answers.length) throw goneFrom(one, replyGone.answer);
  const answered = answersDocument(sheet, new Set(answers));
  const sensitive = [...chosen, ...going].filter((part) => part.sensitive !== undefined).length;
  const enclosed = draft === undefined ? [] : await enclosedIn(draft, launch, one, chosen);
  return { documents: [...(answered === undefined ? [] : [answered]), ...enclosed], sensitive };
}

function goneFrom({ id }: Case, next: string): BridgeError {
  return new BridgeError('bad_request', { case: id, reason: 'no longer in the chart' }, { next });
}

interface Item {
  readonly document: ReplyDocument;
  /** The reference of the chart resource. */
  readonly reference: string | undefined;
}

function itemsIn({ result }: Draft): readonly Item[] {
  const { evidence } = Items.parse(result.status === 'complete' ? result.body : result.draft);
  return evidence.map((item, index) => ({
    document: documentOf(item),
    reference: result.provenance.find(({ target }) => target.startsWith(`evidence[${index}].content`))?.source
      ?.resource,
  }));
}

/**
 * The chosen documents in the format of the reply. A printed packet includes the chart's own files up to a size limit.
 */
async function enclosedIn(
  draft: Draft,
  launch: Launch,
  one: Sent,
  chosen: readonly Candidate[],
): Promise<readonly ReplyDocument[]> {
  const items = itemsIn(draft);
  if (!isPrinted(launch)) return items.map(({ document }) => document);
  const scans = chosen
    .filter(({ reason }) => reason === packetWords.scan)
    .map((each) => ({ document: headingOf(draft, launch, each), reference: each.reference }));
  const documents: ReplyDocument[] = [];
  for (const { document, reference } of [...items, ...scans]) {
    const files = reference === undefined ? [] : chartFiles(draft, launch, reference);
    const kept = documents.flatMap(({ asset }) => asset?.file_content ?? []);
    const bytes = enclosedLimits.bytes - bytesIn(kept);
    const asFile = await asFiles(document, files, { bytes, whose: one.patient });
    if (asFile === undefined && document.content === undefined) throw goneFrom(one, replyGone.file(document.title));
    const isBoth = asFile === undefined || (reference !== undefined && saysMore(draft, reference));
    if (isBoth && document.content !== undefined) documents.push(document);
    documents.push(...(asFile ?? []));
  }
  return documents;
}

function isPrinted({ site }: Launch): boolean {
  return site.service.profile === 'documented';
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

function offeredIn(draft: Draft, launch: Launch): readonly Candidate[] {
  const candidates = draft.chart.choice('evidence')?.candidates ?? [];
  if (!isPrinted(launch)) return candidates.filter(({ fits }) => fits);
  return candidates.flatMap((candidate) => printable(candidate, draft, launch) ?? []);
}

// Attached files are left out, because they were sent with the request.
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

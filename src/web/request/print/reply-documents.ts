import { z } from 'zod';
import type { Case, RequestContent } from '../../../cases/case.ts';
import type { ReplyDocument } from '../../../cases/rounds/reply.ts';
import { asBridgeError, BridgeError } from '../../../core/errors.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import type { Draft } from '../draft.ts';
import { draftOf } from '../open-draft.ts';
import { asDraft } from '../typed/carried.ts';

type Sent = Case & RequestContent;

/** Documents of the chart as it is now that can go with a reply; undefined where the chart offers none now. */
export async function replyCandidates(
  deps: Deps,
  pulls: Pulls,
  launch: Launch,
  one: Sent,
): Promise<readonly Candidate[] | undefined> {
  try {
    return offeredIn(await draftWith(deps, pulls, launch, one, []));
  } catch (thrown) {
    // Words alone can still be sent: an order that was stopped, or an EHR that is away, keeps nobody from answering.
    deps.log.warn({ case: one.id, code: asBridgeError(thrown).code }, 'no documents for a reply');
    return undefined;
  }
}

/** The chosen documents as they go. Throws bad_request for one that is not offered any more. */
export async function replyDocuments(
  deps: Deps,
  pulls: Pulls,
  launch: Launch,
  one: Sent,
  ticked: readonly string[],
): Promise<{ readonly documents: readonly ReplyDocument[]; readonly sensitive: number }> {
  if (ticked.length === 0) return { documents: [], sensitive: 0 };
  const draft = await draftWith(deps, pulls, launch, one, ticked);
  const chosen = offeredIn(draft).filter(({ reference }) => ticked.includes(reference));
  if (chosen.length < ticked.length)
    throw new BridgeError(
      'bad_request',
      { case: one.id, reason: 'a document is gone' },
      { next: 'A document you chose is no longer in the chart. Look at the list again.' },
    );
  const { result } = draft;
  const body = Items.parse(result.status === 'complete' ? result.body : result.draft);
  const sensitive = chosen.filter((candidate) => candidate.sensitive !== undefined).length;
  return { documents: body.evidence.map(documentOf), sensitive };
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

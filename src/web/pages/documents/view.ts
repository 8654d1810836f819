import type { FhirResource } from 'fhir/r4.js';
import { BridgeError } from '../../../core/errors.ts';
import { attachmentsOf, type DocumentBytes } from '../../../core/fhir/documents/attachments.ts';
import { bytesOf, typeByBytes } from '../../../core/fhir/documents/bytes.ts';
import { indexChart } from '../../../core/fhir/references/graph.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Pull, Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { type Draft, draftWith } from '../../request/draft.ts';
import { type Evidence, evidenceOf } from '../../request/evidence.ts';

/** A chart document as it would look in the request, and its files that can be shown. */
export interface Preview {
  readonly candidate: Candidate;
  /** The document as it would be sent; absent if it cannot be sent. */
  readonly item?: Evidence;
  readonly files: readonly PreviewFile[];
}

/** One attachment of the document, by its index. */
export interface PreviewFile {
  readonly index: number;
  /**
   * Detected from the first bytes, because the type in the chart may be wrong; undefined for a file that is not shown.
   */
  readonly type: ShownType | undefined;
}

/** The file types that a browser gets unchanged. None of them can run anything. */
const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'application/pdf'] as const;
export type ShownType = (typeof shownTypes)[number];

const maxBytes = 20_000_000;

/**
 * The document with its content as it would be sent. Its text is read from the EHR, and nothing is saved. Throws
 * `not_found` for a reference that the draft does not offer.
 */
export async function previewOf(
  deps: Deps,
  pulls: Pulls,
  launch: Launch,
  draft: Draft,
  reference: string,
): Promise<Preview> {
  const known = candidateOf(draft, reference);
  const ticked = [...new Set([...(draft.case.answers.evidence ?? []), reference])];
  const pull = await pulls.withNotes(launch, draft.pull, { order: draft.order, ticked });
  const alone = draftWith(deps, launch, { ...draft, pull }, { ...draft.case.answers, evidence: [reference] });
  const tried = candidateOf(alone, reference);
  // This draft has selected the document only for the preview. Its reason is used only if the document cannot be sent.
  const candidate = { ...tried, taken: known.taken, reason: tried.fits ? known.reason : tried.reason };
  const { result } = alone;
  const [item] = evidenceOf(result.status === 'complete' ? result.body : result.draft, result.provenance);
  const files = heldIn(pull, launch, reference).map((held, index) => ({ index, type: shownTypeOf(held) }));
  const { taken, ...rest } = candidate;
  return {
    candidate: taken === true ? { ...rest, taken } : rest,
    ...(item === undefined ? {} : { item }),
    files,
  };
}

/** The bytes of one attachment of an offered document. Throws `not_found` for an attachment that is not shown. */
export function previewFile(
  launch: Launch,
  draft: Draft,
  reference: string,
  index: number,
): { type: ShownType; bytes: Buffer } {
  candidateOf(draft, reference);
  const held = heldIn(draft.pull, launch, reference)[index];
  const type = held === undefined ? undefined : shownTypeOf(held);
  const bytes = held?.data === undefined ? undefined : bytesOf(held.data, maxBytes);
  if (type === undefined || bytes === undefined || 'unreadable' in bytes)
    throw new BridgeError('not_found', { what: 'the file' });
  return { type, bytes };
}

function candidateOf({ chart }: Pick<Draft, 'chart'>, reference: string): Candidate {
  const candidate = chart.choice('evidence')?.candidates.find((one) => one.reference === reference);
  if (candidate === undefined) throw new BridgeError('not_found', { what: 'the document' });
  return candidate;
}

/** The attachments of a document; empty if the document belongs to another patient. */
export function heldIn({ entries }: Pull, launch: Launch, reference: string): DocumentBytes[] {
  const graph = indexChart(entries);
  const document = graph.find(reference);
  const isTheirs =
    document !== undefined && graph.ownerOf(document.resource as FhirResource) === `Patient/${launch.patient}`;
  return isTheirs ? attachmentsOf(document, (target, from) => graph.resolve(target, from)) : [];
}

function shownTypeOf({ data }: DocumentBytes): ShownType | undefined {
  const bytes = data === undefined ? undefined : bytesOf(data, maxBytes);
  const type = bytes === undefined || 'unreadable' in bytes ? undefined : typeByBytes(bytes);
  return shownTypes.find((known) => known === type);
}

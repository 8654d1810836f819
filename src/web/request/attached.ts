import type { z } from 'zod';
import type { Attached, Editable } from '../../cases/case.ts';
import { BridgeError } from '../../core/errors.ts';
import type { Edits } from '../../core/mapping/result.ts';
import { hasPlace } from '../../core/mapping/schema.ts';
import type { Deps } from '../http/deps.ts';

/** The content of attached files by id: a document's text, or a picture or PDF in base64. */
export type AttachedContent = ReadonlyMap<string, string>;

/** The value of `content.kind` for an attached document. */
export const attachedKind = 'Document attached by the practice';

/** An index after all items from the chart. The gap in the list is closed later. */
const behind = 1000;

/**
 * The content of a draft's attached files. Throws `store_unavailable` if a file is lost, because the request would look
 * complete without it.
 */
export async function attachedContent(deps: Pick<Deps, 'cases'>, one: Editable): Promise<AttachedContent> {
  const read = await Promise.all(
    goingWith(one).map(async ({ id, kind, pdf }): Promise<[string, string]> => {
      const bytes = await deps.cases.attached(one.id, id);
      if (bytes === undefined) throw new BridgeError('store_unavailable', { record: 'attached', case: one.id });
      return [id, Buffer.from(bytes).toString(kind === 'card' || pdf === true ? 'base64' : 'utf8')];
    }),
  );
  return new Map(read);
}

// The scan of a consent is not sent.
function goingWith({ attached = [] }: Editable): Attached[] {
  return attached.filter(({ kind }) => kind !== 'consent');
}

/** The card photos that are sent while this coverage is chosen. Photos of another plan's card are left out. */
export function cardsFor(attached: readonly Attached[] = [], coverage: string | undefined): Attached[] {
  return attached.filter((one) => one.kind === 'card' && (one.coverage === undefined || one.coverage === coverage));
}

/** true if requests of this contract can have PDFs; otherwise the text of a document is sent. */
export function takesPdf(schema: z.core.$ZodType): boolean {
  return hasPlace(schema, ['evidence', 0, 'asset']);
}

/**
 * Attached files for which the contract has no field, because the site used another profile of its service when they
 * were attached.
 */
export function unplacedIn(attached: readonly Attached[] = [], schema: z.core.$ZodType): Attached[] {
  return attached.filter((one) => isPdf(one) && !takesPdf(schema));
}

// The scan of a consent may be a PDF too, but it is not sent.
function isPdf({ kind, pdf }: Attached): boolean {
  return pdf === true && (kind === 'document' || kind === 'appeal');
}

/** Attached files as edits: documents, the given cards, and the last appeal letter. */
export function attachedEdits(
  attached: readonly Attached[] = [],
  cards: readonly Attached[],
  { content, schema }: { readonly content: AttachedContent; readonly schema: z.core.$ZodType },
): Edits {
  const placed = attached.filter((one) => !isPdf(one) || takesPdf(schema));
  const letter = placed.findLast(({ kind }) => kind === 'appeal');
  return Object.fromEntries([
    ...placed
      .filter(({ kind }) => kind === 'document')
      .map((one, index) => [`evidence[${behind + index}]`, itemOf(one, content)]),
    ...cards.map(({ id }, index) => [`insurance[${index}].file_content`, content.get(id)]),
    ...(letter === undefined ? [] : [['appeal_details.appeal_letter', itemOf(letter, content)]]),
  ]);
}

function itemOf(one: Attached, content: AttachedContent): Readonly<Record<string, unknown>> {
  const { id, title, date, shortened } = one;
  const heading = { title, date_created: `${date}T00:00:00.000000` };
  if (isPdf(one)) return { ...heading, asset: { file_content: content.get(id) } };
  const text = content.get(id);
  return { ...heading, content: { kind: attachedKind, text, ...(shortened === true ? { shortened } : {}) } };
}

import type { Attached, Editable } from '../cases/case.ts';
import { BridgeError } from '../errors.ts';
import type { Edits } from '../mapping/result.ts';
import type { Deps } from './deps.ts';

/** The content of attached files by their ids: the text of a document, the picture of a card in base64. */
export type AttachedContent = ReadonlyMap<string, string>;

/** What an attached document says in the request: `content.kind`. */
export const attachedKind = 'Document attached by the practice';

/** Behind whatever the chart gives; the list closes up. */
const behind = 1000;

/**
 * The attached files of a draft. Throws `store_unavailable` when one is lost: without it the request would look
 * complete.
 */
export async function attachedContent(deps: Pick<Deps, 'cases'>, one: Editable): Promise<AttachedContent> {
  const read = await Promise.all(
    (one.attached ?? []).map(async ({ id, kind }): Promise<[string, string]> => {
      const bytes = await deps.cases.attached(one.id, id);
      if (bytes === undefined) throw new BridgeError('store_unavailable', { record: 'attached', case: one.id });
      return [id, Buffer.from(bytes).toString(kind === 'card' ? 'base64' : 'utf8')];
    }),
  );
  return new Map(read);
}

/** The cards that go while this coverage is chosen: never the card of another plan. */
export function cardsFor(attached: readonly Attached[] = [], coverage: string | undefined): Attached[] {
  return attached.filter((one) => one.kind === 'card' && (one.coverage === undefined || one.coverage === coverage));
}

/** What attached files enter into a request, in the form of a person's entries: documents and these cards. */
export function attachedEdits(
  attached: readonly Attached[] = [],
  cards: readonly Attached[],
  content: AttachedContent,
): Edits {
  const documents = attached.filter(({ kind }) => kind === 'document');
  return Object.fromEntries([
    ...documents.map(({ id, title, date, shortened }, index) => [
      `evidence[${behind + index}]`,
      {
        title,
        date_created: `${date}T00:00:00.000000`,
        content: { kind: attachedKind, text: content.get(id), ...(shortened === true ? { shortened } : {}) },
      },
    ]),
    ...cards.map(({ id }, index) => [`insurance[${index}].file_content`, content.get(id)]),
  ]);
}

import type { ReplyDocument } from '../../../cases/rounds/reply.ts';
import { typeByBytes } from '../../../core/fhir/documents/bytes.ts';
import { enclosedLimits, type PageLayout } from '../../../ehr/documents/enclosed-limits.ts';
import { readers } from '../../../ehr/documents/readers.ts';

export type Enclosure = { readonly title: string; readonly date: string } & (
  | { readonly kind: 'text'; readonly content: Readonly<Record<string, unknown>> }
  /** `data` is in base64. Each page of the PDF becomes one page of the packet. */
  | { readonly kind: 'pdf'; readonly data: string; readonly pages: readonly PageLayout[] }
  | { readonly kind: 'picture'; readonly bytes: Buffer }
  | LeftOut
);

/** The document must be sent separately. `why` is the reason that the document reader gave. */
interface LeftOut {
  readonly kind: 'left-out';
  readonly why: string;
}

/**
 * The documents of a reply, prepared for drawing the packet. An unreadable file becomes `left-out`. `whose` identifies
 * the person, so that their slow file does not delay other people.
 */
export async function enclosuresOf(documents: readonly ReplyDocument[], whose: string): Promise<readonly Enclosure[]> {
  const enclosures: Enclosure[] = [];
  const left = { bytes: enclosedLimits.bytes, pages: enclosedLimits.pages };
  for (const { title, date_created: date, content, asset } of documents) {
    const data = asset?.file_content ?? '';
    const found: EnclosedFile =
      content === undefined ? await fileOf(data, left.bytes, whose) : { kind: 'text', content };
    const count = found.kind === 'pdf' ? found.pages.length : 0;
    const fits = count <= left.pages;
    enclosures.push({ title, date, ...(fits ? found : leftOut('the packet would have too many pages')) });
    if (!fits || found.kind !== 'pdf') continue;
    left.pages -= count;
    left.bytes -= bytesIn(data);
  }
  return enclosures;
}

/** Inserts the pages of the PDFs into the packet, or returns the reason if the result is too large. */
export async function withPages(
  packet: Uint8Array,
  enclosed: readonly { readonly data: string; readonly on: number }[],
  whose: string,
): Promise<Uint8Array | { readonly unreadable: string }> {
  if (enclosed.length === 0) return packet;
  const data = Buffer.from(packet).toString('base64');
  const filled = await readers.read({ kind: 'packet', data, enclosed }, whose);
  return 'pdf' in filled ? Buffer.from(filled.pdf, 'base64') : filled;
}

type EnclosedFile = Enclosure extends infer Each
  ? Each extends Enclosure
    ? Omit<Each, 'title' | 'date'>
    : never
  : never;

async function fileOf(data: string, bytesLeft: number, whose: string): Promise<EnclosedFile> {
  if (data === '') return leftOut('it is not kept with this reply');
  const type = typeByBytes(Buffer.from(data.slice(0, 400), 'base64'));
  // The picture was encoded again when it was added to the reply, so it needs no check.
  if (type === 'image/jpeg') return { kind: 'picture', bytes: Buffer.from(data, 'base64') };
  if (type !== 'application/pdf') return leftOut('it is neither a PDF nor a picture');
  if (bytesIn(data) > bytesLeft) return leftOut('the packet would be too large');
  const read = await readers.read({ kind: 'pages', contentType: type, data }, whose);
  return 'pages' in read ? { kind: 'pdf', data, pages: read.pages } : leftOut(read.unreadable);
}

export function leftOut(why: string): LeftOut {
  return { kind: 'left-out', why };
}

function bytesIn(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

import { typeByBytes } from '../../core/fhir/documents/bytes.ts';
import type { Unreadable } from '../../core/fhir/documents/readings.ts';
import { readers } from './readers.ts';

/** The largest accepted file, in bytes. */
export const maxUploadBytes = 15_000_000;

/** Why a file cannot be attached; the pages have the message and the next step. */
export type UploadRefusal =
  | 'empty'
  | 'too_large'
  | 'picture'
  | 'heic'
  | 'pdf'
  | 'scan'
  | 'locked'
  | 'office'
  | 'markup'
  | 'unknown'
  | 'heavy'
  | 'damaged';

/** The text that is sent; `shortened` when only its beginning is sent. */
export type UploadedText = { readonly text: string; readonly shortened: boolean } | { readonly refused: UploadRefusal };

/** A picture in the form in which it is sent: JPEG, in base64. */
export type UploadedPicture = { readonly data: string } | { readonly refused: UploadRefusal };

/**
 * The text of a file that a person attached: PDF, RTF, HTML or plain text, detected by its content and never by its
 * name. `whose` identifies the uploader, so that one person's slow file does not delay another's.
 */
export async function readUploadedText(bytes: Buffer, whose: string): Promise<UploadedText> {
  const type = typeByBytes(bytes);
  const refused = againstText(bytes, type);
  if (refused !== undefined) return { refused };
  const job = { kind: 'text', contentType: type ?? '', data: bytes.toString('base64') } as const;
  const reading = await readers.read(job, whose);
  if ('text' in reading) return { text: reading.text, shortened: reading.shortened === true };
  if (/password/.test(reading.unreadable)) return { refused: 'locked' };
  if (/no text/.test(reading.unreadable)) return { refused: type === 'application/pdf' ? 'scan' : 'empty' };
  return { refused: isHeavy(reading) ? 'heavy' : 'damaged' };
}

/** The file is valid, but too large to read. */
function isHeavy({ unreadable }: Unreadable): boolean {
  return /memory|million pixels/.test(unreadable);
}

export function isPdf(bytes: Buffer): boolean {
  return typeByBytes(bytes) === 'application/pdf';
}

/** A picture of a format that `readUploadedPicture` reads. */
export function isPicture(bytes: Buffer): boolean {
  const type = typeByBytes(bytes);
  return type?.startsWith('image/') === true && type !== 'image/heic' && type !== 'image/avif';
}

/** A PDF that is sent unchanged, including scans without text; a PDF that cannot be opened is refused. */
export async function readUploadedPdf(
  bytes: Buffer,
  whose: string,
): Promise<{ readonly bytes: Buffer } | { readonly refused: UploadRefusal }> {
  const read = await readUploadedText(bytes, whose);
  return 'refused' in read && read.refused !== 'scan' ? read : { bytes };
}

/** A photo of an insurance card, scaled and re-encoded. */
export async function readUploadedPicture(bytes: Buffer, whose: string): Promise<UploadedPicture> {
  if (bytes.length === 0) return { refused: 'empty' };
  if (bytes.length > maxUploadBytes) return { refused: 'too_large' };
  const type = typeByBytes(bytes);
  if (type === 'image/heic' || type === 'image/avif') return { refused: 'heic' };
  if (type === 'application/pdf') return { refused: 'pdf' };
  if (type?.startsWith('image/') !== true) return { refused: 'unknown' };
  const reading = await readers.read({ kind: 'photo', contentType: type, data: bytes.toString('base64') }, whose);
  if ('unreadable' in reading) return { refused: isHeavy(reading) ? 'heavy' : 'damaged' };
  return reading.data === undefined ? { refused: 'damaged' } : { data: reading.data };
}

/** A scan that is stored and never sent: a PDF unchanged, a picture scaled and re-encoded (JPEG). */
export type UploadedScan = { readonly bytes: Buffer; readonly pdf: boolean } | { readonly refused: UploadRefusal };

export async function readUploadedScan(bytes: Buffer, whose: string): Promise<UploadedScan> {
  if (typeByBytes(bytes) === 'application/pdf')
    return bytes.length > maxUploadBytes ? { refused: 'too_large' } : { bytes, pdf: true };
  const read = await readUploadedPicture(bytes, whose);
  return 'refused' in read ? read : { bytes: Buffer.from(read.data, 'base64'), pdf: false };
}

function againstText(bytes: Buffer, type: string | undefined): UploadRefusal | undefined {
  if (bytes.length === 0) return 'empty';
  if (bytes.length > maxUploadBytes) return 'too_large';
  if (type === 'image/heic' || type === 'image/avif') return 'heic';
  if (type?.startsWith('image/') === true) return 'picture';
  if (type === 'application/zip') return 'office';
  if (type !== undefined) return undefined;
  if (!isText(bytes)) return 'unknown';
  return /^\s*<(\?xml|svg)\b/i.test(bytes.toString('latin1', 0, 200).replace(/^\u00ef\u00bb\u00bf/, ''))
    ? 'markup'
    : undefined;
}

// Text has no control characters; a byte order mark of UTF-16 means that every second byte may be zero.
function isText(bytes: Buffer): boolean {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') return true;
  return !bytes.some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b));
}

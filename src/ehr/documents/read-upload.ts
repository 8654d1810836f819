import { typeByBytes } from '../../core/fhir/documents/bytes.ts';
import type { Unreadable } from '../../core/fhir/documents/readings.ts';
import { readers } from './readers.ts';

/** The largest accepted file, in bytes. */
export const maxUploadBytes = 15_000_000;

/** Why a file cannot be attached. The pages have a message for each. */
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

/** The text that is sent; `shortened`: it is only the beginning. */
export type UploadedText = { readonly text: string; readonly shortened: boolean } | { readonly refused: UploadRefusal };

/** The picture as it is sent: a base64 JPEG. */
export type UploadedPicture = { readonly data: string } | { readonly refused: UploadRefusal };

/**
 * Returns the text of a file that a person attached: PDF, RTF, HTML or plain text, detected by content and not by name.
 * `whose` identifies the uploader, so that one person's slow file does not delay another's.
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

/** Whether a valid file is too large to read. */
function isHeavy({ unreadable }: Unreadable): boolean {
  return /memory|million pixels/.test(unreadable);
}

export function isPdf(bytes: Buffer): boolean {
  return typeByBytes(bytes) === 'application/pdf';
}

/** Whether `readUploadedPicture` can read the file's format. */
export function isPicture(bytes: Buffer): boolean {
  const type = typeByBytes(bytes);
  return type?.startsWith('image/') === true && type !== 'image/heic' && type !== 'image/avif';
}

/** Returns a PDF unchanged, including scans without text. A PDF that cannot be opened is refused. */
export async function readUploadedPdf(
  bytes: Buffer,
  whose: string,
): Promise<{ readonly bytes: Buffer } | { readonly refused: UploadRefusal }> {
  const read = await readUploadedText(bytes, whose);
  return 'refused' in read && read.refused !== 'scan' ? read : { bytes };
}

/** Returns a photo of an insurance card, scaled and re-encoded. */
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

/** A scan, which is stored and never sent: a PDF unchanged, or a picture scaled and re-encoded as JPEG. */
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

// Text has no control characters. In UTF-16, which begins with a byte order mark, every second byte may be zero.
function isText(bytes: Buffer): boolean {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') return true;
  return !bytes.some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b));
}

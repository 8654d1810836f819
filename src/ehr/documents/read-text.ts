import { bytesOf, typeByBytes } from '../../core/fhir/documents/bytes.ts';
import type { TextReading } from '../../core/fhir/documents/readings.ts';
import { mendText } from '../../core/fhir/text/damage.ts';
import { textOfHtml } from './html.ts';
import { textOfPdf } from './pdf.ts';
import { textOfRtf } from './rtf.ts';

const maxBytes = 10_000_000;
const maxCharacters = 20_000;

/**
 * Returns the plain text of a note: PDF, RTF, HTML, XHTML, or text in the character set that its type states. For an
 * unreadable note, returns a reason.
 */
export async function readText(contentType: string, data: string): Promise<TextReading> {
  const bytes = bytesOf(data, maxBytes);
  if ('unreadable' in bytes) return bytes;
  const raw = await textOf(contentType, bytes);
  return 'unreadable' in raw ? raw : wholeText(raw);
}

/**
 * A text with lost characters is refused. Its meaning is uncertain, and a lost tag may have struck out a part of it.
 */
function wholeText(raw: Raw): TextReading {
  const { text, note, isDamaged } = mendText(raw.text);
  if (isDamaged) return { unreadable: 'characters of it are lost, or something in it is no text' };
  const notes = [raw.note, note].filter((one) => one !== undefined);
  return cleaned({ ...raw, text, ...(notes.length === 0 ? {} : { note: notes.join('; ') }) });
}

interface Raw {
  readonly text: string;
  readonly shortened?: true;
  readonly note?: string;
}

async function textOf(contentType: string, bytes: Buffer): Promise<Raw | { readonly unreadable: string }> {
  const stated = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const sniffed = typeByBytes(bytes);
  if (sniffed === 'application/pdf') return textOfPdf(bytes);
  if (sniffed === 'application/rtf') return textOfRtf(bytes);
  if (sniffed?.startsWith('image/') && !stated.startsWith('text/'))
    return { unreadable: 'it is an image, without text' };
  if (stated === 'application/pdf') return { unreadable: 'it is called a PDF and is none' };
  if (/rtf$/.test(stated)) return { unreadable: 'it is called RTF and is none' };
  if (stated !== '' && !/^text\/(plain|html|markdown|x-markdown)$|^application\/xhtml\+xml$/.test(stated))
    return { unreadable: unreadableKind(stated) };
  const decoded = decode(bytes, charsetOf(contentType) ?? metaCharset(stated, bytes));
  if ('unreadable' in decoded) return decoded;
  const isMarkup = /html/.test(stated) || (stated === '' && /^\s*<(!doctype html|html|div)\b/i.test(decoded.text));
  return isMarkup ? { ...decoded, text: textOfHtml(decoded.text) } : decoded;
}

function unreadableKind(type: string): string {
  if (/xml$/.test(type)) return 'it is a structured XML document, which is not read';
  return /^(image|audio|video)\//.test(type)
    ? `it is ${type.split('/')[0] === 'image' ? 'an image' : 'a recording'}, without text`
    : 'its kind of file is not read';
}

function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
}

// HTML, 4.2.5.4: the declaration is within the first 1024 bytes
function metaCharset(type: string, bytes: Buffer): string | undefined {
  if (!/html/.test(type)) return undefined;
  const head = bytes.toString('latin1', 0, 1024);
  return (
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1]
  );
}

const byteOrderMarks: ReadonlyMap<string, string> = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]);

function decode(bytes: Buffer, charset: string | undefined): Raw | { readonly unreadable: string } {
  const stated = byteOrderMarks.get(bytes.subarray(0, 2).toString('hex')) ?? charset ?? 'utf-8';
  const text = tryDecode(bytes, stated);
  if (text !== undefined) return { text };
  if (charset !== undefined && !/^utf-?8$|^us-ascii$/i.test(charset))
    return { unreadable: 'its character set is not known' };
  // older systems write Windows-1252 and declare UTF-8 or nothing
  const fallback = tryDecode(bytes, 'windows-1252');
  return fallback === undefined
    ? { unreadable: 'its text cannot be decoded' }
    : { text: fallback, note: 'not UTF-8; read as Windows-1252' };
}

function tryDecode(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Removes trailing spaces, repeated empty lines and control characters. Stops after the number of characters that are
 * kept.
 */
function cleaned({ text, shortened, note }: Raw): TextReading {
  const lines: string[] = [];
  let length = 0;
  for (const line of linesOf(text)) {
    const clean = withoutTrailingBlanks(line.replace(/[^\P{Cc}\t]/gu, '').replace(/\u00a0/g, ' '));
    // Skips empty lines at the beginning and after another empty line.
    if (clean === '' && (lines.at(-1) ?? '') === '') continue;
    lines.push(clean);
    length += clean.length + 1;
    if (length > 2 * maxCharacters) break;
  }
  const whole = lines.join('\n').trim();
  if (whole === '') return { unreadable: 'it holds no text' };
  const isLong = whole.length > maxCharacters;
  return {
    text: isLong ? cut(whole) : whole,
    ...(isLong || shortened === true ? { shortened: true } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

/** A generator, so that a text of a megabyte is not split if only its beginning is kept. */
function* linesOf(text: string): Generator<string> {
  for (const end = /\r\n?|\n/g; ; ) {
    const start = end.lastIndex;
    const found = end.exec(text);
    yield text.slice(start, found?.index);
    if (found === null) return;
  }
}

// A regular expression would start again at every space, which is slow for a line of many spaces.
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1;
  return line.slice(0, end);
}

// Does not cut between the two halves of a surrogate pair.
function cut(text: string): string {
  return text
    .slice(0, maxCharacters)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

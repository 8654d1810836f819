import { bytesOf, typeByBytes } from '../../core/fhir/documents/bytes.ts';

/**
 * The number of Base64 characters up to which plain text and HTML are read within some milliseconds: less than another
 * process needs to answer.
 */
const mostCharacters = 64_000;

/**
 * Whether a note is read at once, on the thread that answers requests: a small note of plain text or HTML, whose
 * reading time is proportional to its length. A PDF may take long however small it is, and RTF a hundred times as long
 * as text of its size.
 */
export function isQuick(data: string): boolean {
  if (data.length > mostCharacters) return false;
  const bytes = bytesOf(data, mostCharacters);
  return 'unreadable' in bytes || !slow.has(typeByBytes(bytes) ?? '');
}

const slow: ReadonlySet<string> = new Set(['application/pdf', 'application/rtf']);

import { bytesOf, typeByBytes } from '../../core/fhir/documents/bytes.ts';

/**
 * Base64 characters. Plain text and HTML up to this size are read within milliseconds, faster than by another process.
 */
const mostCharacters = 64_000;

/**
 * Whether a note is read on the thread that answers requests: small plain text or HTML, whose reading time is
 * proportional to its length. Even a small PDF may take long, and RTF a hundred times as long as plain text.
 */
export function isQuick(data: string): boolean {
  if (data.length > mostCharacters) return false;
  const bytes = bytesOf(data, mostCharacters);
  return 'unreadable' in bytes || !slow.has(typeByBytes(bytes) ?? '');
}

const slow: ReadonlySet<string> = new Set(['application/pdf', 'application/rtf']);

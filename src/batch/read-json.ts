import { type Parsed, parseJsonText } from '../core/fhir/text/json-text.ts';
import { type ReadOptions, type SlimBundle, slimBundle } from './slim-bundle.ts';

/** Reported for bytes of which some are not valid UTF-8. */
export const notUtf8 = 'it is not UTF-8: characters of it are lost';
/** Reported for bytes that cannot be read at all. */
export const isUtf16 = 'it is UTF-16; FHIR JSON is UTF-8';
/** Characters of the longest string that V8 can hold. */
export const largestDocument = 512 * 1024 * 1024;
/** Bytes of the largest file that Node.js reads at once. */
export const largestFile = 2 ** 31 - 1;
export const tooLarge = 'it is larger than 512 MiB: map it with --fast if it is a Bundle, or export it as NDJSON';

/**
 * Parses JSON from UTF-8 bytes. The reason has the position of the error and never quotes the text, which may be about
 * a patient.
 */
export function parseJson(bytes: Buffer): Parsed {
  const text = bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return { reason: isUtf16 };
  return parseJsonText(text);
}

/** Bytes. A smaller Bundle is parsed as fast as its entries are skipped. */
const slimFrom = 8 << 10;

/**
 * Reads a Bundle with `unreadEntry` for entries that nothing reads. Errors are reported as the JSON parser reports
 * them.
 */
export function readJsonBytes(bytes: Buffer, reading: ReadOptions): SlimBundle | { readonly reason: string } {
  const slim = bytes.length >= slimFrom ? slimBundle(bytes, reading) : undefined;
  if (slim !== undefined) return slim;
  if (bytes.length >= largestDocument) return { reason: tooLarge };
  const parsed = parseJson(bytes);
  return 'reason' in parsed ? parsed : { value: parsed.value, unread: {}, parsed: bytes.length };
}

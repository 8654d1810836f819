import { type Parsed, parseJsonText } from '../core/fhir/json-text.ts';

/** Said of bytes that were read, of which some are no characters. */
export const notUtf8 = 'it is not UTF-8: characters of it are lost';
/** Said of bytes of which none can be read. */
export const isUtf16 = 'it is UTF-16; FHIR JSON is UTF-8';

/**
 * JSON of UTF-8 bytes. The reason names the place of the mistake and never quotes the text, which may be about a
 * patient.
 */
export function parseJson(bytes: Buffer): Parsed {
  const text = bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return { reason: isUtf16 };
  return parseJsonText(text);
}

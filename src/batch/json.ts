import { type Parsed, parseJsonText } from '../fhir/json-text.ts';

/**
 * JSON of UTF-8 bytes. The reason names the place of the mistake and never quotes the text, which may be about a
 * patient.
 */
export function parseJson(bytes: Buffer): Parsed {
  const text = bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return { reason: 'it is UTF-16; FHIR JSON is UTF-8' };
  return parseJsonText(text);
}

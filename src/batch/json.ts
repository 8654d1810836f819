import type { Resource } from 'fhir/r4.js';
import { type Parsed, parseJsonText } from '../fhir/json-text.ts';

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object that names its `resourceType`. Whether it is valid FHIR shows when it is read. */
export function isResource(value: unknown): value is Resource {
  return isRecord(value) && typeof value.resourceType === 'string' && /^[A-Z][A-Za-z]+$/.test(value.resourceType);
}

/** JSON of UTF-8 bytes. The reason names the place of the mistake and never quotes the text, which may be about a patient. */
export function parseJson(bytes: Buffer): Parsed {
  const text = bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return { reason: 'it is UTF-16; FHIR JSON is UTF-8' };
  return parseJsonText(text);
}

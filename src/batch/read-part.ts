import type { Resource } from 'fhir/r4.js';
import { BridgeError } from '../core/errors.ts';
import { isSingle, type PlacedEntry } from '../core/fhir/bundle.ts';
import { isResource } from '../core/fhir/is-resource.ts';
import { type Document, readDocument } from './document.ts';
import { parseJson } from './json.ts';
import type { Reading } from './reading.ts';
import { type SlimBundle, slimBundle } from './slim-bundle.ts';

/** A document's JSON, where resources in it stand as far as that is known, and how many bytes were parsed. */
export interface ReadJson extends Pick<SlimBundle, 'value' | 'parsed'> {
  readonly spans?: SlimBundle['spans'];
  readonly unread?: SlimBundle['unread'];
}

/** Smaller ones are parsed as fast as they are looked through. */
const slimFrom = 8 << 10;

/** Of a Bundle, entries that nobody reads are `unreadEntry`; what is wrong is told as the parser tells it. */
export function readJson(bytes: Buffer, reading: Reading): ReadJson | { readonly reason: string } {
  const slim = bytes.length >= slimFrom ? slimBundle(bytes, reading) : undefined;
  if (slim !== undefined) return slim;
  if (bytes.length >= largestDocument) return { reason: tooLarge };
  const parsed = parseJson(bytes);
  return 'reason' in parsed ? parsed : { value: parsed.value, parsed: bytes.length };
}

/** V8 cannot hold a longer string. */
export const largestDocument = 512 * 1024 * 1024;
/** Node reads no larger file at once. */
export const largestFile = 2 ** 31 - 1;
export const tooLarge = 'it is larger than 512 MiB: map it with --fast if it is a Bundle, or export it as NDJSON';

/** A document that was read before. Throws `input_unreadable` when it is another one now. */
export function documentAgain(bytes: Buffer, reading: Reading): Document {
  const read = readJson(bytes, reading);
  const document = 'value' in read ? readDocument(read.value) : { ignored: '' };
  if ('ignored' in document) throw changed();
  return document;
}

/** One resource that was found before, with where it stood. */
export function entryAgain(value: unknown, path: string, fullUrl: string): PlacedEntry {
  const resource = isResource(value) && isSingle(value) ? value : firstIn(value);
  return fullUrl === '' ? { resource, path } : { resource, path, fullUrl };
}

// A list of one, which is read as that one.
function firstIn(value: unknown): Resource {
  const document = readDocument(value);
  const [entry] = 'ignored' in document ? [] : document.entries;
  if (entry === undefined) throw changed();
  return entry.resource;
}

/** The input is another one than it was at the first look. */
export function changed(): BridgeError {
  return new BridgeError('input_unreadable', { reason: 'the input changed while it was read' });
}

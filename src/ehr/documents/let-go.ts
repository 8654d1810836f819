import type { DiagnosticReport, DocumentReference, FhirResource, Resource } from 'fhir/r4.js';
import type { Entry } from '../../core/fhir/bundle.ts';
import { attachmentsOf, type DocumentBytes } from '../../core/fhir/documents/attachments.ts';
import { bytesOf, typeByBytes } from '../../core/fhir/documents/bytes.ts';
import { isNote } from '../../core/fhir/documents/kinds.ts';
import type { Readings } from '../../core/fhir/documents/readings.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import { type Graph, indexChart, type Located } from '../../core/fhir/references/graph.ts';
import { newestFirst } from '../../core/fhir/time/newest-first.ts';

/**
 * Base64 characters. Up to this number, a chart keeps the bytes of all its documents. Above it, this is the limit for
 * unselected notes.
 */
export const fewCharacters = 4_000_000;
/** Base64 characters that are kept for cards and selected notes: enough for one note of the largest size. */
export const keptCharacters = 14_000_000;

/** Resource types that contain files. */
const holders = new Set(['Binary', 'Coverage', 'DiagnosticReport', 'DocumentReference']);
const noteTypes = ['DiagnosticReport', 'DocumentReference'];
/** Files of these types are shown or sent unchanged, in addition to their text. */
const unchangedTypes = new Set<string | undefined>(['application/pdf', 'image/png', 'image/jpeg', 'image/gif']);

/**
 * Returns the entries without file bytes that are no longer needed once a chart's documents are read: texts, cards that
 * are sent re-encoded, and documents that are not notes. Up to `keptCharacters` of the other bytes are kept, those of
 * selected notes first; of unselected notes, up to `fewCharacters`, newest first. A note's removed bytes can be read
 * again from the note itself (see `isLetGo`).
 */
export function letGo(
  entries: readonly Entry[],
  readings: Readings,
  { ticked = [], base }: { readonly ticked?: readonly string[]; readonly base: string },
): readonly Entry[] {
  const isHolder = ({ resource }: Entry) => holders.has(resource.resourceType);
  const all = entries.filter(isHolder).reduce((sum, { resource }) => sum + charactersIn(resource), 0);
  if (all <= fewCharacters) return entries;
  const graph = indexChart(entries);
  const { kept, gone } = chosen([...cardImages(graph, readings), ...filesOfNotes(graph, readings, ticked)]);
  return entries.flatMap((entry) => {
    if (!isHolder(entry)) return [entry];
    const reference = `${entry.resource.resourceType}/${entry.resource.id}`;
    if (gone.has(reference)) return [];
    return [{ ...entry, resource: without(entry.resource, kept, `${base}/${reference}`) }];
  });
}

/** File bytes that are still needed. */
interface File {
  readonly data: string;
  readonly isWanted: boolean;
  /** The Binary to fetch again if its note is selected after its bytes were removed. */
  readonly binary?: string;
}

function chosen(files: readonly File[]): { readonly kept: ReadonlySet<string>; readonly gone: ReadonlySet<string> } {
  const [kept, gone] = [new Set<string>(), new Set<string>()];
  let left = keptCharacters;
  let leftOfOthers = fewCharacters;
  for (const { data, isWanted, binary } of files) {
    if (kept.has(data)) continue;
    if (data.length <= (isWanted ? left : Math.min(left, leftOfOthers))) {
      left -= data.length;
      if (!isWanted) leftOfOthers -= data.length;
      kept.add(data);
    } else if (binary !== undefined) gone.add(binary);
  }
  return { kept, gone };
}

/**
 * Whether bytes of a resource were removed that can be read again. With `type`, only attachments of that content type
 * count.
 */
export function isLetGo(resource: Resource, base: string, type?: string): boolean {
  return attachmentsLetGo(resource, base).some(({ contentType }) => type === undefined || contentType === type);
}

export function toReadAgain(
  entries: readonly Entry[],
  { texts }: Readings,
  { ticked, base }: { readonly ticked: readonly string[]; readonly base: string },
): string[] {
  if (!entries.some(({ resource }) => isTicked(resource, ticked) && isLetGo(resource, base))) return [];
  const graph = indexChart(entries);
  const notes = graph.located.filter(({ resource }) => isTicked(resource, ticked));
  const held = (note: Located) => attachedTo(graph, note);
  const sizes = notes.flatMap((note) => [
    ...sizesLetGo(note.resource, base),
    ...held(note).map(({ data = '' }) => data.length),
  ]);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return notes
    .filter(({ resource }) => isLetGo(resource, base))
    .filter((note) => all <= keptCharacters || held(note).some(({ key }) => texts[key] === undefined))
    .map(({ reference }) => reference);
}

function isTicked({ resourceType, id }: Resource, ticked: readonly string[]): boolean {
  return noteTypes.includes(resourceType) && ticked.includes(`${resourceType}/${id}`);
}

/** Cards whose original bytes are sent. */
function cardImages(graph: Graph, { images }: Readings): File[] {
  return ['Coverage', 'DocumentReference'].flatMap((type) =>
    graph.ofType(type).flatMap((card) =>
      attachedTo(graph, card).flatMap(({ key, data }) => {
        const reading = images[key];
        const isSent = reading !== undefined && !('unreadable' in reading) && reading.data === undefined;
        return isSent && data !== undefined ? [{ data, isWanted: true }] : [];
      }),
    ),
  );
}

/** Files of notes that can be shown, or whose text was not read. */
function filesOfNotes(graph: Graph, { texts }: Readings, ticked: readonly string[]): File[] {
  const compare = newestFirst();
  const notes = noteTypes
    .flatMap((type) => graph.ofType(type))
    .filter(({ resource }) => isNote(resource))
    .sort((left, right) => compare(dateOf(left.resource), dateOf(right.resource)));
  const [first, others] = [true, false].map((wanted) =>
    notes.filter(({ resource }) => isTicked(resource, ticked) === wanted),
  );
  const filesOf = (note: Located) =>
    attachedTo(graph, note).filter(({ key, data }) => texts[key] === undefined || unchangedTypes.has(typeOf(data)));
  return [
    ...(first ?? []).flatMap(filesOf).flatMap(({ data }) => (data === undefined ? [] : [{ data, isWanted: true }])),
    ...(others ?? [])
      .flatMap(filesOf)
      .flatMap(({ data, holder, path }) =>
        data === undefined
          ? []
          : [{ data, isWanted: false, ...(path === undefined ? { binary: holder.reference } : {}) }],
      ),
  ];
}

function attachedTo(graph: Graph, located: Located): DocumentBytes[] {
  return attachmentsOf(located, (reference, from) => graph.resolve(reference, from));
}

function typeOf(data = ''): string | undefined {
  const bytes = bytesOf(data.slice(0, 400).trimEnd(), 400);
  return 'unreadable' in bytes ? undefined : typeByBytes(bytes);
}

function dateOf(resource: FhirResource): string | undefined {
  const { date } = resource as DocumentReference; // a DiagnosticReport has no `date`
  const { effectiveDateTime, issued } = resource as DiagnosticReport;
  return date ?? effectiveDateTime ?? issued;
}

function charactersIn(resource: Resource): number {
  return objectsIn(resource).reduce((sum, { data }) => sum + (typeof data === 'string' ? data.length : 0), 0);
}

/** The attachments from which `without` removed the bytes. */
function attachmentsLetGo(resource: Resource, base: string): Readonly<Record<string, unknown>>[] {
  const own = `${base}/${resource.resourceType}/${resource.id}`;
  return objectsIn(resource).filter(({ data, url }) => data === undefined && url === own);
}

/** The number of base64 characters of each removed file. */
function sizesLetGo(resource: Resource, base: string): number[] {
  return attachmentsLetGo(resource, base).map(({ size }) => (typeof size === 'number' ? Math.ceil(size / 3) * 4 : 0));
}

function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return isObject(value) ? [value, ...inside] : inside;
}

function without<T>(value: T, kept: ReadonlySet<string>, url: string): T {
  const changed: unknown = Array.isArray(value) ? value.map((part) => without(part, kept, url)) : partsOf(value);
  return changed as T; // the same type without bytes

  function partsOf(whole: unknown): unknown {
    if (!isObject(whole)) return whole;
    const { data, ...rest } = whole;
    const parts = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, without(part, kept, url)]));
    if (typeof data !== 'string') return 'data' in whole ? { ...parts, data } : parts;
    if (kept.has(data)) return { ...parts, data };
    // a Binary has no url; the attachment that refers to it has one
    return 'resourceType' in whole ? parts : { ...parts, url, size: Math.floor((data.length / 4) * 3) };
  }
}

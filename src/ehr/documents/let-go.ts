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
 * Up to this number of base64 characters, a chart keeps the bytes of all its documents; above it, this is the limit for
 * unselected notes.
 */
export const fewCharacters = 4_000_000;
/** The number of base64 characters that are kept for cards and selected notes: one note of the largest size. */
export const keptCharacters = 14_000_000;

/** Types that hold bytes. */
const holders = new Set(['Binary', 'Coverage', 'DiagnosticReport', 'DocumentReference']);
const noteTypes = ['DiagnosticReport', 'DocumentReference'];
/** Files that are shown or sent unchanged, beside their text. */
const unchangedTypes = new Set<string | undefined>(['application/pdf', 'image/png', 'image/jpeg', 'image/gif']);

/**
 * The entries without the bytes that are not used once a chart's documents were read: texts, cards that are sent
 * re-encoded, and documents that are not notes. Of the other bytes, up to `keptCharacters` are kept, selected notes
 * first, and up to `fewCharacters` of unselected notes, newest first. The removed bytes of a note can be read again at
 * the note's own address (see `isLetGo`).
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

/** Bytes that are used again. */
interface File {
  readonly data: string;
  readonly isWanted: boolean;
  /** The Binary to fetch again if its note is selected after its bytes were dropped. */
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

/** Whether a resource lacks bytes that can be read again; with `type`, only attachments of that content type count. */
export function isLetGo(resource: Resource, base: string, type?: string): boolean {
  return attachmentsLetGo(resource, base).some(({ contentType }) => type === undefined || contentType === type);
}

/**
 * The selected notes whose bytes were dropped and are needed: their text was not read, or the files of all selected
 * notes fit into the limit together.
 */
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

/** The cards whose original bytes are sent. */
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

/** The files of notes that are used again: files that can be shown, and files whose text was not read. */
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
  const { date } = resource as DocumentReference; // a report has no date
  const { effectiveDateTime, issued } = resource as DiagnosticReport;
  return date ?? effectiveDateTime ?? issued;
}

function charactersIn(resource: Resource): number {
  return objectsIn(resource).reduce((sum, { data }) => sum + (typeof data === 'string' ? data.length : 0), 0);
}

/** The attachments whose bytes `without` removed. */
function attachmentsLetGo(resource: Resource, base: string): Readonly<Record<string, unknown>>[] {
  const own = `${base}/${resource.resourceType}/${resource.id}`;
  return objectsIn(resource).filter(({ data, url }) => data === undefined && url === own);
}

/** The number of base64 characters of each. */
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
  return changed as T; // of the same form

  function partsOf(whole: unknown): unknown {
    if (!isObject(whole)) return whole;
    const { data, ...rest } = whole;
    const parts = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, without(part, kept, url)]));
    if (typeof data !== 'string') return 'data' in whole ? { ...parts, data } : parts;
    if (kept.has(data)) return { ...parts, data };
    // a Binary has no address; the attachment that points to it does
    return 'resourceType' in whole ? parts : { ...parts, url, size: Math.floor((data.length / 4) * 3) };
  }
}

import type { Coverage, DiagnosticReport, DocumentReference, Resource } from 'fhir/r4.js';
import { byReference } from '../../core/fhir/chart-item.ts';
import { attachmentsOf, carriesCard, type DocumentBytes } from '../../core/fhir/documents/attachments.ts';
import { isCard, isNote } from '../../core/fhir/documents/kinds.ts';
import { noReadings, type Readings, type TextReading } from '../../core/fhir/documents/readings.ts';
import { type ChartResources, type Graph, indexChart, type Located } from '../../core/fhir/references/graph.ts';
import { newestFirst } from '../../core/fhir/time/newest-first.ts';
import { isQuick } from './is-quick.ts';
import { readers } from './readers.ts';

export interface DocumentRequest {
  /** `Patient/123`. Documents of other patients are not read. */
  readonly patient?: string;
  /** `answers.evidence`: the notes to read, however old. */
  readonly ticked?: readonly string[];
  /**
   * How many of the newest notes are read too, so that a person sees their text before selecting them; 5 by default.
   */
  readonly newest?: number;
  /** Results of an earlier call. Documents in it are not read again. */
  readonly known?: Readings;
}

const newestNotes = 5;
const newestCards = 3;

/**
 * Reads the documents of a chart: notes as text, insurance cards as images that the service accepts. Launch, batch and
 * mapping tests call it before `selectChart`, which takes the result, so that selection stays a pure function. Never
 * throws because of a document; an unreadable document has a reason.
 */
export async function readDocuments(resources: ChartResources, request: DocumentRequest = {}): Promise<Readings> {
  const known = request.known ?? noReadings;
  const wantsNotes = (request.newest ?? newestNotes) > 0 || (request.ticked ?? []).length > 0;
  const isWanted = (resource: Resource) => carriesImage(resource) || (wantsNotes && isNote(resource));
  const graph = indexChart(resources); // only resources that are valid FHIR R4
  const held = heldBy.flatMap((type) => graph.ofType(type)).filter(({ resource }) => isWanted(resource));
  if (held.length === 0) return known;
  const mine = held
    .filter(({ resource }) => request.patient === undefined || graph.ownerOf(resource) === request.patient)
    .sort(byReference);
  const chart = request.patient ?? graph;
  const texts = await readEach(notesOf(mine, request), graph, known.texts, (held) => readNote(held, chart));
  const images = await readEach(cardsOf(mine), graph, known.images, ({ contentType, data }) =>
    readers.read({ kind: 'image', contentType, data }, chart),
  );
  return { texts, images };
}

const heldBy = ['Coverage', 'DiagnosticReport', 'DocumentReference'];

type WithBytes = DocumentBytes & { readonly data: string };

async function readNote({ contentType, data }: WithBytes, chart: unknown): Promise<TextReading> {
  if (!isQuick(data)) return readers.read({ kind: 'text', contentType, data }, chart);
  const { readText } = await import('./read-text.ts');
  return readText(contentType, data);
}

async function readEach<Reading>(
  documents: readonly Located[],
  graph: Graph,
  known: Readonly<Record<string, Reading>>,
  read: (held: WithBytes) => Promise<Reading>,
): Promise<Record<string, Reading>> {
  const readings: Record<string, Reading> = { ...known };
  for (const document of documents) {
    for (const held of attachmentsOf(document, (reference, from) => graph.resolve(reference, from))) {
      const { key, data } = held;
      if (data !== undefined && readings[key] === undefined) readings[key] = await read({ ...held, data });
    }
  }
  return readings;
}

function notesOf(documents: readonly Located[], { ticked = [], newest = newestNotes }: DocumentRequest): Located[] {
  const compare = newestFirst();
  const notes = documents
    .filter(({ resource }) => isNote(resource))
    .sort((left, right) => compare(dateOf(left), dateOf(right)));
  return notes.filter((note, index) => index < newest || ticked.includes(note.reference));
}

function cardsOf(documents: readonly Located[]): Located[] {
  const cards = documents.filter(
    ({ resource }) =>
      isType<DocumentReference>(resource, 'DocumentReference') && isCard(resource) && resource.status === 'current',
  );
  const compare = newestFirst();
  const newest = cards.sort((left, right) => compare(dateOf(left), dateOf(right))).slice(0, newestCards);
  return [
    ...newest,
    ...documents.filter(({ resource }) => isType<Coverage>(resource, 'Coverage') && carriesCard(resource)),
  ];
}

function dateOf({ resource }: Located): string | undefined {
  if (isType<DocumentReference>(resource, 'DocumentReference')) return resource.date;
  return isType<DiagnosticReport>(resource, 'DiagnosticReport')
    ? (resource.effectiveDateTime ?? resource.issued)
    : undefined;
}

function carriesImage(resource: Resource): boolean {
  return (
    (isType<DocumentReference>(resource, 'DocumentReference') && isCard(resource)) ||
    (isType<Coverage>(resource, 'Coverage') && carriesCard(resource))
  );
}

function isType<T extends Resource>(resource: Resource, type: T['resourceType']): resource is T {
  return resource.resourceType === type;
}

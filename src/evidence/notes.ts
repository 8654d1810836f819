import type { CodeableConcept, DiagnosticReport, DocumentReference, Reference } from 'fhir/r4.js';
import { attachmentsOf, type Held } from '../documents/attachments.ts';
import { isNote } from '../documents/kinds.ts';
import { labelOf } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Scene } from '../roles/scene.ts';
import { type Finding, fullDate, stated } from './item.ts';
import { sensitiveWords, sensitivityOf } from './sensitivity.ts';

const excerptLength = 160;
const nothing = 'it holds no text';

/** Clinical notes and reports as text, the newest first. One that cannot be read is told with its reason; one that was not read yet is read when it is ticked. */
export function notes(scene: Scene): Finding[] {
  const documents = scene
    .mine('DocumentReference')
    .filter(({ resource }) => isNote(resource))
    .map((document) => fromDocument(scene, document));
  const reports = scene
    .mine('DiagnosticReport')
    .filter(({ resource }) => isNote(resource) && saysSomething(resource))
    .map((report) => fromReport(scene, report));
  const compare = newestFirst(scene.today.timeZone);
  return [...documents, ...reports].sort((left, right) => compare(left.date, right.date));
}

function fromDocument(scene: Scene, document: Located<DocumentReference>): Finding {
  const { resource } = document;
  const kind = meaningful(labelOf(resource.type)) ?? meaningful(resource.description) ?? 'Document';
  const date = resource.date ?? resource.context?.period?.start;
  const atVisit = (resource.context?.encounter ?? []).some((encounter) => isTheVisit(scene, encounter, document));
  const words = (resource.content ?? []).map(({ attachment }) => attachment?.title);
  return findingOf(scene, document, {
    type: 'Note',
    kind,
    date,
    atVisit,
    authors: resource.author,
    concepts: [
      resource.type,
      ...(resource.category ?? []),
      resource.context?.practiceSetting,
      resource.description,
      ...words,
    ],
  });
}

function fromReport(scene: Scene, report: Located<DiagnosticReport>): Finding {
  const { resource } = report;
  const kind = meaningful(labelOf(resource.code)) ?? 'Report';
  const date = resource.effectiveDateTime ?? resource.effectivePeriod?.start ?? resource.issued;
  const conclusion = meaningful(resource.conclusion);
  const atVisit = isTheVisit(scene, resource.encounter, report);
  return findingOf(scene, report, {
    type: 'Report',
    kind,
    date,
    atVisit,
    authors: resource.performer,
    concepts: [resource.code, ...(resource.category ?? []), ...(resource.conclusionCode ?? [])],
    ...(conclusion === undefined ? {} : { conclusion }),
  });
}

// Most reports only gather results, which are evidence by themselves.
function saysSomething({ presentedForm = [], conclusion }: DiagnosticReport): boolean {
  return presentedForm.length > 0 || meaningful(conclusion) !== undefined;
}

interface About {
  readonly type: 'Note' | 'Report';
  readonly kind: string;
  readonly date: string | undefined;
  /** It was written at the visit at which the drug was ordered. */
  readonly atVisit: boolean;
  readonly authors: readonly Reference[] | undefined;
  readonly concepts: readonly (CodeableConcept | string | undefined)[];
  readonly conclusion?: string;
}

function findingOf(
  scene: Scene,
  located: Located<DocumentReference> | Located<DiagnosticReport>,
  about: About,
): Finding {
  const { type, kind, date, atVisit, conclusion } = about;
  const read = textOf(scene, located);
  const unfit = conclusion !== undefined || read.text !== undefined || read.isUnread ? undefined : read.reason;
  const marked = sensitivityOf(located.resource, ...about.concepts);
  // Words inside a note are no mark of it: they are a reason not to suggest it, not one to hide its beginning from who may tick it.
  const sensitive = marked ?? sensitiveWords(conclusion) ?? sensitiveWords(read.text);
  const excerpt = marked === undefined ? (conclusion ?? read.text) : undefined;
  return {
    members: [located],
    type,
    title: `${type}: ${kind}`,
    ...(excerpt === undefined
      ? read.isUnread
        ? { detail: 'not read yet; it is read when it is ticked' }
        : {}
      : { detail: shorten(excerpt) }),
    date: fullDate(date),
    ...(unfit === undefined ? {} : { unfit }),
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(atVisit ? { called: 'it was written at the visit of the order' } : {}),
    facts: () => {
      const authors = (about.authors ?? []).flatMap(({ display }) => meaningful(display) ?? []);
      return stated({
        source: located.reference,
        kind,
        date,
        authors,
        conclusion,
        text: read.text,
        shortened: read.isShortened ? true : undefined,
        remark: read.reason === nothing ? undefined : read.reason,
      });
    },
  };
}

interface Read {
  readonly text?: string;
  readonly isShortened: boolean;
  /** Nobody has tried yet. */
  readonly isUnread: boolean;
  /** What could not be read, and why. */
  readonly reason?: string;
}

function textOf(scene: Scene, located: Located<DocumentReference> | Located<DiagnosticReport>): Read {
  const held = attachmentsOf(located, (reference, from) => scene.resolve(reference, from, 'Binary'));
  if (held.length === 0) return { isShortened: false, isUnread: false, reason: nothing };
  const isTicked = scene.answers.evidence?.includes(located.reference) === true;
  const readings = held.map((one) => scene.readings.texts[one.key] ?? missing(one, isTicked));
  const texts = readings.flatMap((reading) => (reading !== undefined && 'text' in reading ? [reading] : []));
  const reasons = new Set(
    readings.flatMap((reading) => (reading !== undefined && 'unreadable' in reading ? [reading.unreadable] : [])),
  );
  // The same note is often kept twice, as RTF and as HTML.
  const unique = [...new Map(texts.map((reading) => [reading.text.replace(/\s+/g, ' '), reading])).values()];
  return {
    ...(unique.length === 0 ? {} : { text: unique.map(({ text }) => text).join('\n\n') }),
    isShortened: unique.some(({ shortened }) => shortened === true),
    isUnread: readings.includes(undefined),
    ...(texts.length === 0 && reasons.size > 0 ? { reason: [...reasons].join('; ') } : {}),
  };
}

/** Why there is no text, or undefined for one that is read once a person ticks it. */
function missing({ data, url }: Held, isTicked: boolean): { readonly unreadable: string } | undefined {
  if (data === undefined && url === undefined) return { unreadable: nothing };
  if (!isTicked) return undefined;
  return { unreadable: data === undefined ? 'its text is not in the chart' : 'its text was not read' };
}

function isTheVisit(scene: Scene, encounter: Reference | undefined, from: Located): boolean {
  const visit = scene.order.resource.encounter;
  if (visit === undefined || encounter === undefined) return false;
  const [ordered, written] = [
    scene.resolve(visit, scene.order, 'Encounter')?.reference ?? visit.reference,
    scene.resolve(encounter, from, 'Encounter')?.reference ?? encounter.reference,
  ];
  return ordered !== undefined && ordered === written;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= excerptLength ? line : `${line.slice(0, excerptLength).replace(/\s+\S*$/, '')} …`;
}

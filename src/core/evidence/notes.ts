import type { CodeableConcept, DiagnosticReport, DocumentReference, Reference } from 'fhir/r4.js';
import { labelOf } from '../fhir/codes/concept.ts';
import { isLetterOfRequest, isNote } from '../fhir/documents/kinds.ts';
import { isOwnText } from '../fhir/documents/own-writing.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { type Cited, cite, citeFirst, type FindingFacts } from './cite.ts';
import { byNewest, clearestDate } from './dates.ts';
import type { EvidenceChart } from './evidence-chart.ts';
import { excerptOf } from './excerpt.ts';
import { type Finding, presentReasons } from './finding.ts';
import { type NoteText, noText, noteTextOf } from './note-text.ts';
import type { Privacy } from './sensitive-reach.ts';

/** Clinical notes and reports, newest first. A note that cannot be read has the reason instead of its text. */
export function notes(chart: EvidenceChart, privacy: Privacy): Finding[] {
  const documents = chart.mine('DocumentReference').filter(({ resource }) => isNote(resource));
  const reports = chart.mine('DiagnosticReport').filter(({ resource }) => isNote(resource) && saysSomething(resource));
  return [...documents.map((one) => documentNote(chart, one)), ...reports.map((one) => reportNote(chart, one))]
    .filter(({ read }) => read.text === undefined || !isOwnText(read.text.value))
    .map((note) => findingOf(note, privacy))
    .sort(byNewest(chart.today.timeZone));
}

// Most reports only group results, which are findings themselves.
function saysSomething({ presentedForm = [], conclusion }: DiagnosticReport): boolean {
  return presentedForm.length > 0 || meaningful(conclusion) !== undefined;
}

interface Note {
  readonly located: Located<DocumentReference> | Located<DiagnosticReport>;
  readonly type: 'Note' | 'Report';
  readonly name: Cited<string>;
  readonly date: Cited<string> | undefined;
  readonly isOfTheVisit: boolean;
  /** Concepts that may be sensitive, in addition to the note's labels and text. */
  readonly concepts: readonly (CodeableConcept | undefined)[];
  readonly words: readonly (string | undefined)[];
  readonly conclusion?: string | undefined;
  readonly read: NoteText;
  /** The resource as `document` or `report`, because the two kinds have different elements for a mapping to read. */
  readonly facts: FindingFacts;
}

function documentNote(chart: EvidenceChart, document: Located<DocumentReference>): Note {
  const { type, description, date, context, category = [], content = [], author = [] } = document.resource;
  const titles = content.map(({ attachment }) => attachment?.title);
  return {
    located: document,
    type: 'Note',
    name:
      citeFirst(document, { type: meaningful(labelOf(type)), description: meaningful(description) }) ??
      cite(document, 'Document'),
    date: citeFirst(document, { date, 'context.period.start': context?.period?.start }),
    // The decision on an earlier request is filed with its visit, but does not support a new request.
    isOfTheVisit:
      !isLetterOfRequest(document.resource) &&
      (context?.encounter ?? []).some((encounter) => isTheVisit(chart, encounter, document)),
    concepts: [type, ...category, context?.practiceSetting, context?.facilityType, ...(context?.event ?? [])],
    words: [description, ...titles, ...author.map(({ display }) => display)],
    read: noteTextOf(chart, document),
    facts: { document: cite(document, document.resource) },
  };
}

function reportNote(chart: EvidenceChart, report: Located<DiagnosticReport>): Note {
  const { code, category = [], conclusion, conclusionCode = [], encounter, performer = [] } = report.resource;
  const titles = report.resource.presentedForm?.map(({ title }) => title) ?? [];
  const { effectiveDateTime, effectivePeriod, issued } = report.resource;
  return {
    located: report,
    type: 'Report',
    name: citeFirst(report, { code: meaningful(labelOf(code)) }) ?? cite(report, 'Report'),
    date: citeFirst(report, { effectiveDateTime, 'effectivePeriod.start': effectivePeriod?.start, issued }),
    isOfTheVisit: isTheVisit(chart, encounter, report),
    concepts: [code, ...category, ...conclusionCode],
    words: [...titles, ...performer.map(({ display }) => display)],
    conclusion: meaningful(conclusion),
    read: noteTextOf(chart, report),
    facts: { report: cite(report, report.resource) },
  };
}

function findingOf(note: Note, privacy: Privacy): Finding {
  const { located, type, name, date, conclusion, read } = note;
  const { words } = privacy;
  const notice = words.ofNotice(conclusion) ?? words.ofNotice(read.text?.value);
  const marked = notice ?? privacy.of(located, ...note.concepts, ...note.words);
  const sensitive = marked ?? words.ofText(conclusion) ?? words.ofText(read.text?.value);
  const detail = detailOf(note, marked);
  const isEmpty = conclusion === undefined && read.text === undefined && !read.isUnread;
  return {
    kind: 'note',
    members: [located],
    type,
    title: `${type}: ${name.value}`,
    ...(detail === undefined ? {} : { detail }),
    date: clearestDate(date),
    ...(isEmpty && read.reason !== undefined ? { unfit: read.reason } : {}),
    ...presentReasons({
      sensitive,
      unjudged: unreadOf(read) ?? privacy.unknown(...note.concepts),
      called: note.isOfTheVisit ? 'it was written at the visit of the order' : undefined,
    }),
    facts: () => ({
      source: cite(located, located.reference),
      name,
      ...note.facts,
      text: read.text,
      // The PDF may lack the conclusion, so a report with a conclusion is sent as text.
      pdf: conclusion === undefined ? read.pdf : undefined,
      shortened: read.isShortened ? true : undefined,
      remark: read.reason === noText ? undefined : read.reason,
    }),
  };
}

/** Why the sensitivity of a note is unknown: the note was not read, or only in part. */
function unreadOf({ isUnread, isShortened }: NoteText): string | undefined {
  if (isUnread) return 'not read';
  return isShortened ? 'only its beginning was read' : undefined;
}

// Sensitive words in a note prevent a suggestion but do not hide the beginning of the note, so that a person can
// decide. A mark on the whole note (label, notice, type, title, department) hides it.
function detailOf({ conclusion, read }: Note, marked: string | undefined): string | undefined {
  const text = marked === undefined ? (conclusion ?? read.text?.value) : undefined;
  if (text !== undefined) return excerptOf(text);
  return read.isUnread ? 'not read yet; it is read when it is ticked' : undefined;
}

function isTheVisit(chart: EvidenceChart, encounter: Reference | undefined, from: Located): boolean {
  const visit = chart.order.resource.encounter;
  if (visit === undefined || encounter === undefined) return false;
  const ordered = chart.resolve(visit, chart.order, 'Encounter')?.reference ?? visit.reference;
  const written = chart.resolve(encounter, from, 'Encounter')?.reference ?? encounter.reference;
  return ordered !== undefined && ordered === written;
}

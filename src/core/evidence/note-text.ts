import type { DiagnosticReport, DocumentReference } from 'fhir/r4.js';
import { attachmentsOf, type DocumentBytes } from '../fhir/documents/attachments.ts';
import type { Readings, TextReading } from '../fhir/documents/readings.ts';
import type { Located } from '../fhir/references/graph.ts';
import { type Cited, cite } from './cite.ts';
import type { EvidenceChart } from './evidence-chart.ts';

export interface NoteText {
  readonly text?: Cited<string>;
  /** The base64 bytes, if the note is a single readable PDF. A service may accept the PDF itself. */
  readonly pdf?: Cited<string>;
  /** Only the beginning of the text was kept. */
  readonly isShortened: boolean;
  /** The text is not read until a person ticks the note. */
  readonly isUnread: boolean;
  /** Why there is no text. Absent when there is text. */
  readonly reason?: string;
}

/** The reason for a note without a readable attachment. */
export const noText = 'it holds no text';

/** The text of all attachments of a note. The same text in two formats is used once. */
export function noteTextOf(
  chart: EvidenceChart,
  note: Located<DocumentReference> | Located<DiagnosticReport>,
): NoteText {
  const held = attachmentsOf(note, (reference, from) => chart.resolve(reference, from, 'Binary'));
  if (held.length === 0) return { isShortened: false, isUnread: false, reason: noText };
  const isTicked = chart.ticked?.includes(note.reference) === true;
  const readings = held.map((one) => readingOf(chart.readings, one) ?? missing(one, isTicked));
  const texts = readings.flatMap((reading, index) => {
    const from = held[index];
    return reading !== undefined && 'text' in reading && from !== undefined ? [{ ...reading, from }] : [];
  });
  const unique = [...new Map(texts.map((one) => [one.text.replace(/\s+/g, ' '), one])).values()];
  const text = unique.map((one) => one.text).join('\n\n');
  const reason = texts.length === 0 ? reasonsOf(readings) : undefined;
  const [only] = held.length === 1 && texts.length === 1 ? held : [];
  return {
    ...(unique[0] === undefined ? {} : { text: cite(unique[0].from.holder, text, unique[0].from.path) }),
    ...(only?.data === undefined || !isPdf(only.data)
      ? {}
      : { pdf: cite(only.holder, only.data, only.path ?? 'data') }),
    isShortened: unique.some(({ shortened }) => shortened === true),
    isUnread: readings.includes(undefined),
    ...(reason === undefined ? {} : { reason }),
  };
}

// matches `%PDF-` in base64
function isPdf(data: string): boolean {
  return data.trimStart().startsWith('JVBERi0');
}

// The keys come from a chart, and a key such as `constructor` must not match an inherited property.
function readingOf({ texts }: Readings, { key }: DocumentBytes): TextReading | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

/** Why an attachment has no text. Undefined for text that is read once a person ticks the note. */
function missing({ data, url }: DocumentBytes, isTicked: boolean): { readonly unreadable: string } | undefined {
  if (data === undefined && url === undefined) return { unreadable: noText };
  if (!isTicked) return undefined;
  return { unreadable: data === undefined ? 'its text is not in what was read' : 'its text was not read' };
}

function reasonsOf(readings: readonly (TextReading | undefined)[]): string | undefined {
  const reasons = readings.flatMap((reading) =>
    reading !== undefined && 'unreadable' in reading ? [reading.unreadable] : [],
  );
  return reasons.length === 0 ? undefined : [...new Set(reasons)].join('; ');
}

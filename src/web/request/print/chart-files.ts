import type { DiagnosticReport, DocumentReference } from 'fhir/r4.js';
import type { ReplyDocument } from '../../../cases/rounds/reply.ts';
import { bytesOf, typeByBytes } from '../../../core/fhir/documents/bytes.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import { enclosedLimits } from '../../../ehr/documents/enclosed-limits.ts';
import { isPdf, isPicture, readUploadedPicture } from '../../../ehr/documents/read-upload.ts';
import { readers } from '../../../ehr/documents/readers.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { packetWords as words } from '../../pages/case/question-words.ts';
import { heldIn } from '../../pages/documents/view.ts';
import type { Draft } from '../draft.ts';

type Note = DocumentReference | DiagnosticReport;

/** The files of a note that a packet can print unchanged, in base64; empty for any other resource. */
export function chartFiles({ pull }: Draft, launch: Launch, reference: string): readonly string[] {
  if (!/^(DocumentReference|DiagnosticReport)\//.test(reference)) return [];
  const files = heldIn(pull, launch, reference).flatMap(({ data = '' }) => {
    const bytes = bytesOf(data, enclosedLimits.bytes);
    return 'unreadable' in bytes ? [] : [bytes];
  });
  // All attachments of a note have the same content in several formats, so one format is enough.
  const pdfs = files.filter(isPdf);
  return (pdfs.length > 0 ? pdfs : files.filter(isPicture)).map((bytes) => bytes.toString('base64'));
}

/** The candidate if it can be sent or printed. A scan or picture has no text to send, but it can be printed. */
export function printable(candidate: Candidate, draft: Draft, launch: Launch): Candidate | undefined {
  if (candidate.fits) return candidate;
  const isPrinted = dayOf(draft, launch, candidate) !== undefined && chartFiles(draft, launch, candidate.reference)[0];
  return isPrinted ? { ...candidate, fits: true, reason: words.scan, detail: words.scan } : undefined;
}

/** The title and date of a document without text. */
export function headingOf(draft: Draft, launch: Launch, candidate: Candidate): ReplyDocument {
  const day = dayOf(draft, launch, candidate) ?? '';
  return { title: candidate.label.replace(`, ${dayText(day)}`, ''), date_created: `${day}T00:00:00.000000` };
}

function dayOf({ pull }: Draft, { site }: Launch, { reference }: Candidate): string | undefined {
  const found = pull.entries.find(({ resource }) => `${resource.resourceType}/${resource.id}` === reference);
  const { date, context } = (found?.resource ?? {}) as Partial<DocumentReference>;
  const { effectiveDateTime, effectivePeriod, issued } = (found?.resource ?? {}) as Partial<DiagnosticReport>;
  const stated = date ?? context?.period?.start ?? effectiveDateTime ?? effectivePeriod?.start ?? issued ?? '';
  if (/^\d{4}-\d\d-\d\d$/.test(stated)) return stated;
  const time = stated.includes('T') ? Date.parse(stated) : Number.NaN;
  return Number.isNaN(time) ? undefined : dayIn(time, site.timeZone);
}

export function saysMore({ pull }: Draft, reference: string): boolean {
  const found = pull.entries.find(({ resource }) => `${resource.resourceType}/${resource.id}` === reference);
  const note = found?.resource as Note | undefined;
  return note?.resourceType === 'DiagnosticReport' && (note.conclusion ?? '').trim() !== '';
}

/**
 * The files of a document as documents of the reply. Undefined if a file cannot be printed, or if they have more than
 * `bytes` together.
 */
export async function asFiles(
  { title, date_created }: ReplyDocument,
  files: readonly string[],
  { bytes, whose }: { readonly bytes: number; readonly whose: string },
): Promise<ReplyDocument[] | undefined> {
  const read: string[] = [];
  for (const data of files) {
    const file = await fileAsPrinted(data, whose);
    if (file !== undefined) read.push(file);
  }
  const isWhole = read.length === files.length && read.length > 0 && bytesIn(read) <= bytes;
  if (!isWhole) return undefined;
  return read.map((file_content, index) => ({
    title: read.length === 1 ? title : `${title} (${index + 1} of ${read.length})`,
    date_created,
    asset: { file_content },
  }));
}

export function bytesIn(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + Math.floor((file.length * 3) / 4), 0);
}

async function fileAsPrinted(data: string, whose: string): Promise<string | undefined> {
  const bytes = Buffer.from(data, 'base64');
  if (typeByBytes(bytes) === 'application/pdf') {
    const read = await readers.read({ kind: 'pages', contentType: 'application/pdf', data }, whose);
    return 'pages' in read ? data : undefined;
  }
  const read = await readUploadedPicture(bytes, whose);
  return 'data' in read ? read.data : undefined;
}

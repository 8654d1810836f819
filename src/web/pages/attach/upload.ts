import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Attached } from '../../../cases/case.ts';
import { BridgeError } from '../../../core/errors.ts';
import {
  isPdf,
  maxUploadBytes,
  readUploadedPdf,
  readUploadedPicture,
  readUploadedScan,
  readUploadedText,
} from '../../../ehr/documents/read-upload.ts';
import type { Deps } from '../../http/deps.ts';
import { takesPdf } from '../../request/attached.ts';
import type { Draft } from '../../request/draft.ts';
import { Form, latestDayOnEarth } from '../../request/form.ts';
import { attach } from '../documents/words.ts';

/** A posted multipart form. */
export interface UploadForm {
  readonly fields: Readonly<Record<string, string>>;
  /** The text fields, with all values of repeated names. */
  readonly form: Form;
  readonly file?: Buffer;
  /** All chosen files, each with its name on the person's computer. */
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
}

/** The file as it is kept with the draft, or why it cannot be attached. */
export type Upload = { readonly attached: Omit<Attached, 'by' | 'at'>; readonly bytes: Uint8Array } | RefusedUpload;

/** The field of an upload that is at fault, and why. */
export interface RefusedUpload {
  readonly refused: string;
  /** If left out, the file itself is at fault. */
  readonly field?: 'title' | 'date';
}

/** The maximum number of files for one draft or one reply. */
export const mostFiles = 10;
/** The size limit of a form without its file. */
const formBytes = 64 * 1024;

/** Accepts multipart forms with files, only within this scope. */
export function takeUploads(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: maxUploadBytes + formBytes },
    (request: FastifyRequest, body: Buffer) => readForm(request.headers['content-type'] ?? '', body),
  );
}

async function readForm(contentType: string, body: Buffer): Promise<UploadForm> {
  try {
    const data = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
    const fields = [...data].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
    // If no file was chosen, a browser sends an empty file without a name.
    const chosen = data.getAll('file').filter((file) => file instanceof File && (file.name !== '' || file.size > 0));
    const files = await Promise.all(
      (chosen as File[]).map(async (file) => ({ name: file.name, bytes: Buffer.from(await file.arrayBuffer()) })),
    );
    const form = Form.parse(formOf(fields));
    const [first] = files;
    return { fields: Object.fromEntries(fields), form, files, ...(first === undefined ? {} : { file: first.bytes }) };
  } catch {
    // The parser's own message is dropped, because it may quote the form.
    throw new BridgeError('bad_request', { reason: 'the form cannot be read' });
  }
}

function formOf(fields: readonly (readonly [string, string])[]): Form {
  const named = Map.groupBy(fields, ([name]) => name);
  return Object.fromEntries(
    [...named].map(([name, all]) => {
      const values = all.map(([, value]) => value);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** Reads a document: a title, a day between the patient's birth and today, and a PDF or a file with text. */
export async function readDocument(deps: Pick<Deps, 'clock'>, draft: Draft, form: UploadForm): Promise<Upload> {
  const [title, date] = [(form.fields.title ?? '').trim().slice(0, 200), (form.fields.date ?? '').trim()];
  const fault = headingFault({ title, date }, deps, draft);
  if (fault !== undefined) return fault;
  if (form.file === undefined) return { refused: attach.noFile };
  const attached = { id: randomUUID(), kind: 'document', title, date } as const;
  if (takesPdf(draft.schema) && isPdf(form.file)) return readPdf(form.file, draft, attached);
  const read = await readUploadedText(form.file, draft.case.patient);
  if ('refused' in read) return { refused: attach.refusedDocument[read.refused] };
  return {
    attached: read.shortened ? { ...attached, shortened: true } : attached,
    bytes: Buffer.from(read.text, 'utf8'),
  };
}

/** Reads the letter of an appeal: a title, a day, and a PDF. */
export async function readAppeal(deps: Pick<Deps, 'clock'>, draft: Draft, form: UploadForm): Promise<Upload> {
  const [title, date] = [(form.fields.title ?? '').trim().slice(0, 200), (form.fields.date ?? '').trim()];
  const fault = headingFault({ title, date }, deps, draft);
  if (fault !== undefined) return fault;
  if (form.file === undefined) return { refused: attach.noFile };
  if (!isPdf(form.file)) return { refused: attach.onlyPdf };
  return readPdf(form.file, draft, { id: randomUUID(), kind: 'appeal', title, date });
}

async function readPdf(
  file: Buffer,
  { case: { patient } }: Draft,
  attached: Omit<Attached, 'by' | 'at'>,
): Promise<Upload> {
  const read = await readUploadedPdf(file, patient);
  if ('refused' in read) return { refused: attach.refusedDocument[read.refused] };
  return { attached: { ...attached, pdf: true }, bytes: read.bytes };
}

/** Reads a photo of the insurance card of the selected coverage. */
export async function readCard(draft: Draft, form: UploadForm): Promise<Upload> {
  const coverage = draft.chart.choice('coverage');
  const isOpen = coverage?.chosen === undefined && coverage?.candidates.some(({ fits }) => fits) === true;
  const fault = countFault(draft) ?? (isOpen ? attach.noCoverage : undefined);
  if (fault !== undefined) return { refused: fault };
  if (form.file === undefined) return { refused: attach.noFile };
  const read = await readUploadedPicture(form.file, draft.case.patient);
  if ('refused' in read) {
    const words: Readonly<Record<string, string>> = attach.refusedCard;
    return { refused: words[read.refused] ?? attach.refusedCard.other };
  }
  const attached = { id: randomUUID(), kind: 'card', title: 'Insurance card' } as const;
  return {
    attached: coverage?.chosen === undefined ? attached : { ...attached, coverage: coverage.chosen },
    bytes: Buffer.from(read.data, 'base64'),
  };
}

export async function readConsent(draft: Draft, form: UploadForm): Promise<Upload> {
  const fault = countFault(draft) ?? (form.file === undefined ? attach.noFile : undefined);
  if (fault !== undefined || form.file === undefined) return { refused: fault ?? attach.noFile };
  const read = await readUploadedScan(form.file, draft.case.patient);
  if ('refused' in read) {
    const words: Readonly<Record<string, string>> = attach.refusedConsent;
    return { refused: words[read.refused] ?? attach.refusedConsent.other };
  }
  const attached = { id: randomUUID(), kind: 'consent', title: attach.consent.name } as const;
  return { attached: read.pdf ? { ...attached, pdf: true } : attached, bytes: read.bytes };
}

function countFault({ case: { attached = [] } }: Draft): string | undefined {
  return attached.length >= mostFiles ? attach.tooMany : undefined;
}

function headingFault(
  { title, date }: { readonly title: string; readonly date: string },
  deps: Pick<Deps, 'clock'>,
  draft: Draft,
): RefusedUpload | undefined {
  const tooMany = countFault(draft);
  if (tooMany !== undefined) return { refused: tooMany };
  if (title === '') return { refused: attach.noTitle, field: 'title' };
  const day = dayFault(date, deps, draft);
  return day === undefined ? undefined : { refused: day, field: 'date' };
}

function dayFault(date: string, { clock }: Pick<Deps, 'clock'>, { case: one, chart }: Draft): string | undefined {
  if (!z.iso.date().safeParse(date).success) return attach.noDate;
  if (date > (chart.today ?? latestDayOnEarth(clock()))) return attach.lateDate;
  const { birthDate } = one.banner;
  return birthDate !== undefined && date < birthDate ? attach.earlyDate : undefined;
}

import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { requestedDrug } from './requests.ts';
import type { SandboxOutcome, StoredOutreach, StoredPriorAuthorization } from './stored-record.ts';

const everyScript = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

/**
 * Returns a file of a record by its name in a link: a fax as PDF, or a card image as it was sent. Each call returns the
 * same bytes. Undefined if there is none.
 */
export async function fileOf(
  stored: StoredPriorAuthorization,
  name: string,
): Promise<{ readonly bytes: Buffer; readonly contentType: string } | undefined> {
  if (/^card-\d{1,3}$/.test(name)) return cardOf(stored.request, name);
  const asked = stored.outreach?.find(({ id, file }) => id === name && file);
  if (asked !== undefined) return { bytes: await pdf(question(stored, asked)), contentType: 'application/pdf' };
  const fax = stored.activity.find((entry) => entry.id === name);
  if (fax?.type !== 'sent_fax' && fax?.type !== 'received_fax') return undefined;
  return {
    bytes: await pdf(
      fax.type === 'sent_fax' ? requestForm(stored, fax.createdAt) : letter(stored, fax.outcome, fax.createdAt),
    ),
    contentType: 'application/pdf',
  };
}

/** Returns an image of a request's insurance card by its name, such as `card-0`. */
export function cardOf(
  { insurance }: { readonly insurance?: readonly { readonly file_content: string }[] | undefined },
  name: string,
): { readonly bytes: Buffer; readonly contentType: string } | undefined {
  const card = /^card-(\d{1,3})$/.exec(name)?.[1];
  const content = card === undefined ? undefined : insurance?.[Number(card)]?.file_content;
  return content === undefined ? undefined : imageOf(Buffer.from(content, 'base64'));
}

function imageOf(bytes: Buffer): { bytes: Buffer; contentType: string } {
  return {
    bytes,
    contentType:
      bytes.subarray(0, 3).toString('hex') === 'ffd8ff'
        ? 'image/jpeg'
        : bytes.subarray(1, 4).toString() === 'PNG'
          ? 'image/png'
          : 'application/octet-stream',
  };
}

interface Page {
  readonly title: string;
  readonly lines: readonly string[];
  /** `2026-11-21T10:15:00`, in UTC. */
  readonly at: string;
}

function requestForm({ id, request }: StoredPriorAuthorization, at: string): Page {
  const { patient, prescription, provider, diagnoses } = request;
  const { name, strength, form, amount } = requestedDrug(request);
  return {
    title: 'Prior authorization request',
    at,
    lines: [
      `Reference: ${id}`,
      `Sent: ${at} UTC`,
      `Patient: ${patient.first_name} ${patient.last_name}, born ${patient.date_of_birth}`,
      `Drug: ${[name, strength, form].filter((part) => part !== undefined).join(', ')}`,
      `Directions: ${prescription.directions}`,
      `Quantity: ${amount}`,
      `Diagnoses: ${diagnoses.map(({ code }) => code).join(', ')}`,
      `Prescriber: ${provider.first_name} ${provider.last_name}, NPI ${provider.npi}`,
    ],
  };
}

function question({ id, request: { patient } }: StoredPriorAuthorization, { text, at }: StoredOutreach): Page {
  return {
    title: 'Information needed',
    at: at.slice(0, 19),
    lines: [
      `Reference: ${id}`,
      `Member: ${patient.first_name} ${patient.last_name}, born ${patient.date_of_birth}`,
      text,
    ],
  };
}

function letter({ id, request, approved = {} }: StoredPriorAuthorization, outcome: SandboxOutcome, at: string): Page {
  const { patient } = request;
  const { name, strength } = requestedDrug(request);
  return {
    title: 'Determination',
    at,
    lines: [
      `Reference: ${id}`,
      `Received: ${at} UTC`,
      `Member: ${patient.first_name} ${patient.last_name}, born ${patient.date_of_birth}`,
      `Drug: ${strength === undefined ? name : `${name}, ${strength}`}`,
      `Determination: ${outcome.result}`,
      `Reason: ${outcome.detail ?? 'not stated'}`,
      ...(approved.quantity === undefined ? [] : [`Quantity approved: ${approved.quantity}`]),
      ...(approved.days_supply === undefined ? [] : [`Days of supply approved: ${approved.days_supply}`]),
      ...(outcome.result === 'Denied' ? ['You have the right to appeal this decision within 180 days.'] : []),
    ],
  };
}

// Embedding a font takes twenty times as long as everything else, which matters for thousands of letters.
function fontOf({ lines }: Page): string {
  return lines.every((line) => /^[\x20-\x7e\xa1-\xff]*$/.test(line)) ? 'Helvetica' : everyScript;
}

function pdf(page: Page): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const document = new PDFDocument({
    size: 'LETTER',
    margin: 72,
    info: { Title: page.title, CreationDate: new Date(`${page.at}Z`) },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', () => resolve(Buffer.concat(chunks)));
  document.on('error', reject);
  document.font(fontOf(page)).fontSize(9).text('Sandbox. Invented people, no real payer.').moveDown(2);
  document.fontSize(18).text(page.title).moveDown();
  document.fontSize(11);
  for (const line of page.lines) document.text(line).moveDown(0.4);
  document.end();
  return promise;
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import type { SandboxOutcome, StoredPriorAuthorization } from './record.ts';

const font = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

/** Seconds for which a signed link can be used. */
export const linkLife = 300;

/** `/files/<id>/<name>?expires=...&signature=...`, signed with `key`. */
export function signedPath(key: Buffer, id: string, name: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + linkLife;
  const signature = signatureOf(key, id, name, expires);
  return `/files/${encodeURIComponent(id)}/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
}

export function isSigned(
  key: Buffer,
  id: string,
  name: string,
  query: { readonly expires: number; readonly signature: string },
  now: Date,
): boolean {
  const expected = Buffer.from(signatureOf(key, id, name, query.expires));
  const given = Buffer.from(query.signature);
  return given.length === expected.length && timingSafeEqual(given, expected) && query.expires >= now.getTime() / 1000;
}

/** The file of a record by its name in a link: a fax as PDF, or a card's image as it was sent. */
export async function fileOf(
  stored: StoredPriorAuthorization,
  name: string,
): Promise<{ readonly bytes: Buffer; readonly contentType: string } | undefined> {
  const card = /^card-(\d{1,3})$/.exec(name)?.[1];
  if (card !== undefined) {
    const content = stored.request.insurance?.[Number(card)]?.file_content;
    return content === undefined ? undefined : imageOf(Buffer.from(content, 'base64'));
  }
  const fax = stored.activity.find((entry) => entry.id === name);
  if (fax === undefined || fax.type === 'follow_up_call') return undefined;
  return {
    bytes: await pdf(
      fax.type === 'sent_fax' ? requestForm(stored, fax.createdAt) : letter(stored, fax.outcome, fax.createdAt),
    ),
    contentType: 'application/pdf',
  };
}

function signatureOf(key: Buffer, id: string, name: string, expires: number): string {
  return createHmac('sha256', key).update(`${id}\n${name}\n${expires}`).digest('hex');
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
}

function requestForm({ id, request }: StoredPriorAuthorization, at: string): Page {
  const { patient, prescription, provider, diagnoses } = request;
  return {
    title: 'Prior authorization request',
    lines: [
      `Reference: ${id}`,
      `Sent: ${at} UTC`,
      `Patient: ${patient.first_name} ${patient.last_name}, born ${patient.date_of_birth}`,
      `Drug: ${prescription.drug_name}, ${prescription.strength}, ${prescription.dose_form}`,
      `Directions: ${prescription.directions}`,
      `Quantity: ${prescription.quantity} ${prescription.dispense_unit}`,
      `Diagnoses: ${diagnoses.map(({ code }) => code).join(', ')}`,
      `Prescriber: ${provider.first_name} ${provider.last_name}, NPI ${provider.npi}`,
    ],
  };
}

function letter({ id, request }: StoredPriorAuthorization, outcome: SandboxOutcome, at: string): Page {
  const { patient, prescription } = request;
  return {
    title: 'Determination',
    lines: [
      `Reference: ${id}`,
      `Received: ${at} UTC`,
      `Member: ${patient.first_name} ${patient.last_name}, born ${patient.date_of_birth}`,
      `Drug: ${prescription.drug_name}, ${prescription.strength}`,
      `Determination: ${outcome.result}`,
      `Reason: ${outcome.detail ?? 'not stated'}`,
      ...(outcome.result === 'Denied' ? ['You have the right to appeal this decision within 180 days.'] : []),
    ],
  };
}

function pdf(page: Page): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const document = new PDFDocument({ size: 'LETTER', margin: 72, info: { Title: page.title } });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', () => resolve(Buffer.concat(chunks)));
  document.on('error', reject);
  document.font(font).fontSize(9).text('Sandbox. Invented people, no real payer.').moveDown(2);
  document.fontSize(18).text(page.title).moveDown();
  document.fontSize(11);
  for (const line of page.lines) document.text(line).moveDown(0.4);
  document.end();
  return promise;
}

import { dayText } from '../../../core/fhir/time/day-text.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import { drawFact, newPdf } from '../../../writeback/resources/pdf.ts';
import { print as words } from '../../pages/case/words.ts';
import { timeText } from '../../ui/time.tsx';
import { kindPages } from '../kind-pages.ts';
import { payerWords } from '../payer-words.ts';
import type { PrintedRequest } from './printed-request.ts';

interface Printing {
  /** `copy`: a copy of the sent request; `fax`: a form for the plan, with lines to sign. */
  readonly as: 'copy' | 'fax';
  readonly now: Date;
  /** The time zone for dates and times in the print. */
  readonly zone: string;
  /** The name of the service that staff know. */
  readonly service: string;
}

export type Pdf = PDFKit.PDFDocument;

/** The request as a tagged PDF in US letter size. */
export function renderRequest(request: PrintedRequest, printing: Printing): Promise<Uint8Array> {
  const title = titleOf(request, printing);
  const { pdf, done } = newPdf(title, printing.now, 'kept');
  drawLetterhead(pdf, request);
  part(pdf, 'H1', () => pdf.font('bold').fontSize(16).text(title));
  pdf.moveDown(0.4);
  if (printing.as === 'fax') drawCover(pdf, request);
  drawAbout(pdf, request, printing);
  if (request.note !== undefined) small(pdf, request.note, 'bold');
  for (const { title: heading, facts } of request.sections) {
    drawHeading(pdf, heading);
    for (const [label, value] of facts) part(pdf, 'P', () => drawFact(pdf, label, value));
  }
  drawAnswers(pdf, request);
  drawDocuments(pdf, request);
  if (printing.as === 'fax') drawSignature(pdf);
  drawImages(pdf, request.images);
  drawSending(pdf, request, printing);
  drawFooters(pdf, request.patient);
  pdf.end();
  return done;
}

function titleOf({ kind }: PrintedRequest, { as }: Printing): string {
  if (as === 'fax') return words.fax;
  return words.copy[kind];
}

export function part(pdf: Pdf, type: string, draw: () => void): void {
  pdf.addStructure(pdf.struct(type, {}, draw));
}

export function small(pdf: Pdf, text: string, font: 'text' | 'bold' = 'text'): void {
  part(pdf, 'P', () => pdf.font(font).fontSize(9).text(text, pdf.page.margins.left, undefined, { lineGap: 2 }));
}

export function drawHeading(pdf: Pdf, text: string): void {
  // Starts a new page if the heading would not stay together with a line of its section.
  if (pdf.y > pdf.page.height - pdf.page.margins.bottom - 60) pdf.addPage();
  pdf.moveDown(0.7);
  part(pdf, 'H2', () => pdf.font('bold').fontSize(12).text(text, pdf.page.margins.left));
  pdf.moveDown(0.3);
}

export function drawLetterhead(pdf: Pdf, { letterhead: { clinic, lines } }: Pick<PrintedRequest, 'letterhead'>): void {
  part(pdf, 'P', () => pdf.font('bold').fontSize(13).text(clinic));
  for (const line of lines) part(pdf, 'P', () => pdf.font('text').fontSize(9).text(line));
  rule(pdf, pdf.y + 5);
  pdf.moveDown(1.2);
}

/** The recipient and the urgency. Blank lines are for values that are filled in by hand. */
function drawCover(pdf: Pdf, { payer }: PrintedRequest): void {
  small(pdf, words.notSigned);
  pdf.moveDown(0.6);
  factOrBlank(pdf, words.plan, payer);
  for (const label of [words.planFax, words.pages]) blankLine(pdf, label);
  pdf.moveDown(0.3);
  part(pdf, 'P', () => pdf.font('bold').fontSize(10).text(words.urgency, pdf.page.margins.left));
  for (const choice of [words.standard, words.expedited]) box(pdf, choice);
}

/** What a clerk needs to sort the print: day, patient and drug; and who approved the request. */
function drawAbout(pdf: Pdf, { patient, drug, approved, sentAt }: PrintedRequest, { as, now, zone }: Printing): void {
  const date = as === 'copy' && sentAt !== undefined ? new Date(sentAt) : now;
  const facts = [
    [words.date, dayText(dayIn(date.getTime(), zone))],
    [words.patient, patient],
    [words.drug, drug],
    ...(approved === undefined
      ? []
      : [[words.approved, words.approvedBy(approved.by, timeText(new Date(approved.at), zone))]]),
  ] as const;
  pdf.moveDown(0.3);
  for (const [label, value] of facts) part(pdf, 'P', () => drawFact(pdf, label, value));
  if (approved !== undefined) small(pdf, words.approvedNote);
}

/** A fact, or a blank line to fill in by hand if the value is unknown. */
export function factOrBlank(pdf: Pdf, label: string, value: string | undefined): void {
  if (value === undefined) blankLine(pdf, label);
  else part(pdf, 'P', () => drawFact(pdf, label, value));
}

export function blankLine(pdf: Pdf, label: string): void {
  const { left, right } = pdf.page.margins;
  const top = pdf.y;
  part(pdf, 'P', () => pdf.font('text').fontSize(10).text(label, left, top, { width: 160 }));
  line(pdf, left + 170, pdf.page.width - right, top + 12);
  pdf.x = left;
  pdf.moveDown(0.5);
}

function box(pdf: Pdf, text: string): void {
  const { left, right } = pdf.page.margins;
  pdf.moveDown(0.3);
  const top = pdf.y;
  pdf.markContent('Artifact', { type: 'Layout' });
  pdf
    .rect(left, top + 1, 9, 9)
    .lineWidth(0.8)
    .stroke('#000000');
  pdf.endMarkedContent();
  const width = pdf.page.width - left - right - 16;
  part(pdf, 'P', () =>
    pdf
      .font('text')
      .fontSize(10)
      .text(text, left + 16, top, { width }),
  );
  pdf.x = left;
}

/** Two tables that may continue on the next page: the questions with their answers, and the trials of other drugs. */
function drawAnswers(pdf: Pdf, { answers: sent }: PrintedRequest): void {
  if (sent === undefined) return;
  const { answers, trials } = sent;
  drawHeading(pdf, payerWords.title);
  if (answers.length > 0)
    drawTable(pdf, {
      widths: [170, '*'],
      head: [payerWords.question, payerWords.answer],
      rows: answers.flatMap(({ question, lines }) => lines.map((line, index) => [index === 0 ? question : '', line])),
    });
  if (trials.length === 0) return;
  drawHeading(pdf, payerWords.trials);
  drawTable(pdf, {
    widths: [140, '*', 140],
    head: [payerWords.trialDrug, payerWords.trialTaken, payerWords.trialEnded],
    rows: trials.map(({ drug, taken, ended }) => [drug, taken, ended]),
  });
}

interface Table {
  readonly widths: readonly (number | '*')[];
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function drawTable(pdf: Pdf, { widths, head, rows }: Table): void {
  pdf.x = pdf.page.margins.left;
  pdf.font('text').fontSize(9);
  // pdfkit's types do not have `structParent`.
  const table = { structParent: pdf, columnStyles: widths.map((width) => ({ width })), defaultStyle: { padding: 4 } };
  const drawn = pdf.table({ ...table });
  drawn.row(head.map((text) => ({ text, type: 'TH' as const, scope: 'Column' as const, font: { src: 'bold' } })));
  for (const row of rows.flatMap(inParts)) drawn.row([...row]);
  drawn.end();
  pdf.x = pdf.page.margins.left;
  pdf.moveDown(0.5);
}

// A row must fit on a page, so longer texts continue in the next row.
function inParts(row: readonly string[]): string[][] {
  const columns = row.map((text) => text.match(longText) ?? ['']);
  const count = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) => columns.map((parts) => parts[index]?.trimEnd() ?? ''));
}

const longText = /[\s\S]{1,1000}(?:\s+|$)|\S{1,1000}/g;

function drawDocuments(pdf: Pdf, { documents, kind }: PrintedRequest): void {
  if (documents.length === 0 && kindPages[kind].evidence !== 'always') return;
  drawHeading(pdf, words.documents);
  if (documents.length === 0) small(pdf, words.noDocuments);
  for (const { title, lines } of documents) {
    pdf.moveDown(0.3);
    part(pdf, 'P', () => pdf.font('bold').fontSize(10).text(title, pdf.page.margins.left));
    for (const text of lines) small(pdf, text);
  }
}

function drawSignature(pdf: Pdf): void {
  if (pdf.y > pdf.page.height - pdf.page.margins.bottom - 90) pdf.addPage();
  pdf.moveDown(1.5);
  blankLine(pdf, words.sign);
  pdf.moveDown(0.5);
  blankLine(pdf, words.signDate);
  pdf.moveDown(0.5);
  small(pdf, words.confidential);
}

function drawImages(pdf: Pdf, images: readonly string[]): void {
  if (images.length === 0) return;
  drawHeading(pdf, words.cardImages(images.length));
  for (const content of images) {
    const { left, bottom } = pdf.page.margins;
    const [width, height] = [300, 190];
    if (pdf.y > pdf.page.height - bottom - height - 20) pdf.addPage();
    const image = openedImage(pdf, Buffer.from(content, 'base64'));
    if (image === undefined) small(pdf, words.cardUnreadable);
    else {
      const top = pdf.y;
      pdf.addStructure(
        pdf.struct('Figure', { alt: words.cardAlt }, () => pdf.image(image, left, top, { fit: [width, height] })),
      );
      pdf.x = left;
      pdf.y = top + height + 12;
    }
  }
}

type OpenedImage = PDFKit.Mixins.ImageSrc & { readonly width: number; readonly height: number };

// Opens a PNG or JPEG image; undefined for any other image, which the print then reports.
export function openedImage(pdf: Pdf, bytes: Buffer): OpenedImage | undefined {
  try {
    // pdfkit's types do not have `openImage`, which returns an image that `image` accepts.
    const opener = pdf as unknown as { openImage(bytes: Buffer): OpenedImage };
    return opener.openImage(bytes);
  } catch {
    return undefined;
  }
}

function drawSending(pdf: Pdf, request: PrintedRequest, { as, zone, service }: Printing): void {
  const { sentAt, serviceId, hash, support } = request;
  if (as === 'fax') return;
  pdf.moveDown(1);
  if (sentAt !== undefined) small(pdf, words.sentLine(timeText(new Date(sentAt), zone), serviceId, service));
  small(pdf, words.support(hash, support.prescriber, support.records));
}

/** Prints the patient and the page number on every page, because the pages of a fax may get separated. */
export function drawFooters(pdf: Pdf, patient: string): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    const { left, right, bottom } = pdf.page.margins;
    const top = pdf.page.height - bottom + 18;
    const width = pdf.page.width - left - right;
    // With a bottom margin, text below it would open a new page.
    pdf.page.margins.bottom = 0;
    pdf.markContent('Artifact', { type: 'Pagination' });
    pdf.font('text').fontSize(8).fillColor('#333333');
    pdf.text(patient, left, top, { width: width - 90, height: 10, ellipsis: true, lineBreak: false });
    pdf.text(words.page(index + 1, count), left + width - 85, top, { width: 85, align: 'right', lineBreak: false });
    pdf.endMarkedContent();
    pdf.page.margins.bottom = bottom;
  }
}

function rule(pdf: Pdf, y: number): void {
  line(pdf, pdf.page.margins.left, pdf.page.width - pdf.page.margins.right, y);
}

function line(pdf: Pdf, from: number, to: number, y: number): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  pdf.moveTo(from, y).lineTo(to, y).lineWidth(0.7).stroke('#000000');
  pdf.endMarkedContent();
}

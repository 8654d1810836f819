import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { letterFont } from './fonts.ts';

/** A PDF in progress. `done` has its bytes once it is ended. */
export interface Drawing {
  readonly pdf: PDFKit.PDFDocument;
  readonly done: Promise<Uint8Array>;
}

/**
 * Starts a tagged PDF of US letter size with the fonts `text` and `bold`. With `pages: 'kept'`, earlier pages can be
 * drawn on until the end.
 */
export function newPdf(title: string, created: Date, pages: 'kept' | 'streamed' = 'streamed'): Drawing {
  const pdf = new PDFDocument({
    size: 'LETTER',
    margin: 64,
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    pdfVersion: '1.7',
    bufferPages: pages === 'kept',
    info: { Title: title, Author: 'prior-auth-bridge', CreationDate: created },
  });
  const done = buffer(pdf);
  for (const name of ['text', 'bold'] as const) pdf.registerFont(name, letterFont(name));
  return { pdf, done };
}

const labelWidth = 170;

/** Draws a label and its value side by side; on the next page if they do not fit. */
export function drawFact(pdf: PDFKit.PDFDocument, label: string, value: string): void {
  const left = pdf.page.margins.left;
  const width = pdf.page.width - left - pdf.page.margins.right - labelWidth;
  pdf.font('text').fontSize(10);
  if (pdf.y + pdf.heightOfString(value, { width }) > pdf.page.height - pdf.page.margins.bottom) pdf.addPage();
  const top = pdf.y;
  pdf.text(label, left, top, { width: labelWidth - 10 });
  pdf.font('bold').text(value, left + labelWidth, top, { width });
  pdf.moveDown(0.4);
  pdf.x = left;
}

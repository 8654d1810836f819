import type { Case } from '../../../cases/case.ts';
import type { Site } from '../../../config/config.ts';
import { drawFact, newPdf } from '../../../writeback/resources/pdf.ts';
import { type NoticeFor, noticeOf } from './notice.ts';
import { letterheadOfCase, patientLine } from './printed-request.ts';
import { drawFooters, drawLetterhead, part } from './request-pdf.ts';

/** The notice of a decision as a tagged PDF in US letter size; undefined if there is no decision to report. */
export async function renderNotice(
  one: Case,
  site: Site,
  { reader, now }: { readonly reader: NoticeFor; readonly now: Date },
): Promise<Uint8Array | undefined> {
  const notice = noticeOf(one, site, { reader, now });
  if (notice === undefined) return undefined;
  const { pdf, done } = newPdf(notice.title, now, 'kept');
  const letterhead = letterheadOfCase(one, site);
  if (letterhead !== undefined) drawLetterhead(pdf, { letterhead });
  part(pdf, 'H1', () => pdf.font('bold').fontSize(16).text(notice.title));
  pdf.moveDown(0.6);
  for (const text of notice.says) {
    part(pdf, 'P', () => pdf.font('text').fontSize(12).text(text, pdf.page.margins.left, undefined, { lineGap: 3 }));
    pdf.moveDown(0.5);
  }
  for (const [label, value] of notice.facts) part(pdf, 'P', () => drawFact(pdf, label, value));
  pdf.moveDown(0.8);
  part(pdf, 'P', () => pdf.font('text').fontSize(10).text(notice.source, pdf.page.margins.left));
  drawFooters(pdf, patientLine(one.banner));
  pdf.end();
  return done;
}

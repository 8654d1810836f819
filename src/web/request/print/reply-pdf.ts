import { type Case, isSent } from '../../../cases/case.ts';
import type { ReplyDocument } from '../../../cases/rounds/reply.ts';
import type { Reply, Round } from '../../../cases/rounds/round.ts';
import { maskedText } from '../../../cases/rounds/secrets.ts';
import type { Site } from '../../../config/config.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import { drawFact, newPdf } from '../../../writeback/resources/pdf.ts';
import { questionWords, packetWords as words } from '../../pages/case/question-words.ts';
import { print } from '../../pages/case/words.ts';
import { contentLines } from '../content-words.ts';
import { type AnsweredQuestion, answersIn } from '../reply-answers.ts';
import { printedRequestOf } from './printed-request.ts';
import { blankLine, drawFooters, drawHeading, drawLetterhead, type Pdf, part, small } from './request-pdf.ts';

/** The content of a printed reply: a cover, the question, the answer and the enclosures, each on its own pages. */
export interface PrintedReply {
  readonly one: Case;
  readonly site: Site;
  readonly round: Round;
  readonly reply: Reply;
  /** As `Cases.replyContent` gives them: the reply itself first. */
  readonly content: readonly ReplyDocument[];
  readonly now: Date;
}

/** The packet as a tagged PDF of US letter size, whose cover names the page of each enclosure. */
export async function renderReply(printed: PrintedReply): Promise<Uint8Array> {
  // Page numbers are known only after drawing.
  const { pages } = await draw(printed, []);
  const { bytes } = await draw(printed, pages);
  return bytes;
}

async function draw(
  printed: PrintedReply,
  pages: readonly number[],
): Promise<{ readonly bytes: Uint8Array; readonly pages: readonly number[] }> {
  const { one, site, now } = printed;
  const request = printedRequestOf(one, site);
  const { pdf, done } = newPdf(words.title, now, 'kept');
  if (request !== undefined) drawLetterhead(pdf, request);
  drawCover(pdf, printed, pages);
  drawQuestion(pdf, printed);
  const [, ...enclosed] = printed.content;
  const starts = enclosed.map((document) => drawEnclosure(pdf, document));
  drawFooters(pdf, request?.patient ?? one.banner.name);
  pdf.end();
  return { bytes: await done, pages: starts };
}

function drawCover(pdf: Pdf, { one, site, reply, content, now }: PrintedReply, pages: readonly number[]): void {
  part(pdf, 'H1', () => pdf.font('bold').fontSize(16).text(words.cover));
  pdf.moveDown(0.6);
  for (const label of [words.to, words.toFax]) blankLine(pdf, label);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.from, reply.by === 'bridge' ? site.name : `${reply.by.name ?? ''}, ${site.name}`.replace(/^, /, '')],
    [words.date, dayText(dayIn(now.getTime(), site.timeZone))],
    [
      words.about,
      `${one.banner.name}${one.banner.birthDate === undefined ? '' : `, born ${dayText(one.banner.birthDate)}`}`,
    ],
    [words.drug, one.title],
    [words.reference, isSent(one) && 'serviceId' in one ? one.serviceId : undefined],
  ];
  for (const [label, value] of facts)
    if (value !== undefined && value !== '') part(pdf, 'P', () => drawFact(pdf, label, value));
  drawHeading(pdf, words.enclosures);
  const [, ...enclosed] = content;
  if (enclosed.length === 0) small(pdf, words.noEnclosures);
  for (const [index, { title }] of enclosed.entries())
    part(pdf, 'P', () => drawFact(pdf, words.onPage(pages[index] ?? 0), title));
  pdf.moveDown(1);
  small(pdf, print.confidential);
}

function drawQuestion(pdf: Pdf, { round, reply }: PrintedReply): void {
  drawHeading(pdf, words.question);
  const texts = new Set(
    round.asked.flatMap(({ fields }) => fields.map((field) => maskedText(field, questionWords.hidden))),
  );
  if (texts.size === 0) small(pdf, words.noQuestion);
  for (const text of texts) paragraph(pdf, text);
  drawHeading(pdf, words.answer);
  paragraph(pdf, reply.text === '' ? words.noAnswer : reply.text);
}

/** On a page of its own; the number of that page. */
function drawEnclosure(pdf: Pdf, { title, date_created: date, content }: ReplyDocument): number {
  pdf.addPage();
  const { start, count } = pdf.bufferedPageRange();
  part(pdf, 'H2', () =>
    pdf
      .font('bold')
      .fontSize(13)
      .text(`${title}, ${dayText(date)}`, pdf.page.margins.left),
  );
  pdf.moveDown(0.5);
  const answered = answersIn(content);
  if (content === undefined) small(pdf, words.separate);
  else if (answered !== undefined) for (const one of answered) drawAnswered(pdf, one);
  else for (const line of contentLines(content)) paragraph(pdf, line);
  return start + count;
}

function drawAnswered(pdf: Pdf, { question, answers }: AnsweredQuestion): void {
  drawHeading(pdf, question);
  for (const { answer, source } of answers) {
    paragraph(pdf, answer);
    if (source !== undefined) small(pdf, source);
  }
}

function paragraph(pdf: Pdf, text: string): void {
  part(pdf, 'P', () => pdf.font('text').fontSize(10).text(text, pdf.page.margins.left, undefined, { lineGap: 2 }));
  pdf.moveDown(0.2);
}

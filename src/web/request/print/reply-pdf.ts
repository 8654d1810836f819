import { type Case, isSent, recordOf } from '../../../cases/case.ts';
import { questionsIn } from '../../../cases/question.ts';
import type { ReplyDocument } from '../../../cases/rounds/reply.ts';
import type { Reply, Round } from '../../../cases/rounds/round.ts';
import { maskedText } from '../../../cases/rounds/secrets.ts';
import type { Site } from '../../../config/config.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import { enclosedFrame, type PageLayout } from '../../../ehr/documents/enclosed-limits.ts';
import { drawFact, newPdf } from '../../../writeback/resources/pdf.ts';
import { payerOf } from '../../pages/case/appeal.ts';
import { questionWords, packetWords as words } from '../../pages/case/question-words.ts';
import { print, serviceName } from '../../pages/case/words.ts';
import { contentLines } from '../content-words.ts';
import { targetOf } from '../kind-pages.ts';
import { leavesOf } from '../leaves.ts';
import { type AnsweredQuestion, answersIn } from '../reply-answers.ts';
import { type Enclosure, enclosuresOf, leftOut, withPages } from './enclosures.ts';
import { printedRequestOf } from './printed-request.ts';
import {
  blankLine,
  drawFooters,
  drawHeading,
  drawLetterhead,
  factOrBlank,
  openedImage,
  type Pdf,
  part,
  small,
} from './request-pdf.ts';

/** What is printed for a reply: a cover, the question, the answer and the enclosures, each on its own pages. */
export interface PrintedReply {
  readonly one: Case;
  readonly site: Site;
  readonly round: Round;
  readonly reply: Reply;
  /** The documents as `Cases.replyContent` returns them: the reply's own text first. */
  readonly content: readonly ReplyDocument[];
  readonly now: Date;
}

/**
 * The packet as a tagged PDF in US letter size. The cover lists the page of each enclosure, or why an enclosure cannot
 * be printed.
 */
export async function renderReply(printed: PrintedReply): Promise<Uint8Array> {
  const { one, content } = printed;
  const [, ...documents] = content;
  const enclosures = await enclosuresOf(documents, one.patient);
  const packet = await packetOf(printed, enclosures);
  if (!('unreadable' in packet)) return packet;
  // Each PDF can be printed, but all of them together are too large.
  const without = enclosures.map(({ title, date, ...each }) =>
    each.kind === 'pdf' ? { title, date, ...leftOut(packet.unreadable) } : { title, date, ...each },
  );
  return (await draw(printed, without)).bytes;
}

async function packetOf(
  printed: PrintedReply,
  enclosures: readonly Enclosure[],
): Promise<Uint8Array | { readonly unreadable: string }> {
  const { bytes, pages } = await draw(printed, enclosures);
  const enclosed = enclosures.flatMap((each, index) =>
    each.kind === 'pdf' ? [{ data: each.data, on: (pages[index] ?? 0) - 1 }] : [],
  );
  return await withPages(bytes, enclosed, printed.one.patient);
}

interface Drawn {
  readonly bytes: Uint8Array;
  /** The first page of each enclosure, from 1; undefined for an enclosure that is left out. */
  readonly pages: readonly (number | undefined)[];
}

async function draw(printed: PrintedReply, enclosures: readonly Enclosure[]): Promise<Drawn> {
  // The cover lists page numbers, which are known only after drawing, so the packet is drawn twice.
  const { pages } = await drawWith(printed, enclosures, []);
  return await drawWith(printed, enclosures, pages);
}

async function drawWith(
  printed: PrintedReply,
  enclosures: readonly Enclosure[],
  pages: Drawn['pages'],
): Promise<Drawn> {
  const { one, site, now } = printed;
  const request = printedRequestOf(one, site);
  const { pdf, done } = newPdf(words.title, now, 'kept');
  if (request !== undefined) drawLetterhead(pdf, request);
  drawCover(pdf, printed);
  drawEnclosed(pdf, enclosures, pages);
  drawQuestion(pdf, printed);
  const starts = enclosures.map((each, index) => drawEnclosure(pdf, each, { index, of: enclosures.length }));
  drawFooters(pdf, request?.patient ?? one.banner.name);
  pdf.end();
  return { bytes: await done, pages: starts };
}

function drawCover(pdf: Pdf, { one, site, reply, now }: PrintedReply): void {
  part(pdf, 'H1', () => pdf.font('bold').fontSize(16).text(words.cover));
  pdf.moveDown(0.6);
  factOrBlank(pdf, words.to, payerOf(one));
  blankLine(pdf, words.toFax);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.from, reply.by === 'bridge' ? site.name : `${reply.by.name ?? ''}, ${site.name}`.replace(/^, /, '')],
    [words.date, dayText(dayIn(now.getTime(), site.timeZone))],
    [
      words.about,
      `${one.banner.name}${one.banner.birthDate === undefined ? '' : `, born ${dayText(one.banner.birthDate)}`}`,
    ],
    [words.memberId, memberIdOf(one)],
    [words.drug, one.title],
    [words.requestId(serviceName(site)), isSent(one) && 'serviceId' in one ? one.serviceId : undefined],
  ];
  for (const [label, value] of facts)
    if (value !== undefined && value !== '') part(pdf, 'P', () => drawFact(pdf, label, value));
}

function memberIdOf(one: Case): string | undefined {
  const member = isSent(one) ? leavesOf(one.body).get(targetOf(one.kind, 'member') ?? '') : undefined;
  return member === undefined ? undefined : String(member);
}

function drawEnclosed(pdf: Pdf, enclosures: readonly Enclosure[], pages: Drawn['pages']): void {
  drawHeading(pdf, words.enclosures);
  if (enclosures.length === 0) small(pdf, words.noEnclosures);
  for (const [index, each] of enclosures.entries()) {
    const label = each.kind === 'left-out' ? words.separately : words.onPage(pages[index] ?? 0);
    const text = each.kind === 'left-out' ? words.leftOut(each.title, whyLeftOut(each)) : each.title;
    part(pdf, 'P', () => drawFact(pdf, label, text));
  }
  pdf.moveDown(1);
  small(pdf, print.confidential);
}

function drawQuestion(pdf: Pdf, { one, round, reply }: PrintedReply): void {
  drawHeading(pdf, words.question);
  const sent = round.asked.flatMap(({ fields }) => fields.map((field) => maskedText(field, questionWords.hidden)));
  // If the question has no message, the notes of calls that ask something are printed.
  const texts = new Set(sent.length > 0 ? sent : questionsIn(recordOf(one)).map(({ text }) => text));
  if (texts.size === 0) small(pdf, words.noQuestion);
  for (const text of texts) paragraph(pdf, text);
  drawHeading(pdf, words.answer);
  paragraph(pdf, reply.text === '' ? words.noAnswer : reply.text);
}

/**
 * The reason in words for the person who prints. Memory and time limits of the document reader mean nothing to them.
 */
function whyLeftOut({ why }: Of<'left-out'>): string {
  return /memory|too long/.test(why) ? words.tooLarge : why;
}

interface Place {
  readonly index: number;
  readonly of: number;
}

/** Draws an enclosure on its own pages. Returns the number of its first page. */
function drawEnclosure(pdf: Pdf, enclosure: Enclosure, place: Place): number | undefined {
  if (enclosure.kind === 'left-out') return undefined;
  const { start, count } = pdf.bufferedPageRange();
  if (enclosure.kind === 'text') drawContent(pdf, enclosure, place);
  else if (enclosure.kind === 'picture') drawPicture(pdf, enclosure, place);
  else drawPages(pdf, enclosure, place);
  return start + count + 1;
}

type Of<Kind> = Extract<Enclosure, { readonly kind: Kind }>;

function drawContent(pdf: Pdf, enclosure: Of<'text'>, place: Place): void {
  pdf.addPage();
  drawTitle(pdf, 'H2', lineOf(enclosure, place));
  pdf.moveDown(0.5);
  const answered = answersIn(enclosure.content);
  if (answered !== undefined) for (const one of answered) drawAnswered(pdf, one);
  else for (const line of contentLines(enclosure.content)) paragraph(pdf, line);
}

/** Draws empty pages with a heading. The pages of the PDF are placed on them later. */
function drawPages(pdf: Pdf, { pages, ...enclosure }: Of<'pdf'>, place: Place): void {
  for (const [index, layout] of pages.entries())
    openFrame(pdf, layout, {
      type: index === 0 ? 'H2' : 'P',
      text: lineOf(enclosure, place, pages.length === 1 ? '' : words.pageOfFile(index + 1, pages.length)),
    });
}

function drawPicture(pdf: Pdf, enclosure: Of<'picture'>, place: Place): void {
  const image = openedImage(pdf, enclosure.bytes);
  const layout = image !== undefined && image.width > image.height ? 'landscape' : 'portrait';
  openFrame(pdf, layout, { type: 'H2', text: lineOf(enclosure, place) });
  if (image === undefined) small(pdf, words.badPicture);
  else pdf.addStructure(pdf.struct('Figure', { alt: enclosure.title }, () => drawFitted(pdf, image)));
}

function drawFitted(pdf: Pdf, image: PDFKit.Mixins.ImageSrc): void {
  const { side, top, bottom } = enclosedFrame;
  const [width, height] = [pdf.page.width - 2 * side, pdf.page.height - top - bottom];
  pdf.image(image, side, top, { fit: [width, height], align: 'center' });
}

/** Opens a page with narrow margins and one line of text above its content. */
function openFrame(
  pdf: Pdf,
  layout: PageLayout,
  { type, text }: { readonly type: 'H2' | 'P'; readonly text: string },
): void {
  const { side, top, bottom } = enclosedFrame;
  pdf.addPage({ size: 'LETTER', layout, margins: { left: side, right: side, top: 36, bottom } });
  drawTitle(pdf, type, text, top - 36);
}

function lineOf({ title, date }: Pick<Enclosure, 'title' | 'date'>, { index, of }: Place, page = ''): string {
  return `${words.enclosure(index + 1, of)}: ${title}, ${dayText(date)}${page}`;
}

function drawTitle(pdf: Pdf, type: 'H2' | 'P', text: string, height?: number): void {
  const { left, right } = pdf.page.margins;
  // A title that is too long for its line is cut off; the cover has the full title.
  const cut = height === undefined ? {} : { height: height - 12, ellipsis: true };
  part(pdf, type, () =>
    pdf
      .font('bold')
      .fontSize(height === undefined ? 13 : 10)
      .text(text, left, undefined, { width: pdf.page.width - left - right, ...cut }),
  );
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

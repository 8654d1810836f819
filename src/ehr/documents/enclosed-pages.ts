import {
  concatTransformationMatrix,
  drawObject,
  PDFArray,
  PDFDict,
  PDFDocument,
  type PDFEmbeddedPage,
  PDFName,
  PDFNumber,
  type PDFOperator,
  type PDFPage,
  PDFRef,
  PDFStream,
  popGraphicsState,
  pushGraphicsState,
} from '@cantoo/pdf-lib';
import { bytesOf } from '../../core/fhir/documents/bytes.ts';
import type { Unreadable } from '../../core/fhir/documents/readings.ts';
import { enclosedFrame, enclosedLimits, type PageLayout } from './enclosed-limits.ts';

export type PagesReading = { readonly pages: readonly PageLayout[] } | Unreadable;
/** A PDF in base64. */
export type PacketReading = { readonly pdf: string } | Unreadable;

/** A PDF to be drawn onto existing pages, one page on each. */
export interface EnclosedPdf {
  /** Base64. */
  readonly data: string;
  /** Index of the page that receives the first page of this PDF. */
  readonly on: number;
}

/** Checks that a PDF can be enclosed, by a trial like `fillPages`, and returns the layout of each page. */
export async function readPages(data: string): Promise<PagesReading> {
  const opened = await open(data);
  if ('unreadable' in opened) return opened;
  try {
    const pages = opened.source.getPages();
    const trial = await PDFDocument.create();
    for (const page of pages) await enclose(page, trial.addPage());
    await trial.save();
    return { pages: pages.map(layoutOf) };
  } catch {
    return damaged;
  }
}

/** Draws each enclosed page onto its page of the packet, scaled to fit. */
export async function fillPages(data: string, enclosed: readonly EnclosedPdf[]): Promise<PacketReading> {
  const packet = await PDFDocument.load(Buffer.from(data, 'base64'), { updateMetadata: false });
  const places = packet.getPages();
  for (const { data: file, on } of enclosed) {
    const opened = await open(file);
    if ('unreadable' in opened) return opened;
    for (const [index, page] of opened.source.getPages().entries()) {
      const place = places[on + index];
      if (place !== undefined) await enclose(page, place);
    }
  }
  return { pdf: Buffer.from(await packet.save()).toString('base64') };
}

const damaged: Unreadable = { unreadable: 'the PDF is damaged' };
const locked: Unreadable = { unreadable: 'the PDF is locked with a password' };

async function open(data: string): Promise<{ readonly source: PDFDocument } | Unreadable> {
  const bytes = bytesOf(data, enclosedLimits.bytes);
  if ('unreadable' in bytes) return bytes;
  const count = await countIn(bytes);
  if (typeof count !== 'number') return count;
  if (count > enclosedLimits.pages) return { unreadable: `it has more than ${enclosedLimits.pages} pages` };
  try {
    // With an empty password, a file opens that only its author may change.
    const source = await PDFDocument.load(bytes, { password: '', updateMetadata: false });
    // The library repairs a damaged file by dropping parts, so the number of pages is compared.
    return count === 0 || source.getPageCount() !== count || source.getPages().some(lacksContent)
      ? damaged
      : { source };
  } catch {
    return damaged;
  }
}

/** Counts the pages with another library, which does not have to read them all. */
async function countIn(bytes: Buffer): Promise<number | Unreadable> {
  const { getDocumentProxy } = await import('unpdf');
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    const { numPages } = pdf;
    await pdf.loadingTask.destroy();
    return numPages;
  } catch (error) {
    return error instanceof Error && error.name === 'PasswordException' ? locked : damaged;
  }
}

function lacksContent({ node, doc: { context } }: PDFPage): boolean {
  const content = node.get(PDFName.of('Contents'));
  if (content === undefined) return false;
  const found = context.lookup(content);
  return found instanceof PDFArray
    ? found.asArray().some((part) => !(context.lookup(part) instanceof PDFStream))
    : !(found instanceof PDFStream);
}

async function enclose(page: PDFPage, place: PDFPage): Promise<void> {
  drawAnnotations(page);
  if (page.node.Contents() === undefined) return; // an empty page
  const { x, y, width, height } = page.getCropBox();
  const box = { left: x, bottom: y, right: x + width, top: y + height };
  const embedded = await place.doc.embedPage(page, box);
  const name = place.node.newXObject('Enclosed', embedded.ref);
  const matrix = matrixOn(place, embedded, turnOf(page));
  place.pushOperators(pushGraphicsState(), matrix, drawObject(name), popGraphicsState());
  await embedded.embed();
}

/** Degrees by which a viewer turns the page clockwise. */
function turnOf(page: PDFPage): number {
  return ((page.getRotation().angle % 360) + 360) % 360;
}

function layoutOf(page: PDFPage): PageLayout {
  const { width, height } = page.getCropBox();
  return (turnOf(page) % 180 === 0) === width <= height ? 'portrait' : 'landscape';
}

/** Scales the page down to the frame, never up, centered horizontally at the top. */
function matrixOn(place: PDFPage, { width, height }: PDFEmbeddedPage, turn: number): PDFOperator {
  const { side, top, bottom } = enclosedFrame;
  const [wide, high] = turn % 180 === 0 ? [width, height] : [height, width];
  const frame = { width: place.getWidth() - 2 * side, height: place.getHeight() - top - bottom };
  const scale = Math.min(1, frame.width / wide, frame.height / high);
  const x = side + (frame.width - scale * wide) / 2;
  const y = bottom + frame.height - scale * high;
  if (turn === 90) return concatTransformationMatrix(0, -scale, scale, 0, x, y + scale * width);
  if (turn === 180) return concatTransformationMatrix(-scale, 0, 0, -scale, x + scale * width, y + scale * height);
  if (turn === 270) return concatTransformationMatrix(0, scale, -scale, 0, x + scale * height, y);
  return concatTransformationMatrix(scale, 0, 0, scale, x, y);
}

/** Draws form fields, stamps and remarks into the page content, because only the content is enclosed. */
function drawAnnotations(page: PDFPage): void {
  const { context } = page.doc;
  for (const each of page.node.Annots()?.asArray() ?? []) {
    const annotation = context.lookup(each);
    if (!(annotation instanceof PDFDict) || !isShown(annotation)) continue;
    const found = appearanceOf(annotation);
    const rect = numbersIn(annotation, 'Rect', 4);
    const box = found === undefined ? undefined : numbersIn(found.stream.dict, 'BBox', 4);
    if (found === undefined || rect === undefined || box === undefined) continue;
    const matrix = numbersIn(found.stream.dict, 'Matrix', 6) ?? [1, 0, 0, 1, 0, 0];
    const name = page.node.newXObject('Annotation', found.ref);
    page.pushOperators(pushGraphicsState(), fitted(box, matrix, rect), drawObject(name), popGraphicsState());
  }
}

/** Annotation flags Hidden and NoView (ISO 32000-1, 12.5.3). */
const hiddenFlags = 0b100010;

function isShown(annotation: PDFDict): boolean {
  const flags = annotation.lookupMaybe(PDFName.of('F'), PDFNumber)?.asNumber() ?? 0;
  const kind = annotation.lookupMaybe(PDFName.of('Subtype'), PDFName)?.decodeText();
  return (flags & hiddenFlags) === 0 && kind !== 'Popup' && kind !== 'Link';
}

function appearanceOf(annotation: PDFDict): { readonly ref: PDFRef; readonly stream: PDFStream } | undefined {
  const normal = annotation.lookupMaybe(PDFName.of('AP'), PDFDict)?.get(PDFName.of('N'));
  const { context } = annotation;
  const states = normal === undefined ? undefined : context.lookup(normal);
  const state = annotation.lookupMaybe(PDFName.of('AS'), PDFName);
  const ref = states instanceof PDFDict && state !== undefined ? states.get(state) : normal;
  const stream = ref === undefined ? undefined : context.lookup(ref);
  return ref instanceof PDFRef && stream instanceof PDFStream ? { ref, stream } : undefined;
}

function numbersIn(dict: PDFDict, key: string, count: number): number[] | undefined {
  const numbers = dict.lookupMaybe(PDFName.of(key), PDFArray)?.asArray() ?? [];
  const found = numbers.map((each) => dict.context.lookup(each));
  const values = found.flatMap((each) => (each instanceof PDFNumber ? [each.asNumber()] : []));
  return values.length === count ? values : undefined;
}

/** ISO 32000-1, 12.5.5, algorithm 8.1: maps the appearance's box, transformed by its matrix, onto the rectangle. */
function fitted(box: readonly number[], matrix: readonly number[], rect: readonly number[]): PDFOperator {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
  const [left = 0, bottom = 0, right = 0, top = 0] = box;
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  );
  const xs = span(corners.map(([x]) => x));
  const ys = span(corners.map(([, y]) => y));
  const to = { x: span([rect[0] ?? 0, rect[2] ?? 0]), y: span([rect[1] ?? 0, rect[3] ?? 0]) };
  const scale = { x: xs.size === 0 ? 1 : to.x.size / xs.size, y: ys.size === 0 ? 1 : to.y.size / ys.size };
  return concatTransformationMatrix(
    scale.x,
    0,
    0,
    scale.y,
    to.x.start - xs.start * scale.x,
    to.y.start - ys.start * scale.y,
  );
}

function span(values: readonly number[]): { readonly start: number; readonly size: number } {
  const start = Math.min(...values);
  return { start, size: Math.max(...values) - start };
}

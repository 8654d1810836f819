import PDFDocument from 'pdfkit';
import { Jimp } from '../../../src/ehr/documents/image-formats.ts';

/** A small PDF in base64, one page per text. */
export async function pdfOf(pages: readonly string[], options: PDFKit.PDFDocumentOptions = {}): Promise<string> {
  const pdf = new PDFDocument({ autoFirstPage: false, ...options });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.on('end', resolve));
  for (const text of pages) pdf.addPage().text(text);
  pdf.end();
  await ended;
  return Buffer.concat(chunks).toString('base64');
}

export type Painted = 'image/png' | 'image/jpeg' | 'image/bmp' | 'image/tiff' | 'image/gif';

/** An image with a pattern that does not compress away, in base64. */
export async function imageOf(
  type: Painted,
  width: number,
  height: number,
  options: { readonly noise?: boolean; readonly transparent?: boolean } = {},
): Promise<string> {
  const image = new Jimp({ width, height, color: options.transparent === true ? 0x00000000 : 0xffffffff });
  if (options.noise === true) {
    let seed = 7;
    for (let at = 0; at < image.bitmap.data.length; at += 4) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      image.bitmap.data.writeUInt32BE((seed | 0xff) >>> 0, at);
    }
  }
  return (await image.getBuffer(type)).toString('base64');
}

/** Decoded again: what the service would see. */
export async function decoded(
  data: string,
): Promise<{ readonly width: number; readonly height: number; readonly corner: number; readonly bytes: number }> {
  const bytes = Buffer.from(data, 'base64');
  const image = await Jimp.fromBuffer(bytes);
  return { width: image.width, height: image.height, corner: image.getPixelColor(0, 0), bytes: bytes.length };
}

export function base64(text: string, encoding: BufferEncoding = 'utf8'): string {
  return Buffer.from(text, encoding).toString('base64');
}

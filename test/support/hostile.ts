import { crc32, createDeflate, deflateSync } from 'node:zlib';
import type { FileJob } from '../../src/ehr/documents/reading-process.ts';
import { imageOf } from '../ehr/documents/support.ts';

/** A small file that unfolds, or claims to unfold, to far more than any document holds. */
export interface Hostile {
  readonly what: string;
  readonly job: FileJob;
}

/** What a stranger can hand in as a document or a picture; `megabytes` is what the worst of them unfolds to. */
export async function hostileFiles(megabytes: number): Promise<readonly Hostile[]> {
  return [...(await hostilePdfs(megabytes)), ...hostileTexts(), ...(await hostilePictures(megabytes))];
}

export async function hostilePdfs(megabytes: number): Promise<readonly Hostile[]> {
  const once = await deflated(megabytes);
  const twice = deflateSync(once);
  const lzw = deflateSync(lzwOfBlanks(megabytes));
  const runs = deflateSync(Buffer.alloc(megabytes * 15_625, Buffer.from([129, 32])));
  const streams: readonly (readonly [string, string, Buffer])[] = [
    ['filtered once', '/Filter/FlateDecode', once],
    ['filtered twice', '/Filter[/FlateDecode/FlateDecode]', twice],
    ['filtered three times', '/Filter[/FlateDecode/FlateDecode/FlateDecode]', deflateSync(twice)],
    ['in ASCII hexadecimal, filtered twice', '/Filter[/AHx/Fl/Fl]', Buffer.from(`${twice.toString('hex')}>`)],
    ['of LZW in Flate', '/Filter[/FlateDecode/LZWDecode]', lzw],
    ['of runs in Flate', '/Filter[/FlateDecode/RunLengthDecode]', runs],
    ['with a predictor of endless rows', '/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 900000000>>', once],
  ];
  return [
    ...streams.map(([what, filter, bytes]) => pdf(`a PDF ${what}`, plainPage(filter, bytes))),
    pdf('a PDF whose objects are in a stream filtered twice', [
      ...firstObjects,
      stream('/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]', twice),
    ]),
    pdf('a PDF whose font is filtered twice', [
      ...firstObjects,
      '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/MediaBox[0 0 9 9]>>',
      stream('', Buffer.from('BT /F 9 Tf (x) Tj ET')),
      '<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor 6 0 R>>',
      '<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 7 0 R>>',
      stream('/Filter[/FlateDecode/FlateDecode]', twice),
    ]),
    text('a PDF whose table is a stream filtered twice', 'application/pdf', pdfWithTable(twice)),
  ];
}

/** So many empty pages below one another's parent. */
export function pdfOfPages(count: number): Hostile {
  const kids = Array.from({ length: count }, (_, index) => `${index + 3} 0 R`).join(' ');
  return pdf(`a PDF of ${count} pages`, [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
    ...Array.from({ length: count }, () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'),
  ]);
}

export function hostileTexts(): readonly Hostile[] {
  const rtf = (content: string) => Buffer.from(`{\\rtf1\\ansi ${content}}`);
  return [
    text('RTF with a length of two gigabytes', 'application/rtf', rtf('\\bin2000000000 x')),
    text('RTF with many lengths', 'application/rtf', rtf('{\\bin90000000 }'.repeat(200_000))),
    text('RTF of a million groups in one another', 'application/rtf', rtf('{'.repeat(1_000_000))),
    text('RTF of three million words', 'application/rtf', rtf('\\b'.repeat(3_000_000))),
    text('HTML of elements in one another', 'text/html', Buffer.from('<ol><li>'.repeat(1_000_000))),
    text('HTML of entities', 'text/html', Buffer.from('&NotEqualTilde;'.repeat(600_000))),
    text('HTML of one tag', 'text/html', Buffer.from(`<p ${'a='.repeat(4_000_000)}`)),
    text('text of ten megabytes', 'text/plain', Buffer.alloc(9_900_000, 'a ')),
    text('text of one line end after another', 'text/plain', Buffer.alloc(9_900_000, '\n')),
    text('text in UTF-16', 'text/plain; charset=utf-16le', Buffer.alloc(9_900_000, Buffer.from('\u4e00', 'utf16le'))),
    text('text in UTF-7', 'text/plain; charset=utf-7', Buffer.alloc(9_900_000, '+AGE-')),
    text('a Word file', 'application/vnd.openxmlformats-officedocument', zipOf('word/document.xml')),
    text('a workbook called text', 'text/plain', zipOf('xl/workbook.xml')),
    text('an attachment of twenty megabytes', 'application/pdf', Buffer.alloc(15_000_000, '%PDF-1.7 ')),
  ];
}

export async function hostilePictures(megabytes: number): Promise<readonly Hostile[]> {
  const once = await deflated(megabytes);
  const side = 6300;
  const jpeg = Buffer.from(await imageOf('image/jpeg', 64, 64), 'base64');
  const frame = jpeg.indexOf(Buffer.from('ffc0', 'hex'));
  jpeg.writeUInt16BE(side, frame + 5);
  jpeg.writeUInt16BE(side, frame + 7);
  return [
    picture('a PNG of 40 million pixels', 'image/png', png(side, deflateSync(Buffer.alloc(side * (side * 4 + 1))), 0)),
    picture('a PNG of more data than pixels', 'image/png', png(20, once, 0)),
    picture('an interlaced PNG of more data than pixels', 'image/png', png(20, once, 1)),
    picture('a JPEG of 40 million pixels', 'image/jpeg', jpeg),
    picture('a GIF of 40 million pixels', 'image/gif', gif(side)),
    picture('a BMP of 40 million pixels', 'image/bmp', bmp(side)),
    picture('a TIFF of two hundred pages of 40 million pixels', 'image/tiff', tiff(side, 200)),
  ];
}

function text(what: string, contentType: string, bytes: Buffer): Hostile {
  return { what, job: { kind: 'text', contentType, data: bytes.toString('base64') } };
}

function picture(what: string, contentType: string, bytes: Buffer): Hostile {
  return { what, job: { kind: 'image', contentType, data: bytes.toString('base64') } };
}

const made = new Map<number, Promise<Buffer>>();

/** So many megabytes of blanks, without ever holding them. */
function deflated(megabytes: number): Promise<Buffer> {
  const known = made.get(megabytes) ?? deflate(megabytes);
  made.set(megabytes, known);
  return known;
}

async function deflate(megabytes: number): Promise<Buffer> {
  const stream = createDeflate({ level: 9 });
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => stream.once('end', resolve));
  const blanks = Buffer.alloc(1_000_000, ' ');
  for (let count = 0; count < megabytes; count += 1)
    await new Promise<void>((resolve) => stream.write(blanks, () => resolve()));
  stream.end();
  await ended;
  return Buffer.concat(parts);
}

/** LZW as PDF has it (ISO 32000-1, 7.4.4): a table that grows by one blank with each code, over and over. */
function lzwOfBlanks(megabytes: number): Buffer {
  const [clear, end, first, last] = [256, 257, 258, 4093];
  const bits: string[] = [];
  const cycles = Math.ceil(megabytes / 7.3);
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    let [width, table] = [9, first];
    const put = (code: number) => bits.push(code.toString(2).padStart(width, '0'));
    put(clear);
    put(32);
    while (table < last) {
      put(table);
      table += 1;
      width = table >= 2047 ? 12 : table >= 1023 ? 11 : table >= 511 ? 10 : 9;
    }
  }
  bits.push(end.toString(2).padStart(12, '0'));
  return Buffer.from(
    bits
      .join('')
      .match(/.{1,8}/g)
      ?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? [],
  );
}

type PdfObject = string | Buffer;

const firstObjects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>'] as const;

function plainPage(filter: string, bytes: Buffer): readonly PdfObject[] {
  return [...firstObjects, '<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]>>', stream(filter, bytes)];
}

function stream(dictionary: string, bytes: Buffer): Buffer {
  const head = Buffer.from(`<<${dictionary}/Length ${bytes.length}>>stream\n`);
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')]);
}

/** Numbered objects without a table: readers look for them then. */
function pdf(what: string, objects: readonly PdfObject[]): Hostile {
  const parts = objects.flatMap((object, index) => [
    Buffer.from(`${index + 1} 0 obj\n`),
    Buffer.from(object),
    Buffer.from('\nendobj\n'),
  ]);
  const bytes = Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...parts,
    Buffer.from(`trailer<</Size ${objects.length + 1}/Root 1 0 R>>\n%%EOF`),
  ]);
  return text(what, 'application/pdf', bytes);
}

function pdfWithTable(bytes: Buffer): Buffer {
  const head = Buffer.from('%PDF-1.7\n');
  const table = stream('/Type/XRef/Size 90000000/W[1 2 1]/Root 1 0 R/Filter[/FlateDecode/FlateDecode]', bytes);
  const start = Buffer.from(`\nendobj\nstartxref\n${head.length}\n%%EOF`);
  return Buffer.concat([head, Buffer.from('9 0 obj\n'), table, start]);
}

function png(side: number, data: Buffer, interlaced: 0 | 1): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(side, 0);
  size.writeUInt32BE(side, 4);
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), content]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([size, Buffer.from([8, 6, 0, 0, interlaced])])),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function gif(side: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(side, 0);
  size.writeUInt16LE(side, 2);
  const colors = Buffer.from('000000ffffff', 'hex');
  const picture = Buffer.concat([Buffer.from('2c00000000', 'hex'), size, Buffer.from('0002024c01003b', 'hex')]);
  return Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from('800000', 'hex'), colors, picture]);
}

function bmp(side: number): Buffer {
  const bytes = Buffer.alloc(54 + 1024 + 64);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54 + 1024, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(side, 18);
  bytes.writeInt32LE(side, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(8, 28);
  bytes.writeUInt32LE(1, 30); // RLE8
  return bytes;
}

/** Directories one after another, each of a page of the same few bytes of PackBits. */
function tiff(side: number, pages: number): Buffer {
  const tags: readonly (readonly [number, number])[] = [
    [256, side],
    [257, side],
    [258, 8],
    [259, 32_773],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, side],
    [279, 64],
  ];
  const length = 2 + tags.length * 12 + 4;
  const directories = Array.from({ length: pages }, (_, page) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUInt16LE(tags.length, 0);
    tags.forEach(([tag, value], index) => {
      bytes.writeUInt16LE(tag, 2 + index * 12);
      bytes.writeUInt16LE(4, 4 + index * 12);
      bytes.writeUInt32LE(1, 6 + index * 12);
      bytes.writeUInt32LE(value, 10 + index * 12);
    });
    if (page < pages - 1) bytes.writeUInt32LE(72 + (page + 1) * length, length - 4);
    return bytes;
  });
  return Buffer.concat([Buffer.from('49492a0048000000', 'hex'), Buffer.alloc(64, 129), ...directories]);
}

/** The beginning of a ZIP with one entry, as Office files have it. */
function zipOf(name: string): Buffer {
  const content = deflateSync(Buffer.alloc(20_000_000));
  const head = Buffer.alloc(30);
  head.write('PK\u0003\u0004', 'latin1');
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(content.length, 18);
  head.writeUInt32LE(4_000_000_000, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name), content]);
}

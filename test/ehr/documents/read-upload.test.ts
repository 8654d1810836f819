import { describe, expect, test } from 'vitest';
import { readUploadedPicture, readUploadedText } from '../../../src/ehr/documents/read-upload.ts';
import { decoded, imageOf, pdfOf } from './support.ts';

const bytes = (base64: string) => Buffer.from(base64, 'base64');
const textOf = (content: Buffer) => readUploadedText(content, 'Patient/p1');
const pictureOf = (content: Buffer) => readUploadedPicture(content, 'Patient/p1');
const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic0000'), Buffer.alloc(100)]);

describe('a document that a person attaches', () => {
  test.each([
    ['a PDF', async () => bytes(await pdfOf(['Seen on May 2.', 'Methotrexate failed.'])), /Seen on May 2[\s\S]*failed/],
    ['plain text', async () => Buffer.from('Joint count 12.\r\nCRP 14.'), /^Joint count 12\.\nCRP 14\.$/],
    [
      'HTML',
      async () => Buffer.from('<!doctype html><p>Joint <b>count</b> 12</p><script>x()</script>'),
      /^Joint count 12$/,
    ],
    ['RTF', async () => Buffer.from('{\\rtf1\\ansi Joint count 12}'), /Joint count 12/],
    ['UTF-16 text', async () => Buffer.from('\ufeffJoint count 12', 'utf16le'), /^Joint count 12$/],
  ])('goes as its text: %s', async (_, made, expected) => {
    const read = await textOf(await made());
    expect(read).toMatchObject({ shortened: false });
    expect('text' in read && read.text).toMatch(expected);
  });

  test('of more than 20,000 characters goes with its beginning, and says so', async () => {
    const read = await textOf(Buffer.from('word '.repeat(6000)));
    expect(read).toMatchObject({ shortened: true });
    expect('text' in read && read.text.length).toBeLessThanOrEqual(20_000);
  });

  test.each([
    ['empty', 'nothing', async () => Buffer.alloc(0)],
    ['empty', 'blanks alone', async () => Buffer.from('  \n ')],
    ['picture', 'a photo', async () => bytes(await imageOf('image/jpeg', 40, 30))],
    ['heic', 'a phone’s photo', async () => heic],
    ['scan', 'a PDF without text', async () => bytes(await pdfOf(['']))],
    ['locked', 'a PDF with a password', async () => bytes(await pdfOf(['a'], { userPassword: 'secret' }))],
    ['damaged', 'a PDF that is cut off', async () => Buffer.from('%PDF-1.7\n1 0 obj')],
    ['office', 'a Word file', async () => Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(50)])],
    [
      'markup',
      'a drawing',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>'),
    ],
    ['markup', 'XML', async () => Buffer.from('<?xml version="1.0"?><ClinicalDocument/>')],
    ['unknown', 'a program', async () => Buffer.from('7f454c4602010100000000', 'hex')],
    ['too_large', 'too much', async () => Buffer.alloc(15_000_001, 'a')],
  ])('is refused as %s: %s', async (refused, _, made) => {
    expect(await textOf(await made())).toEqual({ refused });
  });
});

describe('a photo of the card that a person attaches', () => {
  // An Exif segment (APP1) as a camera writes it behind the first marker, with a place and a device.
  const withExif = (jpeg: Buffer) => {
    const exif = Buffer.from('Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0CANARY-GPS-41.88-87.63-CANARY-PHONE', 'latin1');
    const head = Buffer.from([0xff, 0xe1, 0, 0]);
    head.writeUInt16BE(exif.length + 2, 2);
    const comment = Buffer.from('CANARY-COMMENT');
    const said = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
    return Buffer.concat([jpeg.subarray(0, 2), head, exif, said, comment, jpeg.subarray(2)]);
  };

  test('is written anew as JPEG: nothing of what the camera notes is left', async () => {
    const photo = withExif(bytes(await imageOf('image/jpeg', 60, 40)));
    expect(photo.includes('CANARY')).toBe(true);
    const read = await pictureOf(photo);
    const data = 'data' in read ? read.data : '';
    expect(Buffer.from(data, 'base64').includes('CANARY')).toBe(false);
    expect(Buffer.from(data, 'base64').includes('Exif')).toBe(false);
    expect(await decoded(data)).toMatchObject({ width: 60, height: 40 });
  });

  test('taken with the phone on its side stands upright', async () => {
    // Exif 2.3: little-endian TIFF with one entry, Orientation (0x0112), SHORT, 6: turn it by 90 degrees
    const tiff = Buffer.from('49492a00080000000100120103000100000006000000' + '00000000', 'hex');
    const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
    const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
    const jpeg = bytes(await imageOf('image/jpeg', 60, 40));
    const read = await pictureOf(Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]));
    expect(await decoded('data' in read ? read.data : '')).toMatchObject({ width: 40, height: 60 });
  });

  test('is scaled down', async () => {
    const read = await pictureOf(bytes(await imageOf('image/png', 2400, 1200)));
    expect(await decoded('data' in read ? read.data : '')).toMatchObject({ width: 1600, height: 800 });
  });

  test.each([
    ['empty', async () => Buffer.alloc(0)],
    ['heic', async () => heic],
    ['pdf', async () => bytes(await pdfOf(['Member ID 1']))],
    ['unknown', async () => Buffer.from('not a picture')],
    ['unknown', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['damaged', async () => bytes(await imageOf('image/png', 40, 30)).subarray(0, 60)],
    ['too_large', async () => Buffer.alloc(15_000_001)],
  ])('is refused as %s', async (refused, made) => {
    expect(await pictureOf(await made())).toEqual({ refused });
  });
});

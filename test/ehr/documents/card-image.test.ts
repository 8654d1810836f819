import { describe, expect, test } from 'vitest';
import { maxImageBytes, readCardImage } from '../../../src/ehr/documents/card-image.ts';
import { sizeByHeader } from '../../../src/ehr/documents/image-size.ts';
import { base64, decoded, imageOf, pdfOf } from './support.ts';

async function made(data: string) {
  const read = await readCardImage(data);
  if ('unreadable' in read || read.data === undefined) throw new Error(`not made anew: ${JSON.stringify(read)}`);
  return { ...read, ...(await decoded(read.data)) };
}

describe('an image of the card', () => {
  test.each(['image/png', 'image/jpeg', 'image/gif'] as const)(
    'goes as it stands when it is a small %s',
    async (type) => {
      expect(await readCardImage(await imageOf(type, 40, 25))).toEqual({ contentType: type });
    },
  );

  test.each([
    ['image/bmp', 'written as JPEG from BMP'],
    ['image/tiff', 'written as JPEG from TIFF'],
  ] as const)('becomes JPEG when it is %s', async (type, note) => {
    expect(await made(await imageOf(type, 40, 25))).toMatchObject({
      contentType: 'image/jpeg',
      note,
      width: 40,
      height: 25,
    });
  });

  test('is scaled down to 1600 pixels on its longer side, its proportions kept', async () => {
    expect(await made(await imageOf('image/png', 2000, 500))).toMatchObject({
      contentType: 'image/jpeg',
      note: 'scaled down from 2000 x 500 to 1600 x 400 pixels',
      width: 1600,
      height: 400,
    });
    expect(await made(await imageOf('image/png', 300, 2400))).toMatchObject({ width: 200, height: 1600 });
  });

  test('is scaled down further until it is no larger than 600 KB', async () => {
    const noisy = await imageOf('image/png', 1200, 1000, { noise: true });
    expect(Buffer.from(noisy, 'base64').length).toBeGreaterThan(maxImageBytes);
    const small = await made(noisy);
    expect(small.bytes).toBeLessThanOrEqual(maxImageBytes);
    expect(small.bytes).toBeGreaterThan(maxImageBytes / 3);
  });

  test('of 12 megapixels is decoded at half of its size, and says what it was', async () => {
    const data = await imageOf('image/jpeg', 4000, 3000);
    expect(await made(data)).toMatchObject({
      note: 'scaled down from 4000 x 3000 to 1600 x 1200 pixels',
      width: 1600,
      height: 1200,
      corner: 0xffffffff,
    });
  });

  test.each(['cut off', 'ended early'])('is refused when its JPEG is %s', async (how) => {
    const bytes = Buffer.from(await imageOf('image/jpeg', 400, 300, { noise: true }), 'base64');
    const half = bytes.subarray(0, bytes.length / 2);
    if (how === 'ended early') half.writeUInt16BE(0xffd9, half.length - 2);
    expect(await readCardImage(half.toString('base64'))).toEqual({ unreadable: 'the image is damaged' });
  });

  test('goes although stray bytes stand before the end of its JPEG', async () => {
    const bytes = Buffer.from(await imageOf('image/jpeg', 40, 30), 'base64');
    const stray = Buffer.concat([bytes.subarray(0, -2), Buffer.alloc(20, 7), bytes.subarray(-2)]);
    expect(await readCardImage(stray.toString('base64'))).toEqual({ contentType: 'image/jpeg' });
  });

  test('lies on white where it is transparent', async () => {
    expect((await made(await imageOf('image/png', 1700, 20, { transparent: true }))).corner).toBe(0xffffffff);
  });

  test('is the same every time', async () => {
    const data = await imageOf('image/bmp', 60, 40, { noise: true });
    expect(await readCardImage(data)).toEqual(await readCardImage(data));
  });

  test('is known by its bytes, whatever line breaks stand between them', async () => {
    const data = (await imageOf('image/png', 40, 25)).replace(/(.{20})/g, '$1\n');
    expect(await readCardImage(data)).toEqual({ contentType: 'image/png' });
  });
});

describe('what is no image of the card is refused with its reason', () => {
  const cut = async (type: 'image/png' | 'image/jpeg' | 'image/bmp', length: number) =>
    Buffer.from(await imageOf(type, 40, 25), 'base64')
      .subarray(0, length)
      .toString('base64');

  test.each([
    ['a PDF', () => pdfOf(['card']), 'it is a PDF; the service takes images of the card'],
    ['WebP', async () => base64('RIFF0000WEBPVP8 '), 'its format (WEBP) cannot be read'],
    ['HEIC', async () => base64('\0\0\0\u0018ftypheic'), 'its format (HEIC) cannot be read'],
    ['text', async () => base64('hello world'), 'it is no image'],
    ['no base64', async () => '***', 'its data is not base64'],
    ['a PNG that is cut off', () => cut('image/png', 45), 'the image is damaged'],
    ['a PNG without a header', () => cut('image/png', 12), 'the image is damaged'],
    ['a JPEG that ends in its header', async () => '/9j/4AAQSkZJRg==', 'the image is damaged'],
    ['more pixels than are decoded', async () => hugePng(), 'it has more than 40 million pixels'],
    ['more bytes than are decoded', async () => 'A'.repeat(28_100_000), 'it is larger than 20 MB'],
  ])('%s', async (_what, data, reason) => {
    expect(await readCardImage(await data())).toEqual({ unreadable: reason });
  });
});

/** The header of a PNG of 30,000 x 30,000 pixels: some bytes that would unfold to gigabytes. */
function hugePng(): string {
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]),
    Buffer.from('0802000000', 'hex'),
  ]).toString('base64');
}

test.each(['image/png', 'image/jpeg', 'image/gif', 'image/bmp', 'image/tiff'] as const)(
  'the size of a %s stands in its header',
  async (type) => {
    expect(sizeByHeader(type, Buffer.from(await imageOf(type, 41, 23), 'base64'))).toEqual({ width: 41, height: 23 });
  },
);

import { bytesOf, typeByBytes } from '../../core/fhir/documents/bytes.ts';
import type { ImageReading, ImageType } from '../../core/fhir/documents/readings.ts';
import { halve } from './halve.ts';
import { Jimp } from './image-formats.ts';
import { type ImageSize, sizeByHeader } from './image-size.ts';

/** The longer side of an image that is sent, in pixels: small print on a card stays legible. */
const maxSide = 1600;
/** Bytes, before base64. */
export const maxImageBytes = 600_000;

const maxInputBytes = 20_000_000;
const maxPixels = 40_000_000;
const sent: readonly string[] = ['image/png', 'image/jpeg', 'image/gif'] satisfies ImageType[];

/**
 * Returns an insurance card's image as it is sent: unchanged if it is a small PNG, JPEG or GIF, else a JPEG scaled down
 * to `maxSide` and `maxImageBytes`. The same bytes always give the same image. For an unreadable image, returns a
 * reason.
 */
export async function readCardImage(data: string): Promise<ImageReading> {
  return await readImage(data, { anew: false });
}

/**
 * Returns a photo that a person attached, re-encoded as JPEG. So nothing of the file remains but the picture, without
 * the place and the device that a camera stores.
 */
export async function readPhoto(data: string): Promise<ImageReading> {
  return await readImage(data, { anew: true });
}

async function readImage(data: string, { anew }: { readonly anew: boolean }): Promise<ImageReading> {
  const bytes = bytesOf(data, maxInputBytes);
  if ('unreadable' in bytes) return bytes;
  const type = typeByBytes(bytes) ?? '';
  const size = sizeByHeader(type, bytes);
  if (size === undefined) return { unreadable: reasonAgainst(type) };
  if (size.width * size.height > maxPixels)
    return { unreadable: `it has more than ${maxPixels / 1_000_000} million pixels` };
  const image = await decode(bytes);
  if (image === undefined) return { unreadable: 'the image is damaged' };
  const isSmall = bytes.length <= maxImageBytes && Math.max(size.width, size.height) <= maxSide;
  return isSmall && isSent(type) && !anew ? { contentType: type } : shrink(image, asShown(size, image), type);
}

type Image = Awaited<ReturnType<typeof Jimp.fromBuffer>>;

async function decode(bytes: Buffer): Promise<Image | undefined> {
  try {
    return await Jimp.fromBuffer(bytes, { 'image/jpeg': { side: maxSide } });
  } catch {
    return undefined;
  }
}

function isSent(type: string): type is ImageType {
  return sent.includes(type);
}

function reasonAgainst(type: string): string {
  if (type === 'application/pdf') return 'it is a PDF; the service takes images of the card';
  if (['image/webp', 'image/heic', 'image/avif'].includes(type))
    return `its format (${type.slice(6).toUpperCase()}) cannot be read`;
  return type.startsWith('image/') ? 'the image is damaged' : 'it is no image';
}

/** Cameras store the rotation as metadata. If the decoded image is rotated, width and height are swapped. */
function asShown({ width, height }: ImageSize, image: Image): ImageSize {
  const isTurned = width > height !== image.width > image.height;
  return isTurned ? { width: height, height: width } : { width, height };
}

async function shrink(image: Image, size: ImageSize, type: string): Promise<ImageReading> {
  const before = `${size.width} x ${size.height}`;
  // JPEG has no transparency, and on black the print on a card would be lost
  image.background = 0xffffffff;
  while (Math.max(image.width, image.height) >= 2 * maxSide) image.bitmap = halve(image.bitmap);
  for (let side = Math.min(maxSide, Math.max(image.width, image.height)); ; side = Math.floor(side * 0.8)) {
    if (side < Math.max(image.width, image.height)) image.scaleToFit({ w: side, h: side });
    for (const quality of [85, 70]) {
      const bytes = await image.getBuffer('image/jpeg', { quality });
      if (bytes.length > maxImageBytes) continue;
      const after = `${image.width} x ${image.height}`;
      const note =
        before === after
          ? `written as JPEG from ${type.slice(6).toUpperCase()}`
          : `scaled down from ${before} to ${after} pixels`;
      return { contentType: 'image/jpeg', data: bytes.toString('base64'), note };
    }
  }
}

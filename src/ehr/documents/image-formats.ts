import { createJimp } from '@jimp/core';
import bmp, { msBmp } from '@jimp/js-bmp';
import gif from '@jimp/js-gif';
import jpeg from '@jimp/js-jpeg';
import png from '@jimp/js-png';
import tiff from '@jimp/js-tiff';
import { methods as resize } from '@jimp/plugin-resize';
import { decodeJpeg } from './jpeg.ts';

const plainJpeg = jpeg();

/**
 * A JPEG decoder. jpeg-js needs 700 MB for a photo of 12 megapixels, so it decodes only the few images for which
 * libjpeg-turbo warns. Unlike libjpeg-turbo, it can tell stray bytes from missing bytes. `side`: the minimum length of
 * the longer side; full size by default.
 */
const turboJpeg = () => ({
  ...plainJpeg,
  decode: (bytes: Buffer, { side = Number.POSITIVE_INFINITY }: { readonly side?: number } = {}) =>
    decodeJpeg(bytes, side) ?? plainJpeg.decode(bytes),
});

/**
 * Without native code. Reads every format in which cards arrive, and scales; the other parts of jimp are not installed.
 */
export const Jimp = createJimp({ formats: [bmp, msBmp, gif, turboJpeg, png, tiff], plugins: [resize] });

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
 * jpeg-js takes 700 MB to decode a photo of 12 megapixels. It is used only for the few images for which libjpeg-turbo
 * reports a warning, because it distinguishes stray bytes from missing ones. `side`: the minimum length of the longer
 * side, full size when left out.
 */
const turboJpeg = () => ({
  ...plainJpeg,
  decode: (bytes: Buffer, { side = Number.POSITIVE_INFINITY }: { readonly side?: number } = {}) =>
    decodeJpeg(bytes, side) ?? plainJpeg.decode(bytes),
});

/** Images without native code: every format in which cards arrive, and scaling; no other part of jimp is installed. */
export const Jimp = createJimp({ formats: [bmp, msBmp, gif, turboJpeg, png, tiff], plugins: [resize] });

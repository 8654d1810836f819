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
 * jpeg-js takes 700 MB to decode a photo of 12 megapixels; it is left for the few that libjpeg-turbo warns of, since it
 * tells stray bytes from missing ones. `side`: how long the longer side must still be, at any size when left out.
 */
const turboJpeg = () => ({
  ...plainJpeg,
  decode: (bytes: Buffer, { side = Number.POSITIVE_INFINITY }: { readonly side?: number } = {}) =>
    decodeJpeg(bytes, side) ?? plainJpeg.decode(bytes),
});

/**
 * Images without native code: every format that a card comes in, and scaling; nothing else is installed of jimp.
 */
export const Jimp = createJimp({ formats: [bmp, msBmp, gif, turboJpeg, png, tiff], plugins: [resize] });

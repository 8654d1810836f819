import { createJimp } from '@jimp/core';
import bmp, { msBmp } from '@jimp/js-bmp';
import gif from '@jimp/js-gif';
import jpeg from '@jimp/js-jpeg';
import png from '@jimp/js-png';
import tiff from '@jimp/js-tiff';
import { methods as resize } from '@jimp/plugin-resize';

/** Images in plain JavaScript: every format that a card comes in, and scaling; nothing else is installed of jimp. */
export const Jimp = createJimp({ formats: [bmp, msBmp, gif, jpeg, png, tiff], plugins: [resize] });

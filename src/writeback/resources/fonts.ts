import { createRequire } from 'node:module';
import { openSync } from 'fontkit';

const paths = createRequire(import.meta.url);
const files = { text: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf' } as const;
const opened = new Map<keyof typeof files, Buffer>();

/**
 * Returns a font for pdfkit. It is opened once for all letters: given a file, pdfkit would parse its tables again for
 * each letter, which takes three times as long as the rest of the letter.
 */
export function letterFont(name: keyof typeof files): Buffer {
  const known = opened.get(name);
  if (known !== undefined) return known;
  // pdfkit also accepts an opened font, but its types allow only files.
  const font = openSync(paths.resolve(`dejavu-fonts-ttf/ttf/${files[name]}`)) as unknown as Buffer;
  opened.set(name, font);
  return font;
}

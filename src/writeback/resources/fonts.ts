import { createRequire } from 'node:module';
import { openSync } from 'fontkit';

const paths = createRequire(import.meta.url);
const files = { text: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf' } as const;
const opened = new Map<keyof typeof files, Buffer>();

/**
 * A font of letters as pdfkit takes it. It is opened once for all letters: pdfkit, given a file, reads its tables anew
 * for each, which costs three times the letter.
 */
export function letterFont(name: keyof typeof files): Buffer {
  const known = opened.get(name);
  if (known !== undefined) return known;
  // pdfkit takes an opened font too; its types name files only.
  const font = openSync(paths.resolve(`dejavu-fonts-ttf/ttf/${files[name]}`)) as unknown as Buffer;
  opened.set(name, font);
  return font;
}

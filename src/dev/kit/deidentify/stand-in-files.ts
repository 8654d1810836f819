import { isObject } from '../../../core/fhir/is-object.ts';

const words = 'words that stood here were replaced';
const pdf = [
  '%PDF-1.4',
  '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj',
  'trailer<</Root 1 0 R>>',
  '%%EOF',
].join('\n');
/** An image of three by two gray pixels. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAADklEQVR42mPo6OhgAGIADMgDMZgObc0AAAAASUVORK5CYII=';
const files = {
  png,
  cutPng: png.slice(0, 40),
  pdf: base64(pdf),
  cutPdf: base64('%PDF-1.4\n'),
  text: base64(words),
  html: base64(`<html><body><p>${words}</p></body></html>`),
  rtf: base64(`{\\rtf1\\ansi ${words}}`),
  nothing: '',
  garbage: base64('\u0000\u0001\u0002'),
} as const;

/** The base64 texts that the recorder writes in place of files. */
export const standInFiles: ReadonlySet<string> = new Set(Object.values(files));

const mimeTypes: ReadonlySet<string> = new Set(
  `text/plain text/html text/rtf text/xml text/markdown text/csv application/pdf application/rtf application/xml
  application/json application/xhtml+xml application/hl7-v3+xml application/hl7-sda+xml application/fhir+json
  application/fhir+xml application/octet-stream application/dicom application/msword image/png image/jpeg
  image/jpg image/gif image/tiff image/webp image/bmp image/svg+xml image/heic audio/mpeg audio/wav video/mp4`.split(
    /\s+/,
  ),
);

/** Returns a common file type with its character set; `application/octet-stream` for any other type. */
export function keptMimeType(type: string): string {
  const [kind = '', ...parameters] = type.split(';');
  const charset = parameters.find((one) =>
    /^\s*charset="?(?:utf-?8|us-ascii|iso-8859-1|windows-1252)"?\s*$/i.test(one),
  );
  if (type === '') return type;
  if (!mimeTypes.has(kind.trim().toLowerCase())) return 'application/octet-stream';
  return charset === undefined ? kind : `${kind};${charset}`;
}

/** Returns a neutral file of the same kind. An unreadable file is replaced by an unreadable file. */
export function standInFile(data: unknown, holder: unknown): string {
  if (typeof data !== 'string' || data.trim() === '') return files.nothing;
  const type = isObject(holder) && typeof holder.contentType === 'string' ? holder.contentType.toLowerCase() : '';
  return files[kindOf(data, type)];
}

// The first bytes are more reliable than the stated type. The last bytes show whether the file is complete: PNG ends
// with IEND, JPEG with FF D9, PDF with %%EOF.
function kindOf(data: string, type: string): keyof typeof files {
  const start = Buffer.from(data.slice(0, 64), 'base64').toString('latin1');
  const last = data.slice(-4000).replace(/\s/g, '');
  const end = Buffer.from(last.slice(last.length % 4), 'base64').toString('latin1');
  if (start.startsWith('\x89PNG')) return end.includes('IEND') ? 'png' : 'cutPng';
  if (start.startsWith('\xff\xd8')) return end.includes('\xff\xd9') ? 'png' : 'cutPng';
  if (start.startsWith('%PDF')) return end.includes('%%EOF') ? 'pdf' : 'cutPdf';
  if (start.startsWith('{\\rtf')) return 'rtf';
  if (type.startsWith('image/') || type.includes('pdf')) return 'garbage';
  if (type.includes('html')) return 'html';
  return 'text';
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64');
}

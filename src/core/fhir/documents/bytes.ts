/**
 * Base64 of the same bytes in the form that services accept (RFC 4648, section 4): one line, padded, in the standard
 * alphabet, without the prefix of a data URI; undefined if the text is not base64.
 *
 * @example plainBase64('data:image/png;base64,iVBO\nRw0') // 'iVBORw0='
 */
export function plainBase64(data: string): string | undefined {
  const letters = lettersOf(data);
  if (letters === undefined) return undefined;
  const padded = letters.padEnd(Math.ceil(letters.length / 4) * 4, '=');
  return /[-_]/.test(padded) ? padded.replaceAll('-', '+').replaceAll('_', '/') : padded;
}

// Some systems write a whole data URI (`data:image/png;base64,`) where only the data belongs.
const uriStart = /^\s*data:[^,]{0,200};base64,/i;

/** The letters of base64 in any spelling, without padding; undefined if the text is not base64. */
function lettersOf(data: string): string | undefined {
  const bare = data.replace(uriStart, '').replace(/\s+/g, '');
  // Only the end is checked for padding: a pattern over megabytes can exhaust the stack.
  const letters = bare.endsWith('=') ? bare.slice(0, bare.at(-2) === '=' ? -2 : -1) : bare;
  // a single leftover letter is less than a byte
  return letters === '' || letters.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(letters) ? undefined : letters;
}

/** The bytes of base64 text, or the reason why it cannot be read: it is not base64, or larger than `limit`. */
export function bytesOf(data: string, limit: number): Buffer | { readonly unreadable: string } {
  if (data.length > limit * 1.4) return { unreadable: `it is larger than ${Math.round(limit / 1_000_000)} MB` };
  const letters = lettersOf(data);
  if (letters === undefined) return { unreadable: 'its data is not base64' };
  const bytes = Buffer.from(letters, 'base64');
  if (bytes.length > limit) return { unreadable: `it is larger than ${Math.round(limit / 1_000_000)} MB` };
  return bytes;
}

/**
 * `image/png`, `image/jpeg`, `application/pdf` and the like, detected from the first bytes and not from the resource's
 * content type; undefined for unknown bytes.
 */
export function typeByBytes(bytes: Buffer): string | undefined {
  return signatures.find(({ start, at = 0 }) => bytes.subarray(at, at + start.length).equals(start))?.type;
}

const signatures: readonly { readonly type: string; readonly start: Buffer; readonly at?: number }[] = [
  { type: 'image/png', start: Buffer.from('89504e470d0a1a0a', 'hex') },
  { type: 'image/jpeg', start: Buffer.from('ffd8ff', 'hex') },
  { type: 'image/gif', start: Buffer.from('GIF8', 'latin1') },
  { type: 'image/bmp', start: Buffer.from('BM', 'latin1') },
  { type: 'image/tiff', start: Buffer.from('49492a00', 'hex') },
  { type: 'image/tiff', start: Buffer.from('4d4d002a', 'hex') },
  { type: 'image/webp', start: Buffer.from('WEBP', 'latin1'), at: 8 },
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'mif1', 'msf1'].map((brand) => ({
    type: 'image/heic',
    start: Buffer.from(`ftyp${brand}`, 'latin1'),
    at: 4,
  })),
  { type: 'image/avif', start: Buffer.from('ftypavi', 'latin1'), at: 4 },
  { type: 'application/pdf', start: Buffer.from('%PDF-', 'latin1') },
  { type: 'application/rtf', start: Buffer.from('{\\rtf', 'latin1') },
  { type: 'application/zip', start: Buffer.from('504b0304', 'hex') },
];

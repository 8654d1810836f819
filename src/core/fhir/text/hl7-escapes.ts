/**
 * Decodes a text of HL7 v2 whose escapes were not decoded on the way into FHIR: `mouth\.br\twice`, `Smith \T\ Jones`.
 * Only escapes that mean the same in every message are decoded (chapter 2, "Use of escape sequences in text fields").
 * Layout escapes become a line end or a blank. A Windows path has the same backslashes and is left unchanged.
 *
 * @example readHl7Escapes('Take 1\\.br\\with food') // 'Take 1\nwith food'
 */
export function readHl7Escapes(text: string): string {
  if (!text.includes('\\') || path.test(text)) return text;
  return highlighted(text).replace(layout, laidOut).replace(separator, separated).replace(hexadecimal, ofBytes);
}

/**
 * Whether an escape remains that cannot be decoded: its meaning depends on the message's character set or on the site,
 * or it is cut off.
 */
export function holdsHl7Escape(text: string): boolean {
  return text.includes('\\') && undecided.test(text) && !path.test(text);
}

const path = /\b[A-Za-z]:\\|\\\\\w[\w.-]*\\/;
const separator = /\\([FSTREP])\\/g;
const separators: Readonly<Record<string, string>> = { F: '|', S: '^', T: '&', R: '~', E: '\\', P: '#' };
const layout = /\\{1,2}\.(br|sp|ce|fi|nf|in|ti|sk)\s?([+-]?\d{0,2})\\{1,2}/gi;
const hexadecimal = /\\X((?:0[9AD]|[2-7][0-9A-F])+)\\/gi;
const undecided = /\\(?:[CMZ][0-9A-F]{2,6}|X[0-9A-F]{2,40})\\|\\\.(?:br|sp|ce|fi|nf)\b/i;

function separated(whole: string, sign: string): string {
  return separators[sign] ?? whole;
}

function laidOut(_whole: string, command: string, times: string): string {
  const count = Math.max(Number(times) || 1, 1);
  switch (command.toLowerCase()) {
    case 'br':
    case 'ce':
      return '\n';
    case 'sp':
      return '\n'.repeat(count);
    case 'sk':
      return ' '.repeat(count);
    default:
      return '';
  }
}

// `\N\` alone may be a letter between backslashes, so it is only decoded as the end of `\H\`.
function highlighted(text: string): string {
  return text.replace(/\\H\\([^\\]{0,500})\\N\\/g, '$1');
}

function ofBytes(_whole: string, bytes: string): string {
  return Buffer.from(bytes, 'hex').toString('latin1');
}

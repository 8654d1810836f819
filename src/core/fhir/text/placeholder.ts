import { cleanText } from './text.ts';

const words = new Set(
  (
    'na|n/a|n.a.|none|null|nil|undefined|unknown|unk|not available|not applicable|not specified|not provided|' +
    'not on file|no information|missing|tbd|xxx|xxxx|masked|asked but unknown|declined|see note|see instructions|' +
    'see admin instructions|see comments|see attached|no address|bad address|address unknown|unknown address|' +
    'no known address|returned mail|return to sender'
  ).split('|'),
);

// A longer text is not a placeholder. The patterns in `isPlaceholder` match only characters of `suspicious`.
const longest = 24;
const [lastBlank, lastAscii] = [0x20, 0x7f];
const suspicious = /^[\s:;,|/_.\-0nulaeo]+$/i;

// Nearly every value begins or ends with a character that no placeholder begins or ends with. For printable ASCII, the
// first and the last character decide.
const [first, last] = [1, 2];
const edges = new Uint8Array(lastAscii + 1);
for (const sign of ':;,|/_.-0nulaeo') for (const one of bothCases(sign)) edges[one] = first | last;
for (const word of words) {
  for (const one of bothCases(word.charAt(0))) edges[one] = (edges[one] ?? 0) | first;
  for (const one of bothCases(word.charAt(word.length - 1))) edges[one] = (edges[one] ?? 0) | last;
}

function bothCases(sign: string): readonly number[] {
  return [sign.toLowerCase().charCodeAt(0), sign.toUpperCase().charCodeAt(0)];
}

/**
 * The text without surrounding and doubled blanks, or undefined when it has no meaning: "NA", ":None:None", "000-00",
 * "unknown", "-".
 */
export function meaningful(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const clean = cleanText(text);
  return clean === '' || isPlaceholder(clean) ? undefined : clean;
}

export function isPlaceholder(text: string): boolean {
  if (text.length > longest) return false;
  if (!mayStandAt(first, text.charCodeAt(0)) || !mayStandAt(last, text.charCodeAt(text.length - 1))) return false;
  if (words.has(text.trim().toLowerCase())) return true;
  if (!suspicious.test(text)) return false;
  const bare = text.trim().toLowerCase();
  if (/^[\s:;,|/_.-]*$/.test(bare)) return true;
  if (/^[:\s]*(none|null|na|n\/a)([:\s]+(none|null|na|n\/a))*[:\s]*$/.test(bare)) return true;
  return /^0+(?:[\s.-]0+)+$/.test(bare);
}

// A character outside of printable ASCII may be a blank beside a placeholder.
function mayStandAt(edge: number, code: number): boolean {
  return !(code > lastBlank && code <= lastAscii) || ((edges[code] ?? 0) & edge) !== 0;
}

/** true when every digit is 0, or for ten 9s. Such a text is never a postal code, a phone number or an identifier. */
export function isOnlyZeros(text: string): boolean {
  if (/[^09\s().+-]/.test(text)) return false;
  return /^(0+|9{10})$/.test(text.replace(/[\s().+-]/g, ''));
}

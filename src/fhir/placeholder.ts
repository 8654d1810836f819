import { cleanText } from './text.ts';

const words = new Set(
  (
    'na|n/a|n.a.|none|null|nil|undefined|unknown|unk|not available|not applicable|not specified|not provided|' +
    'not on file|no information|missing|tbd|xxx|xxxx|masked|asked but unknown|declined|see note|see instructions|' +
    'see admin instructions|see comments|see attached|no address|bad address|address unknown|unknown address|' +
    'no known address|returned mail|return to sender'
  ).split('|'),
);

// No placeholder is longer, and the patterns below are made of these characters only.
const longest = 24;
// The letters and signs that a placeholder begins with; nearly every value begins with something else, or is longer.
const beginnings = new Set([...':;,|/_.-0nulaeotmxdsbrNULAEOTMXDSBR'].map((sign) => sign.charCodeAt(0)));
const [lastBlank, lastAscii] = [0x20, 0x7f];
const suspicious = /^[\s:;,|/_.\-0nulaeo]+$/i;

/**
 * The text without surrounding and doubled blanks, or undefined when it says nothing: "NA", ":None:None", "000-00",
 * "unknown", "-".
 */
export function meaningful(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const clean = cleanText(text);
  return clean === '' || isPlaceholder(clean) ? undefined : clean;
}

/** true for a text that stands where a value should be and is none. */
export function isPlaceholder(text: string): boolean {
  if (text.length > longest || !mayBegin(text.charCodeAt(0))) return false;
  if (words.has(text.trim().toLowerCase())) return true;
  if (!suspicious.test(text)) return false;
  const bare = text.trim().toLowerCase();
  if (/^[\s:;,|/_.-]*$/.test(bare)) return true;
  if (/^[:\s]*(none|null|na|n\/a)([:\s]+(none|null|na|n\/a))*[:\s]*$/.test(bare)) return true;
  return /^0+(?:[\s.-]0+)+$/.test(bare);
}

// A blank of any kind may stand before it.
function mayBegin(code: number): boolean {
  return beginnings.has(code) || code <= lastBlank || code > lastAscii;
}

/** true when there is no digit but 0 (or a phone of nothing but 9): never a postal code, a phone or an identifier. */
export function isOnlyZeros(text: string): boolean {
  if (/[^09\s().+-]/.test(text)) return false;
  return /^(0+|9{10})$/.test(text.replace(/[\s().+-]/g, ''));
}

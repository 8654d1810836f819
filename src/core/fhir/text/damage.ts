import { memoized } from '../../text-cache.ts';
import type { Refusal } from '../references/refusals.ts';
import { holdsHl7Escape, readHl7Escapes } from './hl7-escapes.ts';
import { decodeHtmlEscape } from './html-escapes.ts';
import { hasLostNumber, holdsLostByte, looksMisread, readControls, readLetters } from './misread.ts';

export interface Decoding {
  readonly note: string;
  /** Whether letters were decoded, which a person should check. */
  readonly isMisread?: true;
}

export interface Mended extends Partial<Decoding> {
  /** The text without the escapes and tags that can be decoded with certainty. */
  readonly text: string;
  /** How the text was decoded; absent if it is unchanged. */
  readonly note?: string;
  /** Whether letters were decoded, or look as if they should be. */
  readonly isMisread?: true;
  /** Whether characters are lost, or something remains that is not text. */
  readonly isDamaged: boolean;
}

export const damagedText = 'damaged_text' satisfies Refusal;

/**
 * Repairs a text that passed through systems that damage texts. Only encodings with a single meaning are decoded: HTML
 * escapes (`&#xFC;`, `&amp;lt;`) and layout tags (`<br/>`, `<b>5</b>`), HL7 v2 escapes (`\.br\`), and Windows-1252 or
 * UTF-8 that was read as another encoding. A text is damaged if some of these remain, or if it has lost characters
 * (U+FFFD, half of a surrogate pair, a question mark in place of a dose).
 *
 * @example mendText('Wegm&#xFC;ller').text // 'Wegmüller'
 * @example mendText('Take \ufffd tablet').isDamaged // true
 */
export function mendText(text: string): Mended {
  return mayBeOdd(text) ? mended(text) : { text, isDamaged: false };
}

/** Whether a text has lost characters, or contains something that is not text and cannot be decoded. */
export function isDamaged(text: string): boolean {
  return mayBeDamaged(text) && mended(text).isDamaged;
}

/** Whether characters of a text are irrecoverably lost. */
export function hasLost(text: string): boolean {
  return lost.test(text) || !text.isWellFormed();
}

/** A quick check. false means that the text needs no repair; the check is false for nearly every text. */
export function mayBeDamaged(text: string): boolean {
  return mayHold(text) && suspicious.test(text);
}

/** A quick check for everything that `mendText` and `looksMisread` find. */
export function mayBeOdd(text: string): boolean {
  return mayHold(text) && odd.test(text);
}

/**
 * Whether a text is plain (`isPlain`) and has no character that begins an escape or a tag, so that it needs no repair
 * and no cleaning. Nearly every value is like this. One loop checks both, since it runs for every value.
 */
export function isOrdinary(text: string): boolean {
  let before: number | undefined = blank;
  for (let at = 0; at < text.length; at += 1) {
    const kind = kinds[text.charCodeAt(at)];
    if (kind !== ordinary && (kind !== blank || before === blank)) return false;
    before = kind;
  }
  return before !== blank;
}

// Nearly every text has none of the characters that these patterns begin with, and a loop finds that out faster than a
// pattern starts.
function mayHold(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const kind = kinds[text.charCodeAt(at)];
    if (kind === sign || kind === beyondAscii) return true;
  }
  return false;
}

// The kind of each UTF-16 unit: a table look-up takes less time than six comparisons.
const [ordinary, blank, control, sign, beyondAscii] = [0, 1, 2, 3, 4];
const kinds = new Uint8Array(0x10000).fill(beyondAscii, 0x80).fill(control, 0, 0x20);
kinds[0x20] = blank;
kinds[0x7f] = control;
for (const one of '&<?\\') kinds[one.charCodeAt(0)] = sign;

const loneHalf = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
const markup = '&(?:#|[A-Za-z][A-Za-z0-9]{1,30};|nbsp|amp|lt|gt|quot)|<[A-Za-z/!?]|\\\\[A-Za-z.]';
const letters = '[ÂÃÄÅ][^A-Za-z ]|â[€„†ˆ‰]';
const suspicious = new RegExp(`${markup}|[?\\u0080-\\u009f\\ufffd-\\uffff]|ï¿½|${letters}|${loneHalf}`);
const odd = new RegExp(`${markup}|[?\\u0080-\\u009f\\ufffd-\\uffffÂÃÄÅâïð]|${loneHalf}`);

const mended = memoized((text): Mended => {
  const [decoded, bySteps] = steps.reduce<readonly [string, readonly string[]]>(
    ([before, notes], { decode, note }) => {
      const after = decode(before);
      return after === before ? [before, notes] : [after, [...notes, note]];
    },
    [text, []],
  );
  const isDamaged = hasLost(decoded) || holds.some((left) => left(decoded));
  if (bySteps.length === 0) return { text, isDamaged, ...misreadOf(text) };
  return { text: decoded, note: bySteps.join('; '), isDamaged, ...misreadOf(decoded, bySteps) };
});

function misreadOf(text: string, bySteps: readonly string[] = []): Pick<Mended, 'isMisread'> {
  return bySteps.includes(ofLetters) || looksMisread(text) ? { isMisread: true } : {};
}

const ofLetters = 'its letters are read as the encoding that they come from';
const steps = [
  { decode: readControls, note: 'its control characters are read as the encoding that they come from' },
  { decode: readLetters, note: ofLetters },
  { decode: readMarkup, note: 'its HTML escapes and tags are decoded' },
  { decode: readHl7Escapes, note: 'its HL7 v2 escapes are decoded' },
];

const holds = [holdsEscape, (text: string) => tagged.test(text), holdsHl7Escape, holdsLostByte, hasLostNumber];

// The replacement character, noncharacters, the replacement character as UTF-8 read as Latin-1, and the control
// characters to which Windows-1252 gives no meaning.
const lost = /[\ufffd-\uffff\u0080-\u009f]|ï¿½/;

// Each system on the way may have escaped the text once more: `&amp;amp;lt;`.
const mostTimes = 4;

function readMarkup(text: string): string {
  let read = text;
  for (let time = 0; time < mostTimes; time += 1) {
    const before = read;
    read = withoutTags(readEscapes(before));
    if (read === before) break;
  }
  return read;
}

const escaped = /&(?:#x?[0-9a-f]{1,8}|[a-z][a-z0-9]{1,30});/gi;
// Every browser decodes these without their semicolon too.
const bare = /&(?:nbsp|amp|lt|gt|quot)(?![;=\w])/g;
// An escape is decoded only if it stands for one of these characters, because `&Lang;` may be a person's name.
const ofTexts = /^[\t\n\r -~\u00a0-\u00ff\p{L}\p{N}\u2010-\u2027\u2030-\u205e\u20a0-\u20bf™→−√∞≈≠≤≥]+$/u;

function readEscapes(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(escaped, readEscape).replace(bare, (one) => readEscape(`${one};`));
}

function readEscape(whole: string): string {
  const decoded = decodeHtmlEscape(/^&(?:nbsp|amp|lt|gt|quot|apos);$/i.test(whole) ? whole.toLowerCase() : whole);
  return decoded !== undefined && ofTexts.test(decoded) ? decoded.replaceAll('\u00a0', ' ') : whole;
}

/**
 * Whether an escape without a certain meaning remains: cut off, in capital letters, unknown to HTML, or for a character
 * that texts do not contain.
 */
function holdsEscape(text: string): boolean {
  if (!text.includes('&')) return false;
  if (/&#x?[0-9a-f]/i.test(text)) return true;
  return [...text.matchAll(escaped)].some(([whole]) => isName(whole) || isName(whole.toLowerCase()));
}

function isName(whole: string): boolean {
  return decodeHtmlEscape(whole) !== undefined;
}

// HTML, "Index of elements", with the obsolete ones that editors still write.
const elements =
  'a|abbr|acronym|address|applet|area|article|aside|audio|b|base|basefont|bdi|bdo|big|blink|blockquote|body|br|' +
  'button|' +
  'canvas|caption|center|cite|code|col|colgroup|data|datalist|dd|del|details|dfn|dialog|dir|div|dl|dt|em|embed|' +
  'fieldset|figcaption|figure|font|footer|form|frame|frameset|h[1-6]|head|header|hgroup|hr|html|i|iframe|img|input|' +
  'ins|kbd|label|legend|li|link|main|map|mark|marquee|math|menu|meta|meter|nav|nobr|noframes|noscript|object|ol|' +
  'optgroup|option|output|p|param|picture|pre|progress|q|rp|rt|ruby|s|samp|script|search|section|select|slot|small|' +
  'source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|' +
  'track|tt|u|ul|var|video|wbr';

// A comment or an XML name counts as a tag. So does a tag without an end where the text was cut off.
const tagged = new RegExp(
  `</?(?:${elements})(?:[\\s/][^<>]*)?>|<(?:!--|!doctype\\b|!\\[cdata\\[|\\?xml\\b|/?[a-z]+:[a-z]+[\\s/>])|` +
    '<(?:br|div|span|font|strong|table|li|ul|td|tr)\\b[^<>]*$|</[a-z]',
  'i',
);

const tag = new RegExp(`<(/?)(${elements})((?:[\\s/][^<>]*)?)>`, 'gi');
const ends = /^(?:br|hr)$/i;
const lines = /^(?:p|div|ul|li|h[1-6]|center|html|body|section)$/i;
const looks = /^(?:b|i|em|strong|u|span|font|big|small)$/i;
// Hidden, struck-out or raised text means something else without its tag.
const meaningful = /hidden|display|visibility|line-through|vertical|position|content/i;

/** Removes tags only if all of them are layout tags and every opened tag is closed. */
function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  const tags = [...text.matchAll(tag)];
  const isCertain = tags.every(
    ([, , name = '', rest = '']) => (ends.test(name) || lines.test(name) || looks.test(name)) && !meaningful.test(rest),
  );
  if (tags.length === 0 || !isCertain || !isBalanced(tags)) return text;
  return text
    .replace(tag, (_whole, _end, name: string) => (looks.test(name) ? '' : '\n'))
    .replace(/\n(?:[ \t]*\n)+/g, '\n');
}

function isBalanced(tags: readonly RegExpMatchArray[]): boolean {
  const open: string[] = [];
  for (const [, end, name = ''] of tags) {
    if (ends.test(name)) continue;
    if (end === '') open.push(name.toLowerCase());
    else if (open.pop() !== name.toLowerCase()) return false;
  }
  return open.length === 0;
}

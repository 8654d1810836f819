/**
 * Repairs letters of UTF-8 or Windows-1252 that a system on the way read as another encoding: "Ã¡", "â€™", control
 * characters.
 */

const windows1252 = new TextDecoder('windows-1252');
const utf8 = new TextDecoder('utf-8', { fatal: true });

const bytes1252 = new Map(
  Array.from({ length: 0x80 }, (_, index) => 0x80 + index).map(
    (byte) => [windows1252.decode(Uint8Array.of(byte)), byte] as const,
  ),
);

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => bytes1252.get(letter) ?? letter.charCodeAt(0));
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const controls = /[\u0080-\u009f]/;
const beyondLatin1 = /[\u0100-\uffff]/;
const control = /(?<![ÂÃÄÅ]|â[€„†ˆ‰])[\u0080-\u009f]/g;

/**
 * The text without C1 control characters. No system writes these: they are bytes of UTF-8 or Windows-1252 that were
 * read as Latin-1. U+0085 alone is Unicode's own line end.
 */
export function readControls(text: string): string {
  if (!controls.test(text)) return text;
  const asUtf8 = beyondLatin1.test(text) ? undefined : utf8Of(bytesOf(text));
  if (asUtf8 !== undefined) return asUtf8;
  const lines = /[\u0080-\u0084\u0086-\u009f]/.test(text) ? text : text.replaceAll('\u0085', '\n');
  return lines.replace(control, (byte) => windows1252.decode(bytesOf(byte)));
}

// The second byte of a misread letter. A `sign` never follows a letter in a word; a `mark` or a blank may ("CAFÃ’s",
// "IRMÃ Teresa").
const sign = '[\\u0080-\\u009f\\u00a1-\\u00aa\\u00ac-\\u00ba\\u00bc-\\u00bf€ƒ†‡ˆ‰ŠŒŽ˜™šœžŸ]';
const mark = '[«»‚„…‹‘’“”•–—›]';
const any = '[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';
const letter = new RegExp(
  `[ÂÃÄÅ](?:${sign}|(?<=\\p{Ll}.)${mark}|${mark}(?=\\p{L}{2}))|Â\\u00a0|(?<!\\p{Lu})Ã\\u00a0|â[€„†ˆ‰]${any}`,
  'gu',
);
const mayHoldLetter = /[ÂÃÄÅ][^A-Za-z ]|â[€„†ˆ‰]/;

// A text may have been misread twice: "GarcÃƒÂ­a".
const mostTimes = 4;

/** Restores the letters that are certainly UTF-8 read as Latin-1 or Windows-1252. */
export function readLetters(text: string): string {
  let read = text;
  for (let time = 0; time < mostTimes && mayHoldLetter.test(read); time += 1) {
    const before = read;
    read = before.replace(letter, (whole) => plain(utf8Of(bytesOf(whole)) ?? whole));
    if (read === before) break;
  }
  return read;
}

function plain(decoded: string): string {
  return decoded === '\u00a0' ? ' ' : decoded;
}

/**
 * Whether a non-breaking blank may be the second byte of a letter. Nothing shows whether it is, and cleaning would
 * replace the blank.
 */
export function holdsLostByte(text: string): boolean {
  return /[ÄÅ]\u00a0/.test(text);
}

const misread = new RegExp(`[ÂÃ]${any}|[ÄÅ][\\u0080-\\u00bf]|[âï]${any}{2}|ð[Ÿ\\u009f]${any}{2}|Â(?=\\s|$)`);
const mayBeMisread = /[?ÂÃÄÅâïð]/;

// Longer texts are notes, where a question mark before a word is common: "? cause".
const longestPhrase = 500;
const questioned = /^(?!.*:\/\/).*(?:\p{L}\?\p{L}|(?:^|\s)\?\s\p{L})/su;

/**
 * Whether letters look as if UTF-8 had been read as another encoding, or as if a question mark replaced a letter
 * ("Nev?rez", "with ? food"). Such a text cannot be repaired, and a person should check it.
 */
export function looksMisread(text: string): boolean {
  return mayBeMisread.test(text) && (misread.test(text) || (text.length <= longestPhrase && questioned.test(text)));
}

const dosed =
  'tab(?:let)?s?|cap(?:sule|let)?s?|m[lg]s?|mcg|g|gm|units?|iu|puffs?|sprays?|drops?|gtts?|patch(?:es)?|' +
  'inhalations?|teaspoons?|tsp|tablespoons?|tbsp|suppositor(?:y|ies)|lozenges?|vials?|pens?|syringes?|pumps?|' +
  'packets?|sachets?|films?';
const verb = 'take|give|inject|use|apply|inhale|instill|insert|place|chew|dissolve|swallow|administer|infuse|drink';
const lostNumber = new RegExp(
  `\\b(?:${verb})\\b[^.?\\n]{0,120}(?<!\\p{L})\\?+ ?(?:${dosed}|hours?|hrs?|days?|weeks?|months?|minutes?|times)\\b|` +
    `\\d\\?\\d{0,2} ?(?:${dosed})\\b|^\\?+ ?(?:${dosed})\\b`,
  'iu',
);

/** Whether a question mark replaces the number in directions: "Take ? tablet", "1?2 tablets". */
export function hasLostNumber(text: string): boolean {
  return text.length <= longestPhrase && text.includes('?') && lostNumber.test(text);
}

/**
 * A text as a person reads it, in one line: in the composed form (NFC), without invisible characters (NUL and other
 * control characters, zero-width characters, marks that turn the direction of writing, lone surrogates), with single
 * blanks and none around it. Every text of a chart passes through this function before it leaves the core. It takes
 * linear time for every text.
 *
 * @example cleanText('Fen\u200bwick\u0000 \n Ada') // 'Fenwick Ada'
 */
export function cleanText(text: string): string {
  return isPlain(text) ? text : visibleText(text).replace(/\s+/g, ' ').trim();
}

/**
 * `cleanText` for a text in several lines, such as directions or a note: line breaks and the blanks inside a line are
 * kept.
 *
 * @example cleanLines('Take 1 tablet\u202e\r\nwith food \u0007') // 'Take 1 tablet\nwith food'
 */
export function cleanLines(text: string): string {
  return visibleText(text)
    .split(/\r\n|[\n-\r\u2028\u2029]/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/**
 * Whether a text is printable ASCII with only single blanks, as nearly every value is, so that it needs no cleaning.
 * This is a loop, because it runs several times for every value, and starting a pattern takes longer.
 */
export function isPlain(text: string): boolean {
  let before = blank;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < blank || code > lastPrintable || (code === blank && before === blank)) return false;
    before = code;
  }
  return before !== blank || text === '';
}

const [blank, lastPrintable] = [0x20, 0x7e];

// Control (Cc) and format (Cf) characters and lone surrogates (Cs), but not line ends and blanks.
const unseen = /(?![\t-\r])[\p{Cc}\p{Cf}\p{Cs}]/gu;

// Composing sorts the marks on a letter, in time that grows with the square of their number. Unicode's Stream-Safe Text
// Format (UAX #15) allows thirty.
const tooManyMarks = /(\p{M}{30})\p{M}+/gu;

// Pages are long and consist almost entirely of ASCII, Latin-1 letters, dashes and quotation marks. These are never
// removed and have no other composed form, so only the other characters are processed.
const uncommon = /[^\t-\r -~\u00a0-\u00ac\u00ae-\u00ff\u2010-\u2027]+/g;

/**
 * A text of any form, such as a page, without invisible characters; blanks and line breaks are kept.
 *
 * @example visibleText('<b>Fen\u200bwick</b>\u0000\n') // '<b>Fenwick</b>\n'
 */
export function visibleText(text: string): string {
  let [visible, done] = ['', 0];
  for (const { 0: part, index } of text.matchAll(uncommon)) {
    // starts one character earlier, because a mark may belong to that letter
    const from = Math.max(done, index - 1);
    const to = index + part.length;
    visible += text.slice(done, from) + visiblePart(text.slice(from, to));
    done = to;
  }
  return done === 0 ? text : visible + text.slice(done);
}

function visiblePart(part: string): string {
  return part.replace(unseen, '').replace(tooManyMarks, '$1').normalize('NFC');
}

import { type Range, rangeAt } from './secret-ranges.ts';
import { accessWords, codedThings, plainWords, strongWords, weakWords } from './secret-words.ts';

/** Finds credentials in running text, after or before a word that labels them. */

/** The text between a label and its value: punctuation of every kind, a tag, a remark in parentheses, a line break. */
const marks = '(?:<[^<>]{1,60}>|[\\s:=#|*_~>»→⇒➜︰：.…"\'“”‘’`–—-])';
// Text in parentheses is skipped only before a colon or verb; otherwise it may be the credential.
const remark = '(?:\\s*\\([^()\\n]{0,60}\\)(?=\\s*(?:[:=]|is\\b|are\\b)))?';
const verbs = '(?:\\s+(?:numbers?|nos?\\.?|ids?|is|are|was|will\\s+be|reads?|being))*';
const whatFor =
  '(?:\\s+(?:for|to|of|on|in|at|with|we|you|that|which)\\b[^.?!:=;\\n]{1,80}?' +
  '(?=\\s+(?:is|are|was)\\b|\\s*[:=](?!//)))?';
// The label must end here, so that `no` does not match the start of `nothing`.
const naming = `(?:\\(s\\))?${whatFor}${remark}${verbs}${remark}(?![\\p{L}\\d])(?:${marks}{1,40}[([{]?|[([{])["'“‘]?`;

const word = `\\b(?:(?<strong>${strongWords})|(?<weak>${weakWords})|(?<access>${accessWords})(?=["'”’\\s]*[:=]))`;
const after = new RegExp(`${word}(?![\\p{L}\\d])(?<between>${naming})`, 'giu');
const harmlessBefore = new RegExp(`\\b(?:${codedThings})[\\s_-]*$`, 'i');
const codedBetween = /\b(?:icd|cpt|hcpcs|ndc|diagnos\w+|procedure|drug|billing|dx)\b/i;

/** How a credential is labeled. */
interface Named {
  readonly isStrong: boolean;
  readonly isPlural: boolean;
  /** A colon, an equals sign or a verb follows the label. */
  readonly isNamed: boolean;
  readonly isPassphrase: boolean;
}

export function afterWords(text: string): Range[] {
  return [...text.matchAll(after)].flatMap((match): Range[] => {
    const { 0: whole, index } = match;
    const { strong, weak = '', between = '' } = match.groups ?? {};
    if (strong === undefined && isOfCoding(text, index, between)) return [];
    const named = {
      isStrong: strong !== undefined,
      isPlural: /^(?:codes|keys)$/i.test(weak) || /^\(s\)/.test(between),
      isNamed: /[:=#|>→⇒➜»︰：]|\b(?:is|are|was|be|reads?|being)\b/i.test(between),
      isPassphrase: /phrase/i.test(strong ?? ''),
    };
    return valueAt(text, index + whole.length, named);
  });
}

function isOfCoding(text: string, index: number, between: string): boolean {
  return harmlessBefore.test(text.slice(Math.max(0, index - 40), index)) || codedBetween.test(between);
}

function valueAt(text: string, start: number, named: Named): Range[] {
  const quote = quotedAt(text, start);
  if (quote !== undefined) return [quote];
  const first = tokenAt(text, start);
  if (first === '' || !isSecret(first, named)) return [];
  const end = start + first.length;
  if (named.isPassphrase) return [rangeAt(start, /^[^.;\n]{0,120}/.exec(text.slice(start))?.[0] ?? first)];
  return [[start, end], ...moreOf(text, end, first), ...otherOf(text, end)];
}

// The whole quoted text, if it contains blanks.
function quotedAt(text: string, start: number): Range | undefined {
  if (!/["“‘']/.test(text[start - 1] ?? '')) return undefined;
  const inner = /^([^"“”\n]{1,80}?)["”’']/.exec(text.slice(start))?.[1];
  return inner === undefined || !/\s/.test(inner) ? undefined : rangeAt(start, inner);
}

function tokenAt(text: string, start: number): string {
  const token = /^[^\s<>|“”"]{1,200}/u.exec(text.slice(start))?.[0] ?? '';
  // A comma usually continues the sentence; few passwords contain one.
  return (/^[^,;]*/.exec(token)?.[0] ?? '').replace(/[.:!?)\]}’']+$/u, '');
}

function isSecret(token: string, { isStrong, isPlural, isNamed }: Named): boolean {
  if (plainWords.has(token.toLowerCase()) || isDose(token) || /^(?:https?:|www\.)/i.test(token)) return false;
  if (!isStrong && isOfDisease(token)) return false;
  if (!isStrong && isPlural && /^[A-Z]?\d{4,5}$/i.test(token)) return false;
  return isStrong || isNamed || looksSecret(token);
}

/** true if the token has a digit, a symbol or only capitals, unlike most words of a sentence. */
function looksSecret(token: string): boolean {
  return /\d/.test(token) || /^[A-Z]{4,}(?:-[A-Z]+)*$/.test(token) || /\w[@#$%^&*!_+=]\w?/.test(token);
}

// An ICD-10 code with its dot: M06.9, L40.50.
function isOfDisease(token: string): boolean {
  return /^[A-TV-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}$/i.test(token);
}

const unit = '(?:mg|mcg|µg|g|kg|ml|l|units?|iu|%|mmol|tablets?|capsules?|days?|weeks?|months?|years?|hours?|times?)';
const dose = new RegExp(`^\\d+(?:[.,]\\d+)?${unit}(?:/\\w+)?$`, 'i');
const beforeUnit = new RegExp(`^\\s*${unit}\\b`, 'i');

function isDose(token: string): boolean {
  return dose.test(token);
}

// `ABCD 1234 EFGH`, `993 214`, `4 8 2 1`: the groups of a credential have the same length.
function moreOf(text: string, from: number, first: string): Range[] {
  const [whole, next] = /^[ \t]+([A-Z0-9]{1,8})(?=[\s.,;)]|$)/.exec(text.slice(from)) ?? [];
  if (whole === undefined || next === undefined || next.length !== first.length) return [];
  if (!/\d/.test(first + next) || beforeUnit.test(text.slice(from + whole.length))) return [];
  const start = from + whole.length - next.length;
  return [[start, from + whole.length], ...moreOf(text, from + whole.length, next)];
}

const aWord = new RegExp(`^(?:${strongWords}|${weakWords}|${accessWords})$`, 'i');

// `Login/password: jdoe / hunter2`
function otherOf(text: string, from: number): Range[] {
  const [whole] = /^\s+[/|]\s+/.exec(text.slice(from)) ?? [];
  if (whole === undefined) return [];
  const token = tokenAt(text, from + whole.length);
  const isLabel = text[from + whole.length + token.length] === ':' || aWord.test(token);
  return token === '' || isLabel || plainWords.has(token.toLowerCase()) ? [] : [rangeAt(from + whole.length, token)];
}

// The match starts at a word and has a typical length, because the pattern would be slow if it tried every letter.
const typed = '(?<![^\\s"“”\',;(])["“\']?(?<typed>[^\\s"“”\',;]{0,64}\\d[^\\s"“”\',;]{0,64})["”\']?';
const names =
  `(?:(?:the|your|a|our|this|an)\\s+)?(?:[\\w-]+\\s+){0,2}?(?:${strongWords}|${weakWords}|pins?)` + '(?![\\p{L}\\d])';
const befores = [
  new RegExp(`${typed}\\s+(?:is|as)\\s+${names}`, 'giu'),
  new RegExp(`${typed}\\s*(?:[([]\\s*|[=–—]\\s*|\\s-\\s)${names}(?!\\s*[:=])`, 'giu'),
  new RegExp(
    `\\b(?:enter|type|key\\s+in|quote)\\s+${typed}\\s+(?:when|at|for|if|as|to)\\b[^.?!\\n]{0,60}?\\b${names}`,
    'giu',
  ),
  /\b(?:log|sign)[ -]?(?:in|on)\s+(?:as|with|using)\s+["“']?(?<typed>[^\s"“”',;.]{2,64})/giu,
  /\b(?:bearer|basic)\s+(?<typed>[\w+/=.~-]{12,})/giu,
];
const codedAfter = new RegExp(`\\b(?:${codedThings})[\\s_-]+(?:codes?|keys?)$`, 'i');
const sentence = new Set([
  'password',
  'passcode',
  'pin',
  'code',
  'user',
  'username',
  'key',
  'login',
  'my',
  'our',
  'the',
  'your',
  'an',
  'a',
  'this',
  'that',
  'these',
  'those',
  'either',
]);

export function beforeWords(text: string): Range[] {
  return befores.flatMap((before) =>
    [...text.matchAll(before)].flatMap(({ 0: whole, index, groups }): Range[] => {
      const token = (groups?.typed ?? '').replace(/[.:)\]]+$/, '');
      const isPlain = plainWords.has(token.toLowerCase()) || sentence.has(token.toLowerCase());
      if (token === '' || isPlain || isDose(token) || isOfDisease(token) || codedAfter.test(whole)) return [];
      return [rangeAt(index + whole.indexOf(token), token)];
    }),
  );
}

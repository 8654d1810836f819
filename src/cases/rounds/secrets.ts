import type { SentField } from '../../core/contract/outreach.ts';

/**
 * Credentials in what a payer sends: in fields that are named so, in addresses, and after words such as key, password,
 * code, PIN. Better a harmless word too many: a person can have the text shown as it came.
 */

/** A piece of a text; what is secret is not shown unless somebody asks for it. */
export interface Piece {
  readonly text: string;
  readonly isSecret: boolean;
}

const secretNames = new Set([
  ...['password', 'passcode', 'passphrase', 'passwd', 'pwd', 'pin', 'secret', 'token', 'credential', 'credentials'],
  ...['otp', 'login', 'username', 'userid', 'key', 'code', 'apikey', 'auth'],
]);
/** Names and words before `code` that say that it is none of access. */
const codedThings =
  'icd(?:[ -]?\\d+)?(?:[ -]?cm)?|cpt|hcpcs|ndc|rxnorm|snomed|loinc|diagnosis|diagnostic|billing|procedure|drug|' +
  'revenue|modifier|zip|postal|area|country|state|reason|detail|place|denial|taxonomy|specialty|group|plan|dx|status';
const harmlessName = new RegExp(`(${codedThings})[_ -]?code`, 'i');

/** The text of a field in pieces, in order; joined they are the text without invisible characters. */
export function piecesOf({ name, text }: SentField): readonly Piece[] {
  const visible = text.replaceAll(/[\p{Cf}\u00ad]/gu, '');
  if (isSecretName(name)) return [{ text: visible, isSecret: true }];
  const ranges = merged([...inAddresses(visible), ...afterWords(visible), ...beforeWords(visible)]);
  return split(visible, ranges);
}

/** The text without its credentials. */
export function maskedText(field: SentField, mask: string): string {
  return piecesOf(field)
    .map(({ text, isSecret }) => (isSecret ? mask : text))
    .join('');
}

export function hasSecrets(fields: readonly SentField[]): boolean {
  return fields.some((field) => piecesOf(field).some(({ isSecret }) => isSecret));
}

function isSecretName(name: string): boolean {
  if (harmlessName.test(name)) return false;
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some(
    (word, index) => secretNames.has(word) || (word === 'user' && /^(id|name)$/.test(words[index + 1] ?? '')),
  );
}

type Range = readonly [from: number, to: number];

const address = /\b(?:https?|s?ftp|mailto):\/{0,2}[^\s<>"'“”]+|\bwww\.[^\s<>"'“”]+/gi;

/** User and password, what stands behind `?` and `#`, and parts of the path that nobody would type. */
function inAddresses(text: string): Range[] {
  return [...text.matchAll(address)].flatMap(({ 0: whole, index }) => {
    const user = /^[a-z]+:\/\/([^/?#\s]+)@/i.exec(whole);
    const query = /[?#]/.exec(whole);
    const path = whole.slice(0, query?.index ?? whole.length);
    return [
      ...(user?.[1] === undefined ? [] : [at(index + whole.indexOf(user[1]), user[1])]),
      ...(query === null ? [] : [[index + query.index + 1, index + whole.length] as const]),
      ...[...path.matchAll(/(?<=\/)[\w~=.-]{12,}(?=\/|$)/g)]
        .filter(({ 0: part }) => /\d/.test(part) && /[a-z]/i.test(part) && !part.includes('.'))
        .map(({ 0: part, index: place }) => at(index + place, part)),
    ];
  });
}

// What stands between the word and what it names.
const naming = '(?:\\s+(?:number|no\\.?|id|is|are|was|will be))*\\s*[:=#–—-]*\\s*["\'“‘(]?';
/** Words after which whatever follows is a credential, and those after which only what looks like one is. */
const strongWords =
  'pass[ -]?words?|pass[ -]?codes?|pass[ -]?phrases?|passwd|pwd|pins?(?:[ -]codes?)?|p\\.i\\.n\\.|otp';
const weakWords =
  '(?:access|security|portal|verification|case|entry|fax|web|login|log-in|confirmation|one[ -]time|secret|api)' +
  '[ -](?:codes?|keys?|ids?|tokens?)|codes?|keys?|tokens?|secrets?|log[ -]?ins?|user[ -]?(?:names?|ids?)|credentials?';
const after = new RegExp(`\\b(?:(${strongWords})|(${weakWords}))\\b(${naming})`, 'giu');
const harmlessBefore = new RegExp(`\\b(?:${codedThings})\\s*$`, 'i');
/** Words that follow a word such as password without being one. */
const plain = new Set(
  (
    'a an and are as at below by can enclosed expired expires for from has if in into is it may must ' +
    'needed not of on or page please protected required reset sent that the their this to was we which ' +
    'will with you your'
  ).split(' '),
);

function afterWords(text: string): Range[] {
  return [...text.matchAll(after)].flatMap((match): Range[] => {
    const { 0: whole, 1: strong, 3: between = '', index } = match;
    if (strong === undefined && harmlessBefore.test(text.slice(Math.max(0, index - 40), index))) return [];
    const start = index + whole.length;
    const first = /^[^\s,;"'“”’)]+/u.exec(text.slice(start))?.[0].replace(/[.!?]+$/, '');
    if (first === undefined || first === '') return [];
    const isNamed = /[:=#]|\b(is|are|was|be)\b/i.test(between);
    if (!isSecret(first, strong !== undefined, isNamed)) return [];
    return [[start, start + first.length], ...moreOf(text, start + first.length)];
  });
}

function isSecret(token: string, isStrong: boolean, isNamed: boolean): boolean {
  if (looksSecret(token)) return true;
  if (plain.has(token.toLowerCase())) return false;
  return isStrong || isNamed;
}

/** A digit or a sign within, or capitals alone: no word of a sentence. */
function looksSecret(token: string): boolean {
  return /\d/.test(token) || /^[A-Z]{4,}(?:-[A-Z]+)*$/.test(token) || /\w[@#$%^&*!_+=]\w?/.test(token);
}

// `ABCD 1234 EFGH`: groups of one credential.
function moreOf(text: string, from: number): Range[] {
  const next = /^\s+([A-Z0-9]{2,8}(?=[\s.,;)]|$))/.exec(text.slice(from));
  if (next?.[1] === undefined || !/\d/.test(next[1])) return [];
  const start = from + next[0].length - next[1].length;
  return [[start, start + next[1].length], ...moreOf(text, start + next[1].length)];
}

// From the beginning of a word, and of a length that somebody types: else each of its letters would be tried.
const token = '(?<![^\\s"“”\',;])["“\']?([^\\s"“”\',;]{0,64}\\d[^\\s"“”\',;]{0,64})["”\']?';
const before = new RegExp(
  `${token}\\s+(?:is|as)\\s+(?:the|your|a|our)?\\s*(?:\\w+\\s+)?(?:${strongWords}|${weakWords})\\b`,
  'giu',
);

function beforeWords(text: string): Range[] {
  return [...text.matchAll(before)].flatMap(({ 0: whole, 1: token, index }) =>
    token === undefined || new RegExp(`(?:${codedThings})\\s+codes?$`, 'i').test(whole)
      ? []
      : [at(index + whole.indexOf(token), token)],
  );
}

function at(from: number, text: string): Range {
  return [from, from + text.length];
}

function merged(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last === undefined || from > last[1]) all.push([from, to]);
    else all[all.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return all;
}

function split(text: string, ranges: readonly Range[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const [from, to] of ranges) {
    pieces.push({ text: text.slice(done, from), isSecret: false }, { text: text.slice(from, to), isSecret: true });
    done = to;
  }
  return [...pieces, { text: text.slice(done), isSecret: false }].filter((piece) => piece.text !== '');
}

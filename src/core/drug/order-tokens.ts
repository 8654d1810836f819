import { formWord } from './form-words.ts';
import { isGauge } from './gauge.ts';
import { numberPattern } from './number.ts';
import { releaseOf } from './release.ts';
import { perPattern, unitOf, unitPattern } from './unit.ts';

export type BaseKind = 'base' | 'element';

/** One or more numbers with their unit and denominator: `5-325 mg`, `0.25-35 mg-mcg`. */
export interface Quantity {
  readonly words: string;
  readonly numbers: readonly string[];
  readonly units: readonly string[];
  readonly isMillions: boolean;
  readonly per: { readonly number: string | undefined; readonly unit: string } | undefined;
  /** The quantity is a dose, not a strength: `mg/kg`, `mcg/kg/min`. */
  readonly isDose: boolean;
  /** The quantity follows a dash or slash, like the second in `24 mg-26 mg`. */
  readonly isJoined: boolean;
  /** The quantity is in parentheses, like the second in `50 mcg (0.05 mg)`. */
  readonly isAside: boolean;
  /** The quantity is in parentheses with a count, like the second in `160 mg (2 x 80 mg/mL)`. */
  readonly isCounted?: boolean | undefined;
  /** The mass of the base or element of a salt, like the second in `325 mg (65 mg iron)`. */
  readonly isOfBase?: BaseKind | undefined;
}

/** One part of a text. Commas and parentheses are words too. */
export type OrderToken =
  | { readonly kind: 'quantity'; readonly quantity: Quantity }
  | { readonly kind: 'word'; readonly text: string; readonly isGlued: boolean };

const quantity = new RegExp(
  `(${numberPattern}(?:(?:[-/]| or )${numberPattern}){0,4})[\\s-]?(million )?` +
    `(?!u-\\d)(${unitPattern}(?:-${unitPattern}){0,4})(?![\\p{L}\\d])` +
    `(?:(?:\\s?/\\s?|\\s+per\\s+)(?:(${numberPattern})\\s?)?(${perPattern})(?![\\p{L}\\d])|` +
    String.raw`\s+(dose)(?![\p{L}\d]|\s?-?\s?(?:pack|pak|kit)))?`,
  'iuy',
);
const word = /[()[\]{}]|[,;+]|[-/](?=\s?[\d.])|[^\s()[\]{},;+]+/uy;
// What may follow a quantity that is a dose: "mcg/kg/min", or "60 mg daily dose" for a pack of 20 mg capsules. In
// "4%/tretinoin 0.05%" the slash starts the next ingredient.
const further = new RegExp(
  String.raw`\s?\/\s?(?![\p{L}' -]{3,60}\s${numberPattern} ?${unitPattern}(?![\p{L}\d]))\p{L}[^\s,()]*|` +
    String.raw`\s+daily\s+dose(?![\p{L}\d])`,
  'iuy',
);

/** Runs in linear time. */
export function tokensOf(text: string): OrderToken[] {
  const tokens: OrderToken[] = [];
  let at = 0;
  let isJoined = false;
  while (at < text.length) {
    const found = matchAt(quantity, text, at);
    if (found !== null && found[5] === undefined && isGauge(found[1] ?? '', found[3] ?? '', text)) {
      tokens.push({ kind: 'word', text: found[0].replace(/\s/g, ''), isGlued: false });
      at += found[0].length;
      isJoined = false;
      continue;
    }
    if (found !== null) {
      const end = at + found[0].length;
      const more = found[3] === '%' ? '' : (matchAt(further, text, end)?.[0] ?? '');
      tokens.push({ kind: 'quantity', quantity: quantityOf(found, more !== '', isJoined) });
      at = end + more.length;
      isJoined = false;
      continue;
    }
    const [said] = matchAt(word, text, at) ?? [];
    isJoined = said === '-' || said === '/' ? tokens.at(-1)?.kind === 'quantity' : isJoined && said === undefined;
    if (said !== undefined && !isJoined)
      tokens.push({ kind: 'word', text: said, isGlued: at > 0 && !/\s/.test(text[at - 1] ?? ' ') });
    at += said?.length ?? 1;
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function quantityOf(found: RegExpExecArray, hasMore: boolean, isJoined: boolean): Quantity {
  const [words, numbers = '', million, units = '', number, below, dose] = found;
  const per = below ?? dose;
  return {
    words: words.trim(),
    numbers: numbers.split(/[-/]| or /i),
    units: unitOf(units) === undefined ? units.split('-') : [units],
    isMillions: million !== undefined,
    per: per === undefined ? undefined : { number, unit: per },
    isDose: hasMore || /^(kg|m2|d|days?)$/i.test(per ?? ''),
    isJoined,
    isAside: false,
  };
}

const ofNoInterest = new RegExp(
  '^(product|substance|qualifier value|medicinal product|clinical drug|brand|generic|' +
    'over the counter|otc|u-?\\d{2,3}|cfc-f(?:ree)?|brand name|usp|cf|pf|' +
    '(human|porcine|bovine|pediatric|adult|infants?|children|' +
    'sensor|bulk|live|refrigerated|recombinant|concentrate|disposable|anti-|preservative|sugar|dye|' +
    String.raw`latex|citrate|gluten)[\p{L} -]{0,20})$`,
  'iu',
);

export interface Group {
  readonly words: string;
  /** The group follows a strength or a form, where a brand is not expected. */
  readonly isBehind: boolean;
}

function isOfProduct(token: OrderToken): boolean {
  return token.kind === 'quantity' || formWord(token.text) === 'noun';
}

/**
 * Separates parentheses by content: a name ("(HUMIRA)") becomes a group, a part of the text ("(3 mL)") stays inline,
 * and a remark ("(product)", "(2 Pen)") is dropped.
 */
export function takeGroups(tokens: readonly OrderToken[]): {
  readonly inline: readonly OrderToken[];
  readonly groups: readonly Group[];
} {
  const [inline, groups]: [OrderToken[], Group[]] = [[], []];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) continue;
    const end = isOpening(token) ? closing(tokens, index) : undefined;
    if (end === undefined) {
      if (!isBracket(token)) inline.push(token);
      continue;
    }
    const inside = tokens.slice(index + 1, end);
    const said = wordsIn(inside);
    if (isMark(token, said)) inline.push({ kind: 'word', text: `(${said})`, isGlued: true });
    else if (said !== undefined && isNameLike(inside))
      groups.push(...(ofNoInterest.test(said) ? [] : [{ words: said, isBehind: inline.some(isOfProduct) }]));
    else if (said === undefined || !ofNoInterest.test(said)) inline.push(...asides(inside));
    index = end;
  }
  return { inline, groups };
}

// "(3 mL)" and "(pen injector)" describe the drug. Neither the count nor the form in "(2 Pen)" does.
function asides(inside: readonly OrderToken[]): OrderToken[] {
  const isCounted = inside.some((one) => one.kind === 'word' && /^x?\d/i.test(one.text));
  return inside.flatMap((token): OrderToken[] => {
    if (token.kind === 'quantity')
      return [{ kind: 'quantity', quantity: { ...token.quantity, isAside: true, isCounted } }];
    const isKnown = formWord(token.text) !== undefined || releaseOf(token.text) !== undefined;
    return (isKnown ? !isCounted : /\p{L}{2}/u.test(token.text)) ? [token] : [];
  });
}

function wordsIn(tokens: readonly OrderToken[]): string | undefined {
  const words = tokens.flatMap((token) => (token.kind === 'word' ? token.text : []));
  return words.length === 0 || words.length < tokens.length ? undefined : words.join(' ').replaceAll(' , ', ',');
}

// The parentheses in HUMIRA(CF) are part of the name.
function isMark(open: OrderToken, said: string | undefined): boolean {
  return open.kind === 'word' && open.isGlued && /^[A-Z]{1,4}$/.test(said ?? '');
}

// "(LANTUS SOLOSTAR)" is a name, "(pen injector)" a form, "(ER)" a release.
function isNameLike([first]: readonly OrderToken[]): boolean {
  if (first?.kind !== 'word' || !/^\p{L}/u.test(first.text)) return false;
  return formWord(first.text) === undefined && releaseOf(first.text) === undefined;
}

function isBracket(token: OrderToken): boolean {
  return token.kind === 'word' && /^[()[\]{}]$/.test(token.text);
}

function isOpening(token: OrderToken): boolean {
  return token.kind === 'word' && /^[([{]$/.test(token.text);
}

const mostInside = 20;

function closing(tokens: readonly OrderToken[], from: number): number | undefined {
  const end = from + 1 + tokens.slice(from + 1, from + mostInside).findIndex(isBracket);
  const token = tokens[end];
  return end === from || token === undefined || isOpening(token) ? undefined : end;
}

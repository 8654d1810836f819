import { formWord } from './form-words.ts';
import type { BaseKind, OrderToken } from './order-tokens.ts';

/**
 * Marks a mass that measures only the base or element of a salt, and drops the words that say so. In "phenytoin sodium
 * 100 mg (92 mg of phenytoin)", the second mass is not the strength of the drug.
 */
export function markBases(tokens: readonly OrderToken[]): readonly OrderToken[] {
  const first = tokens.findIndex(({ kind }) => kind === 'quantity');
  if (first < 1 || !tokens.some(isOwnQuantity)) return tokens;
  const name = new Set(tokens.slice(0, first).flatMap(wordsOf));
  const marked: OrderToken[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'quantity') {
      if (token !== undefined) marked.push(token);
      continue;
    }
    const said = baseBehind(tokens.slice(at + 1), name);
    if (said !== undefined) dropEquals(marked);
    marked.push(
      said === undefined ? token : { kind: 'quantity', quantity: { ...token.quantity, isOfBase: said.kind } },
    );
    at += said?.length ?? 0;
  }
  return marked;
}

// Element names and symbols (IUPAC), with the words that salts use for them.
const elements: Readonly<Record<string, readonly string[]>> = {
  iron: ['ferrous', 'ferric', 'iron'],
  fe: ['ferrous', 'ferric', 'iron'],
  ca: ['calcium'],
  zn: ['zinc'],
  f: ['fluoride'],
  k: ['potassium'],
  na: ['sodium'],
  se: ['selenious', 'selenium', 'selenite'],
  cu: ['cupric', 'copper'],
  copper: ['cupric', 'copper'],
};
const metals = new Set('calcium magnesium zinc potassium sodium fluoride lithium selenium'.split(' '));
const between = new Set(['of', 'as', 'the']);
const equals = new Set('= equals equivalent equiv eq to'.split(' '));

function isOwnQuantity(token: OrderToken): boolean {
  return token.kind === 'quantity' && token.quantity.isOfBase === undefined;
}

function wordsOf(token: OrderToken): string[] {
  return token.kind === 'word' ? token.text.toLowerCase().split(/[-/]/) : [];
}

/** The words after a mass that name the part of the drug it measures: "of elemental calcium", "iron", "base". */
function baseBehind(
  tokens: readonly OrderToken[],
  name: ReadonlySet<string>,
): { readonly kind: BaseKind; readonly length: number } | undefined {
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind !== 'word' || /^[()[\]{},;]$/.test(token.text) || formWord(token.text) !== undefined) break;
    words.push(token.text.toLowerCase());
  }
  const stated = words.filter((word) => !between.has(word));
  if (stated.length === 0 || tokens[words.length]?.kind === 'quantity') return undefined;
  const kinds = stated.map((word) => kindOf(word, name));
  if (kinds.includes(undefined)) return undefined;
  return { kind: kinds.includes('element') ? 'element' : 'base', length: words.length };
}

function kindOf(word: string, name: ReadonlySet<string>): BaseKind | undefined {
  if (word === 'base' || word === 'free') return 'base';
  if (word === 'elemental' || elements[word]?.some((one) => name.has(one)) === true) return 'element';
  if (!name.has(word)) return undefined;
  return metals.has(word) ? 'element' : 'base';
}

// Drops words before a base mass, such as "equivalent to" in "equivalent to 500 mg of calcium".
function dropEquals(tokens: OrderToken[]): void {
  for (let last = tokens.at(-1); last?.kind === 'word' && equals.has(last.text.toLowerCase()); last = tokens.at(-1))
    tokens.pop();
}

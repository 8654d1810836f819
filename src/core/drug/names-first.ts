import { formWord } from './form-words.ts';
import type { OrderToken } from './order-tokens.ts';
import { releaseOf } from './release.ts';

/**
 * Moves names before strengths when each ingredient is followed by its strength: "amlodipine 5 mg-benazepril 10 mg
 * capsule" becomes `amlodipine / benazepril 5 mg 10 mg capsule`. Other texts stay unchanged.
 */
export function namesFirst(tokens: readonly OrderToken[]): readonly OrderToken[] {
  const first = tokens.findIndex(({ kind }) => kind === 'quantity');
  if (first < 1 || tokens.slice(0, first).some((token) => !isOfName(token))) return tokens;
  const names: OrderToken[] = tokens.slice(0, first);
  const strengths: OrderToken[] = tokens.slice(first, first + 1);
  let rest = tokens.slice(first + 1);
  for (let next = nextIngredient(rest); next !== undefined; next = nextIngredient(rest)) {
    names.push(stroke, ...next.name);
    strengths.push(next.strength);
    rest = rest.slice(next.length);
  }
  return strengths.length === 1 ? tokens : [...names, ...sharingPer(strengths), ...rest];
}

// In "olodaterol 2.5 mcg-tiotropium 2.5 mcg/actuation", both strengths are per actuation. A percentage takes no
// denominator.
function sharingPer(strengths: readonly OrderToken[]): readonly OrderToken[] {
  const last = strengths.at(-1);
  const per = last?.kind === 'quantity' ? last.quantity.per : undefined;
  if (per === undefined) return strengths;
  return strengths.map((token) => {
    if (token.kind !== 'quantity' || token.quantity.per !== undefined || token.quantity.units[0] === '%') return token;
    return { kind: 'quantity', quantity: { ...token.quantity, per } };
  });
}

const stroke: OrderToken = { kind: 'word', text: '/', isGlued: false };

interface Ingredient {
  readonly name: readonly OrderToken[];
  readonly strength: OrderToken;
  /** The number of tokens, with the sign before the name. */
  readonly length: number;
}

// A longer run of words is a sentence, not a name.
const mostWords = 5;

// Words of directions, and words that introduce a repeated strength.
const noName = new RegExp(
  '^(?:take|give|use|inject|apply|dose|doses|total|daily|weekly|monthly|once|twice|every|each|max|maximum|per|' +
    'then|for|' +
    'qty|quantity|loading|maintenance|starting|equals?|equivalent|equiv|eq|about|or|and|of|in|with|as|to|base|' +
    'elemental)$',
  'i',
);

function nextIngredient([sign, ...after]: readonly OrderToken[]): Ingredient | undefined {
  if (sign?.kind !== 'word' || !/^[-/]/.test(sign.text)) return undefined;
  const glued: OrderToken[] = sign.text.length > 1 ? [{ ...sign, text: sign.text.slice(1) }] : [];
  const end = after.findIndex(({ kind }) => kind === 'quantity');
  const strength = after[end];
  const name = [...glued, ...after.slice(0, Math.max(end, 0))];
  if (strength === undefined || name.length === 0 || name.length > mostWords || !name.every(isOfName)) return undefined;
  return { name, strength, length: end + 2 };
}

function isOfName(token: OrderToken): boolean {
  if (token.kind !== 'word') return false;
  const { text } = token;
  return (
    /^[\p{L}\d(-][\p{L}\d()'’-]*,?$/u.test(text) &&
    /\p{L}|^\d+$/u.test(text) &&
    formWord(text) === undefined &&
    releaseOf(text) === undefined &&
    !noName.test(text)
  );
}

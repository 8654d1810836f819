import type { Product } from './products.ts';
import { isMixedInsulin, isMixedSalts } from './spellings.ts';

/** An amount in mg, unit, mEq, mL or percent, in 1 mL or 1 g, in an hour, in an actuation, or as a whole. */
interface Amount {
  readonly value: number;
  readonly unit: string;
  readonly per: 'volume' | 'hour' | 'actuation' | undefined;
  /** The words that stand before it. */
  readonly before: string;
}

const factors: Readonly<Record<string, readonly [string, number]>> = {
  mcg: ['mg', 0.001],
  ug: ['mg', 0.001],
  mg: ['mg', 1],
  g: ['mg', 1000],
  gm: ['mg', 1000],
  gram: ['mg', 1000],
  grams: ['mg', 1000],
  unt: ['unit', 1],
  unit: ['unit', 1],
  units: ['unit', 1],
  meq: ['meq', 1],
  ml: ['ml', 1],
  '%': ['%', 1],
  'million unit': ['unit', 1e6],
};

const pers: Readonly<Record<string, readonly [NonNullable<Amount['per']>, number]>> = {
  ml: ['volume', 1],
  g: ['volume', 1],
  gram: ['volume', 1],
  mg: ['volume', 0.001],
  hr: ['hour', 1],
  h: ['hour', 1],
  hour: ['hour', 1],
  actuat: ['actuation', 1],
  actuation: ['actuation', 1],
  act: ['actuation', 1],
  dose: ['actuation', 1],
};

const amountPattern = new RegExp(
  String.raw`(?<![A-Z\d])([\d,]*\.?\d+)\s*(million unit|mcg|ug|mg|grams?|gm|g|unt|units?|meq|ml|%)?` +
    String.raw`(?:\s*\/\s*(?:(mg)\b|([\d.]+)?\s*(ml|grams?|g|hr|hour|h|actuation|actuat|act|dose)\b))?`,
  'gi',
);

/** The amounts that a strength states: `5-10 mg` has two, of `5 mg-10 mg/5 mL` both are in 5 mL. */
export function amountsOf(text: string): Amount[] {
  // the volume of a container says nothing here; " / " stands between ingredients, "/" before a measure
  const plain = text.replace(/\([\d.]+ ?mL\)/gi, '').replaceAll(' / ', ' ; ');
  const found = [...plain.matchAll(amountPattern)];
  const last = found.at(-1);
  let end = 0;
  return found.map((match) => {
    const before = plain.slice(end, match.index);
    end = match.index + match[0].length;
    const [unit, factor] = factors[(match[2] ?? last?.[2] ?? '').toLowerCase()] ?? ['?', 1];
    const own = match[3] ?? match[5];
    const perWord = (own ?? last?.[3] ?? last?.[5])?.toLowerCase();
    const [per, measure] = perWord === undefined ? [undefined, 1] : (pers[perWord] ?? [undefined, 1]);
    const size = Number((own === undefined ? last?.[4] : match[4]) ?? 1) * measure;
    return {
      value: (Number(match[1]?.replaceAll(',', '')) * factor) / (per === undefined ? 1 : size),
      unit,
      per,
      before,
    };
  });
}

/**
 * Whether a strength that is sent is the product's: each amount beside its own ingredient. `order` are the names in
 * whose order unnamed amounts stand; several orders are given where the drug is sent by its brand.
 */
export function isStrengthOf(product: Product, sent: string, orders: readonly (readonly string[])[]): boolean {
  const amounts = amountsOf(sent);
  const { ingredients, volume } = product.parsed;
  const names = ingredients.map(({ name }) => name);
  if ((isMixedSalts(product) || isMixedInsulin(product.parsed)) && amounts.length === 1) {
    const sum = ingredients.reduce((total, { amount }) => total + amount, 0);
    return isNear(amounts[0]?.value ?? 0, sum);
  }
  if (amounts.length !== ingredients.length) return false;
  const isAt = (amount: Amount, name: string) => {
    const strength = product.strengths[ingredients.findIndex((one) => one.name === name)] ?? '';
    return isSame(amount, amountsOf(strength)[0], volume);
  };
  const named = amounts.map(
    ({ before }) =>
      names.find((name) => wordsAlone(before) === wordsAlone(name)) ??
      names.find((name) => speaksOf(before, name, names)),
  );
  if (named.every((name) => name !== undefined) && new Set(named).size === ingredients.length)
    return amounts.every((amount, at) => isAt(amount, named[at] ?? ''));
  return orders.some((order) => amounts.every((amount, at) => isAt(amount, order[at] ?? '')));
}

function isSame(sent: Amount, own: Amount | undefined, volume: number | undefined): boolean {
  if (own === undefined) return false;
  if (sent.unit === '%' && own.per === 'volume') return isNear(sent.value * (own.unit === 'ml' ? 0.01 : 10), own.value);
  if (sent.unit !== own.unit) return false;
  if (sent.per === own.per) return isNear(sent.value, own.value);
  // what a container holds in all
  return (
    sent.per === undefined && own.per === 'volume' && volume !== undefined && isNear(sent.value, own.value * volume)
  );
}

/** Within 3 %, by which what is printed is rounded. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 0.03 * other;
}

/** Whether words name an ingredient: by a word of it that no other ingredient has. */
export function speaksOf(text: string, ingredient: string, all: readonly string[]): boolean {
  return text.toLowerCase().includes(keyOf(ingredient, all));
}

/** Where words name an ingredient; -1 when they do not. */
export function placeOf(text: string, ingredient: string, all: readonly string[]): number {
  return text.toLowerCase().indexOf(keyOf(ingredient, all));
}

function keyOf(ingredient: string, all: readonly string[]): string {
  const words = ingredient.toLowerCase().split(/[ ,()]+/);
  const others = all.filter((name) => name !== ingredient).map((name) => name.toLowerCase());
  return words.find((word) => word.length > 2 && !others.some((name) => name.includes(word))) ?? words[0] ?? '';
}

function wordsAlone(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

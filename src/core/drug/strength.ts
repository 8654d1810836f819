import type { Amount } from './unit.ts';

/**
 * The amount of one ingredient, in one piece (`50 mg`) or per volume, mass, actuation or hour (`100 mg` per `1 mL`).
 */
export interface Strength {
  readonly amount: Amount;
  readonly per?: Amount | undefined;
}

export interface Strengths {
  readonly amounts: readonly Strength[];
  /** The volume of one container: `0.4 mL` for "0.4 ML adalimumab 100 MG/ML". */
  readonly holds?: Amount | undefined;
  /**
   * Whether a person measures the liquid (oral, drops). 5 mg in 5 mL then equals 1 mg in 1 mL, and is not a container
   * of 5 mg.
   */
  readonly isMeasured: boolean;
}

// Labels, RxNorm and charts round when they convert: 0.7 mg/mL and 0.5 mg in 0.7 mL are the same. With few digits the
// rounding may be large, so the difference must also be within this share of the value.
const mostRounded = 0.03;

type Outcome = 'same' | 'differs' | 'unknown';

/**
 * `same` if, in one unit, they differ only by rounding: at most half of a last stated digit, and never more than 3%.
 * `unknown` if they cannot be compared, such as mg with units or an amount with a concentration.
 */
export function compareStrengths(left: Strengths, right: Strengths): Outcome {
  const measured = left.isMeasured || right.isMeasured;
  const ours = left.amounts.map((strength) => sizeOf(strength, left.holds, measured));
  const theirs = right.amounts.map((strength) => sizeOf(strength, right.holds, measured));
  if (ours.length === 0 || theirs.length === 0) return 'unknown';
  return ours.length === theirs.length ? pairwise(ours, theirs) : together(ours, theirs);
}

interface Size {
  /** In one piece or one container. */
  readonly total?: Amount | undefined;
  readonly rate?: Rate | undefined;
}

interface Rate extends Amount {
  readonly per: string;
}

function sizeOf({ amount, per }: Strength, holds: Amount | undefined, measured: boolean): Size {
  if (amount.unit === '%') return { rate: { ...times(amount, 10), unit: 'mg', per: 'mL' } };
  if (per === undefined || ((per.unit === 'piece' || per.unit === 'actuation') && per.value === 1))
    return { total: amount, rate: holds === undefined ? undefined : rateOf(amount, holds) };
  const rate = rateOf(amount, per);
  if (holds !== undefined && holds.unit === per.unit) return { total: times(amount, holds.value / per.value), rate };
  const isContainer = per.unit === 'mL' && per.value !== 1 && !measured;
  return isContainer ? { total: amount, rate } : { rate };
}

function rateOf(amount: Amount, per: Amount): Rate {
  // RxNorm states creams per mL and charts state them per g, so one gram counts as one milliliter.
  const isMass = per.unit === 'mg';
  if (amount.unit === 'mL' && per.unit === 'mL') return { ...times(amount, 1000 / per.value), unit: 'mg', per: 'mL' };
  return { ...times(amount, (isMass ? 1000 : 1) / per.value), per: isMass ? 'mL' : per.unit };
}

function times({ value, unit, step = 0 }: Amount, factor: number): Amount {
  return { value: value * factor, unit, step: step * factor };
}

function compareSizes(left: Size, right: Size): Outcome {
  const rates = compareRates(left.rate, right.rate);
  if (left.total !== undefined && right.total !== undefined) {
    const totals = compareAmounts(left.total, right.total);
    return totals === 'same' && rates === 'differs' ? 'differs' : totals;
  }
  if (rates !== 'unknown') return rates;
  const [total, rate] = left.total === undefined ? [right.total, left.rate] : [left.total, right.rate];
  const isOneMilliliter = rate?.per === 'mL' && total?.unit === rate.unit && isNear(total, rate);
  return isOneMilliliter ? 'same' : 'unknown';
}

function compareRates(left: Rate | undefined, right: Rate | undefined): Outcome {
  if (left === undefined || right === undefined || left.unit !== right.unit || left.per !== right.per) return 'unknown';
  return isNear(left, right) ? 'same' : 'differs';
}

function compareAmounts(left: Amount, right: Amount): Outcome {
  if (left.unit !== right.unit) return 'unknown';
  return isNear(left, right) ? 'same' : 'differs';
}

function isNear(left: Amount, right: Amount): boolean {
  const largest = Math.max(Math.abs(left.value), Math.abs(right.value));
  const rounding = Math.min(Math.max(left.step ?? 0, right.step ?? 0) / 2, mostRounded * largest);
  // equal decimals may have different binary fractions
  return Math.abs(left.value - right.value) <= rounding + largest * 1e-9;
}

// Each strength needs its own match among the others, because the ingredients may be in another order.
function pairwise(ours: readonly Size[], theirs: readonly Size[]): Outcome {
  const others = [...theirs];
  const rest = ours.filter((size) => {
    const found = others.findIndex((other) => compareSizes(size, other) === 'same');
    if (found !== -1) others.splice(found, 1);
    return found === -1;
  });
  if (rest.length === 0) return 'same';
  const mayFit = rest.every((size) => others.some((other) => compareSizes(size, other) === 'unknown'));
  return mayFit ? 'unknown' : 'differs';
}

// A single strength may be the sum of the others: "Piperacillin/tazobactam 4.5 g" is 4 g and 0.5 g, and "Adderall 20
// mg" is the sum of its salts. Otherwise it may be the strength of only one ingredient.
function together(ours: readonly Size[], theirs: readonly Size[]): Outcome {
  const [few, many] = ours.length < theirs.length ? [ours, theirs] : [theirs, ours];
  const [only] = few;
  if (few.length === 1 && only !== undefined && compareSizes(only, sumOf(many)) === 'same') return 'same';
  const isPart = few.every((size) => many.some((other) => compareSizes(size, other) !== 'differs'));
  return isPart ? 'unknown' : 'differs';
}

function sumOf(sizes: readonly Size[]): Size {
  return { total: sumOfAmounts(sizes.map(({ total }) => total)), rate: sumOfRates(sizes.map(({ rate }) => rate)) };
}

function sumOfRates(rates: readonly (Rate | undefined)[]): Rate | undefined {
  const [first] = rates;
  const sum = rates.every((rate) => rate?.per === first?.per) ? sumOfAmounts(rates) : undefined;
  return sum === undefined || first === undefined ? undefined : { ...sum, per: first.per };
}

function sumOfAmounts(amounts: readonly (Amount | undefined)[]): Amount | undefined {
  const all = amounts.filter((amount) => amount !== undefined);
  const [first] = all;
  if (first === undefined || all.length < amounts.length || all.some(({ unit }) => unit !== first.unit))
    return undefined;
  return {
    value: all.reduce((sum, { value }) => sum + value, 0),
    unit: first.unit,
    step: Math.max(...all.map(({ step = 0 }) => step)),
  };
}

import type { Amount } from './unit.ts';

/** How much of one ingredient: in one piece (`50 mg`), or per volume, mass, actuation or hour (`100 mg` per `1 mL`). */
export interface Strength {
  readonly amount: Amount;
  readonly per?: Amount | undefined;
}

/** Strengths as one reading states them, with what one container holds where it says so. */
export interface Strengths {
  readonly amounts: readonly Strength[];
  /** `0.4 mL`: of "0.4 ML adalimumab 100 MG/ML". */
  readonly holds?: Amount | undefined;
  /** Liquids that a person measures (oral, drops): 5 mg in 5 mL are then 1 mg in 1 mL, no container of 5 mg. */
  readonly isMeasured: boolean;
}

// RxNorm rounds concentrations: 150 MG/ML of what the label states as 100 mg in 0.67 mL.
const rounding = 0.01;

type Outcome = 'same' | 'differs' | 'unknown';

/**
 * `same` within the rounding of RxNorm (1 %); `unknown` where the two cannot be compared (mg with units, an amount
 * with a concentration).
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

interface Rate {
  readonly value: number;
  readonly unit: string;
  readonly per: string;
}

function sizeOf({ amount, per }: Strength, holds: Amount | undefined, measured: boolean): Size {
  if (amount.unit === '%') return { rate: { value: amount.value * 10, unit: 'mg', per: 'mL' } };
  if (per === undefined || ((per.unit === 'piece' || per.unit === 'actuation') && per.value === 1))
    return { total: amount, rate: holds === undefined ? undefined : rateOf(amount, holds) };
  const rate = rateOf(amount, per);
  if (holds !== undefined && holds.unit === per.unit)
    return { total: { value: (amount.value / per.value) * holds.value, unit: amount.unit }, rate };
  const isContainer = per.unit === 'mL' && per.value !== 1 && !measured;
  return isContainer ? { total: amount, rate } : { rate };
}

// RxNorm writes creams per mL and charts write them per g: one gram counts as one milliliter.
function rateOf(amount: Amount, per: Amount): Rate {
  const isMass = per.unit === 'mg';
  if (amount.unit === 'mL' && per.unit === 'mL')
    return { value: (amount.value / per.value) * 1000, unit: 'mg', per: 'mL' };
  return { value: (amount.value / per.value) * (isMass ? 1000 : 1), unit: amount.unit, per: isMass ? 'mL' : per.unit };
}

function compareSizes(left: Size, right: Size): Outcome {
  const rates = compareRates(left.rate, right.rate);
  if (left.total !== undefined && right.total !== undefined) {
    const totals = compareAmounts(left.total, right.total);
    return totals === 'same' && rates === 'differs' ? 'differs' : totals;
  }
  if (rates !== 'unknown') return rates;
  const [total, rate] = left.total === undefined ? [right.total, left.rate] : [left.total, right.rate];
  const isOneMilliliter = rate?.per === 'mL' && total?.unit === rate.unit && isNear(total.value, rate.value);
  return isOneMilliliter ? 'same' : 'unknown';
}

function compareRates(left: Rate | undefined, right: Rate | undefined): Outcome {
  if (left === undefined || right === undefined || left.unit !== right.unit || left.per !== right.per) return 'unknown';
  return isNear(left.value, right.value) ? 'same' : 'differs';
}

function compareAmounts(left: Amount, right: Amount): Outcome {
  if (left.unit !== right.unit) return 'unknown';
  return isNear(left.value, right.value) ? 'same' : 'differs';
}

function isNear(left: number, right: number): boolean {
  return Math.abs(left - right) <= rounding * Math.max(Math.abs(left), Math.abs(right)) * (1 + 1e-9);
}

// The ingredients may stand in another order: each strength of one side needs its own of the other.
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

// "Piperacillin/tazobactam 4.5 g" is the sum of 4 g and 0.5 g; one strength of two is less than the whole.
function together(ours: readonly Size[], theirs: readonly Size[]): Outcome {
  const [few, many] = ours.length < theirs.length ? [ours, theirs] : [theirs, ours];
  const [only] = few;
  if (few.length === 1 && only !== undefined && compareSizes(only, sumOf(many)) === 'same') return 'same';
  const isPart = few.every((size) => many.some((other) => compareSizes(size, other) !== 'differs'));
  return isPart ? 'unknown' : 'differs';
}

function sumOf(sizes: readonly Size[]): Size {
  const totals = sizes.flatMap(({ total }) => total ?? []);
  const [first] = totals;
  const isOneUnit = totals.length === sizes.length && totals.every(({ unit }) => unit === first?.unit);
  if (!isOneUnit || first === undefined) return {};
  return { total: { value: totals.reduce((sum, { value }) => sum + value, 0), unit: first.unit } };
}

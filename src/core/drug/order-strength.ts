import type { Refusal } from '../fhir/references/refusals.ts';
import { formOf, isGivenByTheHour } from './form.ts';
import { writtenNumber } from './number.ts';
import type { Quantity } from './order-tokens.ts';
import { type Component, type DrugReading, strengthsOf } from './reading.ts';
import { respelled, settleCommas } from './settle-commas.ts';
import { compareStrengths, type Strength } from './strength.ts';
import { type Amount, amountIn, unitOf } from './unit.ts';

type StrengthParts = Pick<
  DrugReading,
  'strength' | 'components' | 'isDerived' | 'refused' | 'amounts' | 'possible' | 'bases' | 'holds'
>;

interface Context {
  readonly form: string;
  readonly ingredients: readonly string[];
  /** Several components are mixed: "vancomycin 1,250 mg + sodium chloride 0.9% 250 mL". */
  readonly isMixture: boolean;
  readonly isUnderstood: boolean;
}

// No drug name has more quantities.
const mostQuantities = 20;

/**
 * The strength among the quantities of an order's text. Volumes, package sizes and doses are not strengths. `refused`
 * has the reason when the strength is not clear.
 */
export function strengthAmong(written: readonly Quantity[], context: Context): StrengthParts {
  if (written.length > mostQuantities) return none('several_strengths');
  const stated = settleCommas(written);
  const ofBase = stated.filter(({ isOfBase }) => isOfBase !== undefined);
  if (ofBase.length === 0) return strengthOf(stated, context);
  const own = stated.filter(({ isOfBase }) => isOfBase === undefined);
  if (own.every(isVolume)) {
    const isOfElement = ofBase.some(({ isOfBase }) => isOfBase === 'element');
    return isOfElement ? none('element_alone') : strengthOf(stated, context);
  }
  const amounts = ofBase.flatMap((one) => amountsOf(one, 0).map(({ amount }) => amount));
  const whole = strengthOf(
    own.map((one) => notLessThan(amounts, one)),
    context,
  );
  if (whole.amounts.length === 0) return whole;
  return {
    ...whole,
    possible: [
      ...(whole.possible.length > 0 ? whole.possible : [whole.amounts]),
      ...ofBase.map((one) => inPlaceOfSalt(one, stated)),
    ],
    bases: amounts,
  };
}

// In "ipratropium 0.5 mg-albuterol 3 mg/3 mL (2.5 mg base)", the base replaces the salt before it, so the strengths are
// 0.5 mg and 2.5 mg in 3 mL.
function inPlaceOfSalt(base: Quantity, stated: readonly Quantity[]): readonly Strength[] {
  const salt = stated.slice(0, stated.indexOf(base)).findLast(isStrength);
  if (salt === undefined) return amountsOf(base, 0);
  const each = stated.filter(isStrength).map((one) => (one === salt ? { ...base, per: base.per ?? salt.per } : one));
  return each.flatMap((one) => amountsOf(one, 0));
}

function isStrength(one: Quantity): boolean {
  return one.isOfBase === undefined && !isVolume(one);
}

// In "500 mg calcium (1,250 mg)" the comma separates thousands, because the salt weighs more than its calcium.
function notLessThan(bases: readonly Amount[], one: Quantity): Quantity {
  const [number = '', ...others] = one.numbers;
  const [low, high] = ([0, -1] as const).map((at) => amountOf(number, one.units[0] ?? '', at));
  if (others.length > 0 || low === undefined || high === undefined || low.value === high.value) return one;
  const isLess = bases.some(({ value, unit }) => unit === low.unit && value > low.value);
  return isLess ? respelled(one, number, number.replaceAll(',', '')) : one;
}

function strengthOf(stated: readonly Quantity[], context: Context): StrengthParts {
  const quantities = withoutDoses(sharingPer(stated), context);
  const [first, ...more] = quantities.filter((one) => !isVolume(one));
  const volumes = quantities.filter(isVolume);
  if (first === undefined) return none(volumes.length > 0 ? 'only_a_volume' : undefined);
  if (quantities.some((one) => isDose(one, context.form))) return none('only_a_dose');
  if (context.isMixture) return none('mixture');
  const found = [first, ...more.filter((one) => !isPackSize(one, first))];
  const strengths = [...found.filter(({ isAside }) => !isAside), ...found.filter(({ isAside }) => isAside)];
  const unclear = strengths.flatMap(({ numbers, units }) =>
    numbers.filter((number) => textOf(number, units) === undefined),
  );
  if (unclear.length > 0) return none('unclear_number', meaningsOf(strengths));
  const meanings = strengths.map((one) => amountsOf(one, 0));
  const used = usedOf(strengths, context);
  if (used === undefined) return none('several_strengths', meanings);
  const [volume] = volumes;
  const written = used.flatMap(writtenEach);
  return {
    ...(isOneEach(written.length, context) ? { components: componentsOf(written, context) } : {}),
    strength: used.map(wordsOf).join(used.every(({ isJoined }, index) => index === 0 || isJoined) ? '-' : ' / '),
    isDerived: false,
    amounts: used.flatMap((each) => amountsOf(each, 0)),
    possible: used.length < strengths.length ? meanings : [],
    holds: volumes.length === 1 && volume !== undefined ? amountsOf(volume, 0)[0]?.amount : undefined,
  };
}

// Drops the possible doses of a container with several doses, which are not its strength: "0.25 mg or 0.5 mg (2 mg/3
// mL) pen", "1 mg/dose (4 mg/3 mL)".
function withoutDoses(quantities: readonly Quantity[], context: Context): readonly Quantity[] {
  const container = quantities.find(isConcentration);
  if (container === undefined) return quantities;
  const doses = new Set([...quantities.filter(isPerDose), ...choiceOfDoses(quantities, container, context)]);
  return quantities.filter((one) => !doses.has(one));
}

function choiceOfDoses(quantities: readonly Quantity[], container: Quantity, { form }: Context): readonly Quantity[] {
  if (!container.isAside || formOf(form)?.device !== 'pen') return [];
  const masses = quantities.filter((one) => one.per === undefined && !isVolume(one));
  const isLess = masses.every((one) => !one.isJoined && isLessThan(container, one));
  return masses.length > 1 && isLess ? masses : [];
}

function isLessThan(container: Quantity, dose: Quantity): boolean {
  const [held] = amountsOf(container, 0);
  return amountsOf(dose, 0).every(
    ({ amount }) => held?.amount.unit === amount.unit && amount.value < held.amount.value,
  );
}

function isConcentration({ per }: Quantity): boolean {
  return per !== undefined && unitOf(per.unit)?.unit === 'mL';
}

function isPerDose({ per }: Quantity): boolean {
  return /^doses?$/i.test(per?.unit ?? '');
}

// In "400 mg-400 mg-40 mg/5 mL", all three amounts are per 5 mL.
function sharingPer(quantities: readonly Quantity[]): readonly Quantity[] {
  if (!quantities.some(({ isJoined, per }) => isJoined && per !== undefined)) return quantities;
  const shared: Quantity[] = [];
  for (const one of quantities.toReversed()) {
    const [next] = shared;
    const isOfNext = next?.isJoined === true && one.per === undefined;
    shared.unshift(isOfNext ? { ...one, per: next.per } : one);
  }
  return shared;
}

function isOneEach(strengths: number, { ingredients }: Context): boolean {
  return strengths > 1 && strengths === ingredients.length;
}

function componentsOf(written: readonly string[], { ingredients }: Context): Component[] {
  return ingredients.map((ingredient, index) => ({ ingredient, strength: written[index] ?? '' }));
}

function none(refused?: Refusal, possible: readonly (readonly Strength[])[] = []): StrengthParts {
  return { isDerived: false, amounts: [], possible, refused };
}

function meaningsOf(strengths: readonly Quantity[]): Strength[][] {
  return ([0, -1] as const).map((at) => strengths.flatMap((one) => amountsOf(one, at)));
}

// Keeps one strength for each of several ingredients, or one strength that the text repeats: "50 mcg (0.05 mg)".
function usedOf(strengths: readonly Quantity[], context: Context): readonly Quantity[] | undefined {
  const [first, ...more] = strengths;
  if (first === undefined || more.length === 0) return strengths;
  // With several strengths, a word that was not understood may be the ingredient of one of them.
  const isWhole = context.isUnderstood || more.every(({ isJoined, isAside }) => isJoined || isAside);
  if (!isWhole) return undefined;
  if (isOneEach(strengths.flatMap((one) => amountsOf(one, 0)).length, context)) return strengths;
  if (more.every(({ isJoined }) => isJoined)) return strengths;
  return more.every((one) => isSameAs(first, one, context)) ? [first] : undefined;
}

// A second amount repeats the strength if it is for another volume of a measured liquid, is the same concentration of a
// pen (18 mg in 3 mL is 0.6 mg in each 0.1 mL), or has another unit, as in "2.5 mg (0.083 %)". Different pens ("40
// mg/0.4 mL" and "80 mg/0.8 mL") have different strengths, and the first amount in "15 mg (25 mg/mL)" may be a dose.
function isSameAs(first: Quantity, other: Quantity, { form }: Context): boolean {
  const [ours, theirs] = [first, other].map((one) => strengthsOf({ form }, amountsOf(one, 0)));
  const outcome = ours === undefined || theirs === undefined ? 'unknown' : compareStrengths(ours, theirs);
  if (outcome === 'same') return true;
  if (outcome === 'differs') return other.isAside && isWholeOf(other, first);
  return other.isAside && !other.isCounted && unitIn(first) !== unitIn(other);
}

// A pen contains at least this many of its smallest doses.
const leastDoses = 5;

function isWholeOf(whole: Quantity, part: Quantity): boolean {
  const [ofWhole, ofPart] = [whole, part].map((one) => amountsOf(one, 0)[0]);
  if (ofWhole?.per?.unit !== 'mL' || ofPart?.per?.unit !== 'mL') return false;
  const rates = { amounts: [ofWhole], isMeasured: true };
  const isOneRate = compareStrengths(rates, { amounts: [ofPart], isMeasured: true }) === 'same';
  return isOneRate && ofWhole.per.value >= ofPart.per.value * leastDoses;
}

function unitIn(one: Quantity): string | undefined {
  return amountsOf(one, 0)[0]?.amount.unit;
}

function isDose({ isDose: isStated, per }: Quantity, form: string): boolean {
  const isByTime = per !== undefined && unitOf(per.unit)?.unit === 'hour';
  return isByTime ? !isGivenByTheHour(form) : isStated;
}

function isVolume({ units, per }: Quantity): boolean {
  const { unit } = unitOf(units[0] ?? '') ?? {};
  return per === undefined && (unit === 'mL' || unit === 'actuation');
}

// In "1 % cream 30 g", 30 g is the size of the tube, not a strength.
function isPackSize({ units, per }: Quantity, first: Quantity): boolean {
  const isConcentration = first.per !== undefined || first.units[0] === '%';
  return isConcentration && per === undefined && /^(g|gm|gram|grams|kg)$/i.test(units[0] ?? '');
}

function textOf(number: string, units: readonly string[]): string | undefined {
  return writtenNumber(number, unitOf(units[0] ?? '')?.unit === 'unit').text;
}

// Writes numbers with decimal points and without separators, and drops "per tablet".
function wordsOf({ words, numbers, units }: Quantity): string {
  const plain = words.replace(/\s?(\/|per) ?(tablet|tab|capsule|cap)s?$|\sdoses?$/i, '');
  return numbers.reduce((text, number) => text.replace(number, textOf(number, units) ?? number), plain);
}

/** Splits one quantity into its strengths: `5 mg` and `325 mg` for `5-325 mg`. */
function writtenEach({ numbers, units, per, isMillions }: Quantity): string[] {
  const million = isMillions ? 'million ' : '';
  const below =
    per === undefined || isTablet(per) ? '' : `/${per.number === undefined ? '' : `${per.number} `}${per.unit}`;
  const isSecond = isSecondOf(units, per);
  const above = numbers.map((number, index) => {
    const unit = units[index] ?? units.at(-1) ?? '';
    return `${textOf(number, units) ?? number}${unit === '%' ? '' : ' '}${million}${unit}${isSecond ? '' : below}`;
  });
  return isSecond ? [...above, `${per?.number} ${per?.unit}`] : above;
}

function isTablet({ number, unit }: NonNullable<Quantity['per']>): boolean {
  return number === undefined && /^(tablet|tab|capsule|cap)s?$/i.test(unit);
}

// "800 mg/160 mg" has two ingredients, but "10 mg/1 g" is a concentration.
function isSecondOf(units: readonly string[], per: Quantity['per']): boolean {
  return per?.number !== undefined && per.unit.toLowerCase() === units[0]?.toLowerCase();
}

function amountsOf({ numbers, units, per, isMillions }: Quantity, at: 0 | -1): Strength[] {
  const below = per === undefined ? undefined : amountOf(per.number ?? '1', per.unit, 0);
  const above = numbers.flatMap((number, index) => amountOf(number, units[index] ?? units.at(-1) ?? '', at) ?? []);
  const scaled = isMillions ? above.map(inMillions) : above;
  if (isSecondOf(units, per) && below !== undefined) return [...scaled, below].map((amount) => ({ amount }));
  return scaled.map((amount) => ({ amount, per: below }));
}

function inMillions({ value, unit, step = 0 }: Amount): Amount {
  return { value: value * 1e6, unit, step: step * 1e6 };
}

function amountOf(number: string, word: string, at: 0 | -1): Amount | undefined {
  const base = unitOf(word);
  return base === undefined ? undefined : amountIn(base, number, at);
}

import { isObject } from '../../../core/fhir/is-object.ts';

/** An amount in base units (mg, mL, unit, ...). `per`: the volume that contains it, as in 40 mg per 0.4 mL. */
export interface AuditAmount {
  readonly value: number;
  readonly unit: string;
  readonly per?: { readonly value: number; readonly unit: string };
}

const factors: Readonly<Record<string, readonly [number, string]>> = {
  mg: [1, 'mg'],
  milligram: [1, 'mg'],
  milligrams: [1, 'mg'],
  g: [1000, 'mg'],
  gm: [1000, 'mg'],
  gram: [1000, 'mg'],
  grams: [1000, 'mg'],
  kg: [1_000_000, 'mg'],
  mcg: [0.001, 'mg'],
  ug: [0.001, 'mg'],
  µg: [0.001, 'mg'],
  μg: [0.001, 'mg'],
  microgram: [0.001, 'mg'],
  micrograms: [0.001, 'mg'],
  ng: [0.000001, 'mg'],
  ml: [1, 'ml'],
  milliliter: [1, 'ml'],
  milliliters: [1, 'ml'],
  l: [1000, 'ml'],
  unt: [1, 'unit'],
  unit: [1, 'unit'],
  units: [1, 'unit'],
  iu: [1, 'unit'],
  '[iu]': [1, 'unit'],
  "[usp'u]": [1, 'unit'],
};

// Words for "one piece": the "per tablet" of "5 mg per tablet" adds nothing to the amount.
const pieces = /^\{?(tab|tablet|tbl|cap|capsule|each|ea|unit dose|dose|patch|ortab|orcap|film|supp|1)(s|\(s\))?\}?$/;

const number = String.raw`\d[\d,]*(?:\.\d+)?|\.\d+`;
const unit = String.raw`%|\[[a-z']{2,6}\]|[a-zµμ]+`;
const amount = new RegExp(`(?<![\\w.,])(${number})[ -]?(${unit})(?:( ?/ ?)(${number})? ?(${unit}))?`, 'giu');

const listed = new RegExp(
  String.raw`(?<![\w.,])((?:${number})(?:[-/](?:${number}))+) ?([a-z]+(?:/[a-z]+)?(?:-[a-z]+(?:/[a-z]+)?)*)`,
  'giu',
);

export function amountsInText(text: string): AuditAmount[] {
  return [...singleAmounts(text), ...listedAmounts(text)];
}

// "0.25-35 mg-mcg", "325-37.5 mg" and "160-4.5 mcg/actuation" state one amount per ingredient.
function listedAmounts(text: string): AuditAmount[] {
  return [...text.matchAll(listed)].flatMap(([, values = '', unitTexts = '']) => {
    const [all, units] = [values.split(/[-/]/), unitTexts.split('-')];
    if (units.length !== 1 && units.length !== all.length) return [];
    return all.flatMap((value, index) => singleAmounts(`${value} ${units[units.length === 1 ? 0 : index]}`));
  });
}

function singleAmounts(text: string): AuditAmount[] {
  return [...text.matchAll(amount)].flatMap(([, value = '', unitText = '', slash = '', perValue, perUnit]) => {
    const whole = based(numberOf(value), unitText);
    if (perUnit === undefined || pieces.test(perUnit.toLowerCase())) return [whole];
    const per = based(perValue === undefined ? 1 : numberOf(perValue), perUnit);
    // "15 MG / topiramate 92 MG" and "325 MG / 7.5 MG" are the amounts of two ingredients; "160 mg / 5 mL" is one
    // amount in its volume
    if (slash === ' / ' && perValue === undefined) return [whole];
    return slash === ' / ' && per.unit === whole.unit ? [whole, per] : [{ ...whole, per }];
  });
}

/** Every amount that an element states in texts, quantities and ratios. */
export function amountsIn(element: unknown): AuditAmount[] {
  if (typeof element === 'string') return amountsInText(element);
  if (Array.isArray(element)) return element.flatMap(amountsIn);
  if (!isObject(element)) return [];
  if (isObject(element.numerator)) return ratioOf(element.numerator, element.denominator);
  if (typeof element.value === 'number') return [quantityOf(element)].flatMap((one) => one ?? []);
  return Object.values(element).flatMap(amountsIn);
}

/** Whether two amounts differ by at most one percent, the rounding of RxNorm. */
export function sameAmount(left: AuditAmount, right: AuditAmount): boolean {
  if (left.unit !== right.unit || left.per?.unit !== right.per?.unit) return false;
  return near(left.value / (left.per?.value ?? 1), right.value / (right.per?.value ?? 1));
}

/** Whether two numbers differ by at most one percent. */
export function near(left: number, right: number): boolean {
  return Math.abs(left - right) <= 0.01 * Math.max(Math.abs(left), Math.abs(right));
}

/** Parses a number. A comma before exactly three digits separates thousands; any other comma is a decimal point. */
function numberOf(text: string): number {
  const grouped = /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(text);
  return Number(grouped ? text.replaceAll(',', '') : text.replace(',', '.'));
}

function ratioOf(numerator: unknown, denominator: unknown): AuditAmount[] {
  const [top, bottom] = [quantityOf(numerator), quantityOf(denominator)];
  if (top === undefined) return [];
  const written = isObject(denominator) ? unitTextOf(denominator).toLowerCase() : '';
  return bottom === undefined || written === '' || pieces.test(written) ? [top] : [{ ...top, per: bottom }];
}

function quantityOf(quantity: unknown): AuditAmount | undefined {
  if (!isObject(quantity) || typeof quantity.value !== 'number') return undefined;
  return based(quantity.value, unitTextOf(quantity));
}

function unitTextOf(quantity: Readonly<Record<string, unknown>>): string {
  return [quantity.code, quantity.unit].find((text) => typeof text === 'string')?.toString() ?? '';
}

function based(value: number, unitText: string): AuditAmount {
  const plain = unitText.toLowerCase().trim().replace(/[{}]/g, '');
  const [factor, base] = Object.hasOwn(factors, plain) ? (factors[plain] ?? [1, plain]) : [1, plain];
  return { value: value * factor, unit: base };
}

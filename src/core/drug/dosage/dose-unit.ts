import type { Quantity } from 'fhir/r4.js';
import { memoized } from '../../text-cache.ts';
import type { MassOfOne } from '../strength-of-one.ts';
import { wholeQuotient } from './whole-quotient.ts';

/** The spellings and codes of each dose unit: UCUM, HL7 orderable drug forms, and common EHR spellings. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  tablet: ['tab', 'tabs', 'tablet', 'tablets', 'tablet(s)', 'tab(s)', 'tbl', 'ortab'],
  capsule: ['cap', 'caps', 'capsule', 'capsules', 'capsule(s)', 'cap(s)', 'orcap'],
  piece: ['pill', 'pills'],
  puff: ['puff', 'puffs'],
  inhalation: ['inhalation', 'inhalations'],
  spray: ['spray', 'sprays'],
  drop: ['drop', 'drops', 'gtt', 'gtts', '[drp]'],
  patch: ['patch', 'patches', 'patch(es)'],
  pen: ['pen', 'pens', 'auto-injector', 'auto-injectors', 'autoinjector', 'autoinjectors'],
  syringe: ['syringe', 'syringes'],
  vial: ['vial', 'vials', 'vial(s)'],
  ampule: ['ampule', 'ampules', 'ampul', 'ampuls', 'ampoule', 'ampoules'],
  nebule: ['nebule', 'nebules'],
  packet: ['packet', 'packets', 'sachet', 'sachets'],
  lozenge: ['lozenge', 'lozenges'],
  suppository: ['suppository', 'suppositories'],
  application: ['application', 'applications'],
  injection: ['injection', 'injections'],
  dose: ['dose', 'doses'],
  unit: ['unit', 'units', '[iu]', 'iu', 'u'],
  ml: ['ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres'],
  l: ['l', 'liter', 'liters', 'litre'],
  mcg: ['mcg', 'ug', 'µg', 'μg', 'microgram', 'micrograms'],
  mg: ['mg', 'milligram', 'milligrams'],
  g: ['g', 'gm', 'gram', 'grams'],
};

const unitOf = new Map(
  Object.entries(spellings).flatMap(([unit, words]) => words.map((word) => [word, unit] as const)),
);

export const unitWords: readonly string[] = [...unitOf.keys()].filter((word) => /^[a-zµμ]+$/.test(word));

/**
 * The normalized name of a unit word or code: `tablet` for "TAB", "{tbl}" and "Tablets". Undefined for any other word.
 */
export function unitName(word: string | undefined): string | undefined {
  return word === undefined ? undefined : unitOf.get(bare(word));
}

/**
 * The normalized name of a quantity's unit, or the code or word as written. Undefined without a unit, or when code and
 * unit mean different units.
 */
export function unitOfQuantity({ code, unit }: Quantity): string | undefined {
  const [coded, worded] = [unitName(code), unitName(unit)];
  if (coded !== undefined && worded !== undefined && coded !== worded) return undefined;
  const written = bare(code ?? unit ?? '');
  return coded ?? worded ?? (isNoUnit(written) ? undefined : written);
}

export function isSolidUnit(unit: string | undefined): boolean {
  return unit === 'tablet' || unit === 'capsule';
}

export function isLiquidUnit(unit: string | undefined): boolean {
  return unit === 'ml' || unit === 'l';
}

/** A quantity with a normalized unit, for comparing doses and strengths. */
export interface DoseAmount {
  readonly value: number;
  readonly unit: string;
}

/** The masses that may identify one tablet or capsule, starting with its strength. */
export function massesOf(one: MassOfOne | undefined): readonly (DoseAmount | undefined)[] {
  return one?.bases === undefined ? [one] : [one, ...one.bases];
}

const micrograms: Readonly<Record<string, number>> = { mcg: 1, mg: 1000, g: 1_000_000 };

/** Whether an amount is a mass. Other units are never converted. */
export function isMass({ unit }: DoseAmount): boolean {
  return Object.hasOwn(micrograms, unit);
}

/** Whether two amounts are equal, in the same unit or in two mass units: 0.5 g is 500 mg. */
export function isSameAmount(left: DoseAmount, right: DoseAmount): boolean {
  return left.unit === right.unit ? left.value === right.value : isTimes(left, right, 1);
}

/** Whether one mass is `count` times another: 15 mg is 1.5 times 10 mg. */
export function isTimes(amount: DoseAmount, one: DoseAmount, count: number): boolean {
  return wholeTimes(amount, one, count) === 1;
}

/**
 * How often one mass times `count` fits into another: 10 mg fits into 20 mg twice. Undefined when the result is not
 * whole, or one of the amounts is not a mass.
 */
export function wholeTimes(amount: DoseAmount, one: DoseAmount, count = 1): number | undefined {
  const [factor, oneFactor] = [micrograms[amount.unit], micrograms[one.unit]];
  if (factor === undefined || oneFactor === undefined) return undefined;
  return wholeQuotient([amount.value, factor], [one.value, oneFactor, count]);
}

/** The ratio of two amounts, which may be a fraction. Undefined when their units cannot be compared. */
export function timesOf(amount: DoseAmount, one: DoseAmount): number | undefined {
  if (amount.unit === one.unit) return amount.value / one.value;
  const [factor, oneFactor] = [micrograms[amount.unit], micrograms[one.unit]];
  return factor === undefined || oneFactor === undefined
    ? undefined
    : (amount.value * factor) / (one.value * oneFactor);
}

/** An amount in words: `2 tablets`, `1 patch`, `20 mg`. Only the number when the unit is `any`. */
export function amountText({ value, unit }: DoseAmount): string {
  if (unit === 'any') return String(value);
  if (value === 1 || isMass({ value, unit }) || isLiquidUnit(unit) || !Object.hasOwn(spellings, unit))
    return `${value} ${unit}`;
  return `${value} ${unit}${/(ch|x)$/.test(unit) ? 'es' : 's'}`.replace(/ys$/, 'ies');
}

function isNoUnit(word: string): boolean {
  return ['', '1', 'each', 'ea'].includes(word);
}

// UCUM annotations are in braces: {tbl}.
const bare = memoized((word) => word.trim().toLowerCase().replace(/[{}]/g, ''));

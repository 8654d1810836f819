import { readRxNormName } from './rxnorm-name.ts';

/** As labels write the units that RxNorm has in upper case; `UNT` is spelled out, since a `U` is misread as a zero. */
const units: Readonly<Record<string, string>> = {
  MG: 'mg',
  MCG: 'mcg',
  G: 'g',
  ML: 'mL',
  L: 'L',
  UNT: 'units',
  MEQ: 'mEq',
  MMOL: 'mmol',
  HR: 'hr',
  ACTUAT: 'actuation',
};
const unitWord = new RegExp(String.raw`(?<=[\d/]\s?)(?:${Object.keys(units).join('|')})(?![\p{L}\d])`, 'gu');

/**
 * What people call the drug of an RxNorm name: brand with its ingredient, strength, form. A name of which a part would
 * be lost (doses of a pen, a pack, an application number) and every other text stay as they are.
 *
 * @example displayName('0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]')
 * // 'Humira (adalimumab) 40 mg/0.4 mL auto-injector'
 */
export function displayName(text: string): string {
  const reading = readRxNormName(text);
  if (reading?.isCertain !== true || reading.strength === undefined || reading.form === undefined) return text;
  if (reading.ingredients.length !== 1 || /^\{|\bDose\b/i.test(text)) return text;
  const [ingredient] = reading.ingredients;
  const holds =
    reading.holds === undefined || reading.isDerived ? [] : [`(${reading.holds.value} ${reading.holds.unit})`];
  const name = reading.brand === undefined ? ingredient : `${reading.brand} (${ingredient})`;
  const words = [name, reading.release?.words.toLowerCase(), reading.strength, reading.form.toLowerCase(), ...holds];
  const shown = words
    .filter((word) => word !== undefined)
    .join(' ')
    .replace(unitWord, (unit) => units[unit] ?? unit);
  return reading.isDerived || hasEveryNumber(shown, text) ? shown : text;
}

function hasEveryNumber(shown: string, text: string): boolean {
  const kept = new Set(shown.match(/\d[\d.,]*/g));
  return (text.match(/\d[\d.,]*/g) ?? []).every((number) => kept.has(number));
}

import { type DrugReading, eachBeside } from './reading.ts';
import { readRxNormName } from './rxnorm-name.ts';

/** RxNorm's uppercase units as labels write them. `UNT` becomes a word because a `U` can be misread as a zero. */
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
 * An RxNorm name as people write it: brand with its ingredient, strength, form. Any other text stays unchanged, and so
 * does a name that would lose a part, such as the doses of a pen or the contents of a pack.
 *
 * @example displayName('0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]')
 * // 'Humira (adalimumab) 40 mg/0.4 mL auto-injector'
 */
export function displayName(text: string): string {
  const reading = readRxNormName(text);
  if (reading?.isCertain !== true || reading.form === undefined || /^\{|\bDose\b/i.test(text)) return text;
  const contents = contentsOf(reading);
  if (contents === undefined) return text;
  const holds =
    reading.holds === undefined || reading.isDerived ? [] : [`(${reading.holds.value} ${reading.holds.unit})`];
  const name = reading.brand === undefined ? contents.name : `${reading.brand} (${contents.name})`;
  const release = reading.release?.words.toLowerCase();
  const parts = [name, release, contents.strength, reading.form.toLowerCase(), ...holds];
  const shown = parts
    .filter((word) => word !== undefined)
    .join(' ')
    .replace(unitWord, (unit) => units[unit] ?? unit);
  // Insulins and heparins are identified by units per milliliter, other drugs by the mass in one container.
  const isByContainer = reading.isDerived && !/\bUNT\b/.test(text);
  return hasEvery(words, shown, text) && (isByContainer || hasEvery(numbers, shown, text)) ? shown : text;
}

// With several ingredients, each has its strength after it.
function contentsOf({ ingredients, strength, components }: DrugReading): Contents | undefined {
  if (components !== undefined) return { name: eachBeside(components) };
  const [name, ...others] = ingredients;
  return name === undefined || strength === undefined || others.length > 0 ? undefined : { name, strength };
}

interface Contents {
  readonly name: string;
  readonly strength?: string;
}

/**
 * The display name of an order's drug. The name includes a brand if exactly one code of the order has the same name
 * with a brand.
 *
 * @example titleAmong('apremilast 30 MG Oral Tablet', ['apremilast 30 MG Oral Tablet [Otezla]'])
 * // 'Otezla (apremilast) 30 mg oral tablet'
 */
export function titleAmong(text: string, names: readonly string[]): string {
  const branded = names.filter(
    (name) => /\S \[[^[\]]+\]$/.test(name) && isSame(name.slice(0, name.lastIndexOf(' [')), text),
  );
  const [one, ...others] = new Set(branded);
  return displayName(one !== undefined && others.length === 0 ? one : text);
}

function isSame(name: string, text: string): boolean {
  const [one, other] = [name, text].map((words) => words.trim().replace(/\s+/g, ' ').toLowerCase());
  return one === other;
}

const numbers = /\d[\d.,]*/g;
const words = /\p{L}{2,}/gu;

/** Whether every match of `part` in the text is still shown. Units may have their other spelling. */
function hasEvery(part: RegExp, shown: string, text: string): boolean {
  const kept = new Set(shown.toLowerCase().match(part));
  return (text.match(part) ?? []).every((one) => kept.has((units[one] ?? one).toLowerCase()));
}

import { stepOf, writtenNumber } from './number.ts';

/**
 * An amount in the base unit of its kind: mg, mL, unit (of activity), meq, mmol, hour, actuation, piece, cm2, %. Any
 * other unit stays unchanged.
 */
export interface Amount {
  readonly value: number;
  readonly unit: string;
  /** The value of one unit in the last written digit: 0.1 for `12.5`. Absent for an exact value. */
  readonly step?: number | undefined;
}

type Unit = readonly [unit: string, factor: number];

// Spellings in UCUM, RxNorm (section 4 of its documentation) and US charts.
const spellings: Readonly<Record<string, Unit>> = {
  'mg milligram milligrams': ['mg', 1],
  'mcg ug µg μg microgram micrograms mikrogram': ['mg', 1e-3],
  'ng nanogram nanograms': ['mg', 1e-6],
  'g gm gms gram grams': ['mg', 1e3],
  kg: ['mg', 1e6],
  'ml milliliter milliliters millilitre millilitres cc': ['mL', 1],
  'l liter liters litre litres': ['mL', 1e3],
  "unt unit units ut u iu [iu] [usp'u] intl-unit intl-units": ['unit', 1],
  meq: ['meq', 1],
  mmol: ['mmol', 1],
  mol: ['mmol', 1e3],
  'hr hrs h hour hours': ['hour', 1],
  'd day days': ['hour', 24],
  'actuat actuation actuations act puff puffs spray sprays inh inhal inhalation inhalations blister': ['actuation', 1],
  'cm2 sqcm': ['cm2', 1],
  '%': ['%', 1],
  mci: ['mci', 1],
  microci: ['mci', 1e-3],
  'bau pnu au tcid50 pfu vp lfu mbq vector-genomes ffu cfu cells': ['', 1],
};

const units = new Map<string, Unit>(
  Object.entries(spellings).flatMap(([words, [unit, factor]]) =>
    words.split(' ').map((word): [string, Unit] => [word, [unit === '' ? word : unit, factor]]),
  ),
);

const pieces = new Set(
  (
    'tablet tablets tab tabs tbl capsule capsules cap caps each ea dose doses patch patches lozenge ' +
    'lozenges suppository suppositories supp film films pen pens syringe syringes vial vials kit ortab ' +
    'orcap tpatch ertab ertab12 ertab24 ercap ercap12 ercap24 ectab drtab chewtab disintab sltab buctab ' +
    'packet packets piece 1'
  ).split(' '),
);

/**
 * The base unit and the factor to convert to it, for a unit's word, UCUM code or annotation (`{tbl}`). Undefined for
 * any other word.
 */
export function unitOf(word: string): { readonly unit: string; readonly factor: number } | undefined {
  const bare = word
    .toLowerCase()
    .replace(/^\{(.*)\}$/, '$1')
    .replace(/^international units?$/, 'iu');
  const found = units.get(bare);
  if (found !== undefined) return { unit: found[0], factor: found[1] };
  return pieces.has(bare) ? { unit: 'piece', factor: 1 } : undefined;
}

/**
 * A written number in the base unit. For an ambiguous number (`1,500`), `at` selects the first (0) or last (-1) value.
 * Undefined if it is not a number.
 */
export function amountIn(
  base: { readonly unit: string; readonly factor: number },
  number: string,
  at: 0 | -1 = 0,
): Amount | undefined {
  const { values, text } = writtenNumber(number, base.unit === 'unit');
  const value = values.at(at);
  if (value === undefined) return undefined;
  return { value: value * base.factor, unit: base.unit, step: stepOf(text ?? String(value)) * base.factor };
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const longestFirst = (words: Iterable<string>): string =>
  [...words]
    .sort((left, right) => right.length - left.length)
    .map(escaped)
    .join('|');

const notStrengths = new Set(['d', 'day', 'days']);
const ofStrengths = longestFirst([...units.keys()].filter((word) => !notStrengths.has(word)));
/** Pattern for the units that may follow a number in a drug name. */
export const unitPattern = `(?:international units?|${ofStrengths})`;

const underAmounts = longestFirst([...units.keys(), ...pieces].filter((word) => word !== '1' && word !== '%'));
/** Pattern for the denominators of an amount. */
export const perPattern = `(?:${underAmounts})`;

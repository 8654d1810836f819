import { memoized } from '../text-cache.ts';
import { formOf } from './form.ts';
import type { FormFamily } from './form-words.ts';

/** How a form is dispensed: by count (tablets), volume, mass or container (pens, inhalers, kits). */
export type UnitKind = 'counted' | 'volume' | 'mass' | 'container';

const kindsOf: Readonly<Record<FormFamily, readonly UnitKind[]>> = {
  tablet: ['counted'],
  capsule: ['counted'],
  solid: ['counted'],
  lozenge: ['counted'],
  film: ['counted'],
  gum: ['counted'],
  suppository: ['counted'],
  insert: ['counted'],
  ring: ['counted'],
  implant: ['counted'],
  patch: ['counted'],
  pad: ['counted'],
  injection: ['volume', 'container'],
  liquid: ['volume', 'container'],
  enema: ['volume', 'container'],
  spray: ['volume', 'mass', 'container'],
  inhaler: ['container', 'mass'],
  powder: ['mass', 'container', 'volume'],
  cream: ['mass', 'container'],
  ointment: ['mass', 'container'],
  gel: ['mass', 'volume', 'container'],
  lotion: ['volume', 'mass', 'container'],
  foam: ['mass', 'container'],
  paste: ['mass', 'container'],
  shampoo: ['volume', 'container'],
  soap: ['mass', 'volume', 'container'],
  oil: ['volume', 'container'],
  gas: ['volume', 'container'],
  device: ['container'],
  pack: ['container', 'counted'],
  any: [],
};

/** The kinds of unit for a form, the usual kind first. Empty when the form is unknown. */
export function unitKindsOf(form: string | undefined): readonly UnitKind[] {
  const found = formOf(form);
  return found === undefined ? [] : kindsOf[found.family];
}

const solids: readonly FormFamily[] = [
  'tablet',
  'capsule',
  'solid',
  'lozenge',
  'film',
  'gum',
  'suppository',
  'insert',
  'ring',
  'implant',
  'patch',
];
const semisolids: readonly FormFamily[] = ['cream', 'ointment', 'gel', 'lotion', 'foam', 'paste'];
const fluids: readonly FormFamily[] = [
  'injection',
  'liquid',
  'enema',
  'spray',
  'inhaler',
  'shampoo',
  'oil',
  'gas',
  ...semisolids,
];

// For each unit, the forms that it cannot count. A vial, pack, box or "each" may contain anything, so they have no row.
const excludes: Readonly<Record<string, readonly FormFamily[]>> = {
  tablet: [...fluids, ...without('tablet', 'solid')],
  capsule: [...fluids, ...without('capsule', 'solid')],
  patch: [...fluids, ...without('patch', 'film')],
  film: [...fluids, ...without('film', 'patch')],
  suppository: [...fluids, ...without('suppository', 'insert')],
  inhaler: [...solids, ...semisolids, 'injection', 'enema', 'shampoo'],
  pen: [...solids, ...semisolids, 'inhaler', 'shampoo', 'enema', 'spray'],
  syringe: [...solids, ...semisolids, 'inhaler', 'shampoo', 'spray'],
  volume: solids,
  mass: ['tablet', 'capsule', 'solid', 'film', 'patch', 'lozenge', 'suppository', 'ring'],
};

function without(...families: readonly FormFamily[]): FormFamily[] {
  return solids.filter((family) => !families.includes(family));
}

/**
 * Whether the unit cannot count the form, such as tablets of an injection or milliliters of a tablet. The unit is a
 * word, a UCUM code or annotation, or a word of the service (`milliliter`).
 *
 * @example unitContradictsForm('mL', 'Oral Tablet') // true
 */
export function unitContradictsForm(unit: string, form: string | undefined): boolean {
  const family = formOf(form)?.family;
  const group = groupOf(unit);
  return family !== undefined && group !== undefined && excludes[group]?.includes(family) === true;
}

const groupOf = memoized((unit): string | undefined => {
  const plain = unit
    .trim()
    .toLowerCase()
    .replace(/^\{(.*)\}$/, '$1');
  if (/^(ml|milliliters?|millilitres?|cc|l|liters?|litres?)$/.test(plain)) return 'volume';
  if (/^(g|gm|grams?|mg|milligrams?|mcg|ug|µg|μg|micrograms?)$/.test(plain)) return 'mass';
  const family = formOf(plain)?.family;
  const device = formOf(plain)?.device;
  if (family === 'injection') return device === 'pen' || device === 'syringe' ? device : undefined;
  return family !== undefined && Object.hasOwn(excludes, family) ? family : undefined;
});

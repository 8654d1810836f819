import { anything, type Change, change, type Draft } from '../draft.ts';

const days = 'prescription.days_supply';
const starter = { quantity: { value: 14, unit: 'tablet', system: 'http://unitsofmeasure.org', code: '{tbl}' } };
const week = { value: 7, unit: 'days', system: 'http://unitsofmeasure.org', code: 'd' };
const noDays = { sent: { [days]: anything }, warned: [days] };

/** What is dispensed. Quantity, unit and days are of one element; enrollment has none of them. */
export const supplyChanges: readonly Change[] = [
  change(
    'a first fill in tablets beside a quantity of each',
    'V1',
    'asks',
    'supply',
    (draft) => {
      if (!hasWhole(draft)) return undefined;
      draft.supply.quantity = { value: 6, unit: 'each', code: '{each}' };
      delete draft.supply.expectedSupplyDuration;
      draft.supply.initialFill = { ...starter, duration: week };
      return {};
    },
    'agrees',
  ),
  change('the days of the first fill beside a whole quantity without days', 'V1', 'agrees', 'supply', (draft) => {
    if (!hasWhole(draft)) return undefined;
    delete draft.supply.expectedSupplyDuration;
    draft.supply.initialFill = { duration: week };
    return { ...noDays, never: { [days]: 7 } };
  }),
  change(
    'the unit of the first fill beside a whole quantity without unit',
    'V1',
    'open',
    'supply',
    (draft) => {
      if (!hasWhole(draft)) return undefined;
      draft.supply.quantity = { value: draft.supply.quantity?.value ?? 1 };
      draft.supply.initialFill = { ...starter, duration: week };
      return {};
    },
    'agrees',
  ),
  change('a smaller first fill of the same unit beside a whole supply', 'V1', 'agrees', 'supply', (draft) => {
    const { quantity, expectedSupplyDuration } = draft.supply;
    if (quantity?.value === undefined || expectedSupplyDuration === undefined) return undefined;
    draft.supply.initialFill = { quantity: { ...quantity, value: 1 }, duration: week };
    return {};
  }),
  change('the whole supply stands in the first fill', 'V1', 'agrees', 'supply', (draft) => {
    const { quantity, expectedSupplyDuration: duration } = draft.supply;
    if (quantity?.value === undefined || duration === undefined) return undefined;
    delete draft.supply.quantity;
    delete draft.supply.expectedSupplyDuration;
    draft.supply.initialFill = { quantity, duration };
    return {};
  }),
  change(
    'the quantity is a most',
    'V1',
    'asks',
    'supply',
    (draft) => {
      if (!hasWhole(draft) || draft.supply.quantity === undefined) return undefined;
      draft.supply.quantity.comparator = '<=';
      return {};
    },
    'agrees',
  ),
  change(
    'the quantity is a most and a first fill is exact',
    'V1',
    'open',
    'supply',
    (draft) => {
      if (!hasWhole(draft) || draft.supply.quantity === undefined) return undefined;
      draft.supply.quantity.comparator = '<=';
      draft.supply.initialFill = { ...starter };
      return {};
    },
    'agrees',
  ),
  change('the supply lasts at least so long', 'V15', 'agrees', 'supply', (draft) => {
    if (draft.supply.expectedSupplyDuration === undefined) return undefined;
    draft.supply.expectedSupplyDuration.comparator = '>=';
    return noDays;
  }),
  change('the supply lasts a month', 'D', 'agrees', 'supply', (draft) => {
    if (draft.supply.expectedSupplyDuration === undefined) return undefined;
    draft.supply.expectedSupplyDuration = { value: 1, unit: 'month', code: 'mo', system: 'http://unitsofmeasure.org' };
    return noDays;
  }),
  change('the supply in weeks', 'D', 'agrees', 'supply', (draft) => {
    const { value = 0, code } = draft.supply.expectedSupplyDuration ?? {};
    if (value % 7 !== 0 || value === 0 || code !== 'd') return undefined;
    draft.supply.expectedSupplyDuration = {
      value: value / 7,
      unit: 'weeks',
      code: 'wk',
      system: 'http://unitsofmeasure.org',
    };
    return {};
  }),
  change(
    'no quantity',
    'D',
    'asks',
    'supply',
    (draft) => {
      delete draft.supply.quantity;
      delete draft.supply.initialFill;
      return {};
    },
    'agrees',
  ),
  change(
    'a quantity of nothing',
    'D',
    'asks',
    'supply',
    (draft) => {
      if (!hasWhole(draft) || draft.supply.quantity === undefined) return undefined;
      draft.supply.quantity.value = 0;
      return {};
    },
    'agrees',
  ),
  change(
    'a unit that contradicts the drug',
    'V1',
    'asks',
    'supply drug',
    (draft) => {
      const { quantity } = draft.supply;
      if (quantity?.value === undefined) return undefined;
      const isPiece = /tbl|tablet|cap/.test(`${quantity.unit} ${quantity.code}`);
      const isLiquid = /ml/i.test(`${quantity.code}`);
      if (!isPiece && !isLiquid) return undefined;
      draft.supply.quantity = isPiece
        ? { value: quantity.value, unit: 'mL', code: 'mL' }
        : { value: quantity.value, unit: 'tablet', code: '{tbl}' };
      return {};
    },
    'agrees',
  ),
  change(
    'a unit whose code says another',
    'V1',
    'asks',
    'supply',
    (draft) => {
      if (!hasWhole(draft) || draft.supply.quantity === undefined || !/tab/.test(draft.supply.quantity.unit ?? ''))
        return undefined;
      draft.supply.quantity.code = '{capsule}';
      return {};
    },
    'agrees',
  ),
  change('the same unit spelled otherwise', '3', 'agrees', 'supply', (draft) => {
    const { quantity } = draft.supply;
    if (!/^tab/.test(quantity?.unit ?? '') || quantity?.value === undefined) return undefined;
    draft.supply.quantity = { value: quantity.value, unit: 'Tabs' };
    return {};
  }),
  change('refills and a longer time in which it may be dispensed', 'D', 'agrees', 'refills', (draft) => {
    draft.supply.numberOfRepeatsAllowed = 2;
    draft.supply.validityPeriod = { start: '2026-11-01', end: '2027-10-31' };
    return {};
  }),
];

function hasWhole({ supply }: Draft): boolean {
  return supply.quantity?.value !== undefined && supply.initialFill === undefined;
}

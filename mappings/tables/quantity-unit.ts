import type { Table } from '../../src/core/mapping/words/rules.ts';
import { dispenseUnitTable } from './dispense-unit.ts';

const { rows } = dispenseUnitTable;

/** The units of NCIt's subset C89510 (NCPDP quantity unit of measure) that have rows. */
const quantityUnits = ['C48542', 'C48480', 'C28254', 'C48155', 'C28253', 'C48152', 'C44278'] as const;
export type QuantityUnit = (typeof quantityUnits)[number];

/**
 * NCIt codes, with the units of a FHIR Quantity that certainly mean them. A unit without a code is left out, which
 * means unspecified.
 */
export const quantityUnitTable: Table<QuantityUnit> = {
  name: 'quantity unit',
  list: quantityUnits,
  rows: {
    C48542: rows.tablet ?? [],
    C48480: rows.capsule ?? [],
    C28254: rows.milliliter ?? [],
    C48155: rows.gram ?? [],
    C28253: rows.milligram ?? [],
    C48152: rows.microgram ?? [],
    C44278: rows.unit ?? [],
  },
};

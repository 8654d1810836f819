import { describe, expect, test } from 'vitest';
import { dispenseUnit, dispenseUnitTable, doseForm, doseFormTable, gender, route, routeTable, rxnormRoute, type Table } from '../../mappings/tables.ts';
import { dispenseUnits, doseForms, routes } from './service-lists.ts';

describe('a row of a table names a value of the service’s closed list', () => {
  test.each([
    ['dose form', doseFormTable, doseForms],
    ['route', routeTable, routes],
    ['dispense unit', dispenseUnitTable, dispenseUnits],
  ] as const)('%s', (_name, table, list) => {
    expect(Object.keys(table.rows).filter((row) => !list.includes(row))).toEqual([]);
  });
});

test('no code or text stands in two rows of one table', () => {
  for (const table of [doseFormTable, routeTable, dispenseUnitTable] as readonly Table<string>[]) {
    const keys = Object.values(table.rows).flatMap((row) => row ?? []);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys.filter((key) => key !== key.toLowerCase())).toEqual([]);
  }
});

const sct = 'http://snomed.info/sct';

describe('dose form', () => {
  test.each([
    ['by its code', { coding: [{ system: sct, code: '385057009' }] }, { value: 'tablet' }],
    ['by the display of a code without a row', { coding: [{ system: sct, code: '1', display: 'Prolonged-release oral capsule' }] }, { value: 'capsule' }],
    ['by a SNOMED CT display with its tag', { coding: [{ display: 'Film-coated tablet (qualifier value)' }] }, { value: 'tablet' }],
    ['by its text', { text: ' Tablet ' }, { value: 'tablet' }],
    ['not by a text without a row', { text: 'wafer of some kind' }, { refused: 'no certain row in the table dose form' }],
    [
      'not when codes disagree',
      {
        coding: [
          { system: sct, code: '385057009' },
          { system: sct, code: '385049006' },
        ],
      },
      { refused: 'codes and text name different rows of the table dose form' },
    ],
    ['not from what is no concept', 'tablet', { refused: 'no certain row in the table dose form' }],
  ])('%s', (_what, value, expected) => {
    expect(doseForm.apply(value)).toEqual(expected);
  });
});

describe('dispense unit', () => {
  test.each([
    ['a UCUM annotation', { unit: 'tablet', code: '{tbl}', system: 'http://unitsofmeasure.org' }, { value: 'tablet' }],
    ['another spelling in braces', { unit: 'cap', code: '{Capsule}' }, { value: 'capsule' }],
    ['an NCPDP unit', { code: 'C28254', system: 'http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl' }, { value: 'milliliter' }],
    ['an HL7 drug form', { code: 'TAB', system: 'http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm' }, { value: 'tablet' }],
    ['a unit alone', { unit: 'mL' }, { value: 'milliliter' }],
    ['"each", which says nothing', { unit: 'each', code: '{each}' }, { refused: 'no certain row in the table dispense unit' }],
    ['a code and a unit that disagree', { unit: 'tablet', code: 'mL' }, { refused: 'codes and text name different rows of the table dispense unit' }],
    ['no unit', {}, { refused: 'no certain row in the table dispense unit' }],
  ])('%s', (_what, value, expected) => {
    expect(dispenseUnit.apply(value)).toEqual(expected);
  });
});

test('the route of a prescription comes from codes, words and abbreviations', () => {
  expect(route.apply({ coding: [{ system: sct, code: '34206005' }] })).toEqual({ value: 'subcutaneous' });
  expect(route.apply({ text: 'By mouth' })).toEqual({ value: 'oral' });
  expect(route.apply({ coding: [{ display: 'Intramuscular (qualifier value)' }] })).toEqual({ value: 'intramuscular' });
  expect(route.apply({ text: 'as told' })).toEqual({ refused: 'no certain row in the table route' });
});

describe('the route in an RxNorm dose form', () => {
  test.each([
    ['a 50 MG Oral Tablet', 'oral'],
    ['a 5 MG/ML Ophthalmic Solution', 'ophthalmic'],
    ['a 0.1 MG/HR Transdermal System', 'transdermal'],
    ['a 10 MG Rectal Suppository', 'rectal'],
    ['a 5 MG Chewable Tablet', undefined],
    ['a 50 MG/ML Prefilled Syringe', undefined],
    ['a 0.2 MG/MG Oral Gel', undefined],
    ['a 40 MG Tablet for Oral Suspension', undefined],
  ])('%s', (name, expected) => {
    const said = rxnormRoute.apply(name);
    expect('value' in said ? said.value : undefined).toBe(expected);
  });
});

test('administrative gender maps one to one, unknown is not specified', () => {
  expect(['male', 'female', 'other', 'unknown'].map((code) => gender.apply(code))).toEqual([
    { value: 'male' },
    { value: 'female' },
    { value: 'other' },
    { value: 'not_specified' },
  ]);
  expect(gender.apply('F')).toEqual({ refused: 'no certain row in the table gender' });
});

import type { Medication } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { dispenseUnitTable } from '../../mappings/tables/dispense-unit.ts';
import { doseFormTable } from '../../mappings/tables/dose-form.ts';
import { formKinds } from '../../mappings/tables/form-kinds.ts';
import { genderTable } from '../../mappings/tables/gender.ts';
import { routeTable, routeWordTable } from '../../mappings/tables/route.ts';
import { dispenseUnit, doseForm, doseFormWords, gender, route, routeWords } from '../../mappings/tables.ts';
import * as lists from '../../src/core/contract/lists.ts';
import { readMedication } from '../../src/core/drug/read-medication.ts';
import type { Table } from '../../src/core/mapping/words/rules.ts';
import { dispenseUnits, doseForms, routes } from './service-lists.ts';

test('the closed lists are those that the service’s interface publishes, whole and in its order', () => {
  expect(lists.doseForms).toEqual(doseForms);
  expect(lists.routes).toEqual(routes);
  expect(lists.dispenseUnits).toEqual(dispenseUnits);
});

const tables: readonly (readonly [string, Table])[] = [
  genderTable,
  doseFormTable,
  routeTable,
  routeWordTable,
  dispenseUnitTable,
].map((table: Table) => [table.name, table]);

describe.each(tables)('the table %s', (_name, { list, rows, without = {} }) => {
  test('leads to values of its closed list only', () => {
    expect(Object.keys(rows).filter((value) => !list.includes(value))).toEqual([]);
  });

  test('has no code or text in two rows, and all in lower case', () => {
    const keys = Object.values(rows).flatMap((row) => row ?? []);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys.filter((key) => key !== key.toLowerCase())).toEqual([]);
  });

  test('states a reason only for values of the list that have no row', () => {
    expect(Object.keys(without).filter((value) => !list.includes(value) || rows[value] !== undefined)).toEqual([]);
  });
});

// A pill may be a tablet or a capsule; a liner in a chart need not be the dental one.
const unclear = new Set(['pill', 'liner']);
const listed = ({ list, without = {} }: Table) => list.filter((word) => !Object.hasOwn(without, word));

describe('a word of the service’s own list, as people write it, is that word', () => {
  test.each(listed(doseFormTable).filter((word) => !unclear.has(word)))('the dose form %s', (word) => {
    expect(doseForm.apply({ text: word.replaceAll('_', ' ') })).toEqual({ value: word });
  });

  test.each(listed(routeTable))('the route %s', (word) => {
    expect(route.apply({ text: word })).toEqual({ value: word });
  });

  test.each(listed(dispenseUnitTable))('the unit %s', (unit) => {
    expect(dispenseUnit.apply({ unit })).toEqual({ value: unit });
  });
});

const sct = 'http://snomed.info/sct';
const ncit = 'http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl';

describe('dose form', () => {
  test.each([
    ['by its code', { coding: [{ system: sct, code: '385057009' }] }, { value: 'tablet' }],
    [
      'by the display of a code without a row',
      { coding: [{ system: sct, code: '1', display: 'Prolonged-release oral capsule' }] },
      { value: 'capsule' },
    ],
    [
      'by a SNOMED CT display with its tag',
      { coding: [{ display: 'Film-coated tablet (qualifier value)' }] },
      { value: 'tablet' },
    ],
    ['by its text', { text: ' Tablet ' }, { value: 'tablet' }],
    [
      'by the words that a drug’s text has too [K10]',
      { text: 'Subcutaneous Solution Auto-injector' },
      { value: 'injection' },
    ],
    ['by the abbreviation of a drug file [K10]', { coding: [{ display: 'SoSy' }] }, { value: 'injection' }],
    ['for a device by its word [K14]', { text: 'Device' }, { value: 'device' }],
    ['for the liner of a tooth', { text: 'Liner, Dental' }, { value: 'liner' }],
    ['not for a liner of something else', { text: 'liner' }, { refused: 'unknown_word' }],
    ['by the NCIt code of the same name', { coding: [{ system: ncit, code: 'C43001' }] }, { value: 'troche' }],
    [
      'by an HL7 drug form',
      { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm', code: 'OPDROP' }] },
      { value: 'drops' },
    ],
    ['not by a word that people use for several forms', { text: 'pill' }, { refused: 'unknown_word' }],
    ['not by a text without a row', { text: 'wafer of some kind' }, { refused: 'unknown_word' }],
    [
      'not when codes disagree',
      {
        coding: [
          { system: sct, code: '385057009' },
          { system: sct, code: '385049006' },
        ],
      },
      { refused: 'words_differ' },
    ],
    ['not from what is no concept', 'tablet', { refused: 'unknown_word' }],
  ])('%s', (_what, value, expected) => {
    expect(doseForm.apply(value)).toEqual(expected);
  });
});

describe('dispense unit', () => {
  test.each([
    ['a UCUM annotation', { unit: 'tablet', code: '{tbl}', system: 'http://unitsofmeasure.org' }, { value: 'tablet' }],
    ['another spelling in braces', { unit: 'cap', code: '{Capsule}' }, { value: 'capsule' }],
    ['an NCPDP unit', { code: 'C28254', system: ncit }, { value: 'milliliter' }],
    [
      'an HL7 drug form',
      { code: 'TAB', system: 'http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm' },
      { value: 'tablet' },
    ],
    ['a unit alone', { unit: 'mL' }, { value: 'milliliter' }],
    ['the micro sign as UCUM writes it', { unit: 'ug' }, { value: 'microgram' }],
    ['the abbreviation of a label', { unit: 'mcg' }, { value: 'microgram' }],
    ['"each", which says nothing', { unit: 'each', code: '{each}' }, { refused: 'unknown_word' }],
    ['a code and a unit that disagree', { unit: 'tablet', code: 'mL' }, { refused: 'words_differ' }],
    ['no unit', {}, { refused: 'no_unit' }],
  ])('%s', (_what, value, expected) => {
    expect(dispenseUnit.apply(value)).toEqual(expected);
  });
});

// As NCI Thesaurus has them.
test.each([
  ['C38192', 'auricular (otic)'],
  ['C38193', 'buccal'],
  ['C38284', 'nasal'],
  ['C38299', 'subcutaneous'],
  ['C38288', 'oral'],
  ['C38276', 'intravenous'],
  ['C28161', 'intramuscular'],
  ['C38304', 'topical'],
  ['C38287', 'ophthalmic'],
  ['C38295', 'rectal'],
  ['C38313', 'vaginal'],
  ['C38300', 'sublingual'],
  ['C38305', 'transdermal'],
  ['C38216', 'respiratory (inhalation)'],
  ['C38238', 'intradermal'],
  ['C38267', 'intrathecal'],
  ['C38280', 'intravitreal'],
  ['C38223', 'intra-articular'],
  ['C38210', 'epidural'],
  ['C38285', 'nasogastric'],
])('the route %s is %s', (code, value) => {
  expect(route.apply({ coding: [{ system: ncit, code }] })).toEqual({ value });
});

test('the route of a prescription comes from codes, words and abbreviations', () => {
  expect(route.apply({ coding: [{ system: sct, code: '34206005' }] })).toEqual({ value: 'subcutaneous' });
  expect(route.apply({ text: 'By mouth' })).toEqual({ value: 'oral' });
  expect(route.apply({ coding: [{ system: ncit, code: 'C38222' }] })).toEqual({ value: 'intra-arterial' });
  expect(route.apply({ text: 'Subconjunctival' })).toEqual({ value: 'subconjunctival' });
  expect(route.apply({ text: 'Not applicable' })).toEqual({ refused: 'unknown_word' });
  expect(route.apply({ coding: [{ display: 'Intramuscular (qualifier value)' }] })).toEqual({ value: 'intramuscular' });
  expect(route.apply({ text: 'as told' })).toEqual({ refused: 'unknown_word' });
});

// As SNOMED CT has them: what EHRs send most.
test.each([
  ['26643006', 'oral'],
  ['47625008', 'intravenous'],
  ['34206005', 'subcutaneous'],
  ['78421000', 'intramuscular'],
  ['6064005', 'topical'],
])('the route %s is %s', (code, value) => {
  expect(route.apply({ coding: [{ system: sct, code }] })).toEqual({ value });
});

describe('the route in an RxNorm dose form', () => {
  test.each([
    ['Oral Tablet', 'oral'],
    ['Ophthalmic Solution', 'ophthalmic'],
    ['Transdermal System', 'transdermal'],
    ['Rectal Suppository', 'rectal'],
    ['Chewable Tablet', undefined],
    ['Prefilled Syringe', undefined],
    ['Oral Gel', undefined],
    ['Tablet for Oral Suspension', 'oral'],
    ['solution for oral syringe', undefined],
    ['Mouth/Throat Solution', 'oropharyngeal'],
    ['subcutaneous solution', 'subcutaneous'],
    ['IM oil', 'intramuscular'],
    ['External Cream', 'topical'],
    ['IV/SC solution', undefined],
  ])('%s', (name, expected) => {
    const said = routeWords.apply(name);
    expect('value' in said ? said.value : undefined).toBe(expected);
  });
});

describe('a lookup names the rows by which a transform takes a value', () => {
  test.each([
    [
      'each coding of a concept',
      doseForm,
      { coding: [{ system: sct, code: '385057009' }, { display: 'Tablet' }] },
      [`${sct}|385057009`, 'tablet'],
    ],
    [
      'the text only when no coding has a row',
      route,
      { coding: [{ display: 'by some way' }], text: 'By mouth' },
      ['by mouth'],
    ],
    ['code and unit of a quantity', dispenseUnit, { code: '{tbl}', unit: 'Tablets' }, ['tbl', 'tablets']],
    ['the words of a dose form', doseFormWords, 'Oral Tablet', ['tablet']],
    ['the word of a dose form that names a route', routeWords, 'Oral Tablet', ['oral']],
    ['none for what has no row', routeWords, 'as told', []],
  ])('%s', (_what, transform, value, keys) => {
    expect(transform.lookup?.hits(value)).toEqual(keys);
  });
});

test('administrative gender maps one to one, unknown is not specified', () => {
  expect(['male', 'female', 'other', 'unknown'].map((code) => gender.apply(code))).toEqual([
    { value: 'male' },
    { value: 'female' },
    { value: 'other' },
    { value: 'not_specified' },
  ]);
  expect(gender.apply('F')).toEqual({ refused: 'unknown_word' });
});

describe('[K14] a code of a form that says its kind has the words for it', () => {
  test.each([...formKinds].map(([key, words]) => [words, key] as const))('%s (%s)', (words, key) => {
    const [system, code] = key.split('|');
    const form = { coding: [{ system, code }] };
    expect(doseForm.apply(form)).toEqual({ value: words.toLowerCase().includes('capsule') ? 'capsule' : 'tablet' });
    const medication: Medication = { resourceType: 'Medication', form: { text: words } };
    const { release, piece, route } = readMedication(medication) ?? {};
    expect([release?.kind, piece?.kinds[0], route].some((kind) => kind !== undefined)).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import { derivationOf } from '../../../src/dev/kit/audit/derivations.ts';
import { auditTables } from '../../support/audit-tables.ts';

function follows(field: string, value: unknown, item: unknown): boolean {
  const place = { items: [item], resource: {}, path: 'Resource.element', drugTexts: [], tables: auditTables };
  return derivationOf(field)(value, place);
}

const coding = (system: string, code: string) => ({ coding: [{ system, code }] });
const text = (words: string) => ({ text: words });
const bytes = Buffer.from([251, 255, 190, 1, 7]);
const other = Buffer.from([251, 255, 190, 1, 8]);
const form = 'prescription.dose_form';
const route = 'prescription.route_of_administration';
const unit = 'prescription.dispense_unit';
const ndc = 'prescription.extra.ndc';
const rxnorm = 'prescription.extra.rxnorm';
const snomed = 'urn:oid:2.16.840.1.113883.6.96';

/** A field, the element, the value that follows, and values that do not. */
const rows: readonly (readonly [string, string, unknown, unknown, readonly unknown[]])[] = [
  ['a pen of a drug file', form, text('adalimumab 40 mg/0.4 mL PnIj'), 'injection', ['tablet', 'solution', 'kit']],
  ['a form named by its route', form, text('Subcutaneous Solution Pen-injector'), 'injection', ['solution']],
  ['a capsule in a code of four letters', form, text('divalproex 125 mg CpDR'), 'capsule', ['tablet', 'powder']],
  ['a tablet of a drug’s text', form, text('Xeljanz 5 MG Oral Tablet'), 'tablet', ['capsule', 'vaginal tablet']],
  ['the route in the form', route, text('Xeljanz 5 MG Oral Tablet'), 'oral', ['sublingual', 'rectal', 'topical']],
  ['the route of a spray', route, text('naloxone 4 MG Nasal Spray'), 'nasal', ['oral', 'inhalation']],
  ['a route by the OID of its system', route, coding(snomed, '26643006'), 'oral', ['rectal', 'subcutaneous']],
  ['a route by an unknown system', route, coding('urn:oid:1.2.3', '26643006'), undefined, ['oral']],
  ['a container in the unit', unit, { value: 2, unit: 'syringe' }, undefined, ['tablet', 'vial', 'capsule']],
  ['tablets', unit, { value: 60, unit: 'tablet' }, 'tablet', ['capsule', 'mL', 'syringe']],
  ['an RXCUI with its word', rxnorm, coding('RxNorm', 'RXCUI:1357547'), '1357547', ['1357546', 'RXCUI:1357547']],
  ['an NDC in three parts', ndc, coding('ndc', '69-1001-01'), '00069-1001-01', ['00069-1001-10', '69-1001-01']],
  ['an NDC of eleven digits', ndc, coding('ndc', '00069100101'), '00069-1001-01', ['00069-1001-02']],
  ['an NDC of ten digits', ndc, coding('ndc', '0069100101'), undefined, ['00069-1001-01', '00691-0010-01']],
  ['an NDC of nine digits', ndc, coding('ndc', '000691001'), undefined, ['00069-1001-00', '00069-1001-01']],
  [
    'base64 in the alphabet of addresses',
    'insurance[].file_content',
    bytes.toString('base64url'),
    bytes.toString('base64'),
    [other.toString('base64'), bytes.subarray(1).toString('base64'), ''],
  ],
  [
    'base64 behind a data URL',
    'insurance[].file_content',
    `data:image/png;base64,${bytes.toString('base64')}`,
    bytes.toString('base64'),
    [other.toString('base64')],
  ],
];

describe('what a value is read from again', () => {
  test.each(rows.filter(([, , , value]) => value !== undefined))('%s', (_what, field, element, value) => {
    expect(follows(field, value, element)).toBe(true);
  });

  test.each(rows.flatMap(([what, field, element, , wrong]) => wrong.map((value) => [what, value, field, element])))(
    'a wrong value is caught: %s, %o',
    (_what, value, field, element) => {
      expect(follows(String(field), value, element)).toBe(false);
    },
  );
});

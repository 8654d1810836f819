import { describe, expect, test } from 'vitest';
import { overlay } from '../../../src/core/mapping/words/define.ts';
import { firstOf, from, type Table } from '../../../src/core/mapping/words/rules.ts';
import { byTable } from '../../../src/core/mapping/words/table.ts';
import { formatCoverage } from '../../../src/dev/kit/coverage-text.ts';
import { coverageOf, hasHoles } from '../../../src/dev/kit/mapping-coverage.ts';
import { patient, type Request, sample, sampleInput } from '../../core/mapping/sample.ts';

const one = { input: sampleInput() };

describe('coverage', () => {
  const coverage = coverageOf(sample, [one]);

  test('names the sources that no fixture uses', () => {
    expect(coverage.idleSources).toEqual([
      { to: 'patient.last_name', expression: '%patient.name.text', rule: 'sample' },
      { to: 'patient.address.country', expression: '%patient.address.country', rule: 'sample' },
      { to: 'quantity', expression: '%order.dispenseRequest.initialFill.quantity.value', rule: 'sample' },
      {
        to: 'pharmacy.country',
        expression: '%order.dispenseRequest.performer.resolve().address.country',
        rule: 'sample',
      },
    ]);
  });

  test('names the fields that no fixture produces, but not what is omitted with a reason', () => {
    expect(coverage.unproduced).toEqual([]);
    expect(
      coverageOf(sample, [{ input: sampleInput({ organization: null, patient: { ...patient, telecom: [] } }) }])
        .unproduced,
    ).toEqual(['pharmacy.name', 'pharmacy.country', 'phone']);
  });

  test('names the elements that nothing reads, once per part, and leaves out those with a stated reason', () => {
    const more = {
      ...patient,
      maritalStatus: { text: 'married' },
      contact: [{ name: { text: 'Ada' }, gender: 'female' }],
    };
    const cases = [{ input: sampleInput({ patient: more }) }, one];
    expect(coverageOf(sample, cases).unread).toEqual([
      { element: 'Patient.contact', fixtures: 1 },
      { element: 'Patient.maritalStatus', fixtures: 1 },
    ]);
    expect(coverageOf(sample, cases, ['Patient.contact']).unread).toEqual([
      { element: 'Patient.maritalStatus', fixtures: 1 },
    ]);
  });

  test('names enum values that no fixture produces', () => {
    expect(coverage.unusedEnums).toEqual([{ to: 'patient.gender', values: ['male', 'female'] }]);
  });

  test('names overlay rules that change nothing', () => {
    const idle = overlay(sample, 'sample@idle', {
      patient: { birth_date: from('%patient.birthDate') },
      phone: from('%patient.telecom.value'),
    });
    expect(coverageOf(idle, [one]).idleOverlays).toEqual([{ to: 'patient.birth_date', rule: 'sample@idle' }]);
  });

  test('runs on charts as they are: nothing in them changes', () => {
    const before = JSON.stringify(one.input.root('patient'));
    coverageOf(sample, [one]);
    expect(JSON.stringify(one.input.root('patient'))).toBe(before);
  });

  test('prints as text with a closing line', () => {
    const text = formatCoverage('sample', coverage);
    expect(text.split('\n')[0]).toBe('sample: 1 case');
    expect(text).toContain('Sources that no case uses:\n  patient.last_name  %patient.name.text  (sample)\n');
    expect(text.endsWith('\nNot covered: 4 sources or rules that no case uses\n')).toBe(true);
  });
});

type Gender = NonNullable<Request['patient']['gender']>;

const list = ['male', 'female', 'not_specified'] as const;
const rows = { male: ['male', 'm'], not_specified: ['unknown'] };

/** The sample with its gender by this table, from the code or else from a code in the name. */
function byGenderTable(table: Table<Gender>) {
  const gender = byTable<Gender>('gender', table, (value) =>
    typeof value === 'string' && Object.values(table.rows).flat().includes(value) ? [value] : [],
  );
  return overlay(sample, 'sample@table', { patient: { gender: from(gender, '%patient.gender', '%name.family') } });
}

describe('coverage of the tables', () => {
  test('names the values of the closed list that no row leads to, with their field', () => {
    const [gender, ...others] = coverageOf(byGenderTable({ name: 'gender', list, rows }), [one]).lists;
    expect(gender).toMatchObject({ to: 'patient.gender', values: 3, withoutRow: ['female'], stated: [] });
    expect(others).toEqual([]);
  });

  test('a value without a row for a stated reason is no hole', () => {
    const [gender] = coverageOf(
      byGenderTable({ name: 'gender', list, rows, without: { female: 'asked of the patient' } }),
      [one],
    ).lists;
    expect(gender).toMatchObject({ withoutRow: [], stated: [{ value: 'female', reason: 'asked of the patient' }] });
  });

  test('names the rows that no fixture uses; a row that took a value in one fixture is used', () => {
    const mapping = byGenderTable({ name: 'gender', list, rows });
    expect(coverageOf(mapping, [one]).lists[0]).toMatchObject({
      rows: 3,
      unusedRows: [{ table: 'gender', value: 'male', keys: ['male', 'm'] }],
    });
    const man = { input: sampleInput({ patient: { ...patient, gender: 'male' } }) };
    expect(coverageOf(mapping, [man]).lists[0]?.unusedRows).toEqual([
      { table: 'gender', value: 'male', keys: ['m'] },
      { table: 'gender', value: 'not_specified', keys: ['unknown'] },
    ]);
    expect(coverageOf(mapping, [man, one]).lists[0]?.unusedRows).toEqual([
      { table: 'gender', value: 'male', keys: ['m'] },
    ]);
  });

  test('two tables of one field are looked at together: a row in either leads to a value', () => {
    const [first, second] = ['female', 'male'].map((value) =>
      byTable<Gender>(value, { name: value, list, rows: { [value]: [value] } }, () => []),
    );
    const both = overlay(sample, 'sample@both', {
      patient: { gender: firstOf(from(first!, '%patient.gender'), from(second!, '%patient.gender')) },
    });
    expect(coverageOf(both, [one]).lists).toMatchObject([
      { to: 'patient.gender', withoutRow: ['not_specified'], rows: 2 },
    ]);
  });

  test('says it in the text, counts the rows that no case uses, and names them when asked [K20]', () => {
    const table = {
      name: 'gender',
      list,
      rows: { male: ['http://snomed.info/sct|248153007', 'male'] },
      without: { female: 'asked of the patient' },
    };
    const coverage = coverageOf(byGenderTable(table), [one]);
    const short = formatCoverage('sample', coverage);
    expect(short).toContain('\nValues of closed lists without a row:\n  patient.gender: not_specified\n');
    expect(short).toContain(
      '\nTables:\n  patient.gender: 1 of 3 values have a row, 1 rightly none; 0 of 2 rows used by a case\n',
    );
    expect(short).toContain(', 1 value without a row, 2 rows of tables of 2 that no case uses (--rows names them)\n');
    expect(short).not.toContain('asked of the patient');
    const long = formatCoverage('sample', coverage, { rows: true });
    expect(long).toContain(
      '\nValues of closed lists that rightly have no row:\n  patient.gender: female  (asked of the patient)\n',
    );
    expect(long).toContain(
      '\nRows that no case uses:\n  patient.gender, table gender\n    male: %sct|248153007, male\n',
    );
  });

  test('a value without a row and without a reason is a hole, an unused row is none', () => {
    const whole = {
      ...coverageOf(byGenderTable({ name: 'gender', list, rows, without: { female: 'asked of the patient' } }), [one]),
      idleSources: [],
    };
    expect(whole.lists[0]?.unusedRows).not.toEqual([]);
    expect(hasHoles(whole)).toBe(false);
    expect(hasHoles({ ...coverageOf(byGenderTable({ name: 'gender', list, rows }), [one]), idleSources: [] })).toBe(
      true,
    );
  });
});

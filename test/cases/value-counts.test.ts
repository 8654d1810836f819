import { expect, test } from 'vitest';
import { valueCounts } from '../../src/cases/value-counts.ts';
import type { Provenance } from '../../src/core/mapping/result.ts';

const value = (target: string, kind: Provenance['kind'], extra: Partial<Provenance> = {}): Provenance => ({
  target,
  kind,
  rule: 'prior-auth',
  ...extra,
});

test('a value that was entered is typed where the chart had none, and changed where it had one', () => {
  expect(
    valueCounts([
      value('patient.first_name', 'chart'),
      value('prescription.prescription_date', 'derived'),
      value('diagnoses[0].code', 'proposed'),
      value('patient.phone', 'entered'),
      value('prescription.quantity', 'entered', { replaces: 30 }),
    ]),
  ).toEqual({ chart: 3, typed: 1, changed: 1 });
});

test('what a site or a mapping puts in, and documents, are no values of the chart', () => {
  expect(
    valueCounts([
      value('provider.fax', 'site'),
      value('patient.address.country', 'constant'),
      value('evidence[0].title', 'chart'),
    ]),
  ).toEqual({ chart: 0, typed: 0, changed: 0 });
});

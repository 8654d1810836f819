import type { Observation } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { observed, offered, sent } from './support.ts';

function result(id: string, code: string, more: Partial<Observation> = {}): Observation {
  return observed(id, code, { valueQuantity: { value: 1, unit: 'u' }, ...more });
}

describe('a result is sent as the chart has it', () => {
  const value = (more: Partial<Observation>) => {
    const [item] = sent('drug', [result('o1', '4548-4', { ...more })], ['Observation/o1']);
    return (item?.content as { results: Record<string, unknown>[] } | undefined)?.results[0];
  };

  test('with unit, comparator, interpretation, range and source', () => {
    expect(
      value({
        valueQuantity: { value: 8.2, unit: '%' },
        interpretation: [{ text: 'High' }],
        referenceRange: [{ low: { value: 4, unit: '%' }, high: { value: 5.6, unit: '%' } }],
      }),
    ).toEqual({
      date: '2026-10-01',
      loinc: '4548-4',
      test: '4548-4',
      value: '8.2 %',
      interpretation: 'High',
      referenceRange: '4 % to 5.6 %',
      source: 'Observation/o1',
    });
    expect(value({ valueQuantity: { value: 0.01, comparator: '<', code: '[IU]/mL' } })?.value).toBe('<0.01 [IU]/mL');
  });

  test('as a titer, a range, a finding or words', () => {
    const without = { valueQuantity: undefined } as unknown as Partial<Observation>;
    expect(value({ ...without, valueRatio: { numerator: { value: 1 }, denominator: { value: 160 } } })?.value).toBe(
      '1:160',
    );
    expect(value({ ...without, valueRange: { low: { value: 2 }, high: { value: 4 } } })?.value).toBe('2 to 4');
    expect(value({ ...without, valueCodeableConcept: { text: 'Negative' } })?.value).toBe('Negative');
    expect(value({ ...without, valueString: 'Not detected' })?.value).toBe('Not detected');
    expect(value({ ...without, valueBoolean: false })?.value).toBe(false);
  });

  test('with its components', () => {
    const pressure = result('o1', '85354-9', {
      component: [
        { code: { text: 'Systolic' }, valueQuantity: { value: 128, unit: 'mmHg' } },
        { code: { text: 'Diastolic' }, valueQuantity: { value: 79, unit: 'mmHg' } },
      ],
    });
    const { valueQuantity: _none, ...bare } = pressure;
    expect(sent('drug', [bare], ['Observation/o1'])).toMatchObject([
      {
        content: {
          results: [
            {
              components: [
                { test: 'Systolic', value: '128 mmHg' },
                { test: 'Diastolic', value: '79 mmHg' },
              ],
            },
          ],
        },
      },
    ]);
  });
});

describe('results of one test are one item', () => {
  const dates = ['2025-11-03', '2026-05-04', '2026-08-10', '2026-10-30'];
  const all = dates.map((date, index) =>
    result(`o${index + 1}`, index === 1 ? '17856-6' : '4548-4', {
      effectiveDateTime: date,
      valueQuantity: { value: 9 - index / 2, unit: '%' },
    }),
  );

  test('the newest three, newest first, under the newest date', () => {
    expect(offered('drug', all)).toMatchObject([
      {
        reference: 'Observation/o4',
        label: 'Hemoglobin A1c, Oct 30, 2026',
        detail: '7.5 % on Oct 30, 2026; 4 results',
        group: 'Lab Result',
      },
    ]);
    const [item] = sent('drug', all, ['Observation/o4']);
    expect(item).toMatchObject({
      title: 'Hemoglobin A1c',
      date_created: '2026-10-30',
      content: { results: [{ date: '2026-10-30', value: '7.5 %' }, { date: '2026-08-10' }, { date: '2026-05-04' }] },
    });
  });

  test('a tick on an older result stays with the test when newer ones come', () => {
    expect(offered('drug', all, { answers: { evidence: ['Observation/o1'] } })).toMatchObject([
      { reference: 'Observation/o1', taken: true },
    ]);
    expect(sent('drug', all, ['Observation/o1'])).toHaveLength(1);
  });
});

test.each(['entered-in-error', 'cancelled', 'registered', 'preliminary', 'unknown'] as const)(
  'a result that is %s is never offered',
  (status) => {
    expect(offered('drug', [result('o1', '4548-4', { status })])).toEqual([]);
  },
);

test('a result without a value or a date is named and cannot be sent', () => {
  const { valueQuantity: _value, ...empty } = result('o1', '4548-4');
  const { effectiveDateTime: _date, ...undated } = result('o2', '2089-1');
  expect(offered('drug', [empty, undated])).toMatchObject([
    { label: 'Hemoglobin A1c, Oct 1, 2026', fits: false, reason: 'it has no value' },
    { label: 'LDL cholesterol', fits: false, reason: 'it has no date' },
  ]);
  expect(sent('drug', [empty, undated], ['Observation/o1', 'Observation/o2'])).toEqual([]);
});

test.each([
  ['2019', '2019'],
  ['2019-05', 'May 2019'],
])('a result that is dated %s alone is shown with %s, and cannot be sent', (effectiveDateTime, date) => {
  const vague = result('o1', '4548-4', { effectiveDateTime });
  expect(offered('drug', [vague])).toMatchObject([
    {
      label: `Hemoglobin A1c, ${date}`,
      detail: `1 u in ${date}`,
      fits: false,
      reason: `the chart says only ${date}; to be sent it needs a full date`,
    },
  ]);
  expect(sent('drug', [vague], ['Observation/o1'])).toEqual([]);
});

test('a panel that only gathers results is no item', () => {
  const { valueQuantity: _value, ...panel } = result('o1', '57698-3', {
    category: [{ coding: [{ code: 'laboratory' }] }],
    hasMember: [{ reference: 'Observation/o2' }],
  });
  expect(offered('drug', [panel])).toEqual([]);
});

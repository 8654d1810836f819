import type { FhirResource, MedicationDispense, MedicationRequest, MedicationStatement } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { gapsBetween } from '../../../src/core/evidence/supply.ts';
import { offered, sent, subject } from './support.ts';

const drug = (text: string) => ({ medicationCodeableConcept: { text } });

function order(id: string, text: string, more: Partial<MedicationRequest> = {}): MedicationRequest {
  return {
    resourceType: 'MedicationRequest',
    id,
    status: 'completed',
    intent: 'order',
    subject,
    authoredOn: '2025-03-01',
    ...drug(text),
    ...more,
  };
}

function statement(id: string, text: string, more: Partial<MedicationStatement> = {}): MedicationStatement {
  return {
    resourceType: 'MedicationStatement',
    id,
    status: 'completed',
    subject,
    effectivePeriod: { start: '2025-03-03', end: '2025-06-30' },
    ...drug(text),
    ...more,
  };
}

function fill(
  id: string,
  text: string,
  whenHandedOver: string,
  days?: number,
  more: Partial<MedicationDispense> = {},
): MedicationDispense {
  return {
    resourceType: 'MedicationDispense',
    id,
    status: 'completed',
    subject,
    whenHandedOver,
    ...(days === undefined ? {} : { daysSupply: { value: days, code: 'd' } }),
    ...drug(text),
    ...more,
  };
}

function titles(resources: readonly FhirResource[], focal = 'adalimumab 40 MG/0.8 ML Prefilled Syringe') {
  return offered(focal, resources).map(({ label }) => label);
}

const methotrexate = 'methotrexate 2.5 MG Oral Tablet';

describe('a drug is one item', () => {
  test('of all that was ordered, told and dispensed of it, oldest first, each with its source', () => {
    const chart = [
      fill('d1', methotrexate, '2025-03-04', 28),
      order('r1', 'methotrexate 2.5 MG Oral Tablet [Trexall]'),
      statement('s1', methotrexate, { statusReason: [{ text: 'Nausea' }] }),
    ];
    expect(titles(chart)).toEqual(['Prior therapy: methotrexate, Mar 4, 2025']);
    expect(sent('adalimumab', chart, ['MedicationRequest/r1'])).toEqual([
      {
        title: 'Prior therapy: methotrexate',
        type: 'Prior Therapy',
        date_created: '2025-03-04',
        content: {
          drug: 'methotrexate',
          start: '2025-03-03',
          firstOrdered: '2025-03-01',
          stop: '2025-06-30',
          status: 'completed',
          stopReasons: ['Nausea'],
          entries: [
            {
              kind: 'order',
              product: 'methotrexate 2.5 MG Oral Tablet [Trexall]',
              status: 'completed',
              ordered: '2025-03-01',
              source: 'MedicationRequest/r1',
            },
            {
              kind: 'statement',
              product: methotrexate,
              status: 'completed',
              start: '2025-03-03',
              stop: '2025-06-30',
              reasons: ['Nausea'],
              source: 'MedicationStatement/s1',
            },
            {
              kind: 'dispense',
              product: methotrexate,
              status: 'completed',
              handedOver: '2025-03-04',
              daysSupply: 28,
              source: 'MedicationDispense/d1',
            },
          ],
        },
      },
    ]);
  });

  test('and two drugs without a name are two items', () => {
    const nameless = { medicationCodeableConcept: {} };
    expect(titles([order('r1', '', nameless), order('r2', '', nameless)])).toHaveLength(2);
  });

  test('any of its references ticks it, and its tick is shown on that reference', () => {
    const chart = [order('r1', methotrexate), order('r2', methotrexate, { authoredOn: '2025-09-01' })];
    const [only, ...more] = offered('adalimumab', chart, { answers: { evidence: ['MedicationRequest/r1'] } });
    expect(only).toMatchObject({ reference: 'MedicationRequest/r1', taken: true, reason: 'ticked by a person' });
    expect(more).toEqual([]);
  });
});

describe('what a drug is to the request', () => {
  test('the ordered drug, given before, is a continuation and never prior therapy', () => {
    expect(titles([order('r1', 'adalimumab 40 MG/0.8 ML Auto-Injector [Humira]')])).toEqual([
      'Earlier on the ordered drug: adalimumab, Mar 1, 2025',
    ]);
  });

  test.each([
    ['adalimumab 40 MG/0.8 ML Prefilled Syringe', 'Humira (adalimumab) pen'],
    ['0.4 ML adalimumab 100 MG/ML Auto-Injector', 'adalimumab 40 mg every other week'],
    ['Adalimumab', '0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]'],
  ])('%s, earlier as %s, is a continuation too', (focal, earlier) => {
    expect(titles([order('r1', earlier)], focal)).toEqual([expect.stringMatching(/^Earlier on the ordered drug: /)]);
  });

  test('a combination that holds the ordered ingredient is another drug', () => {
    expect(
      titles(
        [order('r1', 'metformin hydrochloride 500 MG / sitagliptin 50 MG Oral Tablet')],
        'sitagliptin 100 MG Oral Tablet',
      ),
    ).toEqual([expect.stringMatching(/^Prior therapy: /)]);
  });

  test('a drug that is active is current', () => {
    expect(titles([order('r1', methotrexate, { status: 'active' })])).toEqual([
      'Current therapy: methotrexate, Mar 1, 2025',
    ]);
  });

  test('an active statement that ended is prior therapy', () => {
    expect(titles([statement('s1', methotrexate, { status: 'active' })])).toEqual([
      'Prior therapy: methotrexate, Mar 3, 2025',
    ]);
  });

  test('a fill that is not used up is current, an old one is prior', () => {
    expect(titles([fill('d1', methotrexate, '2026-11-10', 30)])).toEqual([
      'Current therapy: methotrexate, Nov 10, 2026',
    ]);
    expect(titles([fill('d1', methotrexate, '2026-09-10', 30)])).toEqual(['Prior therapy: methotrexate, Sep 10, 2026']);
  });

  test.each([
    ['entered in error', order('r1', methotrexate, { status: 'entered-in-error' })],
    ['cancelled before it was given', order('r1', methotrexate, { status: 'cancelled' })],
    ['a draft', order('r1', methotrexate, { status: 'draft' })],
    ['a proposal', order('r1', methotrexate, { intent: 'proposal' })],
    ['an order not to give it', order('r1', methotrexate, { doNotPerform: true })],
    ['never taken', statement('s1', methotrexate, { status: 'not-taken' })],
    ['only meant to be taken', statement('s1', methotrexate, { status: 'intended' })],
    [
      'changed by a modifier extension',
      order('r1', methotrexate, { modifierExtension: [{ url: 'https://x.example' }] }),
    ],
    ['written under rules of its own', statement('s1', methotrexate, { implicitRules: 'https://x.example/rules' })],
    ['not picked up', fill('d1', methotrexate, '2025-03-04', 28, { status: 'declined' })],
    ['another patient’s', order('r1', methotrexate, { subject: { reference: 'Patient/p2' } })],
  ])('a drug that is %s is no therapy', (_what, resource) => {
    expect(titles([resource])).toEqual([]);
  });
});

describe('what the chart lacks is said', () => {
  test('stopped without a reason, to staff; a payer reads the status alone', () => {
    const [item] = sent('x', [order('r1', methotrexate, { status: 'stopped' })], ['MedicationRequest/r1']);
    expect(item).toMatchObject({ content: { status: 'stopped' } });
    expect(JSON.stringify(item)).not.toMatch(/remark|no reason|nexplained/);
    expect(offered('x', [order('r1', methotrexate, { status: 'stopped' })])).toMatchObject([
      { detail: 'ordered Mar 1, 2025; stopped; the chart gives no reason' },
    ]);
  });

  test('a reason anywhere in the timeline is a reason', () => {
    const chart = [
      statement('s1', methotrexate, { statusReason: [{ text: 'Raised liver enzymes' }] }),
      order('r1', methotrexate, { status: 'stopped', authoredOn: '2025-07-01' }),
    ];
    const [item] = sent('x', chart, ['MedicationStatement/s1']);
    expect(item).toMatchObject({ content: { stopReasons: ['Raised liver enzymes'] } });
    expect(JSON.stringify(item)).not.toContain('no reason');
  });

  test('an order alone tells when it was ordered, not that anything was taken', () => {
    const [item] = sent('x', [order('r1', methotrexate)], ['MedicationRequest/r1']);
    expect(item).toMatchObject({ content: { firstOrdered: '2025-03-01' } });
    expect(JSON.stringify(item)).not.toContain('"start"');
  });

  test('a drug without a date cannot be sent', () => {
    const undated = statement('s1', methotrexate, { effectivePeriod: {} });
    expect(offered('x', [undated])).toMatchObject([
      { label: 'Prior therapy: methotrexate', fits: false, reason: 'it has no date' },
    ]);
    expect(sent('x', [undated], ['MedicationStatement/s1'])).toEqual([]);
  });

  test.each([
    ['2025', '2025'],
    ['2025-03', 'Mar 2025'],
  ])('a drug that is dated %s alone is shown with %s, and cannot be sent', (date, start) => {
    const vague = statement('s1', methotrexate, { effectivePeriod: { start: date } });
    expect(offered('x', [vague])).toMatchObject([
      {
        label: `Prior therapy: methotrexate, ${start}`,
        detail: `from ${start}; completed`,
        fits: false,
        suggested: false,
        reason: `the chart says only ${start}; to be sent it needs a full date`,
      },
    ]);
    expect(sent('x', [vague], ['MedicationStatement/s1'])).toEqual([]);
  });

  test('a full date of any mention is told before the year of a newer one', () => {
    // The year counts from January 1, 2026, after the order of 2025.
    const chart = [
      order('r1', methotrexate, { status: 'stopped' }),
      statement('s1', methotrexate, { effectivePeriod: { start: '2026' } }),
    ];
    expect(offered('x', chart)).toMatchObject([{ label: 'Prior therapy: methotrexate, Mar 1, 2025', fits: true }]);
  });

  test('a date that is none is no date', () => {
    expect(offered('x', [fill('d1', methotrexate, '2025-13-45', 30)])).toMatchObject([
      { fits: false, reason: 'it has no date' },
    ]);
  });
});

describe('days without supply', () => {
  test('between fills, counted by the day', () => {
    // 1 January + 30 days lasts through 30 January; the next fill is on 10 February
    const chart = [fill('d1', methotrexate, '2026-01-01', 30), fill('d2', methotrexate, '2026-02-10', 30)];
    expect(sent('x', chart, ['MedicationDispense/d1'])).toMatchObject([
      { content: { daysWithoutSupply: [{ from: '2026-01-31', to: '2026-02-09', days: 10 }] } },
    ]);
    expect(offered('x', chart)).toMatchObject([{ detail: 'from Jan 1, 2026; dispensed; 1 gap without supply' }]);
  });

  test('an early fill is used after the one before', () => {
    // through 30 January, then 30 days more through 1 March
    expect(
      gapsBetween([
        { from: '2026-01-01', days: 30 },
        { from: '2026-01-20', days: 30 },
        { from: '2026-03-02', days: 30 },
      ]),
    ).toEqual([]);
    expect(
      gapsBetween([
        { from: '2026-01-01', days: 30 },
        { from: '2026-01-20', days: 30 },
        { from: '2026-03-03', days: 30 },
      ]),
    ).toEqual([{ from: '2026-03-02', to: '2026-03-02', days: 1 }]);
  });

  test('a fill within a time that is told is used within it, not after it', () => {
    // told through 20 May; the fill of 8 April lasts through 5 May; the next one is on 10 June
    expect(
      gapsBetween([
        { from: '2025-03-04', to: '2025-05-20' },
        { from: '2025-04-08', days: 28 },
        { from: '2025-06-10', days: 28 },
      ]),
    ).toEqual([{ from: '2025-05-21', to: '2025-06-09', days: 20 }]);
  });

  test('after a fill of unknown length nothing is said', () => {
    expect(gapsBetween([{ from: '2026-01-01' }, { from: '2026-06-01', days: 30 }])).toEqual([]);
  });

  test('over a leap day and over the change to summer time', () => {
    expect(
      gapsBetween([
        { from: '2024-02-01', to: '2024-02-28' },
        { from: '2024-03-02', to: '2024-03-30' },
        { from: '2024-04-01' },
      ]),
    ).toEqual([
      { from: '2024-02-29', to: '2024-03-01', days: 2 },
      { from: '2024-03-31', to: '2024-03-31', days: 1 },
    ]);
  });

  test('weeks are seven days, other units say nothing, and neither does a slip of the pen', () => {
    const supplied = (value: number, unit: string) =>
      JSON.stringify(
        sent(
          'x',
          [fill('d1', methotrexate, '2026-01-01', undefined, { daysSupply: { value, unit } })],
          ['MedicationDispense/d1'],
        ),
      );
    expect(supplied(4, 'weeks')).toContain('"daysSupply":28');
    expect(supplied(2, 'boxes')).not.toContain('daysSupply');
    expect(supplied(30_000_000_000, 'days')).not.toContain('daysSupply');
  });
});

import type { FhirResource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import { fill, order, resultFor, sheetFor, statement, subject } from './support.ts';

const drug = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';

type Request = Parameters<typeof sheetFor>[2];

const therapy = (resources: readonly FhirResource[], request: Request = {}) =>
  sheetFor(drug, resources, request).therapy;

describe('the ordered drug', () => {
  test('is new where the chart has nothing earlier of it, and that is said', () => {
    expect(therapy([])).toEqual({
      status: 'new',
      basis: 'the chart has no earlier order, statement, dispense or dose of it',
    });
  });

  test('is new by what was searched and has nothing of it, which its place says', () => {
    const note =
      'nothing of it in MedicationRequest, MedicationStatement, MedicationDispense, MedicationAdministration ' +
      'besides this order';
    const places = (resources: readonly FhirResource[]) =>
      resultFor(drug, resources).provenance.filter(({ target }) => target.startsWith('therapy.'));
    expect(places([])).toMatchObject([
      { target: 'therapy.status', kind: 'derived', note },
      { target: 'therapy.basis', kind: 'derived', note },
    ]);
    expect(places([fill('d1', drug, '2026-08-01', 28)]).flatMap((one) => one.note ?? [])).toEqual([]);
  });

  test('of which not all was read is not known to be new', () => {
    expect(therapy([], { unread: ['MedicationDispense'] })).toBeUndefined();
  });

  test('is continued where supply covered a day in the last 90 days', () => {
    // 28 days from Aug 1 cover Aug 28; Nov 21 is 85 days later
    expect(therapy([fill('d1', drug, '2026-08-01', 28)])).toMatchObject({
      status: 'continuing',
      since: '2026-08-01',
      last_covered: '2026-08-28',
      days_covered: 28,
    });
  });

  test('was used earlier where it is longer ago', () => {
    const chart = [fill('d1', drug, '2026-07-01', 28)];
    expect(therapy(chart)).toMatchObject({ status: 'used earlier', since: '2026-07-01', last_covered: '2026-07-28' });
    expect(therapy(chart, { site: { answers: { continuingDays: 120 } } })).toMatchObject({ status: 'continuing' });
  });

  test('is continued where the patient says so, whatever its brand is called', () => {
    const told = statement('s1', 'Humira', { status: 'active', effectivePeriod: { start: '2025-12' } });
    expect(therapy([told])).toMatchObject({ status: 'continuing', since: '2025-12' });
  });

  test('was only ordered before where nothing shows that it was taken', () => {
    const tablet = 'adalimumab 20 MG/0.4 ML Prefilled Syringe';
    expect(therapy([order('r2', drug, { authoredOn: '2025-06-01' }), order('r1', tablet)])).toMatchObject({
      status: 'ordered earlier',
      basis:
        'it was first ordered on Mar 1, 2025, as adalimumab 20 MG/0.4 ML Prefilled Syringe; no dispense, dose or ' +
        'statement shows that it was taken',
    });
  });

  test('that was ordered and given as samples says that nothing besides them shows that it was taken', () => {
    const sample = fill('d1', drug, '2025-06-01', 14, { type: { text: 'Sample' } });
    const earlier = therapy([order('r1', drug), sample]);
    expect(earlier?.basis).toMatch(/; no dispense, dose or statement besides samples shows that it was taken$/);
    const old = therapy([sample], { focal: { authoredOn: '2025-06-01' } });
    expect(old?.basis).toMatch(/; no dispense, dose or statement besides samples shows whether it was taken$/);
  });

  test.each(['2026-08-22', '2018-07-03'])('whose order itself is of %s may have been taken since', (authoredOn) => {
    const found = therapy([], { focal: { authoredOn } });
    expect(found?.basis).toMatch(/^ordered .*; no dispense, dose or statement shows whether it was taken$/);
    expect(found).not.toHaveProperty('status');
  });

  test('whose order was written in the last 90 days is new', () => {
    expect(therapy([], { focal: { authoredOn: '2026-08-23' } })).toMatchObject({ status: 'new' });
  });

  test.each([
    [
      { note: [{ text: 'Hospital discharge supply, paid by free trial card' }] },
      'Hospital discharge supply, paid by free trial card',
    ],
    [{ note: [{ text: 'Left at front desk. Free 30 day trial offer' }] }, 'Free 30 day trial offer'],
    [{ note: [{ text: 'Patient assistance program' }] }, 'Patient assistance program'],
    [{ type: { text: 'Starter supply' } }, 'Starter supply'],
    [{ category: { text: 'Discharge' } }, 'Discharge'],
  ])('that was supplied in another way than by a fill has its words, and counts: %j', (more, words) => {
    const found = therapy([fill('d1', drug, '2026-11-01', 14, more)]);
    expect(found).toMatchObject({
      status: 'continuing',
      days_covered: 14,
      supplied_as: [{ day: '2026-11-01', words }],
    });
    expect(answerLines('therapy', found)).toContain(`supplied on Nov 1, 2026: “${words}”`);
  });

  test('that was supplied as a sample has its words, too', () => {
    const sample = fill('d1', drug, '2026-11-01', 14, {
      note: [{ text: 'Manufacturer sample given in office' }],
      // what the note says, too
      type: { text: 'Sample' },
    });
    expect(therapy([sample])).toMatchObject({
      status: 'new',
      supplied_as: [{ day: '2026-11-01', words: 'Manufacturer sample given in office' }],
    });
  });

  test.each([
    'Mail order',
    'Not a sample',
    'No free trial card used',
    'Preservative-free',
    'Free of side effects',
    'Feel free to call',
    'Blood sample before the next dose',
    'Discharge from the eye',
    'Copay card',
    'Free supply from the HIV clinic',
  ])('that was supplied as usual has no such words: %s', (text) => {
    expect(therapy([fill('d1', drug, '2026-11-01', 14, { note: [{ text }] })])).not.toHaveProperty('supplied_as');
  });

  test('that was ordered before its first known fill says both days', () => {
    const found = therapy([fill('d1', drug, '2026-07-15', 128)], { focal: { authoredOn: '2025-04-07' } });
    expect(found).toMatchObject({ status: 'continuing', ordered: '2025-04-07', since: '2026-07-15' });
    expect(answerLines('therapy', found)[0]).toContain(
      'ordered Apr 7, 2025; first known to be taken Jul 15, 2026; 128 days covered',
    );
    const renewed = [order('r1', drug, { authoredOn: '2025-04-07' }), fill('d1', drug, '2026-07-15', 128)];
    expect(therapy(renewed)).toMatchObject({ ordered: '2025-04-07', since: '2026-07-15' });
    expect(therapy([fill('d1', drug, '2026-07-15', 128)])).not.toHaveProperty('ordered');
  });

  describe('in another form than the ordered one', () => {
    const [tablet, injection] = ['aripiprazole 5 MG Oral Tablet', 'aripiprazole ER 400 mg injection'];
    const [short, long] = ['oxycodone 5 mg tablet', 'oxycodone ER 10 mg tablet'];
    const active = (id: string, text: string) => order(id, text, { status: 'active', authoredOn: '2026-09-21' });

    test.each([
      ['a tablet for an injection', tablet, injection],
      ['a plain tablet for an extended-release one', short, long],
      ['an extended-release tablet for a plain one', long, short],
      [
        'an extended-release tablet for a brand in its plain form',
        '24 HR tofacitinib 11 MG Extended Release Oral Tablet [Xeljanz]',
        'tofacitinib 5 MG Oral Tablet [Xeljanz]',
      ],
      [
        'a delayed-release capsule for an extended-release one',
        'duloxetine DR 30 mg capsule',
        'duloxetine ER 30 mg capsule',
      ],
    ])('%s says as what it is continued, and is a drug of now', (_what, taken, ordered) => {
      // Sep 21 to Nov 19: 60 days
      const found = sheetFor(ordered, [active('r1', taken), fill('d1', taken, '2026-09-21', 60)]);
      expect(found.therapy).toMatchObject({ status: 'continuing', in_other_form: true, taken_as: [taken] });
      expect(found.therapy).not.toHaveProperty('taken_as_in_part');
      const [line] = answerLines('therapy', found.therapy);
      expect(line).toMatch(/^continuing in another form: it covered Nov 19, 2026/);
      expect(line).toContain(`days; as ${taken}; since Sep 21, 2026`);
      expect(found.concurrent).toMatchObject([
        { drug: taken, relation: 'same ingredient, other form', since: '2026-09-21', status: 'active' },
      ]);
    });

    test('is in part so where the ordered form was taken, too', () => {
      const found = sheetFor(long, [fill('d1', short, '2026-09-21', 30), fill('d2', long, '2026-10-21', 30)]);
      expect(found.therapy).toMatchObject({ taken_as: [short], taken_as_in_part: true });
      expect(answerLines('therapy', found.therapy)[0]).toContain(`in part as ${short}`);
      expect(found.therapy).not.toHaveProperty('in_other_form');
      // the short-acting one lasted until Oct 20
      expect(found.concurrent).toBeUndefined();
    });

    test('continues in that form alone where the ordered one was given up long ago', () => {
      const found = sheetFor(long, [fill('d1', long, '2024-01-01', 30), fill('d2', short, '2026-10-21', 30)]);
      expect(found.therapy).toMatchObject({ status: 'continuing', in_other_form: true, taken_as: [short] });
    });

    test.each([
      ['a syringe for a pen', drug, 'adalimumab 40 MG/0.8 ML Auto-Injector'],
      ['a brand that may say the release by itself', 'OxyContin 10 mg tablet', long],
      ['a name without a form', 'oxycodone 10 mg', long],
      ['two words for one release', 'venlafaxine XR 75 mg capsule', 'venlafaxine 75 mg extended release capsule'],
    ])('is not %s', (_what, taken, ordered) => {
      const found = sheetFor(ordered, [active('r1', taken), fill('d1', taken, '2026-09-21', 60)]);
      expect(found.therapy?.status).toBe('continuing');
      expect(found.therapy).not.toHaveProperty('taken_as');
      expect(found.concurrent).toBeUndefined();
    });

    test('nor in another strength than the ordered one, it is told as what it was taken', () => {
      const [low, high] = ['clozapine 25 MG Oral Tablet', 'clozapine 100 MG Oral Tablet'];
      const raised = sheetFor(high, [fill('d1', low, '2026-09-21', 60)]);
      expect(raised.therapy).toMatchObject({ status: 'continuing', taken_as: [low] });
      const both = sheetFor(high, [fill('d1', low, '2026-08-21', 30), fill('d2', high, '2026-09-20', 60)]);
      expect(both.therapy).toMatchObject({ taken_as: [low], taken_as_in_part: true });
    });

    test('is none of now where its order was stopped', () => {
      const stopped = order('r1', short, { status: 'stopped', authoredOn: '2026-09-21' });
      expect(sheetFor(long, [stopped, fill('d1', short, '2026-09-21', 60)]).concurrent).toBeUndefined();
    });
  });

  test('says samples by the samples alone', () => {
    const chart = [fill('f1', `${drug} sample`, '2026-08-01', 14), fill('d1', drug, '2026-09-21', 60)];
    const { provenance } = resultFor(drug, chart);
    expect(provenance.find(({ target }) => target === 'therapy.samples')?.source?.resource).toBe(
      'MedicationDispense/f1',
    );
  });

  test('that was begun on samples is new', () => {
    const sample = fill('d1', drug, '2026-11-01', 14, { type: { coding: [{ code: 'MS' }] } });
    expect(therapy([sample])).toMatchObject({
      status: 'new',
      basis: 'the chart has no earlier order, statement, dispense or dose of it besides samples',
      samples: 'samples were given',
    });
  });

  test('has the days of its supply alone, whatever is told besides', () => {
    const open = statement('s1', drug, { status: 'active', effectivePeriod: { start: '2022-09-01' } });
    const ended = statement('s2', drug, { effectivePeriod: { start: '2026-07-01', end: '2026-10-31' } });
    for (const told of [open, ended]) {
      const found = therapy([told, fill('d1', drug, '2026-09-01', 28)]);
      expect(found).toMatchObject({ last_covered: '2026-09-28', days_covered: 28 });
      expect(found).not.toHaveProperty('about_days');
      expect(found).not.toHaveProperty('gaps');
    }
  });

  test('that was only told of has its days as about: from Mar 3 to Jun 30', () => {
    const found = therapy([statement('s1', drug)]);
    expect(found).toMatchObject({
      status: 'used earlier',
      basis: 'it is told to have been taken until Jun 30, 2025, more than 90 days ago',
      last_covered: '2025-06-30',
      about_days: 120,
    });
    expect(found).not.toHaveProperty('days_covered');
    expect(answerLines('therapy', found)[0]).toMatch(/; about 120 days, as told$/);
  });

  test('has its gaps told', () => {
    // Jan 1 to Jan 28, then from Apr 1 to Nov 26: Jan 29 to Mar 31 are 62 days
    const chart = [fill('d1', drug, '2026-01-01', 28), fill('d2', drug, '2026-04-01', 240)];
    expect(therapy(chart)).toMatchObject({ gaps: [{ from: '2026-01-29', to: '2026-03-31', days: 62 }] });
  });

  test('that is told of without an end has no days where nothing was dispensed', () => {
    const told = statement('s1', drug, { status: 'active', effectivePeriod: { start: '2026-07-01' } });
    const found = therapy([told]);
    expect(found).toMatchObject({ status: 'continuing', basis: 'the chart says that it is taken now' });
    for (const key of ['days_covered', 'last_covered']) expect(found).not.toHaveProperty(key);
  });

  test('with a fill that does not say how long it lasts has no days and no gaps', () => {
    const chart = [
      fill('d1', drug, '2026-01-01', 28),
      fill('d2', drug, '2026-04-01'),
      fill('d3', drug, '2026-09-01', 28),
    ];
    const found = therapy(chart);
    expect(found).toMatchObject({
      status: 'continuing',
      last_covered: '2026-09-28',
      remark: '1 fill or dose does not say how long it lasts: no days and no gaps are counted',
    });
    for (const key of ['days_covered', 'gaps']) expect(found).not.toHaveProperty(key);
  });

  test('of another patient, entered in error or never taken is none', () => {
    const chart = [
      fill('d1', drug, '2026-10-01', 28, { subject: { reference: 'Patient/p2' } }),
      fill('d2', drug, '2026-10-01', 28, { status: 'entered-in-error' }),
      statement('s1', drug, { status: 'not-taken' }),
    ];
    expect(therapy(chart)).toMatchObject({ status: 'new' });
  });
});

describe('a dose that was given', () => {
  const dose = (id: string, effectiveDateTime: string, more: object = {}): FhirResource => ({
    resourceType: 'MedicationAdministration',
    id,
    status: 'completed',
    subject,
    medicationCodeableConcept: { text: drug },
    effectiveDateTime,
    ...more,
  });
  const every = (period: number, periodUnit: 'wk' | 'mo') => ({
    dosageInstruction: [{ timing: { repeat: { frequency: 1, period, periodUnit } } }],
  });

  test('in the last 90 days continues the drug, and says nothing of the days behind it', () => {
    const found = therapy([dose('a1', '2026-10-01T09:00:00-05:00')]);
    expect(found).toMatchObject({
      status: 'continuing',
      basis: 'the last dose was given on Oct 1, 2026, which is in the last 90 days',
    });
    for (const key of ['days_covered', 'last_covered', 'gaps']) expect(found).not.toHaveProperty(key);
  });

  test('lasts to the next one where the order says how far apart doses are', () => {
    // 168 days from Jun 8 end on Nov 22; from May 4 to Nov 21 are 202 days
    const chart = [dose('a1', '2026-05-04'), dose('a2', '2026-06-08')];
    expect(therapy(chart, { focal: every(24, 'wk') })).toEqual({
      status: 'continuing',
      basis: 'it covered Nov 21, 2026, which is in the last 90 days',
      since: '2026-05-04',
      last_covered: '2026-11-22',
      days_covered: 202,
      dose_interval: '24 weeks',
      sources: ['MedicationAdministration/a1', 'MedicationAdministration/a2'],
    });
  });

  test('leaves a gap behind the day on which the next one was due', () => {
    // 56 days from Jan 5 end on Mar 1; without: Mar 2 to Jun 30, 121 days
    const chart = [dose('a1', '2026-01-05'), dose('a2', '2026-07-01')];
    expect(therapy(chart, { focal: every(8, 'wk') })).toMatchObject({
      gaps: [
        { from: '2026-03-02', to: '2026-06-30', days: 121 },
        // since the last one; Nov 21 is the day of the request
        { from: '2026-08-26', to: '2026-11-21', days: 88 },
      ],
      last_covered: '2026-08-25',
      days_covered: 112,
    });
  });

  test('lasts by months of the calendar', () => {
    const chart = [dose('a1', '2026-05-31')];
    expect(therapy(chart, { focal: every(1, 'mo') })).toMatchObject({ last_covered: '2026-06-29', days_covered: 30 });
  });

  test('lasts as its own words say', () => {
    const chart = [dose('a1', '2026-03-02', { dosage: { text: '300 mg every 8 weeks' } })];
    expect(therapy(chart)).toMatchObject({
      status: 'used earlier',
      dose_interval: '8 weeks',
      last_covered: '2026-04-26',
    });
  });

  test('long ago of which nobody knows how long it lasts leaves open whether it still does', () => {
    const found = therapy([dose('a1', '2026-01-05')]);
    expect(found).toMatchObject({
      basis: 'the last dose was given on Jan 5, 2026; nothing says how long it lasts',
      since: '2026-01-05',
    });
    expect(found).not.toHaveProperty('status');
  });

  test('and was stopped since was used earlier', () => {
    const stopped = order('r1', drug, { status: 'stopped', authoredOn: '2026-01-02' });
    expect(therapy([dose('a1', '2026-01-05'), stopped])).toMatchObject({ status: 'used earlier' });
  });

  test('of which two orders say different times has none of them', () => {
    const found = therapy([dose('a1', '2026-10-01'), order('r1', drug, every(4, 'wk'))], { focal: every(8, 'wk') });
    for (const key of ['days_covered', 'dose_interval']) expect(found).not.toHaveProperty(key);
  });

  test('by an order in phases has no time: which phase it was, nothing says', () => {
    const phases = {
      dosageInstruction: [
        { text: 'Induction: 5 mg/kg at weeks 0, 2 and 6' },
        { text: 'Maintenance: 5 mg/kg every 8 weeks' },
      ],
    };
    expect(therapy([dose('a1', '2026-10-01')], { focal: phases })).not.toHaveProperty('dose_interval');
  });
});

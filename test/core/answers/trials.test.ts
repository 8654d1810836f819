import type { FhirResource, MedicationDispense, MedicationRequest } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { trialRemarks, trialText } from '../../../src/core/answers/answer-text.ts';
import { dayAfter, daysBetween } from '../../../src/core/fhir/time/calendar-days.ts';
import { fill, order, resultFor, sheetFor, statement, subject } from './support.ts';

const ordered = 'upadacitinib 15 MG Extended Release Oral Tablet';
const methotrexate = 'methotrexate 2.5 MG Oral Tablet';
const sulfasalazine = 'sulfasalazine 500 MG Oral Tablet';

type Request = Parameters<typeof sheetFor>[2];

function trials(resources: readonly FhirResource[], request: Request = {}, drug = ordered) {
  return sheetFor(drug, resources, request).trials ?? [];
}

describe('what is worked out of a trial', () => {
  const placesOf = (resources: readonly FhirResource[], target: string) =>
    resultFor(ordered, resources).provenance.filter((one) => one.target === target);

  test('is cited at what shows that it was taken, and not at an order of the same day', () => {
    const chart = [order('zz', methotrexate, { authoredOn: '2025-03-04' }), fill('d1', methotrexate, '2025-03-04', 28)];
    for (const target of ['trials[0].proof', 'trials[0].days_covered'])
      expect(placesOf(chart, target)).toMatchObject([{ source: { resource: 'MedicationDispense/d1' } }]);
  });
});

describe('a drug for the diagnosis of the order', () => {
  const reasonCode = [{ text: 'Rheumatoid arthritis' }];
  const now = order('r1', 'zorblaxin 5 mg tablet', { status: 'active', authoredOn: '2026-10-01', reasonCode });

  test('that is taken now is one of the other drugs, though of no class', () => {
    const { concurrent } = sheetFor(ordered, [now], { focal: { reasonCode } });
    expect(concurrent).toMatchObject([{ drug: 'zorblaxin 5 mg tablet', relation: 'for this diagnosis' }]);
    expect(sheetFor(ordered, [now], { focal: { reasonCode: [{ text: 'Hives' }] } }).concurrent).toBeUndefined();
  });
});

describe('the product of a trial', () => {
  const of = (id: string) => ({ authorizingPrescription: [{ reference: `MedicationRequest/${id}` }] });
  const burst = (text: string) => order('r1', 'prednisone 40 mg burst', { dosageInstruction: [{ text }] });
  const tablets = fill('d1', 'prednisone 20 mg tablet', '2025-03-02', 5, of('r1'));

  test('of another strength than was ordered keeps directions that say the dose, and no count of pieces', () => {
    const rowOf = (text: string) => trials([burst(text), tablets])[0];
    expect(rowOf('40 mg daily for 5 days')).toMatchObject({
      strengths: ['20 mg'],
      directions: ['40 mg daily for 5 days'],
    });
    expect(rowOf('Take 1 tablet daily')).not.toHaveProperty('directions');
    expect(
      trials([burst('40 mg daily'), fill('d1', 'prednisone 20 mg tablet', '2025-03-02', 5)])[0],
    ).not.toHaveProperty('directions');
  });

  test('has the brand that only its code names', () => {
    const display = 'methotrexate 10 MG Oral Tablet [Trexall]';
    const medicationCodeableConcept = {
      text: 'methotrexate 10 mg tablet',
      coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '105586', display }],
    };
    expect(trials([fill('d1', '', '2025-03-04', 28, { medicationCodeableConcept })])).toMatchObject([
      { products: ['methotrexate 10 mg tablet'], brands: ['Trexall'] },
    ]);
  });

  test('of fluticasone furoate is none of fluticasone propionate, which is a drug of its class', () => {
    const chart = [fill('d1', 'fluticasone propionate 0.11 MG/ACTUAT Metered Dose Inhaler', '2026-09-10', 30)];
    const { therapy, trials: rows } = sheetFor(
      'fluticasone furoate 0.1 MG/ACTUAT Dry Powder Inhaler [Arnuity]',
      chart,
      {
        focal: { reasonCode: [{ text: 'Asthma' }] },
      },
    );
    expect(therapy).toMatchObject({ status: 'new' });
    expect(rows).toMatchObject([{ ingredient: 'fluticasone', relation: 'same class' }]);
  });
});

describe('a trial is one row', () => {
  test('of all that was ordered, told and dispensed of one ingredient, whatever its salt, strength or brand', () => {
    const chart = [
      order('r1', 'methotrexate 2.5 MG Oral Tablet [Trexall]', {
        dosageInstruction: [{ text: '6 tablets once a week' }],
      }),
      fill('d1', methotrexate, '2025-03-04', 28),
      fill('d2', 'methotrexate sodium 2.5 MG Oral Tablet', '2025-03-25', 28),
      fill('d3', 'methotrexate 10 MG Oral Tablet', '2025-05-10', 30),
      statement('s1', 'methotrexate', { statusReason: [{ text: 'Inadequate response' }] }),
    ];
    // 2.5 MG: Mar 4 to Mar 31, carried forward Apr 1 to Apr 28: 56 days. 10 MG: May 10 to Jun 8: 30 days. The gap of 11
    // days is within 30.
    expect(trials(chart)).toMatchObject([
      {
        ingredient: 'methotrexate',
        products: [
          'methotrexate 2.5 MG Oral Tablet',
          'methotrexate sodium 2.5 MG Oral Tablet',
          'methotrexate 10 MG Oral Tablet',
        ],
        strengths: ['2.5 MG', '10 MG'],
        directions: ['6 tablets once a week'],
        relation: 'usually tried first',
        proof: 'dispensed',
        first: '2025-03-03',
        last: '2025-06-08',
        stopped: '2025-06-30',
        days_covered: 86,
        outcome: ['inadequate response'],
        reasons: ['Inadequate response'],
      },
    ]);
  });

  test('whose fills have another strength than the order was not taken as it was ordered', () => {
    const lamotrigine = order('r1', 'methotrexate 10 mg tablet', {
      dosageInstruction: [{ text: 'Take 1 tablet daily' }],
    });
    const named = { authorizingPrescription: [{ reference: 'MedicationRequest/r1' }] };
    const [row] = trials([lamotrigine, fill('d1', 'methotrexate 2.5 mg tablet', '2025-03-04', 28, named)]);
    expect(row).toMatchObject({
      products: ['methotrexate 2.5 mg tablet'],
      strengths: ['2.5 mg'],
      ordered_as: ['methotrexate 10 mg tablet'],
    });
    expect(row).not.toHaveProperty('directions');
    expect(trialText(row ?? {})).toMatch(/^methotrexate 2.5 mg; ordered as methotrexate 10 mg tablet; from/);
  });

  test('has the directions of the order in the strength that was dispensed, however it is written', () => {
    const humira = order('r1', 'adalimumab 40 MG Auto-Injector [Humira]', {
      dosageInstruction: [{ text: '40 mg every other week' }],
    });
    const [row] = trials([humira, fill('d1', 'adalimumab 40 mg/0.4 mL pen', '2025-03-04', 28)]);
    expect(row).toMatchObject({ strengths: ['40 mg/0.4 mL'], directions: ['40 mg every other week'] });
    for (const key of ['ordered_as', 'brands']) expect(row).not.toHaveProperty(key);
  });

  test('whose fills name no strength has that of the order that they name', () => {
    const named = { authorizingPrescription: [{ reference: 'MedicationRequest/r1' }] };
    const chart = [order('r1', methotrexate), fill('d1', 'methotrexate', '2025-03-04', 28, named)];
    expect(trials(chart)).toMatchObject([{ strengths: ['2.5 MG'] }]);
    expect(trials([order('r1', methotrexate), fill('d1', 'methotrexate', '2025-03-04', 28)])[0]).not.toHaveProperty(
      'strengths',
    );
  });

  test('of another salt is another row, where the tables do not know the drug without it', () => {
    const chart = [
      statement('s1', 'ferrous sulfate 325 MG Oral Tablet'),
      statement('s2', 'ferrous gluconate 324 MG Oral Tablet', {
        effectivePeriod: { start: '2025-11-01', end: '2025-10-15' },
      }),
    ];
    expect(trials(chart, {}, 'darbepoetin alfa 0.1 MG/ML Injection')).toMatchObject([
      { ingredient: 'ferrous gluconate', contradiction: expect.any(String) },
      { ingredient: 'ferrous sulfate', about_days: 120 },
    ]);
  });

  test('has the words of the name in their order', () => {
    const code = { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M81.0' }] };
    const told = [
      statement('s1', 'zoledronic acid 5 MG Injection', { reasonCode: [code] }),
      statement('s2', 'ethinyl estradiol 0.02 MG / norethindrone 1 MG Oral Tablet', { reasonCode: [code] }),
    ];
    expect(trials(told, { focal: { reasonCode: [code] } }).map(({ ingredient }) => ingredient)).toEqual([
      'zoledronic acid',
      'ethinyl estradiol / norethindrone',
    ]);
  });

  test('is none that is only planned or proposed', () => {
    const chart = [order('r1', methotrexate, { intent: 'plan' }), order('r2', sulfasalazine, { intent: 'proposal' })];
    expect(trials(chart)).toEqual([]);
  });

  test('and a time without it that is longer than the site allows begins another', () => {
    // Mar 4 to Mar 31, then Jul 1 to Jul 28: 91 days without
    const chart = [fill('d1', methotrexate, '2025-03-04', 28), fill('d2', methotrexate, '2025-07-01', 28)];
    const rows = [
      { first: '2025-03-04', last: '2025-03-31', days_covered: 28 },
      { first: '2025-07-01', last: '2025-07-28', days_covered: 28 },
    ];
    expect(trials(chart)).toMatchObject(rows);
    expect(trials(chart, { site: { answers: { longestGap: 91 } } })).toMatchObject([
      { first: '2025-03-04', last: '2025-07-28', days_covered: 56 },
    ]);
  });

  test('whose supply lasts beyond the day of the request, with the days that are ahead', () => {
    // from Nov 12: nine days before Nov 21, that day, and 20 after it
    expect(trials([fill('d1', methotrexate, '2026-11-12', 30)])).toMatchObject([
      { days_covered: 30, days_ahead: 20, outcome: ['still taken'] },
    ]);
  });

  test('that was only ordered is not proved taken, and counts for nothing', () => {
    const [row] = trials([order('r1', methotrexate)]);
    expect(row).toMatchObject({
      proof: 'ordered, not proved taken',
      ordered: '2025-03-01',
      not_counted: 'no dispense, dose or statement shows that it was taken',
    });
    expect(row).not.toHaveProperty('days_covered');
    expect(row).not.toHaveProperty('first');
  });

  test('of which only years are known says the years, and no days', () => {
    const told = statement('s1', methotrexate, { effectivePeriod: { start: '2019', end: '2020' } });
    const [row] = trials([told]);
    expect(row).toMatchObject({ proof: 'stated', first: '2019', last: '2020' });
    expect(row).not.toHaveProperty('days_covered');
    expect(row).not.toHaveProperty('about_days');
  });

  test('that was only told of has its days as about: from Mar 3 to Jun 30', () => {
    expect(trials([statement('s1', methotrexate)])).toMatchObject([{ proof: 'stated', about_days: 120 }]);
  });

  test('that was told of for one moment has no days', () => {
    const [row] = trials([
      statement('s1', methotrexate, { status: 'active', effectivePeriod: undefined, effectiveDateTime: '2025-03-01' }),
    ] as FhirResource[]);
    expect(row).toMatchObject({ first: '2025-03-01', as_of: '2025-03-01' });
    expect(row).not.toHaveProperty('about_days');
  });

  test('that ended before it began says so, and has no days', () => {
    const told = statement('s1', methotrexate, { effectivePeriod: { start: '2025-06-30', end: '2025-03-03' } });
    const [row] = trials([told]);
    expect(row).toMatchObject({
      contradiction: 'a statement says that it was stopped on Mar 3, 2025, before it was begun on Jun 30, 2025',
      not_counted: 'its dates contradict each other',
    });
    expect(row).not.toHaveProperty('about_days');
  });

  test('whose last fills do not say how long they last has the day of the last of them', () => {
    const later = (...fills: FhirResource[]) => trials(fills)[0] ?? {};
    const unmeasured = later(fill('d1', methotrexate, '2025-03-04'), fill('d2', methotrexate, '2025-04-08'));
    expect(unmeasured).toMatchObject({ first: '2025-03-04', last_dispensed: '2025-04-08', unmeasured: 2 });
    expect(unmeasured).not.toHaveProperty('last');
    expect(trialText(unmeasured)).toContain('from Mar 4, 2025; last dispensed Apr 8, 2025; 2 fills that do not say');
    // covered to Mar 31
    const after = later(fill('d1', methotrexate, '2025-03-04', 28), fill('d2', methotrexate, '2025-04-08'));
    expect(after).toMatchObject({ last: '2025-03-31', last_dispensed: '2025-04-08' });
    const within = later(fill('d1', methotrexate, '2025-03-04', 28), fill('d2', methotrexate, '2025-03-10'));
    const alone = later(fill('d1', methotrexate, '2025-03-04'));
    const told = later(fill('d1', methotrexate, '2025-03-04', 28), fill('d2', methotrexate, '2025-03-25', 28));
    for (const row of [within, alone, told]) expect(row).not.toHaveProperty('last_dispensed');
  });

  test('of samples is shown, has no days and is not counted', () => {
    const type = { coding: [{ code: 'MS' }] };
    const [row] = trials([fill('d1', methotrexate, '2025-03-04', 28, { type })]);
    expect(row).toMatchObject({ sample: true, not_counted: 'samples are no trial' });
    expect(row).not.toHaveProperty('days_covered');
    expect(trialText(row ?? {})).toBe('methotrexate 2.5 MG; given as samples; from Mar 4, 2025; until Mar 31, 2025');
    expect(trialRemarks(row ?? {})).toEqual([
      { text: 'not counted: samples are no trial', judges: 'given as samples' },
    ]);
  });

  test('that was ordered and given as samples alone says so, and both rows are shown', () => {
    const code = { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M06.9' }] };
    const chart = [
      // of no class of the ordered drug: only the order says what it is for
      order('r1', 'lisinopril 10 mg tablet', { reasonCode: [code] }),
      fill('d1', 'lisinopril 10 mg tablet', '2025-03-04', 14, { type: { text: 'Sample' } }),
    ];
    const rows = trials(chart, { focal: { reasonCode: [code] } });
    expect(rows).toMatchObject([
      {
        proof: 'ordered, not proved taken',
        not_counted:
          'samples were given, which are no trial; no other dispense, dose or statement shows that it was taken',
      },
      { sample: true, first: '2025-03-04', not_counted: 'samples are no trial', relation: 'for this diagnosis' },
    ]);
  });

  test('and of samples that a note tells of', () => {
    const [row] = trials([statement('s1', methotrexate, { note: [{ text: 'Office samples for two weeks' }] })]);
    expect(row).toMatchObject({ sample: true, not_counted: 'samples are no trial' });
    expect(row).not.toHaveProperty('about_days');
  });

  test('of a combination names its parts, and counts for them only where the site says so', () => {
    const chart = [fill('d1', 'ezetimibe 10 MG / simvastatin 40 MG Oral Tablet', '2025-03-04', 28)];
    const drug = 'evolocumab 140 MG/ML Auto-Injector';
    expect(trials(chart, {}, drug)).toMatchObject([{ ingredient: 'ezetimibe / simvastatin', combination: true }]);
    const [row = {}] = trials(chart, {}, drug);
    expect(row).not.toHaveProperty('not_counted');
    expect(trialRemarks(row)).toEqual([
      { text: 'it contains ezetimibe and simvastatin; the site does not say that it counts as a trial of each' },
    ]);
    expect(trialText(row)).not.toContain('site');
    expect(trials(chart, { site: { answers: { countCombinations: true } } }, drug)[0]).not.toHaveProperty(
      'parts_not_counted',
    );
  });

  test('of infusions says how often it was given', () => {
    const given = (id: string, effectiveDateTime: string): FhirResource => ({
      resourceType: 'MedicationAdministration',
      id,
      status: 'completed',
      subject,
      medicationCodeableConcept: { text: 'infliximab 100 MG Injection' },
      effectiveDateTime,
    });
    expect(trials([given('a1', '2025-01-02'), given('a2', '2025-01-16')])).toMatchObject([
      { proof: 'given', times_given: 2, first: '2025-01-02', last: '2025-01-16' },
    ]);
  });

  test('of infusions has their days where the order says how far apart they are', () => {
    const given = (id: string, effectiveDateTime: string): FhirResource => ({
      resourceType: 'MedicationAdministration',
      id,
      status: 'completed',
      subject,
      medicationCodeableConcept: { text: 'infliximab 100 MG Injection' },
      effectiveDateTime,
    });
    const repeat = { frequency: 1, period: 8, periodUnit: 'wk' as const };
    const every = order('r1', 'infliximab 100 MG Injection', { dosageInstruction: [{ timing: { repeat } }] });
    // Jan 2 to Feb 26, then Feb 27 to Apr 23: 56 + 56 days
    expect(trials([every, given('a1', '2025-01-02'), given('a2', '2025-02-27')])).toMatchObject([
      { proof: 'given', times_given: 2, days_covered: 112, dose_interval: '8 weeks', last: '2025-02-27' },
    ]);
    expect(trials([given('a1', '2025-01-02')])[0]).not.toHaveProperty('days_covered');
  });

  test('that was told of without an end has no days', () => {
    const told = statement('s1', methotrexate, { status: 'active', effectivePeriod: { start: '2025-03-01' } });
    const [row] = trials([told]);
    expect(row).toMatchObject({ first: '2025-03-01', outcome: ['still taken'] });
    expect(row).not.toHaveProperty('about_days');
  });

  test('has the dispenses in words that name its coded order', () => {
    const coding = [
      {
        system: 'http://www.nlm.nih.gov/research/umls/rxnorm',
        code: '105585',
        display: 'methotrexate 2.5 MG Oral Tablet',
      },
    ];
    const coded = order('r1', '', { medicationCodeableConcept: { coding, text: 'MTX tabs' } });
    const named = { authorizingPrescription: [{ reference: 'MedicationRequest/r1' }] };
    expect(trials([coded, fill('d1', 'MTX tabs', '2025-03-04', 28, named)])).toMatchObject([
      { ingredient: 'methotrexate', proof: 'dispensed', days_covered: 28 },
    ]);
    // What the words name for certain stays.
    const other = fill('d1', 'leflunomide 20 mg', '2025-03-04', 28, named);
    expect(trials([coded, other]).map(({ ingredient }) => ingredient)).toEqual(['leflunomide', 'methotrexate']);
  });

  test('with a dispense that does not say how long it lasts counts the others', () => {
    const chart = [fill('d1', methotrexate, '2025-03-04', 28), fill('d2', methotrexate, '2025-04-01')];
    expect(trials(chart)).toMatchObject([{ days_covered: 28, unmeasured: 1 }]);
  });
});

describe('a drug that was tried', () => {
  const arthritis = { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M06.9' }] };
  const focal = { reasonCode: [arthritis] };

  test('of no class that is known is shown where it was for this diagnosis', () => {
    const gold = order('r1', 'auranofin 3 MG Oral Capsule', { reasonCode: [arthritis] });
    expect(trials([gold], { focal })).toMatchObject([{ ingredient: 'auranofin', relation: 'for this diagnosis' }]);
  });

  test('and by the Condition that both name', () => {
    const condition: FhirResource = { resourceType: 'Condition', id: 'c1', subject, code: arthritis };
    const reasonReference = [{ reference: 'Condition/c1' }];
    const told = statement('s1', 'auranofin 3 MG Oral Capsule', { reasonReference });
    expect(trials([condition, told], { focal: { reasonReference } })).toMatchObject([{ ingredient: 'auranofin' }]);
  });

  test('for another diagnosis, or for none that is stated, is not shown', () => {
    const other = order('r1', 'auranofin 3 MG Oral Capsule', { reasonCode: [{ text: 'Asthma' }] });
    expect(trials([other, order('r2', 'lisinopril 10 MG Oral Tablet')], { focal })).toEqual([]);
  });

  test('and is the ordered one itself is no trial', () => {
    expect(trials([fill('d1', ordered, '2026-01-04', 28), fill('d2', 'Rinvoq', '2026-02-01', 28)])).toEqual([]);
  });
});

describe('a drug of the knowledge', () => {
  const icd10 = (code: string) => ({ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }] });
  const atOnset = { dosageInstruction: [{ text: 'Take 1 at onset' }] };
  const daily = { dosageInstruction: [{ text: 'Take 1 tablet every other day' }] };
  const gepant = 'rimegepant 75 MG Disintegrating Oral Tablet';

  test.each<[string, string, string, Partial<MedicationRequest>, Partial<MedicationRequest>, object[]]>([
    ['of one class', 'adalimumab', 'etanercept', {}, {}, [{ relation: 'same class', class: 'TNF inhibitors' }]],
    [
      'of a group of several classes',
      'ofatumumab',
      'glatiramer acetate',
      {},
      {},
      [{ relation: 'same group', class: 'multiple sclerosis' }],
    ],
    [
      'of a group of several classes',
      'tirzepatide',
      'insulin glargine',
      {},
      {},
      [{ relation: 'same group', class: 'glucose-lowering drugs' }],
    ],
    [
      'of its class, which is for another use',
      'atogepant',
      'ubrogepant',
      daily,
      atOnset,
      [{ relation: 'same class', class: 'gepants' }],
    ],
    ['of another use', 'erenumab', 'ubrogepant', {}, atOnset, []],
    ['of another use', 'erenumab', gepant, {}, atOnset, []],
    ['of the same use', 'erenumab', gepant, {}, daily, [{ relation: 'same group', class: 'migraine prevention' }]],
    ['whose use nothing says', 'erenumab', gepant, {}, {}, []],
    [
      'that comes before an acute treatment',
      gepant,
      'rizatriptan',
      atOnset,
      atOnset,
      [{ relation: 'usually tried first' }],
    ],
    ['that comes before a prevention', gepant, 'topiramate', atOnset, {}, []],
    ['that comes before a prevention', gepant, 'topiramate', daily, {}, [{ relation: 'usually tried first' }]],
    ...['L50.1', 'L50.8', 'L50.9'].map((code): [string, string, string, object, object, object[]] => [
      'that comes before omalizumab for hives of no known cause',
      'omalizumab',
      'cetirizine hydrochloride 10 MG Oral Tablet',
      { reasonCode: [icd10(code)] },
      {},
      [{ relation: 'usually tried first' }],
    ]),
    [
      'that comes before omalizumab for hives, where it is for asthma',
      'omalizumab',
      'cetirizine hydrochloride 10 MG Oral Tablet',
      { reasonCode: [icd10('J45.50')] },
      {},
      [],
    ],
    [
      'for the diagnosis of the order',
      'semaglutide',
      'phentermine',
      { reasonCode: [icd10('E66.01')] },
      {},
      [{ relation: 'same group', class: 'weight-loss drugs' }],
    ],
    ['for another diagnosis', 'semaglutide', 'phentermine', { reasonCode: [icd10('E11.9')] }, {}, []],
    [
      'that is inhaled, as the ordered one is',
      'fluticasone furoate 200 mcg inhaler',
      'beclomethasone 80 mcg HFA',
      {},
      {},
      [{ relation: 'same class', class: 'inhaled corticosteroids' }],
    ],
    [
      'of another form than the inhaled one',
      'fluticasone furoate 200 mcg inhaler',
      'fluticasone nasal spray',
      {},
      {},
      [],
    ],
    [
      'that works as the ordered one does',
      'lisdexamfetamine 30 mg capsule',
      'methylphenidate ER 27 mg tablet',
      {},
      {},
      [{ relation: 'same class', class: 'CNS stimulants' }],
    ],
    [
      'of opioid use disorder',
      'buprenorphine / naloxone',
      'oxycodone 5 mg tablet',
      { reasonCode: [icd10('F11.20')] },
      {},
      [],
    ],
    ['for another diagnosis', 'ozanimod', 'glatiramer', { reasonCode: [icd10('K51.90')] }, {}, []],
    ['of like name', 'ocrelizumab', 'interferon gamma-1b', {}, {}, []],
  ])('%s: beside %s, %s', (_what, drug, other, focal, ordering, expected) => {
    const found = trials([order('r1', other, ordering)], { focal }, drug);
    expect(
      found.map(({ relation, class: group }) => ({ relation, ...(group === undefined ? {} : { class: group }) })),
    ).toEqual(expected);
  });
});

describe('how a trial ended', () => {
  const icd10 = (code: string) => [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }] }];
  const endOf = (text: string, reasonCode = icd10('M06.9')) => {
    const told = statement('s1', methotrexate, { status: 'stopped', statusReason: [{ text }], reasonCode });
    return trials([told])[0]?.outcome;
  };

  test.each([
    ['Inadequate response', ['inadequate response']],
    ['loss of efficacy', ['inadequate response']],
    ['Not effective after 4 months', ['inadequate response']],
    ['Nausea', ['not tolerated']],
    ['Elevated liver enzymes', ['not tolerated']],
    ['patient could not tolerate it', ['not tolerated']],
    ['Contraindicated: hepatitis B', ['contraindicated']],
    ['Pregnancy', ['contraindicated']],
    ['Cost', ['stopped for another reason']],
    ['Insurance change, no side effects', ['stopped for another reason']],
    ['Wants to become pregnant', ['stopped for another reason']],
    ['Patient preference', ['stopped for another reason']],
    ['No longer controlled', ['inadequate response']],
    ['relapsed in spring', ['inadequate response']],
    ['New brain lesions', ['inadequate response']],
    ['failed', ['inadequate response']],
    ['flare on treatment', ['inadequate response']],
    ['Hives continue on four times the dose', ['inadequate response']],
    ['still coughing', ['inadequate response']],
    ['No better after a year', ['inadequate response']],
    ['cough since starting it', ['not tolerated']],
    ['Developed a rash', ['not tolerated']],
    ['Ankle swelling after each dose', ['not tolerated']],
    ['Edema, a side effect', ['not tolerated']],
    ['Dizziness', ['not tolerated']],
    ['nose bleeding after three weeks', ['not tolerated']],
    ['ALT went up', ['not tolerated']],
    ['side effects', ['not tolerated']],
    // two kinds, each of a part
    ['Rash, and no response', ['not tolerated', 'inadequate response']],
    ['Nausea, and too expensive', ['not tolerated', 'stopped for another reason']],
    // two kinds of one part: only the words
    ['Nausea continues on the full dose', undefined],
    // signs that the disease, rheumatoid arthritis, does not have
    ['cough', ['not tolerated']],
    ['Hives', ['not tolerated']],
    ['Headache every day', ['not tolerated']],
    // of the drug or of the disease: only the words
    ['Ankle swelling', undefined],
    ['Muscle weakness', undefined],
    ['Fatigue', undefined],
    // what the patient cannot do with it
    ['Could not coordinate the puffs', ['stopped for another reason']],
    ['Unable to use the inhaler', ['stopped for another reason']],
    ['cannot swallow tablets', ['stopped for another reason']],
    ['Needle phobia', ['stopped for another reason']],
    ['Trouble using the pen', ['stopped for another reason']],
    // no kind that is known
    ['Heart failure', undefined],
    ['See note of the visit', undefined],
    ['No flares, no nausea', undefined],
  ])('%s: %j', (text, outcome) => {
    expect(endOf(text)).toEqual(outcome);
  });

  test.each([
    ['Hives', 'L50.1', undefined],
    ['Hives caused by the drug', 'L50.1', ['not tolerated']],
    ['Tachycardia', 'I48.0', undefined],
    ['Tachycardia', 'J45.50', ['not tolerated']],
    ['Leg swelling', 'I50.22', undefined],
    ['Leg swelling', 'G43.709', ['not tolerated']],
    ['Agitation', 'F20.0', undefined],
    ['Agitation on the drug', 'F20.0', ['not tolerated']],
    ['Low blood sugars', 'E11.9', ['not tolerated']],
    ['Hypoglycemia', 'E16.1', undefined],
    ['Nausea', 'K50.90', undefined],
    ['Nausea since starting it', 'K50.90', ['not tolerated']],
    ['Nausea', 'E11.65', ['not tolerated']],
  ])('%s, of a drug for %s: %j', (text, code, outcome) => {
    expect(endOf(text, icd10(code))).toEqual(outcome);
  });

  test('by a sign is not known where nobody says what the drug was for', () => {
    const told = statement('s1', methotrexate, { status: 'stopped', statusReason: [{ text: 'Nausea' }] });
    expect(trials([told])[0]).not.toHaveProperty('outcome');
    const focal = { reasonCode: icd10('M06.9') };
    expect(trials([told], { focal })).toMatchObject([{ outcome: ['not tolerated'] }]);
  });

  test('for a reason of no known kind has the words alone, and says that it ended', () => {
    const [row] = trials([statement('s1', methotrexate, { status: 'stopped', statusReason: [{ text: 'New job' }] })]);
    expect(row).toMatchObject({ reasons: ['New job'], remark: 'stopped' });
    expect(row).not.toHaveProperty('outcome');
    expect(trialText(row ?? {})).toMatch(/; stopped: “New job”$/);
  });

  test.each<[string, Partial<MedicationRequest>, Partial<MedicationDispense>]>([
    ['that all dispenses name', {}, { authorizingPrescription: [{ reference: 'MedicationRequest/r1' }] }],
    [
      'that ended on a day',
      { dosageInstruction: [{ timing: { repeat: { boundsPeriod: { end: '2025-07-10' } } } }] },
      { authorizingPrescription: [{ reference: 'MedicationRequest/r1' }] },
    ],
  ])('belongs to the last one of the order %s', (_what, ordering, filling) => {
    const chart = [
      order('r1', methotrexate, { status: 'stopped', statusReason: { text: 'Side effects' }, ...ordering }),
      fill('d1', methotrexate, '2025-03-04', 28, filling),
      fill('d2', methotrexate, '2025-07-01', 28, filling),
    ];
    const [first, last] = trials(chart);
    expect(first).toMatchObject({ first: '2025-03-04', days_covered: 28 });
    for (const key of ['outcome', 'reasons', 'remark']) expect(first).not.toHaveProperty(key);
    expect(last).toMatchObject({ first: '2025-07-01', outcome: ['not tolerated'], reasons: ['Side effects'] });
  });

  test('stays with the trial of its order where no later fill names that', () => {
    const chart = [
      order('r1', methotrexate, { status: 'stopped', statusReason: { text: 'Side effects' } }),
      fill('d1', methotrexate, '2025-03-04', 28),
      fill('d2', methotrexate, '2026-11-01', 28),
    ];
    expect(trials(chart)).toMatchObject([{ outcome: ['not tolerated'] }, { outcome: ['still taken'] }]);
  });

  test('and was told of belongs to the last one before the stated stop', () => {
    const told = statement('s1', methotrexate, {
      statusReason: [{ text: 'Side effects' }],
      effectivePeriod: { start: '2025-03-01', end: '2025-07-20' },
    });
    const fills = [fill('d1', methotrexate, '2025-03-04', 28), fill('d2', methotrexate, '2025-07-01', 28)];
    const [first, last] = trials([told, ...fills]);
    expect(first).toMatchObject({ first: '2025-03-01', last: '2025-03-31' });
    expect(first).not.toHaveProperty('outcome');
    expect(last).toMatchObject({ first: '2025-07-01', stopped: '2025-07-20', outcome: ['not tolerated'] });
  });

  // Mar 4 + 28 days lasts through Mar 31; the next fill of Jul 1 is 91 days after that.
  const ofOrder = { authorizingPrescription: [{ reference: 'MedicationRequest/r1' }] };
  const twice = [
    fill('d1', methotrexate, '2025-03-04', 28, ofOrder),
    fill('d2', methotrexate, '2025-07-01', 28, ofOrder),
  ];

  test.each([
    ['while the second trial lasted', '2025-07-20', [undefined, ['Side effects']]],
    ['between the two', '2025-04-15', [['Side effects'], undefined]],
  ])(
    'and was told without an end is of the last trial before the day it was told: %s',
    (_when, dateAsserted, reasons) => {
      const told = statement('s1', methotrexate, {
        ...{ status: 'stopped', statusReason: [{ text: 'Side effects' }], dateAsserted },
        effectivePeriod: { start: '2025-03-04' },
      });
      expect(trials([told, ...twice]).map((row) => row?.reasons)).toEqual(reasons);
    },
  );

  test.each(['stopped', 'active'] as const)(
    'by the notes of one %s order is told of the trial before each note',
    (status) => {
      const note = [
        { time: '2025-04-15', text: 'Stopped for surgery' },
        { time: '2025-08-01T09:00:00-05:00', text: 'Stopped for nausea' },
      ];
      const [first, last] = trials([order('r1', methotrexate, { status, note }), ...twice]);
      expect(first).toMatchObject({ last: '2025-03-31', reasons: ['Stopped for surgery'] });
      // An order that still stands is not over.
      expect(last?.reasons).toEqual(status === 'stopped' ? ['Stopped for nausea'] : undefined);
    },
  );

  test('by a note without a day is of the last one alone', () => {
    const note = [{ text: 'Stopped for nausea' }, { time: '2025', text: 'Stopped for a rash' }];
    const rows = trials([order('r1', methotrexate, { status: 'stopped', note }), ...twice]);
    expect(rows.map((row) => row?.reasons)).toEqual([undefined, ['Stopped for nausea', 'Stopped for a rash']]);
  });

  test('for two reasons has both kinds', () => {
    const statusReason = [{ text: 'Rash due to it' }, { text: 'No response' }];
    const [row] = trials([statement('s1', methotrexate, { status: 'stopped', statusReason })]);
    expect(row?.outcome).toEqual(['not tolerated', 'inadequate response']);
  });

  test('by the code of its status reason', () => {
    const system = 'http://terminology.hl7.org/CodeSystem/medicationrequest-status-reason';
    const stopped = order('r1', methotrexate, {
      status: 'stopped',
      statusReason: { coding: [{ system, code: 'sintol' }] },
    });
    expect(trials([stopped])).toMatchObject([{ outcome: ['not tolerated'] }]);
  });

  test('without a reason is told by its status; that the chart gives none is told to staff', () => {
    const [row = {}] = trials([statement('s1', methotrexate, { status: 'stopped' })]);
    expect(row).toMatchObject({ remark: 'stopped', unexplained: true });
    expect(row).not.toHaveProperty('outcome');
    expect(trialText(row)).toMatch(/about 120 days, as told; stopped$/);
    expect(trialRemarks(row)).toEqual([{ text: 'the chart gives no reason for stopping it' }]);
  });

  test('by words for a rebound is that of the drug, beside what else they say', () => {
    expect(endOf('Wears off by noon, rebound irritability', icd10('F90.0'))).toEqual([
      'inadequate response',
      'not tolerated',
    ]);
  });

  test('is not said to have no reason where a note may give it', () => {
    const note = [{ text: 'Stopped for a kidney stone' }];
    const [row] = trials([statement('s1', methotrexate, { status: 'stopped', note })]);
    expect(row).toMatchObject({ reasons: ['Stopped for a kidney stone'], remark: 'stopped' });
    const other = [{ text: 'Seen by Dr. Lee' }];
    expect(trials([statement('s1', methotrexate, { status: 'stopped', note: other })])[0]).not.toHaveProperty('remark');
    expect(trials([order('r1', methotrexate, { status: 'stopped', note: other })])[0]).not.toHaveProperty('remark');
  });
});

describe('each value of a trial', () => {
  test('has its place', () => {
    const chart = [
      statement('s1', methotrexate, { statusReason: [{ text: 'Side effects' }], meta: { versionId: '3' } }),
      fill('d1', methotrexate, '2025-03-04', 28),
    ];
    const places = new Map(resultFor(ordered, chart).provenance.map((one) => [one.target, one.source]));
    expect(places.get('trials[0].first')).toEqual({
      resource: 'MedicationStatement/s1',
      version: '3',
      path: 'MedicationStatement.effectivePeriod.start',
    });
    expect(places.get('trials[0].reasons[0]')?.path).toBe('MedicationStatement.statusReason[0]');
    expect(places.get('trials[0].outcome[0]')?.path).toBe('MedicationStatement.statusReason[0]');
    expect(places.get('trials[0].fills[0].day')).toEqual({
      resource: 'MedicationDispense/d1',
      path: 'MedicationDispense.whenHandedOver',
    });
    expect(places.get('trials[0].fills[0].days')?.path).toBe('MedicationDispense.daysSupply');
  });
});

// Deterministic: a failure is found again by its seed.
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * below);
  };
}

describe('over generated dispenses', () => {
  const products = [methotrexate, 'methotrexate 10 MG Oral Tablet', sulfasalazine];
  const charts = Array.from({ length: 60 }, (_, seed) => {
    const pick = random(seed + 1);
    return Array.from({ length: 2 + pick(8) }, (_one, index) =>
      fill(`d${index}`, products[pick(3)] ?? methotrexate, dayAfter('2024-01-01', pick(500)), 1 + pick(60)),
    );
  });
  const days = (resources: readonly FhirResource[]) =>
    trials(resources).map(({ ingredient, first, last, days_covered }) => ({ ingredient, first, last, days_covered }));

  test('the order of the chart does not matter', () => {
    for (const chart of charts) expect(trials(chart.toReversed())).toEqual(trials(chart));
  });

  test('a dispense that stands there twice adds nothing', () => {
    for (const chart of charts) {
      const again = chart.slice(0, 2).map((one) => ({ ...one, id: `${one.id}-again` }));
      expect(days([...chart, ...again])).toEqual(days(chart));
    }
  });

  test('days covered are at most those from the first to the last', () => {
    for (const { first = '', last = '', days_covered = 0 } of charts.flatMap(days))
      expect(days_covered).toBeLessThanOrEqual(daysBetween(first, last) + 1);
  });

  test('nothing of another patient, of a mistake, of what was not handed over, and no sample adds a day', () => {
    const type = { coding: [{ code: 'MS' }] };
    for (const chart of charts) {
      const [one] = chart;
      const besides = [
        { ...one!, id: 'other', subject: { reference: 'Patient/p2' }, whenHandedOver: '2025-12-01' },
        { ...one!, id: 'mistake', status: 'entered-in-error' as const, whenHandedOver: '2025-12-01' },
        { ...one!, id: 'declined', status: 'declined' as const, whenHandedOver: '2025-12-01' },
        { ...one!, id: 'sample', type, whenHandedOver: '2025-12-01' },
      ];
      const found = trials([...chart, ...besides]).filter(({ sample }) => sample !== true);
      expect(found).toEqual(trials(chart));
    }
  });
});

import type { FhirResource, Observation } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answers } from '../../../mappings/index.ts';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import { goesByItself, linesOfSheet } from '../../../src/core/answers/lines.ts';
import { answersSheet } from '../../../src/core/answers/sheet.ts';
import { fill, observed, order, resultFor, sheetChart, sheetFor, subject } from './support.ts';

const adalimumab = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';

type Request = Parameters<typeof sheetFor>[2];

const sheet = (resources: readonly FhirResource[], request: Request = {}, drug = adalimumab) =>
  sheetFor(drug, resources, request);

const named = (id: string, text: string, more: Partial<Observation>): FhirResource =>
  observed(id, '', { code: { text }, ...more });

const icd10 = (code: string) => ({ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }] });

const of = (code: string) => ({ category: [{ coding: [{ code }] }] });

describe('the tests that are asked for with the class', () => {
  test('stand with value, unit, date and age in days, newest first', () => {
    const method = { text: 'immunoturbidimetry' };
    const chart = [
      observed('c1', '1988-5', { valueQuantity: { value: 30, unit: 'mg/L' }, effectiveDateTime: '2026-01-10' }),
      observed('c2', '1988-5', { valueQuantity: { value: 12, unit: 'mg/L' }, effectiveDateTime: '2026-11-01', method }),
    ];
    expect(sheet(chart).tests?.results).toEqual([
      {
        test: 'C-reactive protein',
        value: '12 mg/L',
        number: 12,
        unit: 'mg/L',
        date: '2026-11-01',
        age_days: 20,
        method: 'immunoturbidimetry',
        source: 'Observation/c2',
      },
      // Jan 10 to Nov 21: 315 days
      {
        test: 'C-reactive protein',
        value: '30 mg/L',
        number: 30,
        unit: 'mg/L',
        date: '2026-01-10',
        age_days: 315,
        source: 'Observation/c1',
      },
    ]);
  });

  test('say whether they are in the window of the site', () => {
    const chart = [observed('t1', '71773-6', { valueCodeableConcept: { text: 'Negative' } })]; // Oct 1, 51 days ago
    const within = (days: number) => {
      const site = { answers: { windows: { 'Tuberculosis screen': days } } };
      return sheet(chart, { site }).tests?.results?.[0];
    };
    expect(within(51)).toMatchObject({ value: 'Negative', window_days: 51, in_window: true });
    expect(within(50)).toMatchObject({ window_days: 50, in_window: false });
  });

  test('are named where the chart has none', () => {
    const { results, missing } = sheet([], {}, 'evolocumab 140 MG/ML Auto-Injector').tests ?? {};
    expect(results).toBeUndefined();
    expect(missing).toEqual(['LDL cholesterol', 'Total cholesterol', 'Triglycerides']);
  });

  test('are not named as missing where not all results were read', () => {
    expect(sheet([], { unread: ['Observation'] }).tests).toBeUndefined();
  });

  test('may be a report that says its conclusion in words', () => {
    const report: FhirResource = {
      resourceType: 'DiagnosticReport',
      id: 'r1',
      status: 'final',
      subject,
      code: { text: 'QuantiFERON-TB Gold' },
      effectiveDateTime: '2026-10-01',
      conclusion: 'Negative for M. tuberculosis infection.',
    };
    expect(sheet([report]).tests?.results).toMatchObject([
      { test: 'Tuberculosis screen', value: 'Negative for M. tuberculosis infection.', date: '2026-10-01' },
    ]);
  });

  test.each([undefined, 'See comment'])('may be a report that is coded alone, beside the words %s', (conclusion) => {
    const report: FhirResource = {
      resourceType: 'DiagnosticReport',
      id: 'r1',
      status: 'final',
      subject,
      code: { text: 'QuantiFERON-TB Gold' },
      effectiveDateTime: '2026-10-01',
      conclusionCode: [{ coding: [{ system: 'http://snomed.info/sct', code: '260385009', display: 'Negative' }] }],
      ...(conclusion === undefined ? {} : { conclusion }),
    };
    expect(sheet([report]).tests?.results).toMatchObject([
      { test: 'Tuberculosis screen', value: 'Negative', date: '2026-10-01' },
    ]);
    const [place] = resultFor('upadacitinib', [report]).provenance.filter(({ target }) =>
      target.endsWith('tests.results[0].value'),
    );
    expect(place?.source).toMatchObject({ path: 'DiagnosticReport.conclusionCode' });
    const undated = { ...report, effectiveDateTime: undefined } as unknown as FhirResource;
    for (const none of [undated, { ...report, conclusionCode: [] } as FhirResource])
      expect(sheet([none]).tests).not.toHaveProperty('results');
  });

  test('are followed by the newest result of every other laboratory test, forty at most', () => {
    const lab = (id: string, name: string, value: number, day: string) =>
      named(id, name, { ...of('laboratory'), valueQuantity: { value, unit: 'g/L' }, effectiveDateTime: day });
    const chart = [
      lab('o1', 'Immunoglobulin M', 1.1, '2026-10-02'),
      lab('o0', 'Immunoglobulin M', 0.9, '2025-10-02'),
      observed('a1c', '4548-4', { valueQuantity: { value: 7.1, unit: '%' }, effectiveDateTime: '2026-10-03' }),
      named('crp', 'C-reactive protein', { valueQuantity: { value: 12, unit: 'mg/L' } }),
    ];
    expect(sheet(chart).tests?.results?.map((one) => [one?.test, one?.number])).toEqual([
      ['C-reactive protein', 12],
      ['Hemoglobin A1c', 7.1],
      ['Immunoglobulin M', 1.1],
    ]);
    const many = Array.from({ length: 50 }, (_, at) => lab(`m${at}`, `Antibody ${at}`, at, '2026-10-01'));
    expect(sheet(many).tests?.results).toHaveLength(40);
  });

  describe('that tell one disease of the class', () => {
    const [rf, ccp, b27] = ['Rheumatoid factor', 'Anti-CCP antibody', 'HLA-B27'];
    const asked = (...codes: readonly string[]) =>
      sheet([], { focal: { reasonCode: codes.map(icd10) } }).tests?.missing?.filter((name) =>
        [rf, ccp, b27].includes(`${name}`),
      );

    test.each([
      ['K51.90', []],
      ['K50.80', []],
      ['L40.0', []],
      ['L73.2', []],
      ['M05.79', [rf, ccp]],
      ['M06.9', [rf, ccp]],
      ['M08.00', [rf, b27]],
      ['L40.50', [rf]],
      ['M45.9', [b27]],
    ])('are asked for %s alone: %j', (code, tests) => {
      expect(asked(code)).toEqual(tests);
    });

    test('are all asked for where the order has several diagnoses, or no coded one', () => {
      expect(asked('M05.79', 'M45.9')).toEqual([rf, ccp, b27]);
      expect(asked()).toEqual([rf, ccp, b27]);
    });

    test('are asked of a kidney where the anemia is of the kidney', () => {
      const missing = (code: string) =>
        sheet([], { focal: { reasonCode: [icd10(code)] } }, 'darbepoetin alfa 40 MCG/ML Injection').tests?.missing;
      expect(missing('D63.1')).toEqual(['Hemoglobin', 'Ferritin', 'Transferrin saturation', 'eGFR']);
      expect(missing('D64.81')).toEqual(['Hemoglobin', 'Ferritin', 'Transferrin saturation']);
    });
  });

  test('that are not asked for with the disease stand behind', () => {
    const factor = named('f1', 'Rheumatoid factor', {
      ...of('laboratory'),
      valueQuantity: { value: 8, unit: 'IU/mL' },
    });
    const { results } = sheet([factor], { focal: { reasonCode: [icd10('K51.90')] } }).tests ?? {};
    expect(results).toMatchObject([{ test: 'Rheumatoid factor', value: '8 IU/mL' }]);
  });

  test('that are sensitive are marked, whether asked for or not', () => {
    const hiv = named('h1', 'HIV-1 RNA', { ...of('laboratory'), valueQuantity: { value: 20, unit: 'copies/mL' } });
    expect(sheet([hiv]).tests?.results).toMatchObject([{ test: 'HIV-1 RNA', sensitive: 'HIV' }]);
  });

  const reported = (text: string, conclusion: string): FhirResource => ({
    resourceType: 'DiagnosticReport',
    id: 'r1',
    status: 'final',
    subject,
    code: { text },
    effectiveDateTime: '2026-10-01',
    conclusion,
  });

  test.each([
    ['QuantiFERON-TB Gold', 'Test not performed, specimen hemolyzed'],
    ['QuantiFERON-TB Gold', 'Test cancelled. Please recollect.'],
    ['QuantiFERON-TB Gold', 'Quantity not sufficient'],
    ['QuantiFERON-TB Gold', 'Patient declined'],
    ['QuantiFERON-TB Gold', 'Result pending'],
    ['Visit report', 'Lungs clear. Tuberculosis screen not done.'],
    ['Visit report', 'Recommend tuberculosis screen before treatment'],
  ])('are none of a report %s that says “%s”', (name, conclusion) => {
    const { results = [], missing = [] } = sheet([reported(name, conclusion)]).tests ?? {};
    expect(results.map((one) => one?.test)).not.toContain('Tuberculosis screen');
    expect(missing).toContain('Tuberculosis screen');
  });

  test('are those of a report whose other test was not done', () => {
    const { results = [] } =
      sheet([reported('Visit report', 'HBsAg nonreactive, tuberculosis screen not done.')]).tests ?? {};
    const names = results.map((one) => one?.test);
    expect(names).toContain('Hepatitis B surface antigen');
    expect(names).not.toContain('Tuberculosis screen');
  });

  test('are none of a result whose value says that it was not done', () => {
    const results = ['Not done', 'Specimen rejected', 'QNS'].flatMap(
      (valueString) => sheet([observed('t1', '71773-6', { valueString })]).tests?.results ?? [],
    );
    expect(results).toEqual([]);
  });

  test('are not missing where a result has their name, or a report speaks of them', () => {
    const lacking = (...chart: readonly FhirResource[]) => sheet(chart).tests?.missing;
    const value = { valueCodeableConcept: { text: 'Negative' } };
    expect(lacking()).toEqual(expect.arrayContaining(['Tuberculosis screen', 'C-reactive protein']));
    for (const name of ['Interferon gamma release assay, TB', 'TB skin test', 'tuberculosis screen'])
      expect(lacking(named('t1', name, value))).not.toContain('Tuberculosis screen');
    const ms = (name: string) => sheet([named('l1', name, value)], {}, 'ocrelizumab 30 MG/ML Injection').tests?.missing;
    for (const name of ['Absolute lymphocyte count', 'Lymphocytes, absolute'])
      expect(ms(name)).not.toContain('Lymphocyte count');
    expect(ms('Lymphocytes, percent')).toContain('Lymphocyte count');
    const report: FhirResource = {
      resourceType: 'DiagnosticReport',
      id: 'r1',
      status: 'final',
      subject,
      code: { text: 'Serology' },
      effectiveDateTime: '2026-10-01',
      conclusion: 'HBsAg nonreactive. QuantiFERON negative.',
    };
    const { results, missing } = sheet([report]).tests ?? {};
    expect(missing).not.toContain('Tuberculosis screen');
    expect(missing).not.toContain('Hepatitis B surface antigen');
    expect(results).toHaveLength(2);
    expect(results?.[0]).toMatchObject({ value: 'HBsAg nonreactive. QuantiFERON negative.', date: '2026-10-01' });
    expect(results?.[0]).not.toHaveProperty('number');
  });

  test('are none without a value, without a date, of another patient, preliminary or to come', () => {
    const value = { valueQuantity: { value: 30, unit: 'mg/L' } };
    const chart = [
      observed('a', '1988-5', {}),
      observed('b', '1988-5', { ...value, effectiveDateTime: 'last spring' }),
      observed('c', '1988-5', { ...value, subject: { reference: 'Patient/p2' } }),
      observed('d', '1988-5', { ...value, status: 'preliminary' }),
      observed('e', '1988-5', { ...value, status: 'entered-in-error' }),
      observed('f', '1988-5', { ...value, effectiveDateTime: '2026-12-01' }),
    ];
    expect(sheet(chart).tests?.results).toBeUndefined();
  });
});

describe('a score', () => {
  const edss = 'Expanded Disability Status Scale';
  const ocrelizumab = 'ocrelizumab 30 MG/ML Injection';

  test('is found by its exact name, for a drug of its disease', () => {
    const chart = [named('s1', edss, { valueQuantity: { value: 3.5 } })];
    expect(sheet(chart, {}, ocrelizumab).severity?.scores).toMatchObject([{ test: 'EDSS', number: 3.5 }]);
  });

  test('by a name that only holds its own keeps that name', () => {
    const chart = [named('s1', `${edss} comment`, { valueQuantity: { value: 3.5 } })];
    expect(sheet(chart, {}, ocrelizumab).severity?.scores).toMatchObject([{ test: `${edss} comment` }]);
  });

  const arthritis = { focal: { reasonCode: [icd10('M06.9')] } };
  const score = (value: number) => ({ valueQuantity: { value } });

  test('is what measures the disease of the order: the newest, what the class asks for first', () => {
    const chart = [
      named('s2', 'Tender joint count', { ...of('exam'), ...score(11), effectiveDateTime: '2026-09-01' }),
      named('s1', 'Tender joint count', { ...of('exam'), ...score(14), effectiveDateTime: '2026-01-01' }),
      named('s3', 'DAS28', score(5.1)),
      named('s4', 'Waist circumference', { ...of('vital-signs'), ...score(90) }),
      named('s5', 'Housing status', { ...of('social-history'), valueString: 'Stable' }),
      named('s6', 'Sodium', { ...of('laboratory'), ...score(140) }),
      named('s7', 'Swollen joint count', { ...of('exam') }),
    ];
    expect(sheet(chart, arthritis).severity?.scores?.map((one) => [one?.test, one?.number])).toEqual([
      ['DAS28', 5.1],
      ['Tender joint count', 11],
    ]);
  });

  test.each([
    ['no score', 'Tobacco smoking status NHIS', 'M06.9'],
    ['of another disease', 'Total score [MMSE]', 'I50.22'],
    ['of another disease', 'Monthly migraine days', 'M06.9'],
    ['of another disease', 'PASI', 'M06.9'],
    ['of a risk', 'Opioid Risk Tool score', 'G89.4'],
  ])('that is %s is a result, and no severity: %s of %s', (_what, name, code) => {
    const { severity, tests } = sheet([named('s1', name, score(7))], { focal: { reasonCode: [icd10(code)] } });
    expect(severity).toBeUndefined();
    expect(tests?.results?.map((one) => one?.test)).toEqual([name]);
  });

  test.each([
    ['PASI', 'L40.0'],
    ['Crohn Disease Activity Index (CDAI)', 'K50.80'],
    ['CDAI (Clinical Disease Activity Index)', 'M06.9'],
    ['Relapses, prior 12 months', 'G35'],
    ['mMRC dyspnea scale', 'J44.9'],
    ['Pain severity 0-10', 'G89.4'],
    ['MADRS', 'F31.81'],
    ['Hurley stage', 'L73.2'],
  ])('is %s of %s', (name, code) => {
    const { severity } = sheet([named('s1', name, score(7))], { focal: { reasonCode: [icd10(code)] } });
    expect(severity?.scores).toHaveLength(1);
  });

  test('of an order without a coded reason is what the class of its drug asks for, and of no class none', () => {
    const chart = [named('s1', 'DAS28', score(5.1)), named('s2', edss, score(3))];
    expect(sheet(chart).severity?.scores?.map((one) => one?.test)).toEqual(['DAS28']);
    expect(sheet(chart, {}, 'warfarin 5 MG Oral Tablet').severity).toBeUndefined();
  });

  test('of body surface area is the part of the skin in percent, and the area of the body in square meters', () => {
    const chart = [
      named('b1', 'BSA', { valueQuantity: { value: 12, unit: '%' } }),
      named('b2', 'BSA', { valueQuantity: { value: 1.9, unit: 'm2' } }),
    ];
    const { severity, patient } = sheet(chart);
    expect(severity?.scores).toMatchObject([{ test: 'Body surface area affected', value: '12 %' }]);
    expect(patient?.bsa).toMatchObject({ value: '1.9 m2', number: 1.9, unit: 'm2' });
  });
});

describe('two values of one test at the same instant', () => {
  const at = '2026-08-23T10:00:00Z';
  const fraction = (id: string, value: number, effectiveDateTime = at) =>
    observed(id, '10230-1', { valueQuantity: { value, unit: '%' }, effectiveDateTime });
  const furosemide = 'furosemide 40 MG Oral Tablet';
  const numbers = (resources: readonly FhirResource[], drug: string) =>
    sheet(resources, {}, drug).tests?.results?.map((one) => one?.number);

  test.each([
    ['nobody asks for', furosemide],
    ['is asked for', 'sacubitril 24 MG / valsartan 26 MG Oral Tablet'],
  ])('that %s are both shown', (_what, drug) => {
    expect(numbers([fraction('f1', 32.9), fraction('f2', 35.2, '2026-08-23T05:00:00-05:00')], drug)).toEqual([
      32.9, 35.2,
    ]);
  });

  test('are both shown where they are the oldest that are shown', () => {
    const chart = [
      fraction('f0', 40, '2026-10-01'),
      fraction('f3', 38, '2026-09-01'),
      fraction('f1', 33),
      fraction('f2', 35),
    ];
    expect(numbers(chart, 'sacubitril 24 MG / valsartan 26 MG Oral Tablet')).toEqual([40, 38, 33, 35]);
  });

  test('that are the same are one', () => {
    expect(numbers([fraction('f1', 33), fraction('f2', 33)], furosemide)).toEqual([33]);
  });

  test('of a score are both shown', () => {
    const chart = [
      named('s1', 'DAS28', { valueQuantity: { value: 5.1 } }),
      named('s2', 'DAS28', { valueQuantity: { value: 3.1 } }),
    ];
    expect(sheet(chart).severity?.scores?.map((one) => one?.number)).toEqual([5.1, 3.1]);
  });

  test('of a vital sign are results, and no measure of the patient', () => {
    const kg = (id: string, value: number) => observed(id, '29463-7', { valueQuantity: { value, unit: 'kg' } });
    const { patient, tests } = sheet([kg('w1', 80), kg('w2', 62)]);
    expect(patient?.weight).toBeUndefined();
    expect(tests?.results?.map((one) => one?.value)).toEqual(['80 kg', '62 kg']);
  });

  test('are two rows of the response', () => {
    const chart = [
      fraction('f0', 30, '2025-12-01'),
      fraction('f1', 33),
      fraction('f2', 35),
      fill('d1', furosemide, '2026-01-05', 330),
    ];
    expect(sheet(chart, {}, furosemide).response?.map((one) => [one?.before?.value, one?.now?.value])).toEqual([
      ['30 %', '33 %'],
      ['30 %', '35 %'],
    ]);
  });
});

test('a pure number has no unit', () => {
  const ratio = named('f1', 'FEV1/FVC', { ...of('laboratory'), valueQuantity: { value: 0.58, unit: '1' } });
  const [row] = sheet([ratio]).tests?.results ?? [];
  expect(row).toMatchObject({ value: '0.58', number: 0.58 });
  expect(row).not.toHaveProperty('unit');
});

describe('what is left of the predicted volume of the lung', () => {
  const ivacaftor = 'ivacaftor 150 MG Oral Tablet';
  const fev1 = observed('f1', '33452-4', {
    code: { coding: [{ system: 'http://loinc.org', code: '33452-4' }], text: 'FEV1 % predicted' },
    valueQuantity: { value: 91, unit: '%' },
    effectiveDateTime: '2026-09-14',
  });
  const scoresFor = (code: string) =>
    sheet([fev1], { focal: { reasonCode: [icd10(code)] } }, ivacaftor).severity?.scores?.map((one) => one?.value);

  test.each([
    ['FEV1 % predicted', true],
    ['Percent predicted FEV1', true],
    ['FEV1 percent of predicted', true],
    ['FVC % predicted', true],
    ['DLCO % predicted', true],
    ['FEV1 predicted', false],
    ['FEV1 % change after bronchodilator', false],
    ['FEV1 LLN % predicted', false],
    ['FVC % change in 12 months', false],
    ['FEV1/FVC % predicted', false],
    ['DLCO/VA % predicted', false],
    ['DLCO predicted', false],
    ['FVC % predicted goal', false],
  ])('%s is a severity: %s', (text, isSeverity) => {
    const result = named('v1', text, { ...of('laboratory'), valueQuantity: { value: 71, unit: '%' } });
    const codes = [{ reasonCode: [icd10('E84.0')] }, { reasonCode: [icd10('J84.112')] }];
    const scores = codes.flatMap((focal) => sheet([result], { focal }, ivacaftor).severity?.scores ?? []);
    expect(scores.length > 0).toBe(isSeverity);
  });

  test('is the severity of a disease of the lung, and of no other', () => {
    expect(scoresFor('E84.0')).toEqual(['91 %']);
    expect(scoresFor('M06.9')).toBeUndefined();
  });
});

describe('the response', () => {
  test('of a drug that was begun again has the measure before that, too', () => {
    const count = (id: string, effectiveDateTime: string, valueInteger: number) =>
      named(id, 'Abscess and inflammatory nodule count', { ...of('exam'), valueInteger, effectiveDateTime });
    const chart = [
      count('n0', '2025-07-28', 11),
      count('n1', '2026-07-06', 9),
      count('n2', '2026-11-09', 3),
      fill('d1', adalimumab, '2025-08-04', 112),
      fill('d2', adalimumab, '2026-07-13', 112),
    ];
    const { response } = sheet(chart);
    expect(response).toMatchObject([
      {
        before: { value: 11, date: '2025-07-28' },
        before_restart: { value: 9, date: '2026-07-06' },
        restarted: '2026-07-13',
        now: { value: 3, date: '2026-11-09' },
      },
    ]);
    expect(answerLines('response', response)).toEqual([
      'Abscess and inflammatory nodule count: 11 on Jul 28, 2025 before the first dose, 9 on Jul 6, 2026 before it ' +
        'was begun again on Jul 13, 2026, 3 on Nov 9, 2026',
    ]);
    expect(sheet([...chart.slice(0, 2), ...chart.slice(3)]).response?.[0]).not.toHaveProperty('before_restart');
  });

  test('is none of what was measured long after the drug had run out', () => {
    const level = (id: string, effectiveDateTime: string, value: number) =>
      named(id, 'Testosterone', { ...of('laboratory'), valueQuantity: { value, unit: 'ng/dL' }, effectiveDateTime });
    const before = level('t0', '2024-06-03', 240);
    // covered Jul 29 to Aug 25, 2024; a time without it may last 30 days here
    const taken = fill('d1', adalimumab, '2024-07-29', 28);
    const site = { answers: { longestGap: 30 } };
    const shown = (day: string) => sheet([before, level('t1', day, 198), taken], { site }).response;
    expect(shown('2024-09-24')).toMatchObject([{ now: { value: '198 ng/dL', date: '2024-09-24' } }]);
    expect(shown('2024-09-25')).toBeUndefined();
    expect(shown('2026-01-19')).toBeUndefined();
  });

  test('is none of what measures no disease', () => {
    const smoker = (id: string, effectiveDateTime: string, valueString: string) =>
      named(id, 'Tobacco smoking status', { ...of('survey'), valueString, effectiveDateTime });
    const chart = [
      smoker('s1', '2025-12-01', 'Current smoker'),
      smoker('s2', '2026-06-01', 'Former smoker'),
      fill('d1', adalimumab, '2026-01-05', 330),
    ];
    expect(sheet(chart).response).toBeUndefined();
  });

  test('is none of what is watched for harm, but where the order’s disease is one that it measures', () => {
    const alt = (id: string, effectiveDateTime: string, value: number) =>
      observed(id, '1742-6', { ...of('laboratory'), valueQuantity: { value, unit: 'U/L' }, effectiveDateTime });
    const chart = [
      alt('a1', '2024-01-30', 118),
      alt('a2', '2026-08-04', 31),
      fill('d1', adalimumab, '2026-01-05', 330),
    ];
    const measuresFor = (...codes: readonly string[]) => {
      const { response = [], tests } = sheet(chart, { focal: { reasonCode: codes.map(icd10) } });
      expect(tests?.results?.[0]).toMatchObject({ test: 'Alanine aminotransferase', value: '31 U/L' });
      return response.map((one) => one?.measure);
    };
    expect(measuresFor('L40.59')).toEqual([]);
    expect(measuresFor()).toEqual([]);
    expect(measuresFor('K75.4')).toEqual(['Alanine aminotransferase']);
  });

  test('is the same measure before the first dose and now, by values and dates alone', () => {
    const crp = (id: string, date: string, value: number) =>
      observed(id, '1988-5', { valueQuantity: { value, unit: 'mg/L' }, effectiveDateTime: date });
    const chart = [
      crp('c0', '2025-06-01', 44),
      crp('c1', '2025-12-20', 31),
      crp('c2', '2026-03-01', 9),
      crp('c3', '2026-10-01', 4),
      fill('d1', adalimumab, '2026-01-05', 330),
    ];
    expect(sheet(chart).response).toEqual([
      {
        measure: 'C-reactive protein',
        before: { value: '31 mg/L', date: '2025-12-20' },
        now: { value: '4 mg/L', date: '2026-10-01' },
      },
    ]);
    expect(sheet(chart.slice(0, 4)).response).toBeUndefined();
  });

  describe('before treatment', () => {
    const crp = (id: string, effectiveDateTime: string, value: number) =>
      observed(id, '1988-5', { valueQuantity: { value, unit: 'mg/L' }, effectiveDateTime });
    // Jan 5, 2026 is the first fill that the chart knows of
    const taken = fill('d1', adalimumab, '2026-01-05', 330);
    const results = [crp('c0', '2025-06-01', 44), crp('c1', '2025-12-20', 31), crp('c2', '2026-10-01', 4)];
    const shownFirst = (more: readonly FhirResource[], request: Request = {}) =>
      sheet([...results, taken, ...more], request).response?.map((one) => one?.before?.value);

    test('is what stands before the first fill', () => {
      expect(shownFirst([])).toEqual(['31 mg/L']);
    });

    test.each<[string, Request, readonly FhirResource[]]>([
      ['the order is older', { focal: { authoredOn: '2025-07-01' } }, []],
      [
        'the order says that it began before',
        { focal: { dosageInstruction: [{ timing: { repeat: { boundsPeriod: { start: '2025-07-01' } } } }] } },
        [],
      ],
      ['another order of the drug is older', {}, [order('r1', adalimumab, { authoredOn: '2025-07-01' })]],
      ['samples were given before', {}, [fill('f1', `${adalimumab} sample`, '2025-07-01', 14)]],
    ])('is what stands before that, where %s', (_what, request, more) => {
      expect(shownFirst(more, request)).toEqual(['44 mg/L']);
    });

    test.each<[string, Request, readonly FhirResource[]]>([
      ['this order', { focal: { authoredOn: '2025-12-10' } }, []],
      ['another order of the drug', {}, [order('r1', adalimumab, { authoredOn: '2025-12-10' })]],
    ])('is what stands before the first fill, though after %s, whose day is told', (_what, request, more) => {
      const { response } = sheet([...results, taken, ...more], request);
      expect(response).toMatchObject([{ before: { date: '2025-12-20' }, ordered: '2025-12-10' }]);
      expect(answerLines('response', response)).toEqual([
        'C-reactive protein: 31 mg/L on Dec 20, 2025 before the first dose, ordered Dec 10, 2025, ' +
          '4 mg/L on Oct 1, 2026',
      ]);
    });

    test('is what stands before the first order, where no fill or dose is known', () => {
      const { response } = sheet([...results, order('r1', adalimumab, { authoredOn: '2025-12-10' })]);
      expect(response).toMatchObject([
        { before: { date: '2025-06-01' }, ordered: '2025-12-10', by_order: true, now: { date: '2026-10-01' } },
      ]);
      expect(answerLines('response', response)).toEqual([
        'C-reactive protein: 44 mg/L on Jun 1, 2025 before it was ordered on Dec 10, 2025, 4 mg/L on Oct 1, 2026',
      ]);
    });

    test('is what stands before the samples, where nothing else was given', () => {
      const { response } = sheet([...results, fill('f1', `${adalimumab} sample`, '2025-12-28', 14)]);
      expect(response).toMatchObject([{ before: { date: '2025-12-20' }, sampled: '2025-12-28' }]);
      expect(answerLines('response', response)).toEqual([
        'C-reactive protein: 31 mg/L on Dec 20, 2025 before the samples of Dec 28, 2025, 4 mg/L on Oct 1, 2026',
      ]);
    });

    test('is none of an order that nothing was ordered before', () => {
      expect(sheet(results, { focal: { authoredOn: '2025-12-10' } }).response).toBeUndefined();
    });

    test('is nothing where the order is older than every result', () => {
      expect(shownFirst([], { focal: { authoredOn: '2024-02-20' } })).toBeUndefined();
    });

    test('is not known where the order has only a year', () => {
      expect(shownFirst([], { focal: { authoredOn: '2025' } })).toBeUndefined();
    });
  });

  test('is of any measure that stands before the first dose and after it', () => {
    const count = (id: string, effectiveDateTime: string, valueInteger: number) =>
      named(id, 'Tender joint count', { ...of('exam'), valueInteger, effectiveDateTime });
    const chart = [
      count('j1', '2025-12-01', 14),
      count('j2', '2026-06-01', 3),
      fill('d1', adalimumab, '2026-01-05', 330),
    ];
    expect(sheet(chart).response).toMatchObject([
      { measure: 'Tender joint count', before: { date: '2025-12-01' }, now: { date: '2026-06-01' } },
    ]);
  });
});

describe('the site of a measure', () => {
  const score = (id: string, text: string, effectiveDateTime: string, value: number, more: Partial<Observation> = {}) =>
    named(id, text, { valueQuantity: { value }, effectiveDateTime, ...more });
  const denosumab = 'denosumab 60 MG/ML Prefilled Syringe';
  const begun = fill('d1', denosumab, '2026-01-05', 330);

  test('is compared with itself alone', () => {
    const chart = [
      score('h0', 'DXA T-score, total hip', '2025-01-10', -2.9),
      score('s0', 'DXA T-score, lumbar spine', '2025-12-01', -3.4),
      score('h1', 'T score left hip', '2026-10-01', -2.6),
      score('w1', 'T-score', '2026-10-02', -1.1, { bodySite: { text: 'Distal forearm' } }),
      begun,
    ];
    const { response, tests } = sheet(chart, {}, denosumab);
    expect(response).toMatchObject([
      {
        before: { value: '-2.9', called: 'DXA T-score, total hip' },
        now: { value: '-2.6', called: 'T score left hip' },
      },
    ]);
    expect(response).toHaveLength(1);
    expect(tests?.results?.[0]).toMatchObject({ test: 'Bone density T-score', called: 'T-score, Distal forearm' });
  });

  test('is told by the codes of LOINC, too', () => {
    const chart = ['38267-1', '38264-8'].map((code) => observed(code, code, { valueQuantity: { value: -2.5 } }));
    expect(sheet(chart, {}, denosumab).tests?.missing).not.toContain('Bone density T-score');
  });

  test('is part of a name that no table knows', () => {
    const pain = (id: string, site: string, date: string, value: number) =>
      score(id, 'Pain severity 0-10', date, value, { bodySite: { text: site } });
    const chart = [
      pain('k0', 'Knee', '2025-12-01', 8),
      pain('b1', 'Back', '2026-10-01', 2),
      pain('k1', 'Knee', '2026-09-01', 5),
      fill('d1', adalimumab, '2026-01-05', 330),
    ];
    expect(answerLines('response', sheet(chart).response)).toEqual([
      'Pain severity 0-10, Knee: 8 on Dec 1, 2025 before the first dose, 5 on Sep 1, 2026',
    ]);
  });

  test('is no severity of osteoporosis', () => {
    const chart = [score('s0', 'DXA T-score, femoral neck', '2026-10-20', -3.6)];
    const found = sheet(chart, { focal: { reasonCode: [icd10('M81.0')] } }, denosumab);
    expect(found.severity).toBeUndefined();
    expect(found.tests?.results?.[0]).toMatchObject({ called: 'DXA T-score, femoral neck' });
  });
});

describe('a name with words of the sample', () => {
  test('is the test without them, and stands beside the value of before', () => {
    const igg = (id: string, text: string, effectiveDateTime: string, value: number) =>
      named(id, text, { ...of('laboratory'), effectiveDateTime, valueQuantity: { value, unit: 'mg/dL' } });
    const drug = 'immune globulin 10 % Injectable Solution';
    const chart = [
      igg('g0', 'Immunoglobulin G, serum', '2025-12-01', 312),
      igg('g1', 'Immunoglobulin G, serum, trough', '2026-10-19', 845),
      igg('u1', 'Immunoglobulin G, urine', '2026-10-20', 1),
      fill('d1', drug, '2026-01-05', 330),
    ];
    expect(answerLines('response', sheet(chart, {}, drug).response)).toEqual([
      'Immunoglobulin G, serum, trough: 312 mg/dL (“Immunoglobulin G, serum”) on Dec 1, 2025 before the first dose, ' +
        '845 mg/dL on Oct 19, 2026',
    ]);
  });
});

describe('the words of a result', () => {
  const negative = { valueCodeableConcept: { text: 'Negative' }, effectiveDateTime: '2026-10-28' };

  test('that its notes say stand beside the value, whole', () => {
    const screen = named('u1', 'Urine drug screen', {
      ...of('laboratory'),
      ...negative,
      note: [{ text: 'Collected off medication for 48 hours' }, { text: 'Repeat in a month.' }],
    });
    const { tests } = sheet([screen]);
    expect(tests?.results).toMatchObject([
      { value: 'Negative', notes: ['Collected off medication for 48 hours', 'Repeat in a month.'] },
    ]);
    // Oct 28 to Nov 21: 24 days
    expect(answerLines('tests', tests)).toEqual([
      'Urine drug screen: Negative on Oct 28, 2026 (24 days ago); “Collected off medication for 48 hours”; ' +
        '“Repeat in a month.”',
    ]);
  });

  test('that are a note make it sensitive where the note is', () => {
    const screen = named('g1', 'Ferritin', { ...negative, note: [{ text: 'Drawn with the HIV viral load' }] });
    expect(sheet([screen], {}, 'ferumoxytol 510 MG Injection').tests?.results?.[0]).toMatchObject({ sensitive: 'HIV' });
  });

  test('are its own name where the row has a wider one', () => {
    const skin = observed('t1', '', {
      ...negative,
      code: { text: 'TB skin test' },
      note: [{ text: '0 mm at 48 hours' }],
    });
    const { tests } = sheet([skin]);
    expect(tests?.results).toMatchObject([{ test: 'Tuberculosis screen', called: 'TB skin test' }]);
    expect(answerLines('tests', tests)).toEqual([
      'Tuberculosis screen (“TB skin test”): Negative on Oct 28, 2026 (24 days ago); “0 mm at 48 hours”',
    ]);
    const score = named('s1', 'DAS28-CRP', { valueQuantity: { value: 5.4 } });
    expect(sheet([score]).severity?.scores).toMatchObject([{ test: 'DAS28', called: 'DAS28-CRP' }]);
  });

  test('are no name where they are the name of the row, or a code alone', () => {
    const chart = [
      named('c1', 'C-Reactive Protein', { valueQuantity: { value: 9, unit: 'mg/L' } }),
      observed('c2', '1988-5', { valueQuantity: { value: 12, unit: 'mg/L' }, effectiveDateTime: '2026-09-01' }),
      named('c3', 'C reactive protein [Mass/volume] in Serum or Plasma', {
        valueQuantity: { value: 14, unit: 'mg/L' },
      }),
    ];
    expect(sheet(chart).tests?.results).toHaveLength(3);
    for (const row of sheet(chart).tests?.results ?? []) expect(row).not.toHaveProperty('called');
  });

  test('tell two sites of one instant and value apart', () => {
    const score = (id: string, site: string) =>
      named(id, `Bone density T-score, ${site}`, { valueQuantity: { value: -2.8 } });
    const chart = [score('h1', 'total hip'), score('s1', 'lumbar spine')];
    const called = (drug: string) => sheet(chart, {}, drug).tests?.results?.map((one) => one?.called);
    const both = ['Bone density T-score, total hip', 'Bone density T-score, lumbar spine'];
    expect(called('furosemide 40 MG Oral Tablet')).toEqual(both);
    expect(called('denosumab 60 MG/ML Prefilled Syringe')).toEqual(both);
  });

  test('stand with both values of the response', () => {
    const score = (id: string, text: string, effectiveDateTime: string, value: number) =>
      named(id, text, { valueQuantity: { value }, effectiveDateTime, note: [{ text: `By ${id}` }] });
    const chart = [
      score('s0', 'DAS28-ESR', '2025-12-01', 5.4),
      score('s1', 'DAS28-CRP', '2026-10-01', 2.4),
      fill('d1', adalimumab, '2026-01-05', 330),
    ];
    const { response } = sheet(chart);
    expect(response).toMatchObject([
      { before: { called: 'DAS28-ESR', notes: ['By s0'] }, now: { called: 'DAS28-CRP', notes: ['By s1'] } },
    ]);
    expect(answerLines('response', response)).toEqual([
      'DAS28: 5.4 (“DAS28-ESR”; “By s0”) on Dec 1, 2025 before the first dose, ' +
        '2.4 (“DAS28-CRP”; “By s1”) on Oct 1, 2026',
    ]);
  });

  test('stand with the measures of the patient', () => {
    const weight = observed('w1', '29463-7', {
      valueQuantity: { value: 80, unit: 'kg' },
      note: [{ text: 'As told by the patient' }],
    });
    const { patient } = sheet([weight]);
    expect(patient?.weight).toMatchObject({ value: '80 kg', notes: ['As told by the patient'] });
    expect(answerLines('patient', patient)).toContain('weight 80 kg on Oct 1, 2026; “As told by the patient”');
  });
});

describe('what nobody asked for', () => {
  test('stands behind: the report of an examination in its own words, and other vital signs', () => {
    const report: FhirResource = {
      resourceType: 'DiagnosticReport',
      id: 'r1',
      status: 'final',
      subject,
      code: { text: 'Flexible sigmoidoscopy' },
      effectiveDateTime: '2026-10-01',
      conclusion: 'Mayo endoscopic subscore 3.',
    };
    const pulse = named('v1', 'Heart rate', { ...of('vital-signs'), valueQuantity: { value: 72, unit: '/min' } });
    expect(sheet([pulse, report], {}, 'evolocumab 140 MG/ML Auto-Injector').tests?.results).toMatchObject([
      { test: 'Flexible sigmoidoscopy', value: 'Mayo endoscopic subscore 3.', source: 'DiagnosticReport/r1' },
      { test: 'Heart rate', value: '72 /min' },
    ]);
  });
});

describe('the patient', () => {
  const born = (birthDate: string) => {
    const patient: FhirResource = { resourceType: 'Patient', id: 'p1', birthDate, gender: 'female' };
    return sheet([patient]).patient;
  };

  test('has an age on the day of the request, in months too for an infant', () => {
    expect(born('1980-11-21')).toEqual({ birth_date: '1980-11-21', age_years: 46, sex: 'female' });
    expect(born('1980-11-22')).toMatchObject({ age_years: 45 });
    expect(born('2025-10-22')).toMatchObject({ age_years: 1, age_months: 12 });
  });

  test('has none of a year alone, or of a date to come', () => {
    expect(born('1980')).not.toHaveProperty('age_years');
    expect(born('2027-01-01')).not.toHaveProperty('age_years');
  });

  test('has the newest weight, height and BMI, each with its date', () => {
    const kg = (id: string, value: number, effectiveDateTime: string) =>
      observed(id, '29463-7', { valueQuantity: { value, unit: 'kg' }, effectiveDateTime });
    const chart = [kg('w1', 80, '2026-01-01'), kg('w2', 78.5, '2026-11-11')];
    expect(sheet(chart).patient?.weight).toEqual({
      value: '78.5 kg',
      number: 78.5,
      unit: 'kg',
      date: '2026-11-11',
      age_days: 10,
    });
  });
});

describe('a result that is dated by a year or a month alone', () => {
  const partial = (id: string, effectiveDateTime: string) =>
    observed(id, '71773-6', { valueCodeableConcept: { text: 'Negative' }, effectiveDateTime });

  test('stands with its date as stated, without days of age', () => {
    const { tests } = sheet([partial('t1', '2026-05'), partial('t2', '2024')]);
    expect(tests?.results).toEqual([
      { test: 'Tuberculosis screen', value: 'Negative', date: '2026-05', source: 'Observation/t1' },
      { test: 'Tuberculosis screen', value: 'Negative', date: '2024', source: 'Observation/t2' },
    ]);
    expect(answerLines('tests', tests)).toEqual([
      'Tuberculosis screen: Negative in May 2026',
      'Tuberculosis screen: Negative in 2024',
    ]);
  });

  test('is in no window, and is not sent unless somebody ticks it', () => {
    const site = { answers: { windows: { 'Tuberculosis screen': 365 } } };
    const chart = sheetChart(adalimumab, [partial('t1', '2026-05')], { site });
    const [line] = linesOfSheet(answersSheet(answers, chart)).filter(({ cell }) => cell === 'tests');
    expect(line).toMatchObject({ texts: ['Tuberculosis screen: Negative in May 2026'], isOld: true });
    expect(line && goesByItself(line)).toBe(false);
    expect(sheet([partial('t1', '2026-05')], { site }).tests?.results?.[0]).not.toHaveProperty('in_window');
  });

  test('tells no response, since nothing says whether it was before the first dose', () => {
    const crp = (id: string, effectiveDateTime: string) =>
      observed(id, '1988-5', { valueQuantity: { value: 9, unit: 'mg/L' }, effectiveDateTime });
    const chart = [fill('d1', adalimumab, '2026-06-01', 180), crp('c1', '2026'), crp('c2', '2026-11-01')];
    expect(sheet(chart).response).toBeUndefined();
  });
});

test('a report says a score of the disease by its letters and number, and stays a report', () => {
  const conclusion = 'Deep ulcers in the terminal ileum, SES-CD 14.';
  const colonoscopy: FhirResource = {
    ...{ resourceType: 'DiagnosticReport', id: 'r1', status: 'final', subject, code: { text: 'Colonoscopy' } },
    ...{ effectiveDateTime: '2026-09-24', conclusion },
  };
  const of = (code: string) => sheet([colonoscopy], { focal: { reasonCode: [icd10(code)] } });
  const source = 'DiagnosticReport/r1';
  expect(of('K50.80')).toMatchObject({
    severity: { scores: [{ test: 'SES-CD', called: 'Colonoscopy', value: conclusion, source }] },
    tests: { results: [{ test: 'Colonoscopy', value: conclusion, source }] },
  });
  expect(of('M05.79').severity).toBeUndefined();
});

test.each([
  ['I50.22', 'LVEF 30 percent, NYHA class III.', 'NYHA class'],
  ['G47.33', 'Apnea-hypopnea index 22 events per hour.', 'Apnea-hypopnea index'],
  ['G47.33', 'AHI 34 events per hour.', 'AHI'],
  ['G47.33', 'Snoring; the apnea-hypopnea index was not measured.', undefined],
  ['D69.3', 'Bleeding 2 cm from the anal verge.', undefined],
])('of %s, “%s” is %s', (code, conclusion, test) => {
  const report: FhirResource = {
    ...{ resourceType: 'DiagnosticReport', id: 'r1', status: 'final', subject, code: { text: 'Report' } },
    ...{ effectiveDateTime: '2026-09-24', conclusion },
  };
  expect(sheet([report], { focal: { reasonCode: [icd10(code)] } }).severity?.scores?.[0]?.test).toBe(test);
});

test('platelets are the severity of immune thrombocytopenia, and of no arthritis', () => {
  const platelets = observed('p1', '777-3', { valueQuantity: { value: 18, unit: '10*3/uL' } });
  const of = (code: string) =>
    sheet([platelets], { focal: { reasonCode: [icd10(code)] } }, 'eltrombopag 50 MG Oral Tablet').severity;
  expect(of('D69.3')).toMatchObject({ scores: [{ test: 'Platelet count', value: '18 10*3/uL' }] });
  expect(of('M05.79')).toBeUndefined();
});

test('antibodies to the JC virus are asked of natalizumab alone', () => {
  const missing = (drug: string, code: string) =>
    sheet([], { focal: { reasonCode: [icd10(code)] } }, drug).tests?.missing ?? [];
  const [tysabri, kesimpta] = ['natalizumab 300 mg vial', 'ofatumumab 20 mg pen'];
  expect(missing(tysabri, 'G35')).toContain('JC virus antibody');
  expect(missing(tysabri, 'K50.80')).toContain('JC virus antibody');
  expect(missing(kesimpta, 'G35')).toContain('Lymphocyte count');
  expect(missing(kesimpta, 'G35')).not.toContain('JC virus antibody');
});

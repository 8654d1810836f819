import type { FhirResource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answers } from '../../../mappings/index.ts';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import { answersSheet, type Sheet, type Statement } from '../../../src/core/answers/sheet.ts';
import { fill, order, sheetChart, type sheetFor, statement, subject } from './support.ts';

const drug = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';
const methotrexate = 'methotrexate 2.5 MG Oral Tablet';

type Request = Parameters<typeof sheetFor>[2];

function sheetOf(
  resources: readonly FhirResource[],
  statements: readonly Statement[] = [],
  request: Request = {},
): Sheet {
  return answersSheet(answers, sheetChart(drug, resources, request), statements);
}

describe('each cell', () => {
  test('has a name that others rely on', () => {
    expect(sheetOf([]).cells.map(({ name }) => name)).toEqual([
      ...['therapy', 'diagnosis', 'severity', 'trials', 'intolerance', 'response', 'tests', 'patient', 'specialty'],
      ...['dose', 'concurrent', 'place', 'rationale', 'on-label', 'attestation', 'signature'],
    ]);
  });

  test('of the chart has places with resource, version, element and date', () => {
    const told = statement('s1', methotrexate, { meta: { versionId: '7' } });
    const { state, places } = sheetOf([told]).cell('trials');
    expect(state).toBe('chart');
    expect(places.find(({ target }) => target === 'trials[0].last')).toMatchObject({
      value: '2025-06-30',
      kind: 'chart',
      source: {
        resource: 'MedicationStatement/s1',
        version: '7',
        path: 'MedicationStatement.effectivePeriod.end',
      },
      date: '2025-03-03',
    });
  });

  test('that nobody answers is not in the chart, and tests that it lacks are no answer', () => {
    const sheet = sheetOf([]);
    expect(sheet.cell('trials')).toEqual({ name: 'trials', state: 'not in the chart', places: [] });
    expect(sheet.cell('tests')).toMatchObject({ state: 'not in the chart', value: { missing: expect.any(Array) } });
  });

  test('that only a person can say is never filled', () => {
    const sheet = sheetOf([fill('d1', methotrexate, '2025-03-04', 28)]);
    for (const name of ['rationale', 'on-label', 'attestation', 'signature'] as const)
      expect(sheet.cell(name)).toEqual({ name, state: 'for a person', places: [] });
  });

  test('that a person stated has the name and the time, and beside a value of the chart stays a statement', () => {
    const said = (cell: Statement['cell'], text: string): Statement => ({
      cell,
      text,
      by: 'Dana Whitfield, RN',
      at: '2026-11-21T14:00:00Z',
    });
    const statements = [said('rationale', 'Two trials failed.'), said('trials', 'Took it elsewhere.')];
    const sheet = sheetOf([], statements);
    expect(sheet.cell('rationale')).toMatchObject({ state: 'stated', statement: statements[0], places: [] });
    expect(sheet.cell('trials')).toMatchObject({ state: 'stated', statement: statements[1], places: [] });
    const beside = sheetOf([statement('s1', methotrexate)], statements).cell('trials');
    expect(beside).toMatchObject({ state: 'chart', statement: statements[1] });
    expect(beside.places.every(({ kind }) => kind !== 'entered')).toBe(true);
  });
});

describe('what a cell says', () => {
  test('of the diagnosis is the reason of the order with the onset of its Condition', () => {
    const code = {
      coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M06.9' }],
      text: 'Rheumatoid arthritis',
    };
    const condition: FhirResource = {
      resourceType: 'Condition',
      id: 'c1',
      subject,
      code,
      onsetDateTime: '2019-05',
      recordedDate: '2019-06-01',
      severity: { text: 'Severe' },
    };
    const sheet = sheetOf([condition], [], { focal: { reasonCode: [code] } });
    expect(sheet.cell('diagnosis').value).toEqual([
      { code: 'M06.9', text: 'Rheumatoid arthritis', onset: '2019-05', recorded: '2019-06-01' },
    ]);
    expect(sheet.cell('severity').value).toEqual({ severity: ['Severe'] });
  });

  test('of the diagnosis is the stated reason, too, whose ICD-10-CM code a person has yet to find', () => {
    const asthma = { coding: [{ system: 'http://snomed.info/sct', code: '233678006', display: 'Childhood asthma' }] };
    expect(sheetOf([], [], { focal: { reasonCode: [asthma] } }).cell('diagnosis')).toMatchObject({
      state: 'chart',
      value: [{ text: 'Childhood asthma' }],
      places: [{ source: { resource: 'MedicationRequest/focal' } }],
    });
    const condition: FhirResource = { resourceType: 'Condition', id: 'c1', subject, code: asthma };
    const focal = { reasonReference: [{ reference: 'Condition/c1' }] };
    expect(sheetOf([condition], [], { focal }).cell('diagnosis').value).toEqual([{ text: 'Childhood asthma' }]);
    const refuted = { ...condition, verificationStatus: { coding: [{ code: 'refuted' }] } };
    expect(sheetOf([refuted], [], { focal }).cell('diagnosis').state).toBe('not in the chart');
  });

  test.each(['Rule out asthma', '? psoriasis', 'psoriasis?', 'Not psoriasis', 'no diagnosis given', 'unknown'])(
    'of the diagnosis is nothing where the reason is in doubt: %s',
    (text) => {
      const coding = [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'J45.909' }];
      const stateOf = (reason: object) => sheetOf([], [], { focal: { reasonCode: [reason] } }).cell('diagnosis').state;
      expect(stateOf({ text })).toBe('not in the chart');
      if (text !== 'unknown') expect(stateOf({ text, coding })).toBe('not in the chart');
    },
  );

  test('of the diagnosis is no name of a reference, no bare code, no choice between codes, nothing unconfirmed', () => {
    const stateOf = (focal: object, ...resources: FhirResource[]) =>
      sheetOf(resources, [], { focal }).cell('diagnosis').state;
    const icd10 = (code: string) => ({ system: 'http://hl7.org/fhir/sid/icd-10-cm', code });
    const foreign: FhirResource = {
      resourceType: 'Condition',
      id: 'c2',
      subject: { reference: 'Patient/other' },
      code: { text: 'Fever' },
    };
    const named = { reasonReference: [{ reference: 'Condition/c2', display: 'Fever' }] };
    expect(stateOf(named, foreign)).toBe('not in the chart');
    expect(stateOf(named)).toBe('not in the chart');
    expect(stateOf({ reasonCode: [{ coding: [{ system: 'http://snomed.info/sct', code: '69896004' }] }] })).toBe(
      'not in the chart',
    );
    expect(stateOf({ reasonCode: [{ coding: [icd10('M05.79'), icd10('M06.9')] }] })).toBe('not in the chart');
    const provisional: FhirResource = {
      ...foreign,
      subject,
      verificationStatus: { coding: [{ code: 'provisional' }] },
    };
    expect(stateOf({ reasonReference: [{ reference: 'Condition/c2' }] }, provisional)).toBe('not in the chart');
    const { code: _, ...codeless } = provisional;
    expect(stateOf({ reasonReference: [{ reference: 'Condition/c2' }] }, codeless)).toBe('not in the chart');
  });

  test('of the patient is an age that ends with the day of death', () => {
    const patient: FhirResource = { resourceType: 'Patient', id: 'p1', birthDate: '1960-05-10' };
    expect(sheetOf([patient]).cell('patient').value).toMatchObject({ age_years: 66 });
    const died = { ...patient, deceasedDateTime: '2025-05-09T23:00:00-05:00' };
    expect(sheetOf([died]).cell('patient').value).toMatchObject({ age_years: 64 });
  });

  test('of the dose is what the order says in words, where its numbers do not agree with them', () => {
    const timing = { repeat: { frequency: 4, period: 1, periodUnit: 'd' as const } };
    const dosageInstruction = [
      { text: 'One tablet daily for 4 days', doseAndRate: [{ doseQuantity: { value: 1, unit: 'TAB' } }], timing },
    ];
    const focal = { dosageInstruction, dispenseRequest: { quantity: { value: 4, unit: 'TAB' } } };
    const { value } = sheetOf([], [], { focal }).cell('dose');
    expect(answerLines('dose', value).join(' ')).toContain(
      'One tablet daily for 4 days; 1 TAB 4 times a day; quantity 4 TAB',
    );
  });

  test('of the diagnosis is nothing where the order states none: no problem is taken in its place', () => {
    const condition: FhirResource = {
      resourceType: 'Condition',
      id: 'c1',
      subject,
      clinicalStatus: { coding: [{ code: 'active' }] },
      code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M06.9' }] },
    };
    const sheet = sheetOf([condition, statement('s1', methotrexate)]);
    expect(sheet.cell('diagnosis').state).toBe('not in the chart');
    expect(sheet.cell('therapy').value).toMatchObject({ status: 'new' });
    expect(sheet.cell('trials').value).toHaveLength(1);
  });

  test('of a diagnosis that a person typed is theirs, not the chart’s', () => {
    const { value, places } = sheetOf([], [], { answers: { diagnoses: ['M06.9'] } }).cell('diagnosis');
    expect(value).toMatchObject([{ code: 'M06.9' }]);
    expect(places.map(({ kind, source }) => [kind, source])).toEqual(places.map(() => ['entered', undefined]));
  });

  test('of intolerance is what stands, of drugs, with how they stand to the ordered one', () => {
    const allergy = (id: string, text: string, more: object = {}): FhirResource => ({
      resourceType: 'AllergyIntolerance',
      id,
      patient: subject,
      code: { text },
      ...more,
    });
    const chart = [
      allergy('a1', 'Sulfasalazine', { reaction: [{ manifestation: [{ text: 'Hives' }], severity: 'moderate' }] }),
      allergy('a6', 'Etanercept'),
      allergy('a2', 'Humira'),
      allergy('a3', 'Penicillin', { category: ['medication'] }),
      allergy('a7', 'TNF inhibitor', { category: ['medication'] }),
      allergy('a4', 'Peanut', { category: ['food'] }),
      allergy('a5', 'Methotrexate', { verificationStatus: { coding: [{ code: 'refuted' }] } }),
    ];
    expect(sheetOf(chart).cell('intolerance').value).toMatchObject([
      { substance: 'Sulfasalazine', relation: 'usually tried first', reactions: ['Hives (moderate)'] },
      { substance: 'Humira', relation: 'the ordered drug' },
      { substance: 'Penicillin' },
      { substance: 'Etanercept', relation: 'same class', class: 'TNF inhibitors' },
      { substance: 'TNF inhibitor', relation: 'same class', class: 'TNF inhibitors' },
    ]);
  });

  test('of intolerance is the drugs, too, that were stopped for harm, by the reason', () => {
    const stopped = (id: string, text: string, reason: string) =>
      statement(id, text, { status: 'stopped', statusReason: [{ text: reason }] });
    const focal = { reasonCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M06.9' }] }] };
    const chart = [
      stopped('s1', methotrexate, 'Nausea'),
      stopped('s2', 'leflunomide 20 MG Oral Tablet', 'Pregnancy'),
      stopped('s3', 'sulfasalazine 500 MG Oral Tablet', 'No effect'),
      stopped('s4', 'lisinopril 10 MG Oral Tablet', 'Cough'),
      stopped('s5', methotrexate, 'Nausea'),
    ];
    const cell = sheetOf(chart, [], { focal }).cell('intolerance');
    expect(cell.value).toEqual([
      {
        substance: 'leflunomide 20 MG Oral Tablet',
        relation: 'usually tried first',
        type: 'contraindicated',
        reasons: ['Pregnancy'],
        source: 'MedicationStatement/s2',
        sensitive: 'reproductive health',
      },
      {
        substance: methotrexate,
        relation: 'usually tried first',
        type: 'not tolerated',
        reasons: ['Nausea'],
        // the last of those that say it
        source: 'MedicationStatement/s5',
      },
    ]);
    expect(cell.places.find(({ target }) => target === 'intolerance[1].reasons[0]')?.source).toEqual({
      resource: 'MedicationStatement/s5',
      path: 'MedicationStatement.statusReason[0]',
    });
  });

  test('of other drugs now is those of the same class, and those that usually come before it', () => {
    const active = { status: 'active' as const, effectivePeriod: { start: '2026-01-01' } };
    const chart = [
      statement('s1', 'etanercept 50 MG/ML Auto-Injector', active),
      statement('s2', methotrexate, active),
      statement('s3', 'lisinopril 10 MG Oral Tablet', active),
      statement('s4', 'golimumab 50 MG Injection'),
    ];
    expect(sheetOf(chart).cell('concurrent').value).toMatchObject([
      {
        drug: 'etanercept 50 MG/ML Auto-Injector',
        relation: 'same class',
        class: 'TNF inhibitors',
        since: '2026-01-01',
      },
      { drug: methotrexate, relation: 'usually tried first' },
    ]);
  });

  test('of another drug now is the strength that was dispensed last, since when that was', () => {
    const chart = [
      fill('d1', 'methotrexate 10 MG Oral Tablet', '2026-06-01', 90),
      order('r2', methotrexate, { status: 'active', authoredOn: '2026-09-01' }),
      fill('d2', methotrexate, '2026-09-02', 90),
      order('r3', 'methotrexate 15 MG Oral Tablet', { status: 'active', authoredOn: '2026-11-20' }),
    ];
    expect(sheetOf(chart).cell('concurrent').value).toMatchObject([
      { drug: methotrexate, since: '2026-09-02', ordered: '2026-09-01' },
    ]);
  });

  test('of something sensitive says so', () => {
    const told = statement('s1', methotrexate, { reasonCode: [{ text: 'HIV infection' }] });
    expect(sheetOf([told]).cell('trials').value).toMatchObject([{ sensitive: 'HIV' }]);
  });

  test('of dose and place is what the order says', () => {
    const focal = {
      dosageInstruction: [
        {
          text: '40 mg every 14 days',
          doseAndRate: [{ doseQuantity: { value: 40, unit: 'mg' } }],
          timing: { repeat: { frequency: 1, period: 14, periodUnit: 'd' as const } },
        },
      ],
      dispenseRequest: {
        quantity: { value: 2, unit: 'syringe' },
        expectedSupplyDuration: { value: 28, unit: 'days' },
        numberOfRepeatsAllowed: 5,
        performer: { display: 'Lakeside Specialty Pharmacy' },
      },
      category: [{ text: 'Outpatient' }],
    };
    const sheet = sheetOf([], [], { focal });
    expect(sheet.cell('dose').value).toMatchObject({
      directions: '40 mg every 14 days',
      doses: [{ text: '40 mg every 14 days', dose: '40 mg', timing: 'every 14 days' }],
      quantity: '2 syringe',
      days_supply: 28,
      refills: 5,
    });
    expect(sheet.cell('place').value).toEqual({ setting: ['Outpatient'], pharmacy: 'Lakeside Specialty Pharmacy' });
  });
});

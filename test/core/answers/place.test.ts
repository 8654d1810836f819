import type { FhirResource, MedicationRequest } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answers } from '../../../mappings/index.ts';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import { answersSheet } from '../../../src/core/answers/sheet.ts';
import { sheetChart } from './support.ts';

function placeOf(focal: Partial<MedicationRequest>, resources: readonly FhirResource[] = []) {
  return answersSheet(answers, sheetChart('infliximab 100 MG Injection', resources, { focal })).cell('place');
}

const noted = (...texts: readonly string[]) => placeOf({ note: texts.map((text) => ({ text })) });

test('an order of the category community says where it is taken: at home', () => {
  const category = 'http://terminology.hl7.org/CodeSystem/medicationrequest-category';
  const categoryOf = (code: string, display: string) => ({
    category: [{ coding: [{ system: category, code, display }] }],
  });
  const linesOf = (code: string, display: string) => {
    return answerLines('place', placeOf(categoryOf(code, display)).value);
  };
  expect(linesOf('community', 'Community')).toEqual(['At home (community prescription)']);
  expect(linesOf('outpatient', 'Outpatient')).toEqual(['Outpatient']);
});

describe('the place in the words of the order', () => {
  test.each([
    ['Given at home by parent'],
    ['To be given at home by mother after teaching'],
    ['Patient self-administers'],
    ['First dose in our infusion room, then self-injected at home'],
    ['Administer at Bluebird Infusion Center'],
    ['Infuse in the hospital outpatient department'],
    ['Treatment to be administered in an ambulatory infusion suite'],
    ['Injections at school by the nurse'],
    ['Site of care: home infusion'],
    ['Place of service: 11'],
    ['POS 22'],
    ['Office-administered'],
    ['Clinic administration only'],
    ['In-office injection'],
    ['Doses given by the home health nurse'],
    ['Given at her dialysis center'],
    ['Nurse to give in Dr. Okafor’s office'],
    ['Given in skilled nursing facility'],
    ['Home health RN to administer'],
    ['Clinic will give the first dose'],
    ['For in-office administration only'],
  ])('is shown: %s', (text) => {
    expect(noted(text).value).toEqual({ stated: [text] });
  });

  test.each([
    ['If home infusion is approved, give at home'],
    ['May be given at home'],
    ['Give in office or at home'],
    ['Either infused in clinic, or self-administered'],
    ['Given at home?'],
    ['Could be self-injected later'],
    ['Patient would prefer to self-inject'],
    ['Considering home infusion'],
    ['Not to be given at home'],
    ['Patient cannot self-inject'],
    ['Place of administration: TBD'],
    ['Previous doses were given in the hospital'],
    ['Last dose given in clinic on 10/3'],
  ])('is none in uncertain words, of what is not so, or of what was before: %s', (text) => {
    expect(noted(text).state).toBe('not in the chart');
  });

  test.each([
    ['Sample given in office'],
    ['Prescription given in clinic'],
    ['Injection training in clinic'],
    ['Call the office after the first dose'],
    ['Take as directed by INR clinic'],
    ['Dose to be reviewed in clinic'],
    ['Deliver to home'],
    ['Check blood pressure at home'],
    ['Seen in office today'],
    ['Give in 4 weeks; labs at the hospital'],
    ['Methotrexate given at home'],
    ['Inject into the abdomen'],
    ['Clinic to call the patient'],
    ['Inject at room temperature'],
    ['Pharmacy to give counseling at home visit'],
  ])('is none where something else is there: %s', (text) => {
    expect(noted(text).state).toBe('not in the chart');
  });

  test('is the clauses that say it, without the dose beside them', () => {
    const dosageInstruction = [
      { text: '400 mg into the muscle once a month, given in clinic' },
      { text: 'Then 300 mg', patientInstruction: 'Inject 2 mL. Self-administer at home, away from heat' },
    ];
    const cell = placeOf({ dosageInstruction });
    expect(cell.value).toEqual({ stated: ['given in clinic', 'Self-administer at home'] });
    expect(cell.places.map(({ source }) => source?.path)).toEqual([
      'MedicationRequest.dosageInstruction[0].text',
      'MedicationRequest.dosageInstruction[1].patientInstruction',
    ]);
    expect(answerLines('place', cell.value)).toEqual(['“given in clinic”; “Self-administer at home”']);
  });

  test('is the clause behind the training for it', () => {
    expect(noted('After injection training, patient will self-inject').value).toEqual({
      stated: ['patient will self-inject'],
    });
  });

  test('is once what stands there twice, and none of what is sensitive', () => {
    expect(noted('Given at home.', 'Given at home').value).toEqual({ stated: ['Given at home'] });
    expect(noted('Given at the HIV clinic').state).toBe('not in the chart');
  });
});

test('the Organization that the order asks to give the drug is a place', () => {
  const organization: FhirResource = { resourceType: 'Organization', id: 'o1', name: 'Clearwater Home Infusion' };
  const performer = { reference: 'Organization/o1' };
  expect(placeOf({ performer }, [organization]).value).toEqual({ performer: 'Clearwater Home Infusion' });
});

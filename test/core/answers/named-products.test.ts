import type { FhirResource, MedicationRequest } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import { fill, order, sheetFor } from './support.ts';

const rxnorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const coded = (text: string, display: string) => ({
  medicationCodeableConcept: { text, coding: [{ system: rxnorm, code: '1', display }] },
});

const trialOf = (...resources: readonly FhirResource[]) => sheetFor('ofatumumab 20 mg pen', resources).trials?.[0];

describe('what the text of a product leaves out, the name of its code says', () => {
  const capsule = coded('dimethyl fumarate 240 mg capsule', 'dimethyl fumarate 240 MG Delayed Release Oral Capsule');

  test('the kind of release, while the words of the text stay', () => {
    const row = trialOf(fill('d1', '', '2025-11-10', 30, capsule));
    expect(row).toMatchObject({ strengths: ['240 mg'], forms: ['capsule'], releases: ['Delayed Release'] });
    expect(row).not.toHaveProperty('release_in_part');
  });

  test('the form', () => {
    const syringe = coded('glatiramer acetate 40 mg', '1 ML glatiramer acetate 40 MG/ML Prefilled Syringe');
    expect(trialOf(fill('d1', '', '2025-11-10', 30, syringe))).toMatchObject({ forms: ['Prefilled Syringe'] });
  });

  test('the strengths of each product of a pack, one that the text has too only once', () => {
    const pack =
      '{14 (dimethyl fumarate 120 MG Delayed Release Oral Capsule) / ' +
      '46 (dimethyl fumarate 240 MG Delayed Release Oral Capsule) } Pack';
    const row = trialOf(
      fill('d1', '', '2025-10-13', 30, coded('dimethyl fumarate starter pack', pack)),
      fill('d2', '', '2025-11-12', 30, capsule),
    );
    expect(row).toMatchObject({ strengths: ['120 MG', '240 MG'], releases: ['Delayed Release'] });
  });
});

describe('the ordered drug', () => {
  const doseOf = (text: string, display?: string, more: Partial<MedicationRequest> = {}) => {
    const concept = display === undefined ? {} : coded(text, display);
    const { dose } = sheetFor(text, [], { focal: { ...concept, ...more } });
    return { dose, line: answerLines('dose', dose)[0] };
  };

  test('stands with its brand and its ingredient where its names say both', () => {
    const { dose, line } = doseOf(
      'alirocumab 75 mg/mL auto-injector',
      '1 ML alirocumab 75 MG/ML Auto-Injector [Praluent]',
    );
    expect(dose).toMatchObject({ drug: 'Praluent', ingredient: 'alirocumab' });
    expect(line).toMatch(/^Praluent \(alirocumab\), 75 MG/);
  });

  test('of a brand alone with the ingredient that the tables know', () => {
    expect(doseOf('Humira 40 mg/0.8 mL pen').dose).toMatchObject({ drug: 'Humira', ingredient: 'adalimumab' });
  });

  test('has its kind of tablet once, where that is its form, too', () => {
    const { dose, line } = doseOf('rimegepant 75 mg ODT');
    expect(dose).not.toHaveProperty('release');
    expect(line).toBe('rimegepant, 75 mg, ODT');
  });

  test('of an ingredient alone has no other name', () => {
    const { dose } = doseOf('febuxostat 40 mg tablet');
    expect(dose).toMatchObject({ drug: 'febuxostat' });
    expect(dose).not.toHaveProperty('ingredient');
  });

  test('has its kind of release beside the name, as the text says it, and never put together', () => {
    const { dose, line } = doseOf(
      'oxycodone ER 10 mg 12-hour tablet',
      'Abuse-Deterrent 12 HR oxycodone hydrochloride 10 MG Extended Release Oral Tablet [Oxycontin]',
    );
    expect(dose).toMatchObject({ drug: 'Oxycontin', ingredient: 'oxycodone hydrochloride', release: 'ER, 12-hour' });
    expect(line).toContain('Oxycontin (oxycodone hydrochloride), ER, 12-hour, 10 MG');
  });
});

describe('what is taken now stands by its form', () => {
  const concurrent = (...resources: readonly FhirResource[]) =>
    sheetFor('sacubitril 49 MG / valsartan 51 MG Oral Tablet', resources, {
      focal: {
        reasonCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'I50.22' }], text: 'CHF' }],
      },
    }).concurrent;
  const now: Partial<MedicationRequest> = {
    status: 'active',
    reasonCode: [{ text: 'CHF' }],
    authoredOn: '2026-11-01',
  };

  test('two forms of one drug are two rows', () => {
    const rows = concurrent(
      order('o1', 'Furosemide 40 MG Oral Tablet [Lasix]', { ...now, authoredOn: '2020-05-01' }),
      order('o2', '10 ML Furosemide 10 MG/ML Injection', now),
    );
    expect(rows).toMatchObject([
      { drug: 'Furosemide 40 MG Oral Tablet [Lasix]', sources: ['MedicationRequest/o1'] },
      { drug: '10 ML Furosemide 10 MG/ML Injection', sources: ['MedicationRequest/o2'] },
    ]);
  });

  test('a form that only its strength by the volume tells from the other is another one', () => {
    const rows = concurrent(
      order('o1', 'Lasix 40mg', { ...now, authoredOn: '2020-05-01' }),
      order('o2', '10 ML Furosemide 10 MG/ML Injection', now),
    );
    expect(rows).toMatchObject([{ drug: 'Lasix 40mg' }, { drug: '10 ML Furosemide 10 MG/ML Injection' }]);
    const pens = concurrent(
      order('o1', 'semaglutide 2 mg', { ...now, authoredOn: '2026-05-01' }),
      order('o2', 'semaglutide 2 mg/3 mL pen', now),
    );
    expect(pens).toMatchObject([{ drug: 'semaglutide 2 mg/3 mL pen' }]);
  });

  test('two strengths of one form are one', () => {
    const rows = concurrent(
      order('o1', 'Furosemide 40 MG Oral Tablet', { ...now, authoredOn: '2026-05-01' }),
      order('o2', 'Furosemide 80 MG Oral Tablet', now),
    );
    expect(rows).toMatchObject([{ drug: 'Furosemide 80 MG Oral Tablet' }]);
  });
});

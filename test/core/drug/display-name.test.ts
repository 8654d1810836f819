import { describe, expect, test } from 'vitest';
import { displayName, titleAmong } from '../../../src/core/drug/display-name.ts';

describe('a name of RxNorm is shown as people say it', () => {
  test.each([
    ['0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]', 'Humira (adalimumab) 40 mg/0.4 mL auto-injector'],
    ['0.4 ML adalimumab 100 MG/ML Auto-Injector', 'adalimumab 40 mg/0.4 mL auto-injector'],
    ['3 ML semaglutide 1.34 MG/ML Pen Injector [Ozempic]', 'Ozempic (semaglutide) 1.34 mg/mL pen injector (3 mL)'],
    [
      '1.5 ML insulin glargine 300 UNT/ML Pen Injector [Toujeo]',
      'Toujeo (insulin glargine) 300 units/mL pen injector (1.5 mL)',
    ],
    ['methotrexate 2.5 MG Oral Tablet', 'methotrexate 2.5 mg oral tablet'],
    ['DISCONTINUED methotrexate 2.5 MG Oral Tablet', 'DISCONTINUED methotrexate 2.5 mg oral tablet'],
    [
      '24 HR tofacitinib 11 MG Extended Release Oral Tablet [Xeljanz]',
      'Xeljanz (tofacitinib) 24 hr extended release 11 mg oral tablet',
    ],
    [
      'insulin glargine 100 UNT/ML Injectable Solution [Lantus]',
      'Lantus (insulin glargine) 100 units/mL injectable solution',
    ],
    [
      '24 HR phentermine 15 MG / topiramate 92 MG Extended Release Oral Capsule',
      'phentermine 15 mg / topiramate 92 mg 24 hr extended release oral capsule',
    ],
    [
      '24 HR phentermine 15 MG / topiramate 92 MG Extended Release Oral Capsule [Qsymia]',
      'Qsymia (phentermine 15 mg / topiramate 92 mg) 24 hr extended release oral capsule',
    ],
    [
      'carbidopa 25 MG / levodopa 100 MG Oral Tablet [Sinemet]',
      'Sinemet (carbidopa 25 mg / levodopa 100 mg) oral tablet',
    ],
    [
      '3 ML insulin degludec 100 UNT/ML / liraglutide 3.6 MG/ML Pen Injector [Xultophy]',
      'Xultophy (insulin degludec 100 units/mL / liraglutide 3.6 mg/mL) pen injector (3 mL)',
    ],
  ])('%s: %s', (name, shown) => {
    expect(displayName(name)).toBe(shown);
    expect(displayName(shown)).toBe(shown);
  });
});

describe('a name of which something would be lost stays as it is', () => {
  test.each([
    ['doses of a pen', '0.25 MG, 0.5 MG Dose 3 ML semaglutide 0.68 MG/ML Pen Injector [Ozempic]'],
    [
      'how it is delivered',
      'Abuse-Deterrent 12 HR oxycodone hydrochloride 10 MG Extended Release Oral Tablet [OxyContin]',
    ],
    ['a sensor', 'Sensor aripiprazole 2 MG Oral Tablet [Abilify]'],
    ['units of a milliliter', '0.2 ML dalteparin sodium 12500 UNT/ML Prefilled Syringe'],
    ['several ingredients without a form', 'carbidopa 25 MG / levodopa 100 MG'],
    ['a pack', '{42 (apremilast 30 MG Oral Tablet) } Pack'],
    ['the number of an application', 'NDA020503 200 ACTUAT albuterol 0.09 MG/ACTUAT Metered Dose Inhaler'],
    ['words of an EHR', 'Humira 40 mg pen'],
    ['an ingredient alone', 'adalimumab'],
  ])('%s', (_, text) => {
    expect(displayName(text)).toBe(text);
  });
});

describe('an order that names no brand is called by its code’s name', () => {
  const plain = 'apremilast 30 MG Oral Tablet';

  test('where that is the same name with one', () => {
    expect(titleAmong(plain, [plain, `${plain} [Otezla]`])).toBe('Otezla (apremilast) 30 mg oral tablet');
  });

  test.each([
    ['another strength', ['apremilast 20 MG Oral Tablet [Otezla]']],
    ['two brands', [`${plain} [Otezla]`, `${plain} [Invented]`]],
    ['no brand', [plain]],
  ])('not where that is %s', (_, names) => {
    expect(titleAmong(plain, names)).toBe('apremilast 30 mg oral tablet');
  });
});

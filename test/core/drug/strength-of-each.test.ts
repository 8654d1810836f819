import { describe, expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import { inOrderOfText } from '../../../src/core/drug/in-order-of-text.ts';
import { readDrugName } from '../../../src/core/drug/read-drug-name.ts';
import { readDrugs } from '../../../src/core/drug/several-drugs.ts';

const knowledge = drugKnowledge(drugNames, ingredientNames);

describe('[K2] a text with a strength behind each ingredient names all of them', () => {
  test.each([
    ['hydroquinone 4%/tretinoin 0.05% cream', 'hydroquinone 4% / tretinoin 0.05%'],
    ['testosterone 4%-anastrozole 1 mg', 'testosterone 4% / anastrozole 1 mg'],
    ['amlodipine 5 mg-benazepril 10 mg capsule', 'amlodipine 5 mg / benazepril 10 mg'],
    [
      'bictegravir 50 mg-emtricitabine 200 mg-tenofovir alafenamide 25 mg tablet',
      'bictegravir 50 mg / emtricitabine 200 mg / tenofovir alafenamide 25 mg',
    ],
    [
      'hydroquinone 4 %-tretinoin 0.05 %-fluocinolone 0.01 % topical cream',
      'hydroquinone 4% / tretinoin 0.05% / fluocinolone 0.01%',
    ],
    ['sulfamethoxazole 800 mg/trimethoprim 160 mg tablet', 'sulfamethoxazole 800 mg / trimethoprim 160 mg'],
    [
      'insulin glargine 100 unit/mL-lixisenatide 33 mcg/mL subcutaneous pen',
      'insulin glargine 100 unit/mL / lixisenatide 33 mcg/mL',
    ],
    [
      'amlodipine 5 mg-unheardofin 10 mg-valsartan 160 mg tablet',
      'amlodipine 5 mg / unheardofin 10 mg / valsartan 160 mg',
    ],
    ['hydrocodone 5 mg, acetaminophen 325 mg tablet', 'hydrocodone 5 mg / acetaminophen 325 mg'],
  ])('%s', (text, strength) => {
    const [drug, ...others] = readDrugs(text, knowledge);
    expect(others).toEqual([]);
    expect(drug).toMatchObject({ strength, isCertain: true });
    expect(drug?.ingredients).toHaveLength(strength.split(' / ').length);
  });

  test.each([
    ['promethazine-codeine 6.25 mg-10 mg/5 mL syrup', 'promethazine 6.25 mg/5 mL / codeine 10 mg/5 mL'],
    [
      'olodaterol 2.5 mcg-tiotropium 2.5 mcg/actuation inhaler',
      'olodaterol 2.5 mcg/actuation / tiotropium 2.5 mcg/actuation',
    ],
    [
      'sulfamethoxazole-trimethoprim 200-40 mg/5 mL suspension',
      'sulfamethoxazole 200 mg/5 mL / trimethoprim 40 mg/5 mL',
    ],
    [
      'fluticasone propion-salmeterol 250-50 mcg/dose DsDv',
      'fluticasone propion 250 mcg/dose / salmeterol 50 mcg/dose',
    ],
  ])('what stands behind the last strength is of all: %s', (text, strength) => {
    expect(readDrugName(text)?.strength).toBe(strength);
  });
});

describe('[K2] no strength of one is sent as the whole', () => {
  test.each([
    'hydroquinone 4%/tretinoin 0.05%/foobarone cream',
    'amlodipine 5 mg-valsartan 160 mg-hydrochlorothiazide tablet',
    'lidocaine 2.5 % prilocaine 2.5 % cream',
    'methotrexate 2.5 mg - weekly 10 mg',
  ])('%s', (text) => {
    expect(readDrugName(text)).toMatchObject({ strength: undefined, isCertain: false });
  });
});

describe('[K2] several strengths are written in the order of the text', () => {
  test.each([
    [
      'metformin hydrochloride 1000 MG / sitagliptin 50 MG Oral Tablet [Janumet]',
      'Janumet 50 mg-1,000 mg tablet',
      'sitagliptin 50 MG / metformin hydrochloride 1000 MG',
    ],
    [
      'acetaminophen 325 MG / hydrocodone bitartrate 5 MG Oral Tablet',
      'HYDROcodone-acetaminophen 5-325 mg per tablet',
      'hydrocodone bitartrate 5 MG / acetaminophen 325 MG',
    ],
    [
      'famotidine 26.6 MG / ibuprofen 800 MG Oral Tablet [Duexis]',
      'ibuprofen 800 mg-famotidine 26.6 mg tablet',
      'ibuprofen 800 MG / famotidine 26.6 MG',
    ],
    [
      'codeine phosphate 2 MG/ML / promethazine hydrochloride 1.25 MG/ML Oral Solution',
      'promethazine-codeine 6.25 mg-10 mg/5 mL syrup',
      'promethazine hydrochloride 1.25 MG/ML / codeine phosphate 2 MG/ML',
    ],
  ])('%s', (name, text, strength) => {
    expect(ordered(name, text)?.strength).toBe(strength);
  });

  test('the name that is made of them follows', () =>
    expect(
      ordered(
        'acetaminophen 325 MG / hydrocodone bitartrate 5 MG Oral Tablet',
        'hydrocodone-acetaminophen 5-325 mg tablet',
      )?.name,
    ).toBe('hydrocodone bitartrate / acetaminophen'));

  test.each([
    ['lidocaine 25 MG/ML / prilocaine 25 MG/ML Topical Cream', 'EMLA 2.5 %-2.5 % cream'],
    ['acetaminophen 325 MG / oxycodone hydrochloride 5 MG Oral Tablet', 'Percocet 325 mg-10 mg tablet'],
    ['acetaminophen 325 MG / oxycodone hydrochloride 5 MG Oral Tablet', 'Percocet tablet'],
  ])('RxNorm’s order stays: %s beside %s', (name, text) => {
    expect(ordered(name, text)).toBeUndefined();
  });

  function ordered(name: string, text: string) {
    const [reading, words] = [readDrugName(name), readDrugName(text)];
    if (reading === undefined || words === undefined) throw new Error('not a drug');
    return inOrderOfText(reading, words);
  }
});

describe('[K2] salts of one drug are known, their sum is what a label states', () => {
  test.each([
    'amphetamine aspartate 7.5 MG / amphetamine sulfate 7.5 MG / dextroamphetamine saccharate 7.5 MG / ' +
      'dextroamphetamine sulfate 7.5 MG Oral Tablet [Adderall]',
    'betamethasone acetate 3 MG/ML / betamethasone sodium phosphate 3 MG/ML Injectable Suspension [Celestone Soluspan]',
    '2 ML penicillin G benzathine 300000 UNT/ML / penicillin G procaine 300000 UNT/ML Prefilled Syringe [Bicillin C-R]',
  ])('%s', (name) => expect(readDrugName(name)?.isInSalts).toBe(true));

  test.each([
    'insulin isophane, human 70 UNT/ML / insulin, regular, human 30 UNT/ML Injectable Suspension [Humulin]',
    'piperacillin 3000 MG / tazobactam 375 MG Injection',
    'carbidopa 25 MG / levodopa 100 MG Oral Tablet',
  ])('no salts of one: %s', (name) => expect(readDrugName(name)?.isInSalts).toBe(false));
});

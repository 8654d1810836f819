import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { compareDrugs } from '../../../src/core/drug/compare-drugs.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import { readDrugName } from '../../../src/core/drug/read-drug-name.ts';
import { readMedication } from '../../../src/core/drug/read-medication.ts';
import { hasPublicData, publicData } from '../../support/public-data.ts';

const knowledge = drugKnowledge(drugNames, ingredientNames);

/** The aspects in which two texts differ, the same in both directions; an unknown one with a question mark. */
function between(left: string, right: string): string[] {
  const [one, other] = [readDrugName(left), readDrugName(right)];
  if (one === undefined || other === undefined) throw new Error('not a drug');
  const told = compareDrugs(one, other, knowledge).map(({ aspect, certainty }) =>
    certainty === 'unknown' ? `${aspect}?` : aspect,
  );
  expect(compareDrugs(other, one, knowledge).map(({ aspect }) => aspect)).toEqual(
    told.map((one) => one.replace('?', '')),
  );
  return told;
}

describe('these agree', () => {
  test.each([
    ['a brand beside its ingredient', 'Jakafi 10 mg tablet', 'ruxolitinib 10 MG Oral Tablet'],
    [
      'a brand in brackets and in capitals',
      '0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]',
      'HUMIRA(CF) PEN 40 MG/0.4 ML',
    ],
    [
      'a brand with its device',
      'etanercept (ENBREL SURECLICK) 50 mg/mL (1 mL) pen injector',
      '1 ML etanercept 50 MG/ML Auto-Injector [Enbrel]',
    ],
    ['a brand that nobody knows, named by both', 'Foobrand 5 mg tablet', 'glipizide 5 MG Oral Tablet [Foobrand]'],
    [
      'an order’s text and an RxNorm name',
      '0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]',
      'adalimumab (HUMIRA) pen 40 mg/0.4 mL',
    ],
    ['a salt and none', 'hydrocodone bitartrate 10 MG Oral Capsule', 'hydrocodone 10 mg capsule'],
    ['a salt and its abbreviation', 'metformin hydrochloride 500 MG Oral Tablet', 'metFORMIN HCl 500 MG Oral Tablet'],
    ['water of crystallization', 'azithromycin dihydrate 250 mg tablet', 'azithromycin 250 MG Oral Tablet'],
    [
      'ingredients in another order',
      'acetaminophen 325 MG / hydrocodone bitartrate 5 MG Oral Tablet',
      'hydrocodone-acetaminophen 5-325 mg tablet',
    ],
    [
      'ingredients in another order, by brand',
      'acetaminophen 325 MG / hydrocodone bitartrate 5 MG Oral Tablet [Norco]',
      'Norco 5-325 mg tablet',
    ],
    [
      'words in another order',
      'insulin human, isophane 70 UNT/ML / Regular Insulin, Human 30 UNT/ML Injectable Suspension',
      'insulin isophane, human 70 UNT/ML / insulin, regular, human 30 UNT/ML Injectable Suspension',
    ],
    ['grams and milligrams', 'amoxicillin 0.5 g capsule', 'amoxicillin 500 MG Oral Capsule'],
    ['mcg and MG', 'levothyroxine sodium 0.05 MG Oral Tablet', 'Synthroid 50 mcg tablet'],
    ['mcg and ug', 'fentanyl 200 mcg lozenge', 'fentanyl 200 UG Oral Lozenge'],
    [
      'UNT and units',
      'insulin glargine 100 UNT/ML Injectable Solution [Lantus]',
      'insulin glargine (LANTUS) injection 100 units/mL',
    ],
    [
      'an amount in a volume and its concentration',
      'amoxicillin 50 MG/ML Oral Suspension',
      'amoxicillin 250 mg/5 mL suspension',
    ],
    [
      'what a container holds and its concentration',
      '0.5 ML golimumab 100 MG/ML Auto-Injector [Simponi]',
      'Simponi 50 mg pen',
    ],
    [
      'the rounding of RxNorm',
      '0.67 ML anakinra 150 MG/ML Prefilled Syringe [Kineret]',
      'Kineret 100 mg/0.67 mL syringe',
    ],
    ['a percentage and MG/ML', 'clobetasol propionate 0.5 MG/ML Topical Cream', 'clobetasol 0.05 % cream 60 g'],
    ['a percentage and MG/MG', 'tacrolimus 0.001 MG/MG Topical Ointment [Protopic]', 'Protopic 0.1 % ointment'],
    ['the sum of two strengths', 'piperacillin 4 g / tazobactam 0.5 g injection', 'Zosyn 4.5gm injection'],
    ['a rate in mcg and in MG', '72 HR fentanyl 0.025 MG/HR Transdermal System', 'fentanyl 25 mcg/hr patch'],
    [
      'a dose of a pen and what it holds',
      '3 ML semaglutide 1.34 MG/ML Pen Injector [Ozempic]',
      'Ozempic 1 mg/dose (4 mg/3 mL) subcutaneous pen injector',
    ],
    ['tab, tablet, Oral Tablet', 'apixaban 5 MG Oral Tablet', 'apixaban 5 mg tab'],
    ['a form in front of the strength', 'methotrexate 2.5 MG Oral Tablet', 'METHOTREXATE Oral Tablet 2.5 MG'],
    ['a pen and an auto-injector', 'Humira Pen 40 mg/0.4 mL', '0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]'],
    [
      'a pen injector and an auto-injector',
      'dupilumab (DUPIXENT) 300 mg/2 mL pen injector',
      '2 ML dupilumab 150 MG/ML Auto-Injector [Dupixent]',
    ],
    [
      'an injection and a syringe',
      'enoxaparin 40 mg/0.4 mL injection',
      '0.4 ML enoxaparin sodium 100 MG/ML Prefilled Syringe',
    ],
    ['ODT and disintegrating', 'Nurtec ODT 75 mg, 8 tablets', 'rimegepant 75 MG Disintegrating Oral Tablet'],
    [
      'a nasal spray by amount and per spray',
      'fluticasone propionate 0.05 MG/ACTUAT Metered Dose Nasal Spray',
      'fluticasone 50 mcg nasal spray',
    ],
    [
      'ER and 24 HR Extended Release',
      '24 HR metformin hydrochloride 500 MG Extended Release Oral Tablet',
      'metformin ER 500 mg tablet',
    ],
    [
      'XR and Extended Release',
      'Xeljanz XR 11 mg tablet',
      '24 HR tofacitinib 11 MG Extended Release Oral Tablet [Xeljanz]',
    ],
    ['XL and 24 HR', '24 HR bupropion hydrochloride 150 MG Extended Release Oral Tablet', 'bupropion XL 150 mg tablet'],
    [
      'SR and 12 HR',
      '12 HR bupropion hydrochloride 150 MG Extended Release Oral Tablet',
      'buPROPion SR (WELLBUTRIN SR) 150 MG 12 hr tablet',
    ],
    ['DR and EC', 'divalproex DR 500 mg tablet', 'divalproex sodium 500 mg EC tablet'],
    [
      'a text that says less of the release',
      '24 HR metformin hydrochloride 500 MG Extended Release Oral Tablet',
      'metformin 500 mg tablet',
    ],
    ['a text that says no strength', 'tofacitinib 5 MG Oral Tablet [Xeljanz]', 'Xeljanz film-coated, 60 count'],
    [
      'the four letters of a biosimilar’s maker beside its own brand',
      'fremanezumab-vfrm 225 mg/1.5 mL',
      'Ajovy 225 mg/1.5 mL',
    ],
    ['an abbreviation', 'HCTZ 25 mg tablet', 'hydrochlorothiazide 25 MG Oral Tablet'],
    [
      'a liquid named by its route and an injection [K10]',
      'Stelara 45 mg/0.5 mL subcutaneous solution',
      '0.5 ML ustekinumab 90 MG/ML Injection [Stelara]',
    ],
    [
      'a powder to be dissolved and an injection [K10]',
      'Remicade 100 mg intravenous recon soln',
      'infliximab 100 MG Injection [Remicade]',
    ],
    [
      'an oil for a muscle and an injectable solution [K10]',
      'testosterone cypionate 200 mg/mL intramuscular oil',
      'testosterone cypionate 200 MG/ML Injectable Solution',
    ],
    [
      'the pen of a drug file and a pen injector [K10]',
      'dulaglutide 1.5 mg/0.5 mL PnIj',
      '0.5 ML dulaglutide 3 MG/ML Pen Injector',
    ],
    ['a vial and an injection [K10]', 'Entyvio 300 mg vial', 'vedolizumab 300 MG Injection [Entyvio]'],
    [
      'the last word of a salt for the release and Extended Release [K14]',
      'phenytoin sodium extended 100 mg capsule',
      'phenytoin sodium 100 MG Extended Release Oral Capsule',
    ],
    ['a release cut short [K14]', 'niacin ext rel 500 mg tablet', 'niacin 500 MG Extended Release Oral Tablet'],
    [
      'enteric coated and delayed release [K14]',
      'aspirin 81 mg enteric coated tablet',
      'aspirin 81 MG Delayed Release Oral Tablet',
    ],
    [
      'the release in the code of a drug file [K14]',
      'METOPROLOL SUCCINATE 50 MG TB24',
      '24 HR metoprolol succinate 50 MG Extended Release Oral Tablet',
    ],
    [
      'the form and its release in front of the strength [K14]',
      'Divalproex Sodium Oral Capsule Delayed Release 300 MG',
      'divalproex sodium 300 MG Delayed Release Oral Capsule',
    ],
    ['Mouth/Throat and oral [K10]', 'Actiq 0.2 MG Mouth/Throat Lozenge', 'fentanyl 0.2 MG Oral Lozenge [Actiq]'],
    ['a device with and without the word for it [K14]', 'Dexcom G6 Sensor device', 'Dexcom G6 Sensor'],
    ['a number that may be two, when one of them fits', 'metformin 1,500 MG Oral Tablet', 'metformin 1500 mg tablet'],
  ])('%s', (_what, left, right) => {
    expect(between(left, right)).toEqual([]);
  });
});

describe('[K13] strengths agree at the digits written, within 3 %', () => {
  test.each([
    ['etanercept 0.5 mg/0.7 mL', '0.7 ML etanercept 0.7 MG/ML Prefilled Syringe'],
    ['anakinra 100 mg/0.67 mL syringe', '0.67 ML anakinra 149 MG/ML Prefilled Syringe [Kineret]'],
    ['estradiol 0.0375 mg/24 hr patch', '84 HR estradiol 0.00156 MG/HR Transdermal System'],
    ['pseudoephedrine 10 mg/3 mL solution', 'pseudoephedrine hydrochloride 3.33 MG/ML Oral Solution'],
    ['albuterol 0.083 % solution', 'albuterol 0.83 MG/ML Inhalation Solution'],
    [
      'aluminum hydroxide-magnesium hydroxide-simethicone 400 mg-400 mg-40 mg/5 mL suspension',
      'Aluminum Hydroxide 80 MG/ML / Magnesium Hydroxide 80 MG/ML / Simethicone 8 MG/ML Oral Suspension',
    ],
    [
      'Celestone Soluspan 6 mg/mL suspension',
      'betamethasone acetate 3 MG/ML / betamethasone sodium phosphate 3 MG/ML Injectable Suspension [Celestone ' +
        'Soluspan]',
    ],
  ])('%s agrees with %s', (left, right) => expect(between(left, right)).toEqual([]));

  test.each([
    ['methotrexate 100 mg tablet', 'methotrexate 101 MG Oral Tablet'],
    ['warfarin 2 mg tablet', 'warfarin sodium 2.5 MG Oral Tablet'],
    ['fentanyl 12 mcg/hr patch', 'fentanyl 0.0125 MG/HR Transdermal System'],
    ['etanercept 0.5 mg/0.7 mL', '0.7 ML etanercept 0.75 MG/ML Prefilled Syringe'],
    ['hydrocodone-acetaminophen 325-5 mg tablet', 'acetaminophen 325 MG / hydrocodone bitartrate 5 MG Oral Tablet'],
  ])('%s differs from %s', (left, right) => expect(between(left, right)).toEqual(['strength']));
});

describe('[K2] salts of one drug are one name', () => {
  test.each([
    [
      'dextroamphetamine-amphetamine 30 mg tablet',
      'amphetamine aspartate 7.5 MG / amphetamine sulfate 7.5 MG / dextroamphetamine saccharate 7.5 MG / ' +
        'dextroamphetamine sulfate 7.5 MG Oral Tablet',
    ],
    ['amoxicillin 875 mg-potassium clavulanate 125 mg tablet', 'amoxicillin 875 MG / clavulanate 125 MG Oral Tablet'],
  ])('%s', (left, right) => expect(between(left, right)).toEqual([]));
});

describe('these differ (V3)', () => {
  test.each([
    ['two drugs', 'metformin hydrochloride 500 MG Oral Tablet', 'glipizide 500 MG Oral Tablet', ['name']],
    ['two drugs whose names look alike', 'prednisone 5 mg tablet', 'prednisolone 5 mg tablet', ['name']],
    ['a brand and another ingredient', 'glipizide 5 MG Oral Tablet', 'Glucophage 5 mg tablet', ['name']],
    [
      'a brand that does not hold the ingredient beside it',
      'metformin (GLUCOTROL) 500 mg tablet',
      'metformin 500 mg tablet',
      ['name'],
    ],
    [
      'two brands of one ingredient',
      'insulin glargine 100 UNT/ML Injectable Solution [Lantus]',
      'Basaglar 100 unit/mL',
      ['name'],
    ],
    ['a biosimilar and the brand of another', 'adalimumab-adaz 40 mg/0.4 mL pen', 'Humira 40 mg/0.4 mL pen', ['name']],
    ['two biosimilars', 'adalimumab-adaz 40 mg/0.4 mL pen', 'adalimumab-atto 40 mg/0.4 mL pen', ['name']],
    ['two salts', 'metoprolol succinate 50 mg tablet', 'metoprolol tartrate 50 mg tablet', ['name']],
    ['an ingredient more', 'Tylenol 500 mg tablet', 'Tylenol PM 500 mg tablet', ['name']],
    ['two strengths', 'tofacitinib 5 MG Oral Tablet [Xeljanz]', 'Xeljanz 10 mg tablet', ['strength']],
    ['ten times the strength', 'warfarin sodium 2.5 MG Oral Tablet', 'warfarin 25 mg tablet', ['strength']],
    [
      'a decimal comma and ten times of it (V2)',
      'metoprolol 12,5 MG Oral Tablet',
      'metoprolol 125 MG Oral Tablet',
      ['strength'],
    ],
    [
      'one of two strengths',
      'acetaminophen 325 MG / hydrocodone bitartrate 10 MG Oral Tablet',
      'Norco 5-325 mg tablet',
      ['strength'],
    ],
    ['one concentration in two containers', 'Humira 80 mg/0.8 mL pen', 'Humira 40 mg/0.4 mL pen', ['strength']],
    ['one amount in two volumes', 'Humira 40 mg/0.8 mL pen', 'Humira 40 mg/0.4 mL pen', ['strength']],
    ['more than the rounding of RxNorm', 'x 100 MG Oral Tablet', 'x 102 mg tablet', ['strength']],
    [
      'a number that may be two, when neither fits',
      'metformin 1,500 MG Oral Tablet',
      'metformin 500 mg tablet',
      ['strength'],
    ],
    ['a tablet and an injection', 'methotrexate 25 mg tablet', 'methotrexate 25 MG Injection', ['form']],
    ['a tablet and a capsule', 'ursodiol 250 mg tablet', 'ursodiol 250 MG Oral Capsule', ['form']],
    [
      'a pen and a syringe',
      'Humira 40 mg/0.4 mL pen',
      '0.4 ML adalimumab 100 MG/ML Prefilled Syringe [Humira]',
      ['form'],
    ],
    ['a cream and an ointment', 'clobetasol 0.05 % cream', 'clobetasol propionate 0.05 % Topical Ointment', ['form']],
    [
      'a disintegrating and a plain tablet',
      'clozapine 100 MG Disintegrating Oral Tablet',
      'clozapine 100 MG Oral Tablet',
      ['release'],
    ],
    ['eye and ear', 'ofloxacin 3 MG/ML Ophthalmic Solution', 'ofloxacin 3 MG/ML Otic Solution', ['route']],
    [
      'ER in the text, plain in the display',
      'metformin hydrochloride 500 MG Oral Tablet',
      'metformin ER 500 mg tablet',
      ['release'],
    ],
    ['SR and XL', 'bupropion SR 150 mg tablet', 'bupropion XL 150 mg tablet', ['release']],
    [
      '12 HR and XL',
      '12 HR bupropion hydrochloride 150 MG Extended Release Oral Tablet',
      'bupropion XL 150 mg 24 hr tablet',
      ['release'],
    ],
    ['DR and ER', 'divalproex DR 500 mg tablet', 'divalproex ER 500 mg tablet', ['release']],
    ['IR and ER', 'oxycodone IR 10 mg tablet', 'oxycodone ER 10 mg tablet', ['release']],
  ])('%s', (_what, left, right, aspects) => {
    expect(between(left, right)).toEqual(aspects);
  });
});

describe('these cannot be told apart: a warning, no question', () => {
  test.each([
    ['a brand that nobody knows', 'glipizide 5 MG Oral Tablet', 'Foobrand 5 mg tablet', ['name?']],
    ['milligrams and units', 'x 10 MG Injection', 'x 500 units injection', ['strength?']],
    [
      'one of two strengths alone',
      'hydrocodone-acetaminophen 5-325 mg tablet',
      'hydrocodone-acetaminophen 5 mg tablet',
      ['strength?'],
    ],
    ['a name with one wrong letter', 'Alemtuzumab 10 mg/mL', 'Alemtuzamab 10 mg/mL', ['name?']],
  ])('%s', (_what, left, right, aspects) => {
    expect(between(left, right)).toEqual(aspects);
  });
});

describe('a Medication and a name', () => {
  const xeljanz = {
    resourceType: 'Medication' as const,
    form: { text: 'Tablet' },
    ingredient: [
      {
        itemCodeableConcept: { text: 'tofacitinib' },
        strength: { numerator: { value: 5, unit: 'mg' }, denominator: { value: 1, unit: 'tablet' } },
      },
    ],
  };

  test.each([
    ['tofacitinib 5 MG Oral Tablet [Xeljanz]', []],
    ['Xeljanz 5mg tabs (brand)', []],
    ['tofacitinib 10 MG Oral Tablet [Xeljanz]', ['strength']],
    ['Humira 40 mg/0.4 mL pen', ['name', 'strength', 'form']],
  ])('%s', (text, aspects) => {
    const [structure, name] = [readMedication(xeljanz), readDrugName(text)];
    if (structure === undefined || name === undefined) throw new Error('not read');
    expect(compareDrugs(structure, name, knowledge).map(({ aspect }) => aspect)).toEqual(aspects);
  });
});

test.skipIf(!hasPublicData)('no name of a drug in RxNorm is taken for another', () => {
  const displays = readFileSync(publicData('tables', 'rxnorm-displays.csv'), 'utf8')
    .split('\n')
    .flatMap((line) => /^\d+,([a-z][a-z ]+) [\d.]+ MG Oral (?:Tablet|Capsule),/.exec(line)?.[1] ?? []);
  const names = [...new Set(displays.map((name) => name.split(' ')[0] ?? ''))];
  const alike = names.flatMap((left, index) =>
    names
      .slice(index + 1)
      .filter((right) => !between(`${left} 5 MG Oral Tablet`, `${right} 5 MG Oral Tablet`).includes('name'))
      .map((right) => `${left} ${right}`),
  );
  expect(names.length).toBeGreaterThan(70);
  expect(alike).toEqual([]);
});

test('a reading agrees with itself', () => {
  for (const text of [
    'metformin',
    'Foobrand 5 mg',
    'vancomycin 1,250 mg',
    '{35 (lamotrigine 25 MG Oral Tablet) } Pack',
  ])
    expect(between(text, text)).toEqual([]);
});

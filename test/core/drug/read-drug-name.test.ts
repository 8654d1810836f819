import { describe, expect, test } from 'vitest';
import { readDrugName } from '../../../src/core/drug/read-drug-name.ts';

/** name | ingredients | strength | form | certain, as one line; "no drug" when none is named. */
function told(text: string): string {
  const reading = readDrugName(text);
  if (reading === undefined) return 'no drug';
  const { name, ingredients, strength, form, isCertain } = reading;
  return [name, ingredients.join(' + '), strength ?? '-', form ?? '-', isCertain ? 'certain' : 'uncertain'].join(' | ');
}

describe('displays of NDC codings are read', () => {
  test.each([
    ['Jakafi 10 mg tablet', 'Jakafi | Jakafi | 10 mg | tablet | certain'],
    ['HUMIRA(CF) PEN 40 MG/0.4 ML', 'HUMIRA(CF) | HUMIRA(CF) | 40 MG/0.4 ML | PEN | certain'],
    ['Humira Pen 40 mg/0.4 mL, 2 pens', 'Humira | Humira | 40 mg/0.4 mL | Pen | certain'],
    [
      'Cosentyx Sensoready 150 mg/mL, 2 pens',
      'Cosentyx Sensoready | Cosentyx Sensoready | 150 mg/mL | Sensoready | certain',
    ],
    ['Nurtec ODT 75 mg, 8 tablets', 'Nurtec ODT | Nurtec ODT | 75 mg | ODT | certain'],
    ['ondansetron odt 4mg', 'ondansetron odt | ondansetron odt | 4mg | odt | certain'],
    ['Proventil HFA 90 mcg/actuation', 'Proventil HFA | Proventil HFA | 90 mcg/actuation | HFA | certain'],
    ['Rayos 5 mg delayed-release tablet', 'Rayos DR | Rayos | 5 mg | tablet | certain'],
    ['Myleran 2mg tablet, film coated', 'Myleran | Myleran | 2 mg | tablet film coated | certain'],
    ['Novolog 100u/ml', 'Novolog | Novolog | 100u/ml | - | certain'],
    ['Zosyn (piperacillin/tazobactam) 4.5gm injection', 'Zosyn | Zosyn | 4.5gm | injection | certain'],
    [
      'Proventil HFA 90mcg/actuat metered dose inhaler, 200 actuat',
      'Proventil HFA | Proventil HFA | 90mcg/actuat | metered dose inhaler | certain',
    ],
    [
      'Humira (2 Pen) 40 MG/0.4ML Subcutaneous Auto-injector Kit',
      'Humira | Humira | 40 MG/0.4ML | Subcutaneous Auto-injector Kit | certain',
    ],
  ])('%s', (text, expected) => {
    expect(told(text)).toBe(expected);
  });
});

describe('texts of orders are read', () => {
  test.each([
    ['adalimumab (HUMIRA) pen 40 mg/0.4 mL', 'adalimumab (HUMIRA) | adalimumab | 40 mg/0.4 mL | pen | certain'],
    // the number of a vitamin is part of its name
    [
      'Vitamin B 12 5 MG/ML Injectable Solution',
      'Vitamin B 12 | Vitamin B 12 | 5 MG/ML | Injectable Solution | certain',
    ],
    ['coenzyme Q 10 100 mg capsule', 'coenzyme Q 10 | coenzyme Q 10 | 100 mg | capsule | certain'],
    ['Rinvoq 15 MG Tablet Extended Release 24 Hour', 'Rinvoq ER 24 Hour | Rinvoq | 15 MG | Tablet | certain'],
    ['METHOTREXATE Oral Tablet 2.5 MG', 'METHOTREXATE | METHOTREXATE | 2.5 MG | Oral Tablet | certain'],
    [
      'metFORMIN HCl ER 500 MG Oral Tablet Extended Release 24 Hour',
      'metFORMIN HCl ER 24 Hour | metFORMIN HCl | 500 MG | Oral Tablet | certain',
    ],
    ['Cymbalta 60 mg capsule,delayed release', 'Cymbalta DR | Cymbalta | 60 mg | capsule | certain'],
    [
      'insulin glargine (LANTUS SOLOSTAR) 100 unit/mL (3 mL) pen',
      'insulin glargine (LANTUS SOLOSTAR) | insulin glargine | 100 unit/mL | pen | certain',
    ],
    [
      'hydrocodone-acetaminophen 5-325 mg tablet',
      'hydrocodone-acetaminophen | hydrocodone + acetaminophen | hydrocodone 5 mg / acetaminophen 325 mg ' +
        '| tablet | certain',
    ],
    [
      'sacubitril-valsartan (ENTRESTO) 24-26 mg per tablet',
      'sacubitril-valsartan (ENTRESTO) | sacubitril + valsartan | sacubitril 24 mg / valsartan 26 mg ' +
        '| tablet | certain',
    ],
    ['Entresto 24 mg-26 mg tablet', 'Entresto | Entresto | 24 mg-26 mg | tablet | certain'],
    ['levothyroxine 50 mcg (0.05 mg) tablet', 'levothyroxine | levothyroxine | 50 mcg | tablet | certain'],
    ['clobetasol 0.05 % cream 60 g', 'clobetasol | clobetasol | 0.05 % | cream | certain'],
    ['lisinopril oral 10 mg', 'lisinopril | lisinopril | 10 mg | - | certain'],
    [
      'Proair HFA 108 (90 Base) MCG/ACT Aerosol Solution',
      'Proair HFA | Proair HFA | 90 MCG/ACT | Aerosol Solution | certain',
    ],
    [
      'Methotrexate (Anti-Rheumatic) 2.5 MG Oral Tablet',
      'Methotrexate | Methotrexate | 2.5 MG | Oral Tablet | certain',
    ],
    ['heparin (PORCINE) 5,000 unit/mL injection', 'heparin | heparin | 5000 unit/mL | injection | certain'],
    [
      'oxyCODONE-acetaminophen 5-325 mg per tablet',
      'oxyCODONE-acetaminophen | oxyCODONE + acetaminophen | oxyCODONE 5 mg / acetaminophen 325 mg ' +
        '| tablet | certain',
    ],
    ['Depo-Provera 150 mg/mL injection', 'Depo-Provera | Depo-Provera | 150 mg/mL | injection | certain'],
    ['NovoLOG Mix 70-30 100 unit/mL', 'NovoLOG Mix 70-30 | NovoLOG Mix 70-30 | 100 unit/mL | - | certain'],
    [
      'norgestimate-ethinyl estradiol (SPRINTEC,MONO-LINYAH) tablet 0.25-35 mg-mcg',
      'norgestimate-ethinyl estradiol (SPRINTEC,MONO-LINYAH) | norgestimate + ethinyl estradiol ' +
        '| norgestimate 0.25 mg / ethinyl estradiol 35 mcg | tablet | certain',
    ],
  ])('%s', (text, expected) => {
    expect(told(text)).toBe(expected);
  });
});

describe('what is not wholly understood is not certain', () => {
  test.each([
    ['a name alone', 'Botox', 'Botox | Botox | - | - | uncertain'],
    ['words that nothing is known of', 'Dopamine 400mg in 500mL D5W', 'Dopamine | Dopamine | 400mg | - | uncertain'],
    [
      'a mixture',
      'vancomycin 1,250 mg + Sodium Chloride 0.9% 250 mL',
      'vancomycin + Sodium Chloride | vancomycin + Sodium Chloride | - | - | uncertain',
    ],
    [
      'a pen that gives one of two doses',
      'semaglutide (OZEMPIC) 0.25 mg or 0.5 mg (2 mg/3 mL) pen injector',
      'semaglutide (OZEMPIC) | semaglutide | 2 mg/3 mL | pen injector | certain',
    ],
    [
      'strengths without units',
      'Trikafta 100-50-75 & 150 MG Oral Tablet Therapy Pack',
      'Trikafta | Trikafta | - | Oral Tablet Pack | uncertain',
    ],
  ])('%s', (_what, text, expected) => {
    expect(told(text)).toBe(expected);
  });

  test.each(['dopamine 5 mcg/kg/min', 'dopamine 5 mg/kg', 'fentaNYL 25 mcg/hr', 'dopamine 5 mg/hr injection'])(
    'a dose or a rate is no strength (V10): %s',
    (text) => {
      expect(readDrugName(text)).toMatchObject({ amounts: [], isCertain: false });
      expect(readDrugName(text)?.strength).toBeUndefined();
    },
  );

  test('the rate of a patch is its strength', () => {
    expect(told('fentanyl 25 mcg/hr patch')).toBe('fentanyl | fentanyl | 25 mcg/hr | patch | certain');
    expect(told('168 HR buprenorphine 0.02 MG/HR Transdermal System')).toBe(
      'buprenorphine | buprenorphine | 0.02 MG/HR | Transdermal System | certain',
    );
  });
});

describe('a decimal comma is no divider (V2)', () => {
  test.each([
    ['metoprolol 12,5 MG Oral Tablet', '12.5 MG'],
    ['digoxin 0,125 MG Oral Tablet', '0.125 MG'],
    ['Lanoxin 0,125 mg tablet', '0.125 mg'],
    ['1,5 ML adalimumab 100 MG/ML Auto-Injector', '150 MG/1.5 ML'],
    ['heparin 1,000 UNT/ML Injectable Solution', '1000 UNT/ML'],
    ['heparin 12,500 UNT/ML Injectable Solution', '12500 UNT/ML'],
    ['metformin 1,000 mg tablet', '1000 mg'],
    ['.5 ML golimumab 100 MG/ML Auto-Injector', '50 MG/0.5 ML'],
  ])('%s', (text, strength) => {
    expect(readDrugName(text)?.strength).toBe(strength);
  });

  test.each(['metformin 1,500 MG Oral Tablet', 'vancomycin 1,250 mg injection'])('%s is not certain', (text) => {
    const reading = readDrugName(text);
    expect(reading).toMatchObject({ amounts: [], isCertain: false });
    expect(reading?.strength).toBeUndefined();
    expect(reading?.refused).toBe('unclear_number');
  });
});

describe('the kind of release is part of the name that is sent', () => {
  test.each([
    [
      '24 HR tofacitinib 11 MG Extended Release Oral Tablet [Xeljanz]',
      'Xeljanz ER 24 HR',
      { kind: 'extended', hours: 24 },
    ],
    ['Xeljanz XR 11 mg tablet', 'Xeljanz XR', { kind: 'extended' }],
    ['upadacitinib 15 mg ER tablet', 'upadacitinib ER', { kind: 'extended' }],
    [
      '12 HR bupropion hydrochloride 150 MG Extended Release Oral Tablet',
      'bupropion hydrochloride ER 12 HR',
      { kind: 'extended', hours: 12 },
    ],
    ['buPROPion XL (WELLBUTRIN XL) 150 mg 24 hr tablet', 'buPROPion (WELLBUTRIN XL)', { kind: 'extended', hours: 24 }],
    ['aspirin EC 81 mg tablet', 'aspirin EC', { kind: 'delayed' }],
    [
      '30/70 Release 24 HR methylphenidate hydrochloride 10 MG Extended Release Oral Capsule',
      'methylphenidate hydrochloride ER 24 HR',
      { kind: 'extended', hours: 24 },
    ],
  ])('%s', (text, name, release) => {
    expect(readDrugName(text)).toMatchObject({ name, release });
  });

  test('hours that a patch is worn are none', () => {
    expect(readDrugName('72 HR fentanyl 0.025 MG/HR Transdermal System')?.release).toBeUndefined();
  });
});

describe('a name of a class or a fragment is no drug (V5)', () => {
  test.each([
    'ACE inhibitors, plain',
    'Beta blocking agents',
    '250 mg capsule',
    'oral tablet',
    '10 MG',
    'prescribed medication',
    'tablet 5 mg',
    '',
    ' ',
    '-',
  ])('“%s”', (text) => {
    expect(readDrugName(text)).toBeUndefined();
  });
});

test('a strength that is computed says so, one that is stated does not', () => {
  expect(readDrugName('0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]')).toMatchObject({
    strength: '40 MG/0.4 ML',
    isDerived: true,
  });
  expect(readDrugName('Humira Pen 40 mg/0.4 mL')).toMatchObject({ strength: '40 mg/0.4 mL', isDerived: false });
});

describe('hostile texts throw nothing', () => {
  const long = 2000;
  test.each([
    ['a megabyte', 'a'.repeat(1_000_000)],
    ['open parentheses', '('.repeat(long)],
    ['nested parentheses', `${'('.repeat(long / 2)}${')'.repeat(long / 2)}`],
    ['numbers', '1 '.repeat(long / 2)],
    ['numbers with commas', '1,'.repeat(long / 2)],
    ['numbers with dashes', '1-'.repeat(long / 2)],
    ['strengths', '1 mg '.repeat(long / 5)],
    ['components', 'a 1 MG / '.repeat(long / 9)],
    ['blanks', `a${' '.repeat(long - 2)}b`],
    ['braces', `{${'1 (a 1 MG) / '.repeat(long / 13)}} Pack`],
    ['brackets', `a 1 MG ${'['.repeat(long - 10)}]`],
    ['release words', 'extended '.repeat(long / 9)],
  ])('%s', (_what, text) => {
    expect(() => readDrugName(text)).not.toThrow();
  });
});

describe('a text that names no drug has no name (V5)', () => {
  test.each([
    ['azathioprine 50 MG Oral Tablet [Imuran]', 'Imuran'],
    ['azathioprine', 'azathioprine'],
    ['Sandostatin LAR', 'Sandostatin LAR'],
  ])('%s', (text, name) => {
    expect(readDrugName(text)?.name).toBe(name);
  });

  test.each(['ACE inhibitors, plain', '250 mg capsule', '10 MG', 'Oral Tablet'])('%s is none', (text) => {
    expect(readDrugName(text)?.name).toBeUndefined();
  });
});

describe('commas of one text mean one thing', () => {
  test.each([
    ['PREPOPIK 12,000 MG-3,500 MG-10 MG ORAL POWDER', '12000 MG-3500 MG-10 MG'],
    ['vancomycin 1,250 mg/12.5 mL vial', '1250 mg/12.5 mL'],
    ['foobarin 1,125 mg/0,5 mL vial', '1.125 mg/0,5 mL'],
    ['amylase 39,150 unit-foobarin 1,250 mg capsule', 'amylase 39150 unit / foobarin 1250 mg'],
  ])('%s', (text, strength) => expect(readDrugName(text)?.strength).toBe(strength));

  test.each(['vancomycin 1,250 mg vial', 'foobarin 1,125 mg/2 mL vial'])('nothing else tells: %s', (text) => {
    expect(readDrugName(text)?.strength).toBeUndefined();
  });
});

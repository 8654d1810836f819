import { describe, expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import { withoutMarks } from '../../../src/core/drug/order-marks.ts';
import type { DrugReading } from '../../../src/core/drug/reading.ts';
import { readDrugs } from '../../../src/core/drug/several-drugs.ts';

const knowledge = drugKnowledge(drugNames, ingredientNames);

function read(text: string): DrugReading | undefined {
  const [reading, ...more] = readDrugs(text, knowledge);
  expect(more).toEqual([]);
  return reading;
}

describe('an alert, a count, a mark of a list and a flag are no part of the name [K1]', () => {
  test.each([
    '[HIGH ALERT] Xeljanz 5 mg tablet',
    '{LASA} Xeljanz 5 mg tablet',
    '*** HAZARDOUS DRUG *** Xeljanz 5 mg tablet',
    'LOOK-ALIKE/SOUND-ALIKE: Xeljanz 5 mg tablet',
    'URGENT: Xeljanz 5 mg tablet',
    'Rx: Xeljanz 5 mg tablet',
    'New Rx - Xeljanz 5 mg tablet',
    '#60 Xeljanz 5 mg tablet',
    '60 Xeljanz 5 mg tablet',
    '1 x Xeljanz 5 mg tablet',
    '1. Xeljanz 5 mg tablet',
    'b) Xeljanz 5 mg tablet',
    '• Xeljanz 5 mg tablet',
    '60 tablets of Xeljanz 5 mg tablet',
    '11/20/2026 Xeljanz 5 mg tablet',
    '(Xeljanz 5 mg tablet)',
    'Xeljanz 5 mg tablet #60',
    'Xeljanz 5 mg tablet x60',
    'Xeljanz 5 mg tablet, qty: 60',
    'Xeljanz 5 mg tablet, 3 refills',
    'Xeljanz 5 mg tablet (PA/QL)',
    'Xeljanz 5 mg tablet - PA required',
    'Xeljanz 5 mg tablet [specialty]',
    'Xeljanz 5 mg tablet - 90 day supply',
    'Xeljanz 5 mg tablet (started 11/20/2026)',
    'Xeljanz 5 mg tablet Brand medically necessary',
    'Xeljanz 5 mg tablet, take 1 tablet by mouth twice daily',
    'Xeljanz 5 mg tab po bid',
  ])('%s', (text) => {
    expect(read(text)).toMatchObject({ name: 'Xeljanz', strength: '5 mg', isCertain: true, unread: [], states: [] });
  });
});

describe('words of an order’s state question the order and are no part of the name [K1]', () => {
  test.each([
    ['DISCONTINUED - Xeljanz 5 mg tablet', 'DISCONTINUED'],
    ['D/C Xeljanz 5 mg tablet', 'D/C'],
    ['Hold: Xeljanz 5 mg tablet', 'Hold'],
    ['Xeljanz 5 mg tablet - ON HOLD until 3/1', 'ON HOLD until 3/1'],
    ['Xeljanz 5 mg tablet - HOLD for surgery on 12/3', 'HOLD for surgery on 12/3'],
    ['DO NOT FILL Xeljanz 5 mg tablet', 'DO NOT FILL'],
    ['Xeljanz 5 mg tablet (Expired)', 'Expired'],
    ['[CANCELLED] Xeljanz 5 mg tablet', 'CANCELLED'],
    ['** DUPLICATE ** Xeljanz 5 mg tablet', 'DUPLICATE'],
    ['Sample - Xeljanz 5 mg tablet', 'Sample'],
    ['Xeljanz 5 mg tablet - samples given', 'samples given'],
    ['Xeljanz 5 mg tablet - NON-FORMULARY', 'NON-FORMULARY'],
    ['Xeljanz DISCONTINUED 5 mg tablet', 'DISCONTINUED'],
    ['Xeljanz 5 mg tablet (inactive)', 'inactive'],
    ['PENDING: Xeljanz 5 mg tablet', 'PENDING'],
    ['patient supplied Xeljanz 5 mg tablet', 'patient supplied'],
    ['Xeljanz (replaced by Rinvoq) 5 mg tablet', 'replaced by Rinvoq'],
    ['Xeljanz 5 mg tablet (old)', 'old'],
  ])('%s', (text, state) => {
    expect(read(text)).toMatchObject({ name: 'Xeljanz', strength: '5 mg', states: [state], unread: [] });
  });

  test('a state without a drug is a state all the same', () => {
    expect(read('ON HOLD')).toMatchObject({ states: ['ON HOLD'], ingredients: [] });
  });

  test.each(['Xeljanz 5 mg tablet [NF]', 'RFL Xeljanz 5 mg tablet', 'Refill: Xeljanz 5 mg tablet'])(
    'a flag questions nothing and is told: %s',
    (text) =>
      expect(read(text)).toMatchObject({ name: 'Xeljanz', states: [], unread: [], flags: [expect.any(String)] }),
  );
});

describe('what is not accounted for makes the name uncertain [K1]', () => {
  test.each([
    ['ZZZ tofacitinib 5 mg tablet', 'tofacitinib', 'ZZZ'],
    ['[AZX] tofacitinib 5 mg tablet', 'tofacitinib', 'AZX'],
    ['tofacitinib 5 mg tablet [ZQX]', 'tofacitinib', 'ZQX'],
    ['tofacitinib 5 mg tablet (Zqx)', 'tofacitinib', 'Zqx'],
    ['tofacitinib (left hip only) 5 mg tablet', 'tofacitinib', 'left hip only'],
    ['3-IN-1 tofacitinib 5 mg tablet', 'tofacitinib', '3-IN-1'],
    ['KEEP - vutrisiran 25 mg/0.5 mL syringe', 'KEEP - vutrisiran', 'KEEP'],
    ['QRS vutrisiran 25 mg/0.5 mL syringe', 'QRS vutrisiran', 'QRS'],
    ['LDN (low dose naltrexone) 4.5 mg capsule', 'low dose naltrexone', 'LDN'],
    ['tofacitinib 5 mg tablet brandless thing', 'tofacitinib', 'brandless'],
    ['foo vutrisiran 25 mg/0.5 mL syringe', 'foo vutrisiran', 'foo'],
    ['Zzz Vutrisiran 25 mg/0.5 mL syringe', 'Zzz Vutrisiran', 'Zzz'],
    ['ZZZ Vutrisiran 25 MG Injection', 'ZZZ Vutrisiran', 'ZZZ'],
    ['NP Thyroid 60 mg tablet', 'NP Thyroid', 'NP'],
    ['ZZZ VUTRISIRAN 25 MG INJECTION', 'ZZZ VUTRISIRAN', 'ZZZ'],
    ['office vutrisiran 25 mg/0.5 mL syringe', 'office vutrisiran', 'office'],
    ['vutrisiran blah 25 mg/0.5 mL syringe', 'vutrisiran blah', 'blah'],
    ['Xeljanz 5 mg tablet (do not substitute tablet)', 'Xeljanz', 'do not substitute tablet'],
    ['Xeljanz 5 mg (left arm patch) tablet', 'Xeljanz', 'left arm patch'],
    ['Xeljanz 5 mg tablet (tablet crushed)', 'Xeljanz', 'crushed'],
    ['Xeljanz 5 mg tablet (pen for Tuesday)', 'Xeljanz', 'Tuesday'],
    ['Xeljanz (5 mg Tuesday) tablet', 'Xeljanz', 'Tuesday'],
    ['Xeljanz 5 mg tablet (2 tablets lost)', 'Xeljanz', 'lost'],
  ])('%s', (text, name, word) => {
    const reading = read(text);
    expect(reading).toMatchObject({ name, isCertain: false });
    expect(reading?.unread).toContain(word);
  });
});

describe('HFA says how the drug is given and is no part of an ingredient [K14]', () => {
  test.each([
    ['formoterol HFA 4.5 mcg/actuation', 'formoterol'],
    ['albuterol sulfate HFA 90 mcg/actuation aerosol inhaler', 'albuterol sulfate'],
    ['albuterol sulfate HFA 90 mcg base/actuation aerosol inhaler', 'albuterol sulfate'],
    ['budesonide-formoterol HFA 160-4.5 mcg/actuation aerosol inhaler', 'budesonide-formoterol'],
    ['albuterol sulfate HFA (PROAIR HFA) 90 mcg/actuation HFAA', 'albuterol sulfate (PROAIR HFA)'],
    ['ProAir HFA 90 mcg/actuation aerosol inhaler', 'ProAir HFA'],
  ])('%s', (text, name) => {
    expect(read(text)).toMatchObject({ name, unread: [], isCertain: true });
  });

  test('beside each strength stands the ingredient alone', () => {
    expect(read('budesonide-formoterol HFA 160 mcg-4.5 mcg/actuation aerosol inhaler')).toMatchObject({
      name: 'budesonide-formoterol',
      strength: 'budesonide 160 mcg/actuation / formoterol 4.5 mcg/actuation',
    });
  });
});

test.each(['COMETRIQ 60 MG DAILY DOSE', 'Lenvima 18 mg daily dose capsule', 'cabozantinib 60 mg daily dose carton'])(
  'a dose of a day is no strength [K2]: %s',
  (text) => {
    expect(read(text)).toMatchObject({ strength: undefined, refused: 'only_a_dose' });
  },
);

test.each([
  ['albuterol sulfate 90 mcg base/actuation aerosol powder breath activated', '90 mcg/actuation'],
  ['azithromycin 200 mg base/5 mL oral suspension', '200 mg/5 mL'],
  ['levalbuterol tartrate 45 mcg base/actuation aerosol inhaler', '45 mcg/actuation'],
])('a mass of the base in a measure is a strength [K12]: %s', (text, strength) => {
  expect(read(text)).toMatchObject({ strength, unread: [], isCertain: true });
});

describe('names that look like more than a name are whole', () => {
  test.each([
    ['vutrisiran (AMVUTTRA) 25 mg/0.5 mL subcutaneous syringe', 'vutrisiran (AMVUTTRA)'],
    ['tofacitinib 5 MG Oral Tablet [Xeljanz]', 'Xeljanz'],
    ['5-fluorouracil 5 % topical cream', '5-fluorouracil'],
    ['6-mercaptopurine 50 mg tablet', '6-mercaptopurine'],
    ['Tylenol #3 tablet', 'Tylenol #3'],
    ['fish oil 1,000 mg capsule', 'fish oil'],
    ['methoxy polyethylene glycol-epoetin beta 0.1 mg/0.3 mL syringe', 'methoxy polyethylene glycol-epoetin beta'],
    ['vutrisiran sodium 25 mg/0.5 mL syringe', 'vutrisiran sodium'],
    ['Vutrisiran Pen 25 mg/0.5 mL', 'Vutrisiran'],
    ['foo vutrisiran 25 MG/ML Injection', 'foo vutrisiran'],
    ['Vitamin D3 1,000 unit tablet', 'Vitamin D3'],
    ['heparin sodium, porcine 20000 UNT/ML Injectable Solution', 'heparin sodium, porcine'],
    ['INSULIN,GLARGINE,HUMAN 100 UNT/ML INJ,SOLN,PEN,3ML', 'INSULIN, GLARGINE, HUMAN'],
    ['fluticasone propion-salmeterol 250-50 mcg/dose DsDv', 'fluticasone propion-salmeterol'],
    [
      'insulin glargine (LANTUS SOLOSTAR U-100 INSULIN) 100 unit/mL (3 mL) InPn',
      'insulin glargine (LANTUS SOLOSTAR U-100 INSULIN)',
    ],
    ['tab aptiom 200mg', 'aptiom'],
    ['Hold-Tite 5 mg tablet', 'Hold-Tite'],
  ])('%s', (text, name) => {
    expect(read(text)).toMatchObject({ name, unread: [], states: [] });
  });
});

test('takes time in proportion to the length of a hostile text [K1]', () => {
  const started = process.cpuUsage();
  for (const part of ['[HOLD ', '- - ', '(NF) ', '#1 ', 'do not ', '1 x ', 'pending ', '* : ; '])
    withoutMarks(part.repeat(499 / part.length));
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
});

import { describe, expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import type { DrugReading } from '../../../src/core/drug/reading.ts';
import { readDrugs } from '../../../src/core/drug/several-drugs.ts';

const knowledge = drugKnowledge(drugNames, ingredientNames);

function read(text: string): DrugReading | undefined {
  const [reading, ...more] = readDrugs(text, knowledge);
  expect(more).toEqual([]);
  return reading;
}

describe('a number or a time in front is no part of the name [K1]', () => {
  test.each([
    ['1/2 metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', '1/2'],
    ['0.5 metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', '0.5'],
    ['1-2 metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', '1-2'],
    ['1/2-1 metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', '1/2-1'],
    ['30/30 METOPROLOL TARTRATE 50 MG TABLET', 'METOPROLOL TARTRATE', '30/30'],
    ['90d metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', '90d'],
    ['q12h metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', 'q12h'],
    ['2w Xeljanz 5 mg tablet', 'Xeljanz', '2w'],
    ['90d hydrocodone-acetaminophen 5-325 mg tablet', 'hydrocodone / acetaminophen', '90d'],
    ['2.5 Xeljanz 5 mg tablet', 'Xeljanz', '2.5'],
    ['1/2 vutrisiran 25 mg/0.5 mL syringe', 'vutrisiran', '1/2'],
    ['q8h vutrisiran 25 mg/0.5 mL syringe', 'vutrisiran', 'q8h'],
  ])('%s', (text, name, word) => {
    const reading = read(text);
    expect(reading).toMatchObject({ name, isCertain: false });
    expect(reading?.unread).toContain(word);
  });

  test('nor of the name beside a strength', () => {
    const strength = 'hydrocodone 5 mg / acetaminophen 325 mg';
    expect(read('1/2 hydrocodone-acetaminophen 5-325 mg tablet')).toMatchObject({ strength });
  });

  test.each(['B12 cyanocobalamin 1,000 mcg tablet', '8-MOP 10 mg capsule', '5-fluorouracil 5 % cream'])(
    'in it: %s',
    (text) => expect(read(text)?.unread).toEqual([]),
  );
});

describe('a word hyphenated to a known drug is no part of it [K1]', () => {
  test.each([
    ['zz-metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', 'zz'],
    ['DC-metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', 'DC'],
    ['old-metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', 'old'],
    ['x-metoprolol 50 mg tablet', 'metoprolol', 'x'],
    ['TEST-tofacitinib 5 MG Oral Tablet', 'tofacitinib', 'TEST'],
    ['OLD-METOPROLOL 50 MG TABLET', 'METOPROLOL', 'OLD'],
    ['DISCONTINUED-metoprolol 50 mg tablet', 'metoprolol', 'DISCONTINUED'],
    ['NON-FORMULARY-tofacitinib 5 mg tablet', 'tofacitinib', 'NON-FORMULARY'],
    ['dup-Xeljanz 5 mg tablet', 'Xeljanz', 'dup'],
    ['hold-vutrisiran 25 mg/0.5 mL syringe', 'vutrisiran', 'hold'],
    ['metoprolol-zz 50 mg tablet', 'metoprolol', 'zz'],
    ['office-metoprolol 50 mg tablet', undefined, 'office'],
  ])('%s', (text, name, word) => {
    const reading = read(text);
    expect(reading).toMatchObject({ name, isCertain: false });
    expect(reading?.unread).toContain(word);
  });

  test.each([
    '6-mercaptopurine 50 mg tablet',
    'p-hydroxyamphetamine 10 mg/mL eye drops',
    'ampicillin-sulbactam 3 gram solution for injection',
    'tbo-filgrastim 300 mcg/0.5 mL subcutaneous syringe',
    'ziv-aflibercept 100 mg/4 mL intravenous solution',
    'Depo-Testosterone 200 mg/mL intramuscular oil',
    'dextroamphetamine-amphetamine 20 mg tablet',
    'metoprolol-succinate 50 mg tablet',
    'adalimumab-adaz 40 mg/0.4 mL pen injector',
    'ketamine-gabapentin 10-6 % topical cream',
    'interferon beta-1a 30 mcg/0.5 mL syringe',
    'Xeljanz-XR 11 mg tablet',
    'alum-mag hydroxide-simeth 400 mg-400 mg-40 mg/5 mL Suspension',
  ])('but: %s', (text) => expect(read(text)?.unread).toEqual([]));
});

describe('a word beside a known drug is asked, and a test is no order [K1]', () => {
  test.each([
    ['TEST metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', 'TEST'],
    ['metoprolol tartrate TEST 50 mg tablet', 'metoprolol tartrate', 'TEST'],
    ['TEST vutrisiran 25 mg/0.5 mL syringe', 'vutrisiran', 'TEST'],
    ['TEST MAGNESIUM SULFATE 2 GRAM INTRAVENOUS SOLUTION', 'MAGNESIUM SULFATE', 'TEST'],
    ['monitor Xeljanz 5 mg tablet', 'Xeljanz', 'monitor'],
    ['START metoprolol tartrate 50 mg tablet', 'metoprolol tartrate', 'START'],
    ['treatment tofacitinib 5 mg tablet', 'tofacitinib', 'treatment'],
  ])('%s', (text, name, word) => {
    const reading = read(text);
    expect(reading).toMatchObject({ name, isCertain: false });
    expect(reading?.unread).toContain(word);
  });

  test('nor does it stand in the strength of one ingredient of several', () => {
    const reading = read('START sodium phosphate dihydrate 88 mg/mL / calcium chloride 3 mg/mL irrigation solution');
    expect(reading?.unread).toContain('START');
    expect(reading?.strength).not.toMatch(/START/);
    expect(reading?.name).not.toMatch(/START/);
  });

  test.each(['TEST - tofacitinib 5 mg tablet', 'Test: tofacitinib 5 mg tablet', 'tofacitinib 5 mg tablet (TEST)'])(
    '%s',
    (text) => expect(read(text)?.states).toEqual([expect.stringMatching(/^test$/i)]),
  );

  test.each(['blood glucose test strips', 'glucose test strips'])('a device has such words: %s', (text) =>
    expect(read(text)?.unread).toEqual([]),
  );
});

describe('a number without a unit behind the name is no part of it [K1]', () => {
  test.each([
    ['Norco 10/325', 'Norco'],
    ['digoxin 0.125', 'digoxin'],
    ['lisinopril 10 tablet', 'lisinopril'],
    ['Xeljanz 5', 'Xeljanz'],
    ['HYDROcodone-acetaminophen 5/325 tablet', 'HYDROcodone-acetaminophen'],
    ['metoprolol tartrate 25 tab', 'metoprolol tartrate'],
  ])('%s', (text, name) => {
    expect(read(text)).toMatchObject({ name, strength: undefined, refused: 'strength_without_unit', unread: [] });
  });

  test('of a name that nobody knows it may be a part', () => {
    expect(read('Zorvex 10/325 tablet')).toMatchObject({ name: 'Zorvex', unread: ['10/325'] });
  });

  test.each([
    ['Vitamin B 12 tablet', 'Vitamin B 12'],
    ['NovoLOG Mix 70-30 pen', 'NovoLOG Mix 70-30'],
    ['Ortho-Novum 1/35 (28) 1 mg-35 mcg tablet', 'Ortho-Novum 1/35'],
    ['Levora 0.15/30 28 Day Pack', 'Levora 0.15/30'],
  ])('but: %s', (text, name) => expect(read(text)).toMatchObject({ name, unread: [] }));
});

describe('a brand with a hyphen is no two ingredients [K2]', () => {
  test.each([
    ['Ortho-Novum 1/35 (28) 1-35 mg-mcg tablet', 'Ortho-Novum 1/35', '1-35 mg-mcg'],
    ['Ortho-Novum 1-35 mg-mcg tablet', 'Ortho-Novum', '1-35 mg-mcg'],
    ['Depot-Zorvex 5-10 mg tablet', 'Depot-Zorvex', '5-10 mg'],
    ['ZORVEX-PLENUM 5-10 MG TABLET', 'ZORVEX-PLENUM', '5-10 MG'],
    ['zorvex-plenum 1 mg-35 mcg tablet', 'zorvex-plenum', '1 mg-35 mcg'],
  ])('%s', (text, name, strength) => {
    expect(read(text)).toMatchObject({ name, ingredients: [name], strength, components: undefined, isCertain: true });
  });

  test.each([
    ['norgestimate-ethinyl estradiol 0.25-35 mg-mcg tablet', 'norgestimate 0.25 mg / ethinyl estradiol 35 mcg'],
    ['Hydrocodone-Acetaminophen 5-325 MG Oral Tablet', 'Hydrocodone 5 MG / Acetaminophen 325 MG'],
    [
      'fluticasone propion-salmeterol 250-50 mcg/dose DsDv',
      'fluticasone propion 250 mcg/dose / salmeterol 50 mcg/dose',
    ],
  ])('but: %s', (text, strength) => expect(read(text)).toMatchObject({ strength, unread: [] }));
});

describe('several numbers of one ingredient, or one of several, are no strength [K2] [K19]', () => {
  test.each([
    ['lisinopril 10-20 mg tablet', 'lisinopril'],
    ['hydroxyzine 10-25 mg tablet', 'hydroxyzine'],
    ['prednisone 5/10 mg tablet', 'prednisone'],
    ['LISINOPRIL 10-20 MG TABLET', 'LISINOPRIL'],
    ['Xeljanz 5 mg-10 mg tablet', 'Xeljanz'],
    ['metoprolol tartrate 25/50 mg', 'metoprolol tartrate'],
  ])('a range: %s', (text, name) => {
    expect(read(text)).toMatchObject({ name, strength: undefined, refused: 'several_strengths', unread: [] });
  });

  test.each([
    'tofacitinib/baricitinib 5 mg tablet',
    'tofacitinib & methotrexate 5 mg tablet',
    'sitagliptin-metformin 50 mg tablet',
    'HYDROCODONE-ACETAMINOPHEN 5 MG TABLET',
    'carbidopa/levodopa 25 mg tablet',
    'carbidopa-levodopa 25 mg tablet',
    'hydrocodone/APAP 5 mg tablet',
    'Norco 5 mg tablet',
  ])('one of several: %s', (text) => {
    expect(read(text)).toMatchObject({ strength: undefined, refused: 'ingredient_without_strength', unread: [] });
  });

  test.each([
    ['Lipitor/atorvastatin 40 mg tablet', '40 mg'],
    ['dextroamphetamine-amphetamine 20 mg tablet', '20 mg'],
    ['Adderall 20 mg tablet', '20 mg'],
    ['Adderall 5-5-5-5 mg tablet', '5-5-5-5 mg'],
    ['insulin aspart protamine-insulin aspart 100 unit/mL (70-30) subcutaneous suspension', '100 unit/mL'],
    ['Norco 5-325 mg tablet', '5-325 mg'],
    ['insulin NPH and regular human 100 unit/mL (70-30) subcutaneous suspension', '100 unit/mL'],
    ['70/30 insulin 100 units/mL', '100 units/mL'],
    ['Humira Pen 80 mg/0.8 mL-40 mg/0.4 mL subcutaneous kit', '80 mg/0.8 mL-40 mg/0.4 mL'],
    ['piperacillin-tazobactam 4.5 gram intravenous solution', '4.5 gram'],
  ])('but: %s', (text, strength) => expect(read(text)).toMatchObject({ strength, isCertain: true }));

  test.each(['Xeljanz/Olumiant 5 mg tablet', 'XELJANZ/OLUMIANT 5 MG TABLET', 'Xeljanz and Olumiant 5 mg tablet'])(
    'two brands are two drugs: %s',
    (text) =>
      expect(readDrugs(text, knowledge).map(({ name }) => name?.toLowerCase())).toEqual(['xeljanz', 'olumiant']),
  );
});

describe('of a mixture all parts are offered, or nothing [K2]', () => {
  const all = 'ketamine 10% / gabapentin 6% / lidocaine 2%';

  test.each([
    'COMPOUND: ketamine 10%-gabapentin 6%-lidocaine 2% topical cream',
    'Compounded - ketamine 10%/gabapentin 6%/lidocaine 2% cream',
    '[compound] ketamine 10%-gabapentin 6%-lidocaine 2% cream',
  ])('%s', (text) => {
    const reading = read(text);
    expect(reading).toMatchObject({ name: 'ketamine / gabapentin / lidocaine', strength: all, unread: [] });
    expect(reading?.flags).toEqual([expect.stringMatching(/^compound/i)]);
  });

  test.each([
    'ketamine 10%, gabapentin 6%, lidocaine 2% cream',
    'COMPOUND: ketamine 10%, gabapentin 6%, lidocaine 2% cream',
    'gabapentin 6% and ketamine 10% and lidocaine 2% cream',
    'ZZZ: ketamine 10%-gabapentin 6%-lidocaine 2% topical cream',
  ])('%s', (text) => {
    const reading = read(text);
    expect(reading).toMatchObject({ name: undefined, strength: undefined, isCertain: false });
    expect(reading?.unread).not.toEqual([]);
  });

  test('and nothing of a product beside another kind of it', () => {
    expect(read('tofacitinib 5 mg tablet (was 11 mg XR)')).toMatchObject({ name: undefined, strength: undefined });
  });
});

describe('“per tablet” names the form', () => {
  test.each([
    ['HYDROcodone-acetaminophen 5-325 mg per tablet', 'tablet'],
    ['oxyCODONE-acetaminophen (PERCOCET) 5-325 mg per tablet', 'tablet'],
    ['gabapentin 300 mg per capsule', 'capsule'],
    ['gabapentin 300 mg/capsule', 'capsule'],
    ['nitroglycerin 0.4 mg/hr per patch', 'patch'],
  ])('%s', (text, form) => expect(read(text)).toMatchObject({ form, isCertain: true }));

  test('not where another form stands', () => {
    expect(read('Xeljanz 5 mg per tablet oral tablet')).toMatchObject({ form: 'oral tablet' });
  });
});

describe('words of a pack are none of the name where the text has a pack [K1]', () => {
  test.each([
    'ELIQUIS DVT-PE TREAT 30D START 5 mg (74 tabs) DsPk',
    'Xeljanz starting 5 mg tablets in a dose pack',
    'Xeljanz initiation 5 mg tablet pack',
    'Xeljanz treatment 5 mg (28 tabs) TbPk',
    'Xeljanz DVT-PE Treatment 30-day Starter 5 mg (42) tablets in a dose pack',
    'Xeljanz 5 mg maintenance tablet kit',
  ])('%s', (text) =>
    expect(read(text)).toMatchObject({
      name: expect.stringMatching(/^(?:ELIQUIS|Xeljanz)$/),
      ...{ strength: '5 mg', unread: [], isCertain: true },
    }),
  );

  test.each([
    ['START Rebif Rebidose kit', 'START', 'Rebif Rebidose'],
    ['start, Rebif Rebidose kit', 'start,', 'Rebif Rebidose'],
    ['*START* Rebif Rebidose kit', 'START*', 'Rebif Rebidose'],
    ['Starting Xeljanz 5 mg tablets in a dose pack', 'Starting', 'Xeljanz'],
    ['Treatment vutrisiran 25 mg/0.5 mL kit', 'Treatment', 'vutrisiran'],
  ])('in front of the name they say what to do, and are asked: %s', (text, word, name) => {
    const reading = read(text);
    expect(reading).toMatchObject({ name, isCertain: false });
    expect(reading?.unread).toContain(word);
  });

  test('nor without a strength', () => {
    expect(read('Venclexta Starting Pack')).toMatchObject({ name: 'Venclexta', unread: [] });
  });
});

test.each([
  ['Toujeo Max SoloStar 300 unit/mL pen', 'Toujeo Max SoloStar'],
  ['Zantac Max 150 mg tablet', 'Zantac Max'],
  ['Mucinex Max 1200 mg tablet', 'Mucinex Max'],
])('"Max" of a name ends no text: %s [K1]', (text, name) => {
  expect(read(text)?.plain).toContain(name);
  expect(read(text)?.amounts).toHaveLength(1);
});

test.each(['metoprolol 50 mg tablet max 4 daily', 'metoprolol 50 mg tablet, max daily dose 200 mg'])(
  'but it begins directions: %s [K1]',
  (text) => expect(read(text)).toMatchObject({ name: 'metoprolol', strength: '50 mg', isCertain: true }),
);

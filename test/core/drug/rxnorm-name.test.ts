import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRxNormName } from '../../../src/core/drug/rxnorm-name.ts';
import { hasPublicData, publicData } from '../../support/public-data.ts';

/** drug, strength, dose form, brand of a name, as one line; "no name" when it is not certainly one. */
function told(text: string): string {
  const reading = readRxNormName(text);
  if (reading === undefined) return 'no name';
  const { ingredients, strength, form, brand } = reading;
  return [ingredients.join(' / '), strength ?? '-', form ?? '-', brand ?? '-'].join(' | ');
}

describe('readRxNormName reads', () => {
  test.each([
    ['a clinical drug', 'azathioprine 50 MG Oral Tablet', 'azathioprine | 50 MG | Oral Tablet | -'],
    ['a branded drug', 'azathioprine 50 MG Oral Tablet [Imuran]', 'azathioprine | 50 MG | Oral Tablet | Imuran'],
    ['a component', 'Fentanyl 0.1 MG', 'Fentanyl | 0.1 MG | - | -'],
    ['a branded component', 'Morphine Sulfate 100 MG [Kadian]', 'Morphine Sulfate | 100 MG | - | Kadian'],
    ['a concentration', 'Tobramycin 3 MG/ML Ophthalmic Solution', 'Tobramycin | 3 MG/ML | Ophthalmic Solution | -'],
    [
      'a strength per actuation',
      'fentanyl 0.4 MG/ACTUAT Metered Dose Nasal Spray [Lazanda]',
      'fentanyl | 0.4 MG/ACTUAT | Metered Dose Nasal Spray | Lazanda',
    ],
    [
      'units',
      'insulin glargine 100 UNT/ML Injectable Solution',
      'insulin glargine | 100 UNT/ML | Injectable Solution | -',
    ],
    ['a percentage', 'betamethasone 0.05 % Topical Ointment', 'betamethasone | 0.05% | Topical Ointment | -'],
    [
      'a rate',
      '168 HR buprenorphine 0.02 MG/HR Transdermal System',
      'buprenorphine | 0.02 MG/HR | Transdermal System | -',
    ],
    [
      'two ingredients',
      'acetaminophen 325 MG / hydrocodone bitartrate 7.5 MG Oral Tablet [Lorcet]',
      'acetaminophen / hydrocodone bitartrate | acetaminophen 325 MG / hydrocodone bitartrate 7.5 MG | Oral Tablet ' +
        '| Lorcet',
    ],
    [
      'what one container holds',
      '0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]',
      'adalimumab | 40 MG/0.4 ML | Auto-Injector | Humira',
    ],
    [
      'a container of several doses',
      '3 ML insulin lispro 100 UNT/ML Pen Injector [Humalog]',
      'insulin lispro | 100 UNT/ML | Pen Injector | Humalog',
    ],
    [
      'a container of one milliliter',
      '1 ML etanercept 50 MG/ML Prefilled Syringe',
      'etanercept | 50 MG/ML | Prefilled Syringe | -',
    ],
    [
      'decimals without binary dust',
      '0.48 ML buprenorphine 50 MG/ML Prefilled Syringe [Brixadi]',
      'buprenorphine | 24 MG/0.48 ML | Prefilled Syringe | Brixadi',
    ],
    [
      'a duration and a delivery in front',
      'Abuse-Deterrent 12 HR oxycodone hydrochloride 60 MG Extended Release Oral Tablet',
      'oxycodone hydrochloride | 60 MG | Oral Tablet | -',
    ],
    [
      'an application number in front',
      'NDA020800 0.3 ML epinephrine 1 MG/ML Auto-Injector',
      'epinephrine | 0.3 MG/0.3 ML | Auto-Injector | -',
    ],
    [
      'a strength per stated volume',
      'adalimumab 40 MG/0.8 ML Prefilled Syringe [Humira]',
      'adalimumab | 40 MG/0.8 ML | Prefilled Syringe | Humira',
    ],
    [
      'an ingredient that begins with a digit',
      '5-hydroxytryptophan 50 MG / melatonin 6 MG Oral Tablet',
      '5-hydroxytryptophan / melatonin | 5-hydroxytryptophan 50 MG / melatonin 6 MG | Oral Tablet | -',
    ],
    [
      'a comma in an ingredient',
      'insulin isophane, human 70 UNT/ML / insulin, regular, human 30 UNT/ML Injectable Suspension',
      'insulin isophane, human / insulin, regular, human ' +
        '| insulin isophane, human 70 UNT/ML / insulin, regular, human 30 UNT/ML | Injectable Suspension | -',
    ],
    [
      'a pack',
      '{1 (cariprazine 1.5 MG Oral Capsule) / 6 (cariprazine 3 MG Oral Capsule) } Pack',
      'cariprazine | - | Pack | -',
    ],
    [
      'a branded pack of one product',
      '{7 (24 HR lamotrigine 25 MG Extended Release Oral Tablet [Lamictal]) } Pack [Lamictal XR Blue Kit]',
      'lamotrigine | 25 MG | Oral Tablet | Lamictal XR Blue Kit',
    ],
    [
      'a pack of one pen',
      '{4 (0.8 ML adalimumab 50 MG/ML Auto-Injector [Humira]) } Pack [Humira Pen - Psoriasis Starter Pack]',
      'adalimumab | 40 MG/0.8 ML | Auto-Injector | Humira Pen - Psoriasis Starter Pack',
    ],
  ])('%s', (_what, text, expected) => {
    expect(told(text)).toBe(expected);
  });
});

test('a pack has the kind of release and the route that all its parts have, whatever their strengths', () => {
  const pack =
    '{14 (dimethyl fumarate 120 MG Delayed Release Oral Capsule) / ' +
    '46 (dimethyl fumarate 240 MG Delayed Release Oral Capsule) } Pack';
  expect(readRxNormName(pack)).toMatchObject({
    name: 'dimethyl fumarate DR',
    route: 'oral',
    form: 'Pack',
  });
});

describe('readRxNormName does not guess at', () => {
  test.each([
    ['an ingredient alone', 'azathioprine'],
    ['a brand alone', 'Botox'],
    ['a strength without a blank', 'Alemtuzumab 10mg/ml (Lemtrada)'],
    ['a strength that is two', 'drospirenone-ethinyl estradiol (YAZ,GIANVI) tablet 3-0.02 mg'],
    ['a form before the strength', 'atorvastatin (LIPITOR) tablet 40 MG'],
    ['a form before the name', 'tab uptravi 1.6mg'],
    ['a form before the strength, with words behind it', 'adalimumab prefilled syringe 40 MG kit'],
    ['a pack size', 'Yaz 28 Day Pack'],
    ['a quantity after the form', 'Humira 40 MG Pen 2 per box'],
    ['a unit it does not know', 'thing 5 SPOONS Oral Tablet'],
    ['nothing', ''],
  ])('%s', (_what, text) => {
    expect(told(text)).toBe('no name');
  });
});

test.skipIf(!hasPublicData)('of the public RxNorm displays nearly all are read, and none half', () => {
  const displays = readFileSync(publicData('tables', 'rxnorm-displays.csv'), 'utf8')
    .split('\n')
    .slice(1)
    .flatMap((line) => /^\d+,("?)(.*)\1,[^,]*$/.exec(line)?.[2] ?? []);
  const names = displays.flatMap((display) => readRxNormName(display) ?? []);
  expect(displays.length).toBeGreaterThan(1100);
  expect(names.length / displays.length).toBeGreaterThan(0.98);
  expect(names.filter(({ form }) => form !== undefined && /\d|\[|\{/.test(form))).toEqual([]);
  expect(names.flatMap(({ ingredients }) => ingredients).filter((name) => /\d (MG|ML|UNT)\b/.test(name))).toEqual([]);
});

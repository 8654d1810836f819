import { describe, expect, test } from 'vitest';
import { knowledge } from '../../../mappings/drug-roles.ts';
import { compareDrugs } from '../../../src/core/drug/compare-drugs.ts';
import { readDrugs } from '../../../src/core/drug/several-drugs.ts';

describe('[K1] the names of insulins in drug files are accounted for', () => {
  test.each([
    ['HumaLOG KwikPen (U-100) Insulin 100 unit/mL subcutaneous', 'HumaLOG KwikPen Insulin', '100 unit/mL'],
    ['Toujeo SoloStar (U-300) Insulin 300 unit/mL subcutaneous pen', 'Toujeo SoloStar Insulin', '300 unit/mL'],
    ['insulin lispro (U-100) 100 unit/mL subcutaneous pen', 'insulin lispro', '100 unit/mL'],
    ['HumuLIN R U-500 (Conc) Insulin 500 unit/mL (3 mL) subcutaneous pen', 'HumuLIN R U-500', '500 unit/mL'],
    ['NovoLIN 70/30 U-100 Insulin 100 unit/mL (70-30) subcutaneous suspension', /^NovoLIN 70\/30/, '100 unit/mL'],
    ['HumuLIN 70/30 U-100 Insulin 100 unit/mL (70-30) subcutaneous suspension', /^HumuLIN 70\/30/, '100 unit/mL'],
    ['Soliqua 100/33 100 unit-33 mcg/mL (3 mL) subcutaneous insulin pen', 'Soliqua 100/33', '100 unit-33 mcg/mL'],
    ['Xultophy 100/3.6 100 unit-3.6 mg/mL (3 mL) subcutaneous insulin pen', 'Xultophy 100/3.6', '100 unit-3.6 mg/mL'],
    [
      'Admelog SoloStar U-100 Insulin lispro 100 unit/mL subcutaneous pen',
      'Admelog SoloStar U-100 Insulin',
      '100 unit/mL',
    ],
    ['Basaglar KwikPen U-100 Insulin glargine 100 unit/mL subcutaneous pen', /^Basaglar KwikPen/, '100 unit/mL'],
    ['Zanvo 100 unit/mL (3 mL) subcutaneous insulin pen', 'Zanvo', '100 unit/mL'],
  ])('%s', (text, name, strength) => {
    const drugs = readDrugs(text, knowledge);
    expect(drugs).toMatchObject([
      { name: expect.stringMatching(name), strength, isCertain: true, unread: [], brands: [] },
    ]);
  });

  test.each([
    ['Admelog SoloStar U-100 Insulin zanpro 100 unit/mL subcutaneous pen', 'zanpro'],
    ['Soliqua 100/33 100 unit-33 mcg/mL (3 mL) subcutaneous degludec pen', 'degludec'],
  ])('a word of no insulin in the brand is asked: %s', (text, word) => {
    expect(readDrugs(text, knowledge)[0]?.unread).toContain(word);
  });

  test('a brand with its own ingredient behind it agrees with its RxNorm name', () => {
    const [text] = readDrugs('Admelog SoloStar U-100 Insulin lispro 100 unit/mL subcutaneous pen', knowledge);
    const [code] = readDrugs('3 ML insulin lispro 100 UNT/ML Pen Injector [Admelog]', knowledge);
    if (text === undefined || code === undefined) throw new Error('not a drug');
    expect(compareDrugs(code, text, knowledge)).toEqual([]);
  });

  test.each([
    ['1.5 ML insulin glargine 300 UNT/ML Pen Injector [Toujeo]', '300 UNT/ML'],
    ['1.5 ML insulin human, isophane 70 UNT/ML Pen Injector', '70 UNT/ML'],
    ['1.5 ML semaglutide 1.34 MG/ML Pen Injector [Ozempic]', '2.01 MG/1.5 ML'],
  ])('a small pen of insulin keeps its concentration: %s', (text, strength) => {
    expect(readDrugs(text, knowledge)[0]?.strength).toBe(strength);
  });

  test('what is injected with stays a thing of its own', () => {
    expect(readDrugs('insulin pen needle 32G', knowledge)[0]?.name).toContain('insulin');
  });
});

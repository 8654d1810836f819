import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drugNames } from '../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../mappings/knowledge/ingredients.ts';
import { compareOwnNames } from '../../src/core/drug/compare-names.ts';
import { drugKnowledge } from '../../src/core/drug/drug-knowledge.ts';
import { readDrugName } from '../../src/core/drug/read-drug-name.ts';
import { hasPublicData, publicData } from '../support/public-data.ts';

test('each row says where it comes from and that no clinician has reviewed it', () => {
  expect(drugNames.length).toBeGreaterThan(400);
  for (const { name, ingredients, source, reviewedBy } of drugNames) {
    expect(name).toMatch(/\S/);
    expect(ingredients.length).toBeGreaterThan(0);
    expect(source).toMatch(/^(RxNorm|FDA label|USAN and other names of it)$/);
    expect(reviewedBy).toBe('no clinician');
  }
});

test('no name stands twice, and no brand is an ingredient', () => {
  const names = drugNames.map(({ name }) => name.toLowerCase());
  expect(names).toHaveLength(new Set(names).size);
  const brands = drugNames.filter(({ isOtherName }) => isOtherName !== true).map(({ name }) => name.toLowerCase());
  expect(brands.filter((name) => ingredientNames.includes(name))).toEqual([]);
});

test.each([
  ['Humira', ['adalimumab']],
  ['Norditropin', ['somatropin']],
  ['Ozempic', ['semaglutide']],
  ['Nexlizet', ['bempedoic acid', 'ezetimibe']],
])('a person who writes %s means %j', (name, ingredients) => {
  expect(drugNames.find((row) => row.name === name)?.ingredients).toEqual(ingredients);
});

test.skipIf(!hasPublicData)('no row contradicts a brand in brackets of the public RxNorm displays', () => {
  const knowledge = drugKnowledge(drugNames, ingredientNames);
  const displays = readFileSync(publicData('tables', 'rxnorm-displays.csv'), 'utf8')
    .split('\n')
    .flatMap((line) => /^\d+,("?)(.*)\1,[^,]*$/.exec(line)?.[2] ?? []);
  const contradicted = displays.filter((display) => {
    const reading = readDrugName(display);
    return reading !== undefined && compareOwnNames(reading, knowledge) === 'differs';
  });
  expect(displays.length).toBeGreaterThan(1100);
  expect(contradicted).toEqual([]);
});

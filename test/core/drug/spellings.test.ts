import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { compareDrugs } from '../../../src/core/drug/compare-drugs.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import { readDrugName } from '../../../src/core/drug/read-drug-name.ts';
import { hasPublicData, publicData } from '../../support/public-data.ts';

const knowledge = drugKnowledge(drugNames, ingredientNames);

/**
 * Names of single drugs with a strength and a form, as RxNorm has them: [display, ingredient, strength, form, brand].
 */
function products(): string[][] {
  const whole = /^([A-Za-z][A-Za-z -]+) ([\d.]+ MG) ((?:Extended Release )?Oral (?:Tablet|Capsule))(?: \[([^\]]+)\])?$/;
  return readFileSync(publicData('tables', 'rxnorm-displays.csv'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const found = whole.exec(/^\d+,("?)(.*)\1,[^,]*$/.exec(line)?.[2] ?? '');
      return found === null ? [] : [found.map((part) => part ?? '')];
    });
}

function contradictions(left: string, right: string): string[] {
  const [one, other] = [readDrugName(left), readDrugName(right)];
  if (one === undefined || other === undefined) return ['not read'];
  return compareDrugs(one, other, knowledge).map(
    ({ aspect, certainty }) => `${left} <> ${right}: ${aspect} ${certainty}`,
  );
}

test.skipIf(!hasPublicData)('an RxNorm name agrees with the same product as orders and labels write it', () => {
  const all = products();
  expect(all.length).toBeGreaterThan(250);
  const asked = all.flatMap(([display = '', ingredient = '', strength = '', form = '', brand = '']) => {
    const small = [strength.toLowerCase(), form.toLowerCase().replace('oral ', '')];
    const orders = [`${ingredient} ${form} ${strength}`, `${ingredient.toLowerCase()} ${small.join(' ')}`];
    const branded =
      brand === ''
        ? []
        : [
            `${brand} ${small.join(' ')}`,
            `${ingredient.toLowerCase()} (${brand.toUpperCase()}) ${small[1]} ${small[0]}`,
          ];
    return [...orders, ...branded].flatMap((text) => contradictions(display, text));
  });
  expect(asked).toEqual([]);
});

test.skipIf(!hasPublicData)('an RxNorm name differs from ten times its strength, another form or release', () => {
  const missed = products().flatMap(([display = '', ingredient = '', strength = '', form = '']) => {
    const ten = `${(Number.parseFloat(strength) * 10).toFixed(4)} MG`;
    const release = form.startsWith('Extended') ? form.replace('Extended Release ', '') : `Extended Release ${form}`;
    const others = [
      `${ingredient} ${ten} ${form}`,
      `${ingredient} ${strength} Injection`,
      `${ingredient} ${strength} ${release}`,
    ];
    return others.filter((text) => !contradictions(display, text).some((one) => one.endsWith('differs')));
  });
  expect(missed).toEqual([]);
});

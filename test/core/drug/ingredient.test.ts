import { describe, expect, test } from 'vitest';
import { splitNames } from '../../../src/core/drug/ingredient.ts';

describe('hyphens and strokes stand between ingredients [K2]', () => {
  test.each([
    ['hydrocodone-acetaminophen', ['hydrocodone', 'acetaminophen']],
    ['metformin HCl-sitagliptin', ['metformin HCl', 'sitagliptin']],
    ['DEXTROMETHORPHAN HBR-QUINIDINE', ['DEXTROMETHORPHAN HBR', 'QUINIDINE']],
    ['pramoxine HCl-zinc oxide', ['pramoxine HCl', 'zinc oxide']],
    ['amoxicillin-pot clavulanate', ['amoxicillin', 'pot clavulanate']],
    ['sacubitril/valsartan', ['sacubitril', 'valsartan']],
    ['interferon beta-1a', ['interferon beta-1a']],
    ['adalimumab-adaz', ['adalimumab-adaz']],
    ['ado-trastuzumab emtansine', ['ado-trastuzumab emtansine']],
  ])('%s', (name, names) => {
    expect(splitNames(name)).toEqual(names);
  });
});

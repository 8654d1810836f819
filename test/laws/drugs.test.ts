import { expect, test } from 'vitest';
import { drugLaw } from './drugs/law.ts';
import { loadProducts } from './drugs/products.ts';

test('the products are at least 300 names of RxNorm, each once', () => {
  const names = loadProducts().map(({ name }) => name.toLowerCase());
  expect(names.length).toBeGreaterThan(300);
  expect(new Set(names).size).toBe(names.length);
});

/**
 * The short form; `npm run proof -- laws drugs` takes every product in every spelling, and decorations by chance:
 * thirty thousand charts.
 */
test('[K1] [K2] [K10] a drug is understood however it is spelled, and a decoration is never the drug', async () => {
  const { broken } = await drugLaw.run({ count: 200, seed: 20261121 });
  expect(broken.map(({ kind, example }) => `${kind}: ${example}`)).toEqual([]);
});

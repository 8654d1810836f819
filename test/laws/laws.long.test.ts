import { expect, test } from 'vitest';
import { allLaws } from './all-laws.ts';

/** Between the sample of the suite and `npm run proof -- laws`. */
const share = 1 / 20;

test.each(Object.entries(allLaws))('the law %s holds for a twentieth of the charts of its proof', async (_, law) => {
  const { broken } = await law.run({ count: law.usual * share, seed: 20261121 });
  expect(broken.slice(0, 40).map(({ kind, example }) => `${kind}: ${example}`)).toEqual([]);
});

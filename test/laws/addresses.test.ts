import { expect, test } from 'vitest';
import { addressesLaw } from './addresses/law.ts';

/** The short form; `npm run proof -- laws addresses` takes ten thousand charts. */
test('[K16] every mapping case gives the same in every form of one server, and nothing of another one', async () => {
  const { broken } = await addressesLaw.run({ count: 80, seed: 20261125 });
  expect(broken.map(({ kind, example }) => `${kind}: ${example}`)).toEqual([]);
});

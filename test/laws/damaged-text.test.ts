import { expect, test } from 'vitest';
import { damagedTextLaw } from './damaged-text/law.ts';

/** The short form; `npm run proof -- laws damaged-text` takes twenty thousand charts. */
test('[K3] nothing that goes out holds damaged text, and what was decoded is marked', async () => {
  const { broken } = await damagedTextLaw.run({ count: 200, seed: 20261121 });
  expect(broken.map(({ kind, example }) => `${kind}: ${example}`)).toEqual([]);
});

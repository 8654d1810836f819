import { expect, test } from 'vitest';
import { privacyLaw } from './privacy/law.ts';

/** The short form; `npm run proof -- laws privacy` takes ten thousand charts. */
test('[K6] [K7] [K8] a sensitive fact is never suggested nor taken by a policy; an ordinary one is', async () => {
  const { broken } = await privacyLaw.run({ count: 150, seed: 20261125 });
  expect(broken.map(({ kind, example }) => `${kind}: ${example}`)).toEqual([]);
});

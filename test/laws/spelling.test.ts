import { expect, test } from 'vitest';
import { spellingLaw } from './spelling-law.ts';

test('[K6] code systems in another of their spellings change nothing of any mapping case', async () => {
  const { broken } = await spellingLaw.run({ count: 150, seed: 26 });
  expect(broken.map(({ kind }) => kind)).toEqual([]);
});

import { expect, test } from 'vitest';
import { allLaws } from './all-laws.ts';
import type { Extent } from './long-law.ts';

/** More than the samples of the suite, with the same seeds; `npm run proof -- laws` takes more still. */
const extents: Readonly<Record<string, Extent>> = {
  addresses: { count: 200, seed: 20261125 },
  changes: { count: 200, seed: 20261121 },
  'damaged-text': { count: 600, seed: 20261121 },
  drugs: { count: 600, seed: 20261121 },
  privacy: { count: 400, seed: 20261125 },
  'random-damage': { count: 1000, seed: 20261121 },
  'spelling-of-systems': { count: 400, seed: 26 },
};

/** Every change on every base is thousands of charts. */
const timeout = 900_000;

test.each(Object.entries(allLaws))(
  'the law %s holds for more charts than in the suite',
  async (name, law) => {
    const extent = extents[name];
    if (extent === undefined) throw new Error(`no extent of ${name}`);
    const { broken } = await law.run(extent);
    expect(broken.slice(0, 40).map(({ kind, example }) => `${kind}: ${example}`)).toEqual([]);
  },
  timeout,
);

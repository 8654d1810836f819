import { loadBases } from './bases.ts';
import { damagedCharts } from './damage.ts';
import type { LongLaw } from './long-law.ts';
import { readingsOf } from './product.ts';

/** Charts with random places damaged. */
export const randomDamageLaw: LongLaw = {
  usual: 200_000,
  async run(extent) {
    const bases = await Promise.all(
      loadBases().map(async (base) => ({ ...base, readings: await readingsOf(base.open().entries) })),
    );
    const broken = [...damagedCharts(bases, extent)].map(({ law, detail, base, seed, damage }) => ({
      kind: `${law}: ${detail
        .replace(/ of \S+( in \S+)*/, '')
        .replace(/\d+/g, 'n')
        .slice(0, 140)}`,
      example: `${base} seed ${seed}: ${damage.join(', ')}`,
    }));
    return { charts: extent.count, broken };
  },
};

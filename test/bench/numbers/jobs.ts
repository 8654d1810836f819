import { join } from 'node:path';
import { root, run } from './commands.ts';
import type { Measured, Wanted } from './row.ts';

/** Jobs a second over those of the bare queue, as `npm run bench -- jobs` measures them; none without PostgreSQL. */
export async function jobNumbers({ size }: Wanted): Promise<Measured[]> {
  if (size === 'short') return [];
  const flags = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
  const { said } = await run([process.execPath, ...flags, join(root, 'test/bench/jobs.ts')]);
  return [...said.matchAll(/^(\d) workers?: jobs a second over the bare queue ([\d.]+)/gm)].map(
    ([, workers, ratio]) => ({
      name: `jobs a second, ${workers === '1' ? 'one worker' : 'two workers'}`,
      ratio: Number(ratio),
    }),
  );
}

import { join } from 'node:path';
import { root, run } from './commands.ts';
import type { Measured, Wanted } from './row.ts';

const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** The first page of a long worklist over that of ten cases, as `npm run bench -- worklist` measures it. */
export async function worklistNumbers({ size }: Wanted): Promise<Measured[]> {
  const cases = size === 'short' ? '300' : '10000';
  const argv = [process.execPath, vitest, 'run', '--project', 'suite', 'test/bench/worklist.test.ts'];
  const { said } = await run(argv, { codes: [0, 1], env: { WORKLIST_CASES: cases, NODE_OPTIONS: '' } });
  return [{ name: 'first page of a worklist', ratio: Number(/at ([\d.]+) times that of ten/.exec(said)?.[1]) }];
}

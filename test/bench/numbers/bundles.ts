import { join } from 'node:path';
import { root, run } from './commands.ts';
import type { Measured, Wanted } from './row.ts';

/**
 * Bundles of 1 to 5 MB, from file to orders, over reading and parsing the files: the worst of the shapes of which a
 * thousandth is read, and beside it the worst of Synthea's.
 */
export async function bundleNumbers({ size }: Pick<Wanted, 'size'>): Promise<Measured[]> {
  const flags = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
  const rounds = size === 'short' ? ['--rounds', '5', '--warmup', '3', '--small', '200', '--many', '3'] : [];
  const { said } = await run([process.execPath, ...flags, join(root, 'test/bench/export/bundles.ts'), ...rounds]);
  return [
    {
      name: 'bundles of 1 to 5 MB, --fast',
      ratio: worst(said, '--fast'),
      peers: { 'of Synthea, a tenth of it read': worst(said, 'Synthea, --fast') },
    },
    {
      name: 'bundles of 1 to 5 MB',
      ratio: worst(said, 'all of it parsed'),
      peers: { 'of Synthea': worst(said, 'Synthea, all of it parsed') },
    },
  ];
}

/** The largest ratio among the lines `name  milliseconds  ratio  middle half`, whose cells two spaces part. */
export function worst(tables: string, name: string): number {
  const rows = tables.split('\n').map((line) => line.split(/\s{2,}/));
  const ratios = rows.filter(([first]) => first === name).map(([, , ratio]) => Number(ratio));
  if (ratios.length === 0) throw new Error(`no line of the tables is named "${name}":\n${tables}`);
  return Math.max(...ratios);
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchBundle, benchBundles } from '../bundles.ts';
import { type ContenderApart, tableOf, timeRounds } from '../rounds.ts';
import { syntheaBundles } from '../synthea.ts';
import type { BundleJob } from './bundles-worker.ts';

/**
 * Bundles of several megabytes: from files to orders, with `--fast` and without, over reading and parsing the files. Of
 * some a thousandth is of types that are read, of those of Synthea a tenth: encounters. A batch maps hundreds of
 * bundles: each process maps small ones before it is measured, until the compiler is done.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    warmup: { type: 'string', default: '5' },
    small: { type: 'string', default: '4000' },
    many: { type: 'string', default: '12' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'bench-bundles-'));
try {
  const small = benchBundles({ size: 20 << 10, count: 100 }).map(({ bytes }, at) => {
    const file = join(folder, `small-${at}.json`);
    writeFileSync(file, bytes);
    return file;
  });
  const [size, many] = [3 << 20, Number(values.many)];
  const shapes: readonly { title: string; of?: string; bundles: readonly BenchBundle[]; indent?: number }[] = [
    { title: 'compact bundles of 3 MB', bundles: benchBundles({ size, count: many }) },
    { title: 'indented bundles of 5 MB', bundles: benchBundles({ size, count: many }), indent: 2 },
    { title: 'compact bundles of 1 MB', bundles: benchBundles({ size: 1 << 20, count: 3 * many }) },
    { title: 'Synthea, compact, 3 MB', of: 'Synthea, ', bundles: syntheaBundles({ size, count: many }) },
    { title: 'Synthea, indented, 5 MB', of: 'Synthea, ', bundles: syntheaBundles({ size, count: many }), indent: 2 },
  ];
  for (const { title, of = '', bundles, indent } of shapes) {
    const files = bundles.map(({ name, bytes }) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(JSON.parse(bytes.toString()), undefined, indent));
      return file;
    });
    const floor = apart('floor: read and JSON.parse', 'parse', files);
    const contenders = [floor, apart(`${of}all of it parsed`, 'all', files), apart(`${of}--fast`, 'fast', files)];
    for (let done = 0; done < Number(values.small); done += small.length)
      for (const { time } of contenders.slice(1)) await time(small);
    const size = { rounds: Number(values.rounds), warmup: Number(values.warmup) };
    console.log(tableOf(title, await timeRounds(contenders, size)));
    for (const { end } of contenders) end();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Apart extends ContenderApart {
  readonly time: (others?: readonly string[]) => Promise<number>;
  readonly end: () => void;
}

/** A process that does the job over the files each time it is asked, or over others. */
function apart(name: string, job: BundleJob, files: readonly string[]): Apart {
  const child = fork(join(import.meta.dirname, 'bundles-worker.ts'), [job], { execArgv: process.execArgv });
  const time = async (others = files) => {
    child.send(others);
    const [took] = await once(child, 'message');
    return Number(took);
  };
  return { name, time, end: () => child.disconnect() };
}

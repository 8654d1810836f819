import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mappings } from '../../../mappings/index.ts';
import { priorAuth } from '../../../mappings/prior-auth.ts';
import { Engine, type FolderFacts } from '../../../src/batch/engine.ts';
import { emptyNotes } from '../../../src/batch/notes.ts';
import { tasksOf } from '../../../src/batch/pieces.ts';
import { runMappings } from '../../../src/mapping/run/run.ts';
import { type BenchBundle, benchBundles } from '../bundles.ts';
import { tableOf, timeRounds } from '../rounds.ts';
import { syntheaBundles } from '../synthea.ts';

/**
 * Bundles of several megabytes: from files to orders, with `--fast` and without, over reading and parsing the files. Of
 * some a thousandth is of types that are read, of those of Synthea a tenth: encounters.
 */
const folder = mkdtempSync(join(tmpdir(), 'bench-bundles-'));
try {
  const size = 3 << 20;
  const shapes: readonly { title: string; of?: string; bundles: readonly BenchBundle[]; indent?: number }[] = [
    { title: 'compact bundles of 3 MB', bundles: benchBundles({ size, count: 4 }) },
    { title: 'indented bundles of 5 MB', bundles: benchBundles({ size, count: 4 }), indent: 2 },
    { title: 'compact bundles of 1 MB', bundles: benchBundles({ size: 1 << 20, count: 8 }) },
    { title: 'Synthea, compact, 3 MB', of: 'Synthea, ', bundles: syntheaBundles({ size, count: 4 }) },
    { title: 'Synthea, indented, 5 MB', of: 'Synthea, ', bundles: syntheaBundles({ size, count: 4 }), indent: 2 },
  ];
  for (const { title, of = '', bundles, indent } of shapes) {
    const files = bundles.map(({ name, bytes }) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(JSON.parse(bytes.toString()), undefined, indent));
      return file;
    });
    const contenders = [
      { name: 'floor: read and JSON.parse', run: () => files.map((file) => JSON.parse(readFileSync(file).toString())) },
      { name: `${of}all of it parsed`, run: () => mapFiles(files, false) },
      { name: `${of}--fast`, run: () => mapFiles(files, true) },
    ];
    console.log(tableOf(title, await timeRounds(contenders, { rounds: 15, warmup: 10 })));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function mapFiles(files: readonly string[], isFast: boolean): Promise<number> {
  const sources = files.map((path) => ({ file: path, path, kind: 'document' as const, size: statSync(path).size }));
  const engine = new Engine({
    map: (charts) => runMappings(priorAuth, charts),
    reads: priorAuth.plan.roles,
    roles: mappings.roles,
    site: { country: 'USA', diagnoses: 'ask' },
    now: new Date('2026-11-21T15:00:00Z'),
    isFast,
    choices: false,
  });
  const tasks = tasksOf(sources);
  const charts = tasks.flatMap((pieces) => engine.scan(pieces, sources).pieces.flatMap((piece) => piece.charts));
  const facts: FolderFacts = {
    sources,
    pieces: tasks.flat(),
    linesBefore: [],
    servers: { bases: [], isAnyRelative: false },
    supporting: { bytes: new Uint8Array() },
    hasOrders: false,
    isUnmarked: false,
  };
  engine.open(facts);
  let orders = 0;
  for await (const _ of engine.map({ kind: 'charts', charts }, emptyNotes())) orders += 1;
  engine.close();
  return orders;
}

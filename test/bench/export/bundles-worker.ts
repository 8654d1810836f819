import { readFileSync, statSync } from 'node:fs';
import { mappings } from '../../../mappings/index.ts';
import { priorAuth } from '../../../mappings/prior-auth.ts';
import { createTemporary } from '../../../src/base/temporary.ts';
import { BatchEngine, type FolderFacts } from '../../../src/batch/engine.ts';
import { emptyNotes } from '../../../src/batch/file-ledger.ts';
import { tasksOf } from '../../../src/batch/open-sources.ts';
import { ResourceStore } from '../../../src/batch/resource-store.ts';
import { runMappings } from '../../../src/core/mapping/run/run.ts';

/** What is done with the files: read and parsed only, or mapped, with `--fast` or without. */
export type BundleJob = 'parse' | 'all' | 'fast';

const [, , job] = process.argv;
const engine = new BatchEngine({
  map: (charts) => runMappings(priorAuth, charts),
  reads: priorAuth.plan.roles,
  roles: mappings.roles,
  site: { country: 'USA', diagnoses: 'ask' },
  now: new Date('2026-11-21T15:00:00Z'),
  isFast: job === 'fast',
  choices: false,
});
const temporary = createTemporary();
process.on('exit', () => temporary.remove());
let kept: unknown; // so that nothing of it can be optimized away

process.on('message', async (files: readonly string[]) => {
  const start = process.cpuUsage();
  kept = job === 'parse' ? parseFiles(files) : await mapFiles(files);
  const { user, system } = process.cpuUsage(start);
  process.send?.((user + system) / 1000);
});
process.on('disconnect', () => process.exit(kept === undefined ? 1 : 0));

function parseFiles(files: readonly string[]): unknown {
  let last: unknown;
  for (const file of files) last = JSON.parse(readFileSync(file).toString());
  return last;
}

async function mapFiles(files: readonly string[]): Promise<number> {
  const sources = files.map((path) => ({ file: path, path, kind: 'document' as const, size: statSync(path).size }));
  const pieces = tasksOf(sources).flat();
  const charts = (await engine.scan(pieces, sources)).flatMap((piece) => piece.charts);
  const store = emptyStore();
  const facts: FolderFacts = {
    sources,
    servers: [],
    hasDeletions: false,
    store,
    hasOrders: false,
    isUnmarked: false,
  };
  engine.open(facts);
  let orders = 0;
  for await (const some of engine.map({ kind: 'charts', charts, task: 0 }, emptyNotes())) orders += [...some].length;
  engine.close();
  return orders;
}

function emptyStore(): string {
  const store = new ResourceStore(temporary.path());
  store.end(false);
  store.close();
  return store.path;
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { listInputs } from '../../src/batch/input.ts';
import { type MapEvent, mapInputs } from '../../src/batch/map.ts';
import { runMapping } from '../../src/mapping/run/run.ts';
import { benchBundles } from './bundles.ts';
import { tableOf, timeRounds } from './rounds.ts';

/**
 * A folder of exported charts: reading and parsing every file, against the batch run over them (one thread, nothing
 * written).
 */
const folder = mkdtempSync(join(tmpdir(), 'prior-auth-bridge-bench-'));
try {
  const bundles = benchBundles({ size: 20 * 1024, count: 150 });
  const files = bundles.map(({ bytes }, at) => {
    const file = join(folder, `${String(at).padStart(4, '0')}.json`);
    writeFileSync(file, bytes);
    return file;
  });
  const contenders = [
    {
      name: 'floor: read and JSON.parse',
      run: () => files.map((file) => JSON.parse(readFileSync(file).toString())).length,
    },
    { name: 'map a batch', run: mapFolder },
  ];
  const timings = await timeRounds(contenders, { rounds: 25, warmup: 8 });
  console.log(tableOf(`map a batch: ${files.length} files of 20 KiB, ${await ordersOf(mapFolder())}`, timings));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function mapFolder(): Promise<MapEvent[]> {
  const request = {
    inputs: await listInputs([folder]),
    roles: mappings.roles,
    site: { country: 'USA', diagnoses: 'ask' } as const,
    now: new Date('2026-11-21T15:00:00Z'),
    stdin: Readable.from([]),
  };
  const events: MapEvent[] = [];
  for await (const event of mapInputs({ ...request, map: (chart) => runMapping(priorAuth, chart) })) events.push(event);
  return events;
}

async function ordersOf(events: Promise<readonly MapEvent[]>): Promise<string> {
  const states = (await events).flatMap((event) => (event.kind === 'order' ? [event.outcome.state] : []));
  return [...Map.groupBy(states, (state) => state)].map(([state, { length }]) => `${length} ${state}`).join(', ');
}

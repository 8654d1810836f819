import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { BatchEngine } from '../../src/batch/engine.ts';
import { emptyNotes } from '../../src/batch/file-ledger.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { mapInputs } from '../../src/batch/map.ts';
import { makeBlock } from '../../src/batch/report/mapped-part.ts';
import type { OrderOutcome } from '../../src/batch/report/order-outcome.ts';
import type { MappingResult } from '../../src/core/mapping/result.ts';
import { runMappings } from '../../src/core/mapping/run/run.ts';
import type { Chart } from '../../src/core/roles/chart.ts';
import { writeExport } from '../bench/export/generate.ts';

const folder = mkdtempSync(join(tmpdir(), 'block-'));
afterAll(() => rmSync(folder, { recursive: true }));

const work = { roles: mappings.roles, site: { country: 'USA' }, now: new Date('2026-11-21T12:00:00') };
const drafts = (charts: readonly Chart[]) => runMappings<unknown>(priorAuth, charts);
// A text that JSON escapes, and a member that it leaves out.
const requests = (charts: readonly Chart[]): MappingResult<unknown>[] =>
  charts.map(({ order }) => {
    const body = { order, note: 'a "quoted" line\n\u2028 é \ud83d\ude00 \ud800', left: undefined, list: [undefined] };
    return { status: 'complete', body, provenance: [], gaps: [] };
  });

async function* nothing(): AsyncGenerator<Buffer> {}

/** Every outcome of an export and, of each order, the resources that its digest is about. */
async function mapped(map: typeof drafts) {
  const about = new Map<string, readonly object[]>();
  const outcomes: OrderOutcome[] = [];
  for await (const event of mapInputs({
    ...work,
    map,
    inputs: await listInputs([folder]),
    stdin: nothing(),
    onChart: ({ order, patient }, entries) => {
      const find = (name: string) =>
        entries.filter(({ resource }) => `${resource.resourceType}/${resource.id}` === name);
      about.set(
        order,
        [...find(order), ...find(patient)].map(({ resource }) => resource),
      );
    },
  }))
    if (event.kind === 'order') outcomes.push(event.outcome);
  return { about, outcomes };
}

async function blockOf(map: typeof drafts, outcomes: readonly OrderOutcome[]) {
  const engine = new BatchEngine({ ...work, map, isFast: false, choices: true });
  engine.map = async function* () {
    yield outcomes;
  };
  const layout = { folder: 'unused', format: 'ndjson', sources: false, printed: false } as const;
  return makeBlock(engine, { kind: 'charts', charts: [], task: 0 }, layout);
}

writeExport(folder, { patients: 12, everyActive: 3, bulk: 0 });

test.each([
  ['drafts', drafts],
  ['requests', requests],
] as const)('lines and digests of %s are those of plain JSON', async (file, map) => {
  const { about, outcomes } = await mapped(map);
  const block = await blockOf(map, outcomes);
  const expected = outcomes.map((outcome) => {
    if (!('result' in outcome)) return { line: '', digest: '' };
    const { place, order, patient, result } = outcome;
    const content = result.status === 'complete' ? ['request', result.body] : ['draft', result.draft, about.get(order)];
    const said = result.status === 'complete' ? { body: result.body } : { gaps: result.gaps, draft: result.draft };
    return {
      line: `${JSON.stringify({ ...place, order, patient, ...said })}\n`,
      digest: hash('sha256', JSON.stringify(content), 'hex').slice(0, 32),
    };
  });
  expect(expected.filter(({ digest }) => digest !== '')).toHaveLength(4);
  expect(block.orders.map(({ digest }) => digest ?? '')).toEqual(expected.map(({ digest }) => digest));
  expect(block.orders.map(({ output }) => output[file] ?? '').join('')).toBe(expected.map(({ line }) => line).join(''));
  expect(block.notes).toEqual(emptyNotes());
});

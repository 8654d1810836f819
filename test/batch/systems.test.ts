import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { readFixtureChart } from '../../src/base/fixture-chart.ts';
import { createTemporary } from '../../src/base/temporary.ts';
import { BatchEngine } from '../../src/batch/engine.ts';
import { emptyNotes } from '../../src/batch/file-ledger.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { planFolder } from '../../src/batch/plan.ts';
import { orderJson } from '../../src/batch/report/order-line.ts';
import { runMappings } from '../../src/core/mapping/run/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'systems-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* nothing(): AsyncGenerator<Buffer> {}

interface FileBundle {
  readonly entry: readonly { readonly resource: { readonly resourceType: string } }[];
}

async function ordersOf(path: string, isFast: boolean): Promise<string[]> {
  const engine = new BatchEngine({
    map: (charts) => runMappings(priorAuth, charts),
    roles: mappings.roles,
    site: { country: 'USA', diagnoses: 'ask', evidence: 'suggested' },
    now: new Date('2026-11-21T12:00:00'),
    isFast,
    choices: true,
  });
  const temporary = createTemporary();
  const { facts, parts } = await planFolder((await listInputs([path])).files, {
    stdin: nothing(),
    temporary,
    atOnce: 1,
    onFile: () => {},
    scan: (pieces, sources) => engine.scan(pieces, sources),
  });
  engine.open(facts);
  const orders: string[] = [];
  for (const part of parts)
    for await (const some of engine.map(part, emptyNotes()))
      for (const outcome of some) orders.push(JSON.stringify({ ...orderJson(outcome), place: undefined }));
  engine.close();
  temporary.remove();
  return orders;
}

function write(name: string, file: string, text: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, file), text);
  return join(folder, name);
}

const charts = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

test.each([
  ['everything-in-the-chart-is-complete', 'systems-by-their-bare-oids-are-read'],
  ['everything-in-the-chart-is-complete', 'systems-with-https-www-and-a-slash-are-read'],
  ['everything-in-the-chart-is-complete', 'systems-of-earlier-releases-and-editions-are-read'],
  ['everything-in-the-chart-is-complete', 'systems-by-name-are-read'],
])(
  '[K6] %s comes out of a batch as %s does, from bundles, read in part or whole, and from lines',
  async (plain, respelled) => {
    const found: string[][] = [];
    for (const name of [plain, respelled]) {
      const bundle = readFixtureChart(join(charts, name)) as FileBundle; // a case's bundle has entries
      const whole = write(`${name}-bundle`, 'chart.json', JSON.stringify(bundle));
      const lines = bundle.entry.map(({ resource }) => JSON.stringify(resource)).join('\n');
      found.push(
        await ordersOf(whole, false),
        await ordersOf(whole, true),
        await ordersOf(write(`${name}-lines`, 'chart.ndjson', lines), false),
      );
    }
    const states = found.map((orders) => orders.map((order) => withoutFile(JSON.parse(order))));
    expect(states[0]).toMatchObject([{ state: 'ready', body: { provider: { npi: '1234567893' } } }]);
    for (const state of states) expect(state).toEqual(states[0]);
  },
);

/** Bodies, gaps and states; lines and bundles name their file in other ways. */
function withoutFile({ state, body, gaps }: Record<string, unknown>): unknown {
  return { state, body, gaps };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { roles } from '../../mappings/roles.ts';
import { readFixtureChart } from '../../src/base/fixture-chart.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { mapDocument, mapInputs } from '../../src/batch/map.ts';
import type { FileOutcome, OrderOutcome } from '../../src/batch/report/order-outcome.ts';
import { runMappings } from '../../src/core/mapping/run/run.ts';
import { zip } from './zip.ts';

let folder = mkdtempSync(join(tmpdir(), 'damaged-'));

afterEach(() => {
  rmSync(folder, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), 'damaged-'));
});

const chart = readFixtureChart(
  join(import.meta.dirname, '../../fixtures/charts/everything-in-the-chart-is-complete'),
) as { entry: { resource: { resourceType: string; id: string } }[] };
const resources = chart.entry.map(({ resource }) => resource);
const patientAt = resources.findIndex(({ resourceType }) => resourceType === 'Patient');

/** The same in Latin-1, where an é is one byte. */
const latin1 = (value: unknown) => Buffer.from(JSON.stringify(value).replace('Fenwick', 'F\u00e9nwick'), 'latin1');
const lines = () => Buffer.concat(resources.flatMap((resource) => [latin1(resource), Buffer.from('\n')]));
const lost = 'it is not UTF-8: characters of it are lost';

const site = { country: 'USA', timeZone: 'UTC' };
const now = new Date('2026-11-21T15:00:00Z');

async function run(files: Readonly<Record<string, Buffer>>) {
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const inputs = await listInputs([folder]);
  const map = (charts: Parameters<typeof runMappings>[1]) => runMappings(priorAuth, charts);
  const found = { orders: [] as OrderOutcome[], files: [] as FileOutcome[] };
  for await (const event of mapInputs({ inputs, map, roles, site, now, stdin: nothing() })) {
    if (event.kind === 'order') found.orders.push(event.outcome);
    if (event.kind === 'file') found.files.push(event.outcome);
  }
  return found;
}

async function* nothing(): AsyncGenerator<Buffer> {}

const blocked = (outcome: OrderOutcome | undefined) =>
  outcome === undefined || !('result' in outcome)
    ? outcome
    : outcome.result.gaps.filter(({ severity }) => severity === 'blocks').map(({ target }) => target);

const wide = { resource: { resourceType: 'Claim', id: 'wide', text: { status: 'empty', div: 'x'.repeat(20_000) } } };

test.each([
  ['lines', { 'all.ndjson': lines() }, { line: patientAt + 1 }],
  ['lines in gzip', { 'all.ndjson.gz': gzipSync(lines()) }, { line: patientAt + 1 }],
  [
    'lines in zip',
    { 'all.zip': zip([{ name: 'all.ndjson', text: lines(), isDeflated: true }]) },
    { line: patientAt + 1 },
  ],
  ['a Bundle', { 'all.json': latin1(chart) }, { path: `entry[${patientAt}].resource` }],
  [
    'a large Bundle',
    { 'all.json': latin1({ ...chart, entry: [...chart.entry, wide] }) },
    { path: `entry[${patientAt}].resource` },
  ],
  [
    'a CDS Hooks request',
    { 'hook.json': latin1({ hook: 'order-sign', hookInstance: '1', context: {}, prefetch: { all: chart } }) },
    { path: `prefetch.all.entry[${patientAt}].resource` },
  ],
])('bytes of %s that are not UTF-8 are told at their place, and the rest is mapped [K3]', async (_, files, place) => {
  const { orders, files: told } = await run(files);
  expect(told.flatMap(({ problems }) => problems)).toEqual([{ ...place, reason: lost }]);
  expect(orders.map(blocked)).toEqual([['patient.last_name']]);
});

test('a resource alone in its file, and one that a filter reads, are told [K3]', async () => {
  const files = Object.fromEntries(resources.map((resource) => [`${resource.id}.json`, latin1(resource)]));
  const { orders, files: told } = await run(files);
  expect(told.flatMap(({ problems }) => problems)).toEqual([{ reason: lost }]);
  expect(orders.map(blocked)).toEqual([['patient.last_name']]);

  const map = (charts: Parameters<typeof runMappings>[1]) => runMappings(priorAuth, charts);
  const printed = [];
  for await (const one of mapDocument(latin1(chart), 7, { map, roles, site, now, only: [] })) printed.push(one);
  expect(printed[0]).toEqual({
    file: '-',
    line: 7,
    path: `entry[${patientAt}].resource`,
    state: 'unreadable',
    reason: lost,
  });
  expect(printed.slice(1).map((one) => blocked(one as OrderOutcome))).toEqual([['patient.last_name']]);
});

test.each([
  ['with a byte order mark', Buffer.from(`\ufeff${JSON.stringify(chart)}`, 'utf16le')],
  ['of the other order', Buffer.from(`\ufeff${JSON.stringify(chart)}`, 'utf16le').swap16()],
  ['without a mark', Buffer.from(JSON.stringify(chart), 'utf16le')],
])('UTF-16 %s is told once for the file [K3]', async (_, bytes) => {
  for (const name of ['all.ndjson', 'all.json', 'chart']) {
    const { files } = await run({ [name]: bytes });
    expect(files.find(({ file }) => file.endsWith(name))).toMatchObject({
      state: 'unreadable',
      problems: [{ reason: 'it is UTF-16; FHIR JSON is UTF-8' }],
    });
    rmSync(join(folder, name));
  }
});

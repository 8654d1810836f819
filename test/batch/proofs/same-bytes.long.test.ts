import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { priorAuth } from '../../../mappings/prior-auth.ts';
import { baseOf } from '../../../src/core/fhir/address.ts';
import { type Entry, readBundle } from '../../../src/core/fhir/bundle.ts';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { noonOf } from '../../../src/core/fhir/time/time-zone.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { selectChart } from '../../../src/core/roles/select.ts';
import { listFixtures, loadFixture } from '../../../src/dev/kit/fixture.ts';
import { readDocuments } from '../../../src/ehr/documents/read-documents.ts';
import { loadBases } from '../../laws/bases.ts';
import { changes } from '../../laws/changes/index.ts';
import { pairs } from '../../laws/generator.ts';
import { hasPublicData, publicData } from '../../support/public-data.ts';

/** `map` in each of its ways, over all charts that the tests know, and the call that a launch makes. */

const root = join(import.meta.dirname, '../../..');
const timeZone = 'America/New_York';
const folder = mkdtempSync(join(tmpdir(), 'same-bytes-'));
const given = join(folder, 'given');
const ways = { one: ['--workers', '1'], two: ['--workers', '2'] };
const written = ['requests.ndjson', 'drafts.ndjson', 'sources.ndjson'];
/** The charts by the place that `map` names. */
const charts = new Map<string, readonly Entry[]>();

beforeAll(() => {
  for (const [at, path] of listFixtures(join(root, 'fixtures', 'charts')).entries()) {
    // A folder of its own, so that no other case lends it a practitioner.
    const own = join(given, 'cases', String(at));
    mkdirSync(own, { recursive: true });
    const bundle = bundleOf(loadFixture(path).entries);
    writeFileSync(join(own, 'chart.json'), bundle);
    charts.set(placeOf({ file: join(own, 'chart.json') }), entriesOf(bundle));
  }
  mkdirSync(join(given, 'pairs'));
  const file = join(given, 'pairs', 'pairs.ndjson');
  const drafts = [...pairs(loadBases(), changes, { count: 600, seed: 20261124 })].map(({ draft }) => draft);
  const lines = drafts.map(({ entries }) => bundleOf(ofOneServer(entries)));
  writeFileSync(file, `${lines.join('\n')}\n`);
  for (const [at, line] of lines.entries()) charts.set(placeOf({ file, line: at + 1 }), entriesOf(line));
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * All with an address where one has it, as an EHR gives them: a launch reads from one server. Of a bundle in which some
 * have none, `map` does not take these for resources of the same server.
 */
function ofOneServer(entries: readonly Entry[]): readonly Entry[] {
  const base = entries.map(({ fullUrl }) => baseOf(fullUrl)).find((one) => one !== undefined);
  if (base === undefined) return entries;
  return entries.map(({ resource, fullUrl = `${base}/${resource.resourceType}/${resource.id}` }) => ({
    resource,
    fullUrl,
  }));
}

function bundleOf(entries: readonly Entry[]): string {
  const entry = entries.map(({ resource, fullUrl }) => (fullUrl === undefined ? { resource } : { fullUrl, resource }));
  return JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
}

function entriesOf(bundle: string): readonly Entry[] {
  return readBundle(JSON.parse(bundle)).entries;
}

interface Line {
  readonly file: string;
  readonly line?: number;
  readonly order: string;
  readonly body?: unknown;
  readonly draft?: unknown;
}

function placeOf({ file, line = 0 }: Pick<Line, 'file' | 'line'>): string {
  return `${file} ${line}`;
}

/** What `map` writes of these paths: each file's text. */
function mapped(name: string, paths: readonly string[], how: readonly string[]): Record<string, string> {
  const out = join(folder, name);
  const options = ['--out', out, '--format', 'ndjson', '--sources', '--now', '2026-11-21', ...how];
  const command = [join(root, 'bin/prior-auth-bridge.cjs'), 'map', ...paths, ...options, '--time-zone', timeZone];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 1 << 26 });
  expect([0, 1, 2], stderr).toContain(status);
  return Object.fromEntries([...written, 'report.json'].map((file) => [file, readFileSync(join(out, file), 'utf8')]));
}

function inEveryWay(name: string, paths: readonly string[]): Record<string, string> {
  const [one, two, fast, fastTwo] = [ways.one, ways.two, [...ways.one, '--fast'], [...ways.two, '--fast']].map(
    (how, at) => mapped(`${name}-${at}`, paths, how),
  );
  expect(two).toEqual(one);
  expect(fastTwo).toEqual(fast);
  for (const file of written) expect(fast?.[file]).toBe(one?.[file]);
  return one ?? {};
}

function linesOf(text: string | undefined): readonly Line[] {
  return (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('one worker and two, with --fast and without, give the same bytes', () => {
  test('for every mapping case and for generated charts of two changes; a launch maps them alike', async () => {
    const found = inEveryWay('charts', [given]);
    const sources = linesOf(found['sources.ndjson']);
    const lines = [...linesOf(found['requests.ndjson']), ...linesOf(found['drafts.ndjson'])];
    const provenanceOf = new Map(sources.map((one) => [keyOf(one), Reflect.get(one, 'provenance')]));
    const differing: string[] = [];
    for (const line of lines) {
      const { body, provenance } = await launched(charts.get(placeOf(line)) ?? [], line.order);
      const own = [line.body ?? line.draft, provenanceOf.get(keyOf(line))];
      if (JSON.stringify(own) !== JSON.stringify([body, provenance])) differing.push(keyOf(line));
    }
    expect(differing).toEqual([]);
    expect(lines.length).toBeGreaterThan(600);
  });

  test.skipIf(!hasPublicData)('for public FHIR data', () => {
    const found = inEveryWay('public', [publicData()]);
    expect(linesOf(found['drafts.ndjson']).length).toBeGreaterThan(50);
  });
});

function keyOf(line: Line): string {
  return `${placeOf(line)} ${line.order}`;
}

/** The calls that a launch makes, of the same resources. */
async function launched(entries: readonly Entry[], order: string): Promise<{ body: unknown; provenance: unknown }> {
  const graph = indexChart(entries);
  const resource = graph.find(order)?.resource;
  const patient = resource === undefined ? undefined : graph.ownerOf(resource);
  const readings = await readDocuments(graph, { patient: patient ?? '', newest: 0 });
  const now = new Date(noonOf('2026-11-21', timeZone));
  const site = { country: 'USA', diagnoses: 'ask', timeZone } as const;
  const chart = selectChart(entries, { roles: mappings.roles, now, site, order, readings });
  const result = runMapping(priorAuth, chart);
  return { body: result.status === 'complete' ? result.body : result.draft, provenance: result.provenance };
}

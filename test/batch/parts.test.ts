import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { enrollment } from '../../mappings/enrollment.ts';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { createTemporary } from '../../src/base/temporary.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { mapDocument, mapInputs } from '../../src/batch/map.ts';
import { orderJson } from '../../src/batch/report/order-line.ts';
import { unreadTypes } from '../../src/batch/unread-types.ts';
import { runMappings } from '../../src/core/mapping/run/run.ts';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { writeExport } from '../bench/export/generate.ts';

const folder = mkdtempSync(join(tmpdir(), 'parts-'));
const now = new Date('2026-11-21T12:00:00');

async function* nothing(): AsyncGenerator<Buffer> {}

/** Every order of a folder as JSON, and what its files say, with parts of so many patients. */
async function mapped(path: string, patientsPerPart: number) {
  const orders: string[] = [];
  const notes: string[] = [];
  let patients = 0;
  for await (const event of mapInputs({
    inputs: await listInputs([path]),
    map: (charts) => runMappings(priorAuth, charts),
    roles: mappings.roles,
    site: { country: 'USA' },
    now,
    stdin: nothing(),
    patientsPerPart,
  })) {
    if (event.kind === 'order') orders.push(JSON.stringify(orderJson(event.outcome)));
    else if (event.kind === 'file') notes.push(event.outcome.note);
    else patients += event.count;
  }
  return { orders: orders.sort(), notes, patients };
}

function exportOf(name: string, files: Readonly<Record<string, readonly object[]>>): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const [file, lines] of Object.entries(files))
    writeFileSync(join(path, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
const patient = (id: string) => ({ resourceType: 'Patient', id: `p${id}`, name: [{ family: 'Invented' }] });
const order = (id: string, subject: object, more: object = {}) => ({
  resourceType: 'MedicationRequest',
  id: `m${id}`,
  status: 'active',
  intent: 'order',
  subject,
  medicationCodeableConcept: { text: `examplumab ${id} MG Injection` },
  ...more,
});

// A part has 64 patients unless told.
test('an export gives the same orders in one part and in several', async () => {
  const path = join(folder, 'export');
  writeExport(path, { patients: 400, everyActive: 4, bulk: 1 });
  const whole = await mapped(path, 1 << 30);
  expect(whole.orders).toHaveLength(400);
  expect(whole.orders.filter((text) => text.includes('"state":"not_eligible"'))).toHaveLength(300);
  expect(await mapped(path, 60)).toEqual(whole);
});

test('an export whose files have their patients in other orders gives the same', async () => {
  const path = join(folder, 'orderly');
  writeExport(path, { patients: 300, everyActive: 10, bulk: 0 });
  const shuffled = join(folder, 'shuffled');
  mkdirSync(shuffled);
  for (const [at, name] of readdirSync(path).entries()) {
    const lines = readFileSync(join(path, name), 'utf8').trimEnd().split('\n');
    const turned = lines.map((line, index) => ({ line, place: (index * 7 + at * 13) % lines.length }));
    turned.sort((one, other) => one.place - other.place);
    writeFileSync(join(shuffled, name), turned.map(({ line }) => `${line}\n`).join(''));
  }
  const withoutPlaces = ({ orders }: { readonly orders: readonly string[] }) =>
    orders
      .map((text) => ({ ...JSON.parse(text), file: '', line: 0 }))
      .sort((one, other) => (one.order < other.order ? -1 : 1));
  const whole = withoutPlaces(await mapped(path, 1 << 30));
  for (const size of [1 << 30, 60]) expect(withoutPlaces(await mapped(shuffled, size))).toEqual(whole);
});

test.each([7, 100, 350])(
  'a resource that stands under two patients is not used for either, in whatever part: the fourth and patient %i',
  async (other) => {
    const path = exportOf(`twice-${other}`, {
      'a.ndjson': [...ids(400).map(patient), ...ids(10).map((id) => order(id, { reference: `Patient/p${id}` }))],
      'b.ndjson': [order('3', { reference: `Patient/p${other}` })],
    });
    const whole = await mapped(path, 1 << 30);
    expect(whole.orders.filter((text) => text.includes('stands twice with different content'))).toHaveLength(2);
    expect(await mapped(path, 30)).toEqual(whole);
  },
);

test('a patient who is named by identifier alone is found in whatever part', async () => {
  const identifier = { system: 'urn:oid:1.2.3', value: 'MRN-4' };
  const path = exportOf('identified', {
    'a.ndjson': [{ ...patient('4'), identifier: [identifier] }, ...ids(3).map(patient)],
    'b.ndjson': [order('1', { type: 'Patient', identifier }), order('2', { reference: 'Patient/p2' })],
  });
  const whole = await mapped(path, 1 << 30);
  expect(whole.orders.map((text) => JSON.parse(text).patient)).toEqual(['Patient/p4', 'Patient/p2']);
  expect(await mapped(path, 1)).toEqual(whole);
});

test('a line that cannot be parsed is told in whatever part, also where no order needs it', async () => {
  const path = exportOf('broken', { 'a.ndjson': ids(8).map(patient) });
  const bad = '{"resourceType":"Condition","id":"c1","subject":{"reference":"Patient/p3"},"code":nothing}';
  const cut = '{"resourceType":"Claim","id":"c1","patient":{"reference":"Patient/p3"},"item":[}';
  writeFileSync(join(path, 'b.ndjson'), `${bad}\n${JSON.stringify(patient('9'))}\n${cut}\n`);
  for (const size of [1 << 30, 1])
    expect(await mapped(path, size)).toEqual({
      orders: [],
      patients: 9,
      notes: [
        'no medication order; 8 Patient for the other files of its folder',
        'no medication order; 1 Patient for the other files of its folder; not read: line 1: it is not valid JSON ' +
          '(near line 1) and 1 more',
      ],
    });
});

test('no case needs the types that are left aside, neither for its body nor for its choices', async () => {
  const cases = listFixtures(join(import.meta.dirname, '../../fixtures/charts')).map(loadFixture);
  const asked = unreadTypes({ choices: false });
  let compared = 0;
  for (const { entries } of cases) {
    for (const unread of [asked, unreadTypes({ choices: true })]) {
      const left = entries.filter(({ resource }) => !unread.has(resource.resourceType));
      if (left.length === entries.length) continue;
      compared += 1;
      expect(await bodies(left, unread !== asked)).toEqual(await bodies(entries, unread !== asked));
    }
  }
  expect(compared).toBeGreaterThan(20);
});

async function bodies(entry: readonly object[], choices: boolean): Promise<unknown[]> {
  const bytes = Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }));
  const found: unknown[] = [];
  for (const mapping of [priorAuth, enrollment])
    for await (const told of mapDocument(bytes, 1, {
      map: (charts) => runMappings<unknown>(mapping, charts),
      roles: mappings.roles,
      site: { country: 'USA' },
      now,
    })) {
      const { order: name, state } = told as { order?: string; state: string };
      found.push({ name, state });
      if ('result' in told) found.push(told.result, choices ? [told.chart.choices, told.chart.warnings] : []);
    }
  return found;
}

test('temporary files are their owner’s only, and what a killed run left behind is removed by the next', () => {
  const killed = createTemporary();
  writeFileSync(killed.path(), 'x');
  const all = join(tmpdir(), `prior-auth-bridge-${process.getuid?.()}`);
  const dead = join(all, '999999999-abandoned');
  mkdirSync(dead);
  const next = createTemporary();
  expect(readdirSync(all)).not.toContain('999999999-abandoned');
  const path = next.path();
  expect(readdirSync(all).filter((name) => name.startsWith(`${process.pid}-`))).toHaveLength(2);
  killed.remove();
  next.remove();
  expect(path.startsWith(all)).toBe(true);
  expect(readdirSync(all).filter((name) => name.startsWith(`${process.pid}-`))).toEqual([]);
});

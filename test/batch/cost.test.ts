import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { mapInputs } from '../../src/batch/map.ts';

const folder = mkdtempSync(join(tmpdir(), 'cost-'));

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** How many characters of JSON a run over these files parses, and how many of them the files hold. */
async function parsedBy(
  files: Readonly<Record<string, object>>,
): Promise<{ parsed: number; held: number; orders: number }> {
  const at = mkdtempSync(`${folder}-`);
  const texts = Object.entries(files).map(([name, content]) => [name, JSON.stringify(content)] as const);
  for (const [name, text] of texts) writeFileSync(join(at, name), text);
  const parse = vi.spyOn(JSON, 'parse');
  let orders = 0;
  for await (const event of mapInputs({
    inputs: await listInputs([at]),
    map: (charts) => charts.map(() => ({ status: 'incomplete', draft: {}, provenance: [], gaps: [] })),
    roles: mappings.roles,
    site: { country: 'USA' },
    now: new Date('2026-11-21T12:00:00'),
    stdin: nothing(),
  }))
    if (event.kind === 'order' && event.outcome.state === 'incomplete') orders += 1;
  const parsed = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
  parse.mockRestore();
  rmSync(at, { recursive: true });
  return { parsed, held: texts.reduce((sum, [, text]) => sum + text.length, 0), orders };
}

async function* nothing(): AsyncGenerator<Buffer> {}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
const patient = (id: string) => ({ resourceType: 'Patient', id: `p${id}`, name: [{ family: 'Invented' }] });
const order = (id: string) => ({
  resourceType: 'MedicationRequest',
  id: `m${id}`,
  status: 'active',
  intent: 'order',
  subject: { reference: `Patient/p${id}` },
  requester: { reference: `Practitioner/d${id}` },
});
const practitioner = (id: string) => ({ resourceType: 'Practitioner', id: `d${id}`, name: [{ family: 'Invented' }] });
const bundle = (type: string, resources: readonly object[]) => ({
  resourceType: 'Bundle',
  type,
  entry: resources.map((resource) => ({ resource })),
});

/**
 * Twice the input may cost twice, and each resource is parsed three times at most: when it is found, grouped, and
 * mapped.
 */
async function costsWhatItHolds(files: (count: number) => Readonly<Record<string, object>>): Promise<void> {
  const [once, twice] = [await parsedBy(files(20)), await parsedBy(files(40))];
  expect([once.orders, twice.orders]).toEqual([20, 40]);
  expect(once.parsed).toBeLessThan(3 * once.held);
  expect(twice.parsed).toBeLessThan(3 * twice.held);
}

describe('P1, R4: what stands in one document costs what it holds', () => {
  test('a page of search results', async () => {
    await costsWhatItHolds((count) => ({
      'page.json': bundle(
        'searchset',
        ids(count).flatMap((id) => [patient(id), order(id)]),
      ),
    }));
  });

  test('two pages that are needed in turns', async () => {
    await costsWhatItHolds((count) => ({
      'patients.json': bundle('searchset', ids(count).map(patient)),
      'orders.json': bundle('searchset', ids(count).map(order)),
    }));
  });

  test('a bundle of practitioners beside single resources', async () => {
    await costsWhatItHolds((count) => ({
      'people.json': bundle('transaction', ids(count).map(practitioner)),
      'list.json': ids(count).flatMap((id) => [patient(id), order(id)]),
    }));
  });

  test('resources that stand twice', async () => {
    await costsWhatItHolds((count) => {
      const page = bundle(
        'searchset',
        ids(count).flatMap((id) => [patient(id), order(id), practitioner(id)]),
      );
      return { 'a.json': page, 'b.json': page };
    });
  });
});

/** How often a run over a bundle looks at anything that it parsed: at a member of an object or of a list. */
async function looksAt(resources: readonly object[]): Promise<{ looks: number; orders: number }> {
  const at = mkdtempSync(`${folder}-`);
  writeFileSync(join(at, 'a.json'), JSON.stringify(bundle('collection', resources)));
  let looks = 0;
  const known = new WeakMap<object, object>();
  const counted = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    const proxy = new Proxy(value, {
      get: (target, key) => {
        looks += 1;
        return counted(Reflect.get(target, key));
      },
    });
    known.set(value, proxy).set(proxy, proxy);
    return proxy;
  };
  const parse = JSON.parse;
  vi.spyOn(JSON, 'parse').mockImplementation((text) => counted(parse(text)));
  let orders = 0;
  for await (const event of mapInputs({
    inputs: await listInputs([at]),
    map: (charts) => charts.map(() => ({ status: 'incomplete', draft: {}, provenance: [], gaps: [] })),
    roles: mappings.roles,
    site: { country: 'USA' },
    now: new Date('2026-11-21T12:00:00'),
    stdin: nothing(),
  }))
    if (event.kind === 'order') orders += 1;
  vi.restoreAllMocks();
  rmSync(at, { recursive: true });
  return { looks, orders };
}

describe('twice as much of one kind is looked at twice as often', () => {
  test.each([
    [
      'P3: active orders of one patient',
      (count: number) => [
        patient('0'),
        ...ids(count).map((id) => ({ ...order(id), subject: { reference: 'Patient/p0' } })),
      ],
    ],
    [
      'P4: orders of patients that are not here',
      (count: number) => [
        patient('0'),
        ...ids(count).map((id) => ({
          ...order(id),
          subject: { reference: `urn:uuid:00000000-0000-4000-8000-${id.padStart(12, '0')}` },
        })),
      ],
    ],
    ['orders of as many patients', (count: number) => ids(count).flatMap((id) => [patient(id), order(id)])],
  ])('%s', async (_, resources) => {
    const [once, twice] = [await looksAt(resources(40)), await looksAt(resources(80))];
    expect([once.orders, twice.orders]).toEqual([40, 80]);
    expect(twice.looks).toBeLessThan(2.2 * once.looks);
  });
});

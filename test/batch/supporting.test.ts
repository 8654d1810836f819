import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Resource } from 'fhir/r4.js';
import { afterAll, describe, expect, test } from 'vitest';
import { createTemporary } from '../../src/base/temporary.ts';
import { Pool, type SharedPool } from '../../src/batch/pool.ts';
import { ResourceStore, rowOf, StoreReader } from '../../src/batch/resource-store.ts';
import { foundOf } from '../../src/batch/scan.ts';
import { serversFrom } from '../../src/batch/servers.ts';
import { type Slot, slotOf } from '../../src/batch/slot.ts';
import { StoredPool } from '../../src/batch/supporting.ts';
import type { PlacedEntry } from '../../src/core/fhir/bundle.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const temporary = createTemporary();
afterAll(() => temporary.remove());

interface Held {
  readonly resource: object;
  readonly fullUrl?: string;
}

const entryOf = ({ resource, fullUrl }: Held): PlacedEntry => ({
  resource: resource as Resource,
  path: '',
  ...(fullUrl === undefined ? {} : { fullUrl }),
});
const here = 'https://ehr.example/fhir';
const elsewhere = 'https://other.example/fhir';

const npi = (value: string) => ({ identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value }] });
const practitioner = (id: string, more: object = {}) => ({ resourceType: 'Practitioner', id, ...more });
const role = (id: string, reference: unknown) => ({ resourceType: 'PractitionerRole', id, practitioner: reference });

const all: readonly Held[] = [
  { resource: practitioner('d1', npi('1111111111')) },
  { resource: practitioner('d1', npi('1111111111')), fullUrl: `${here}/Practitioner/d1` },
  { resource: practitioner('d1', npi('9999999999')), fullUrl: `${elsewhere}/Practitioner/d1` },
  { resource: practitioner('d2', npi('2222222222')) },
  { resource: practitioner('d2', npi('2222222222')) },
  { resource: practitioner('d3', { ...npi('3333333333'), meta: { versionId: '1' } }) },
  { resource: practitioner('d3', { ...npi('3333333334'), meta: { versionId: '2' } }) },
  { resource: practitioner('d4', { ...npi('4444444444'), active: true }) },
  { resource: practitioner('d4', { ...npi('4444444444'), active: false }) },
  { resource: practitioner('d5'), fullUrl: 'urn:uuid:00000000-0000-4000-8000-000000000005' },
  { resource: { resourceType: 'Practitioner', ...npi(' 6666666666 ') }, fullUrl: 'urn:oid:1.2.6' },
  { resource: { resourceType: 'Practitioner', ...npi('7777777777') } },
  { resource: { resourceType: 'Practitioner', ...npi('7777777777') } },
  { resource: { resourceType: 'Practitioner', ...npi('8888888888') } },
  { resource: { resourceType: 'Organization', id: 'd1', ...npi('1111111111') } },
  { resource: { resourceType: 'Organization', id: 'o1' }, fullUrl: `${here}/Organization/o1` },
  { resource: { resourceType: 'Medication', id: 'd2' } },
  { resource: { resourceType: 'Condition', id: 'd2', code: { text: 'about nobody' } } },
  { resource: role('r1', { reference: 'Practitioner/d1' }) },
  { resource: role('r2', { reference: `${here}/Practitioner/d1` }) },
  { resource: role('r3', { reference: 'Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|2222222222' }) },
  {
    resource: role('r4', { identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: '2222222222' } }),
  },
  { resource: { ...role('r5', { reference: 'Practitioner/d1' }), meta: { versionId: '1' } } },
  { resource: { ...role('r5', { reference: 'Practitioner/d2' }), meta: { versionId: '2' } } },
  { resource: role('r6', { reference: 'urn:uuid:00000000-0000-4000-8000-000000000005' }) },
];

const texts = [
  ...['d1', 'd2', 'd3', 'd4', 'd5', 'none'].flatMap((id) => [
    `Practitioner/${id}`,
    `Practitioner/${id}/_history/2`,
    ` Practitioner/${id}/ `,
    `${here}/Practitioner/${id}`,
    `${elsewhere}/Practitioner/${id}`,
    `urn:uuid:${id}`,
    id,
    `Organization/${id}`,
    `Condition/${id}`,
    `Medication/${id}`,
  ]),
  'urn:uuid:00000000-0000-4000-8000-000000000005',
  'urn:oid:1.2.6',
  'Organization/o1',
  `${here}/Organization/o1`,
  'PractitionerRole/r5',
  'Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|1111111111',
  'Practitioner?identifier=3333333333',
  'Practitioner?identifier=3333333334',
  'Practitioner?identifier=6666666666',
  '#contained',
  '',
];
const references: readonly unknown[] = [
  ...texts,
  ...texts.map((reference) => ({ reference })),
  ...['1111111111', '4444444444', '6666666666', '7777777777', '8888888888'].flatMap((value) => [
    { identifier: { value } },
    { type: 'Organization', identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value } },
    { reference: 'Practitioner/none', identifier: { system: '', value } },
  ]),
  undefined,
  7,
];

const serverSets: readonly (readonly string[])[] = [[], [here], [here, elsewhere]];

/** The same resources as the pool of a run holds them, and as every other pool does. */
function bothOf(held: readonly Held[], servers: (typeof serverSets)[number]) {
  const reads: number[] = [];
  const placeAt = (line: number) => ({ file: 'all.ndjson', line });
  const slotAt = (line: number, read = () => {}) => {
    const entry = entryOf(held[line] ?? { resource: {} });
    return slotOf(entry, {
      place: placeAt(line),
      load: () => {
        read();
        return entry;
      },
    });
  };
  const store = new ResourceStore(temporary.path());
  for (const line of held.keys()) {
    const { length } = JSON.stringify(held[line]?.resource);
    const found = foundOf(slotAt(line), { source: 0, line, start: 0, end: length, path: '', json: null }, '');
    if (found.patient === null) store.add(rowOf(found));
  }
  store.end(false);
  store.close();
  const marked = new StoredPool({
    store: new StoreReader(store.path),
    servers: serversFrom(servers),
    facts: { hasDeletions: false },
    slotOf: ({ line }) => slotAt(line, () => void reads.push(line)),
    placeOf: ({ line }) => placeAt(line),
  });
  const slots = [...held.keys()].map((line) => slotAt(line));
  const plain = new Pool(slots, { servers: serversFrom(servers) });
  return { marked, plain, reads };
}

const linesOf = (slots: readonly Slot[]) => slots.map(({ place }) => place.line);

function found(pool: SharedPool, reference: unknown, base: string | undefined) {
  const slots = pool.supporting(reference, base);
  return { slots: linesOf(slots), roles: slots.map((slot) => linesOf(pool.rolesOf(slot))) };
}

const conflictsOf = (pool: Pick<Pool, 'content'>) =>
  pool.content.unused.flatMap(({ slot, why, at }) =>
    why === 'disputed' ? [[slot.place.line, slot.name, at.line]] : [],
  );

describe('the pool of what is about nobody says the same as every other pool', () => {
  test.each(serverSets.map((servers) => [servers]))('of servers %j', (servers) => {
    const { marked, plain } = bothOf(all, servers);
    for (const reference of references)
      for (const base of [undefined, here, elsewhere]) {
        marked.trim();
        expect([reference, base, found(marked, reference, base)]).toEqual([
          reference,
          base,
          found(plain, reference, base),
        ]);
      }
    expect(conflictsOf(marked)).toEqual(conflictsOf(plain));
  });

  test('finds something by each kind of reference', () => {
    const [servers] = serverSets;
    const { marked } = bothOf(all, servers ?? []);
    const lines = (reference: unknown) => linesOf(marked.supporting(reference, undefined));
    expect(lines('Practitioner/d2')).toEqual([3]);
    expect(lines('Practitioner/d3')).toEqual([6]);
    expect(lines('Practitioner/d4')).toEqual([]);
    expect(lines('urn:oid:1.2.6')).toEqual([10]);
    expect(lines({ identifier: { value: '7777777777' } })).toEqual([11]);
    expect(lines('Condition/d2')).toEqual([]);
  });
});

test('of however many resources a reference reads only what it may mean', () => {
  const readOf = (count: number) => {
    const held = Array.from({ length: count }, (_, at) => ({ resource: practitioner(`d${at}`, npi(`${at}`)) }));
    const { marked, reads } = bothOf(held, []);
    const first = reads.splice(0).length;
    for (const slot of marked.supporting('Practitioner/d7', undefined)) slot.load();
    return { first, asked: [...reads] };
  };
  expect(readOf(1000)).toEqual({ first: 0, asked: [7] });
  expect(readOf(2000)).toEqual({ first: 0, asked: [7] });
});

test('what stands twice is read for one patient once, and the same slot is given again', () => {
  const { marked, reads } = bothOf(all, []);
  reads.splice(0);
  const [first] = marked.supporting('Practitioner/d5', undefined);
  const [again] = marked.supporting('urn:uuid:00000000-0000-4000-8000-000000000005', undefined);
  expect(again).toBe(first);
  expect(reads.length).toBeLessThanOrEqual(1);
});

test('practitioners whom a million patients see in turn are read again once, not for each patient', () => {
  const doctors = Array.from({ length: 20_000 }, (_, at) => `d${at}`);
  const held = doctors.flatMap((id) => [
    { resource: practitioner(id, { ...npi(id), address: [{ text: 'x'.repeat(400) }] }) },
    { resource: role(`${id}-role`, { reference: `Practitioner/${id}` }) },
  ]);
  const { marked, reads } = bothOf(held, []);
  const askedByAll = () => {
    reads.length = 0;
    const slots = doctors.flatMap((id) => {
      marked.trim();
      return marked.supporting(`Practitioner/${id}`, undefined).flatMap((slot) => [slot, ...marked.rolesOf(slot)]);
    });
    for (const slot of slots) slot.load();
    return { reads: reads.length, slots };
  };
  const first = askedByAll();
  expect(new Set(first.slots).size).toBe(held.length);
  expect(first.reads).toBeLessThanOrEqual(held.length);
  for (let round = 0; round < 2; round += 1) {
    const again = askedByAll();
    expect(again.reads).toBe(0);
    expect(again.slots.every((slot, at) => slot === first.slots[at])).toBe(true);
  }
});

test('a practitioner of a chart’s own Bundle is let go with the chart', async () => {
  const { marked } = bothOf(all, []);
  const own = (() => {
    const entry = entryOf({ resource: practitioner('d1') });
    const slot = slotOf(entry, { place: { file: 'a.json' }, load: () => entry });
    expect(linesOf(marked.rolesOf(slot))).toEqual([18, 19]);
    return new WeakRef(slot);
  })();
  await setImmediate(); // a WeakRef holds until the turn that made it has ended
  collectGarbage();
  expect(own.deref()).toBeUndefined();
});

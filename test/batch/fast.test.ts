import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { createTemporary } from '../../src/base/temporary.ts';
import { BatchEngine } from '../../src/batch/engine.ts';
import { emptyNotes } from '../../src/batch/file-ledger.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { planFolder } from '../../src/batch/plan.ts';
import { orderJson } from '../../src/batch/report/order-line.ts';
import { runMappings } from '../../src/core/mapping/run/run.ts';
import type { RoleTable } from '../../src/core/roles/define.ts';
import { createRandom, type Random } from '../torture/random.ts';

const folder = mkdtempSync(join(tmpdir(), 'fast-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* nothing(): AsyncGenerator<Buffer> {}

interface ToldOptions {
  readonly isFast: boolean;
  readonly patientsPerPart: number;
  readonly roles?: RoleTable;
  readonly choices?: boolean;
  readonly evidence?: 'suggested';
}

/** What a run tells of a folder, in its order. */
async function told(path: string, options: ToldOptions) {
  const { isFast, patientsPerPart, roles = mappings.roles, choices = true, evidence } = options;
  const engine = new BatchEngine({
    map: (charts) => runMappings(priorAuth, charts),
    roles,
    site: { country: 'USA', ...(evidence === undefined ? {} : { evidence }) },
    now: new Date('2026-11-21T12:00:00'),
    isFast,
    choices,
  });
  const temporary = createTemporary();
  const { files } = await listInputs([path]);
  const { facts, parts } = await planFolder(files, {
    stdin: nothing(),
    temporary,
    atOnce: 1,
    onFile: () => {},
    patientsPerPart,
    scan: (pieces, sources) => engine.scan(pieces, sources),
  });
  engine.open(facts);
  const orders: string[] = [];
  const notes = emptyNotes();
  for (const part of parts)
    for await (const some of engine.map(part, notes))
      for (const outcome of some) orders.push(JSON.stringify(orderJson(outcome)));
  engine.close();
  temporary.remove();
  return { orders, notes, isUnmarked: facts.isUnmarked };
}

/** How often the work parsed a resource of each type. The spy keeps all that it sees, and slows a run down. */
async function parsedBy(work: () => Promise<void>): Promise<Record<string, number>> {
  const parse = vi.spyOn(JSON, 'parse');
  await work();
  const types = parse.mock.calls.flatMap(([text]) => /^\{"resourceType":"(\w+)"/.exec(text)?.[1] ?? []);
  parse.mockRestore();
  return Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, { length }]) => [type, length]));
}

const server = 'https://ehr.example/fhir';
const plain = (id: string): object => ({ reference: `Patient/${id}` });
const marked: readonly ((id: string) => object | undefined)[] = [
  (id) => ({ reference: `${server}/Patient/${id}` }),
  (id) => ({ reference: `https://other.example/Patient/${id}` }),
  (id) => ({ reference: `urn:uuid:${id}` }),
  (id) => ({ reference: `Patient/${id}/_history/1` }),
  (id) => ({ reference: ` Patient/${id}/` }),
  (id) => ({ reference: `Group/${id}` }),
  (id) => ({ display: 'Somebody', ...plain(id) }),
  (id) => ({ ...plain(id), identifier: { value: `MRN-${Number(id.slice(1)) + 1}` } }),
  (id) => ({ reference: `Patient/gone-${id}`, identifier: { value: `MRN-${id.slice(1)}` } }),
  () => undefined,
];
const unmarked = [(id: string) => ({ identifier: { value: `MRN-${id.slice(1)}` } })];
const statuses = 'completed stopped cancelled entered-in-error active on-hold draft unknown COMPLETED'.split(' ');

// What may be said of an order before its status is: of most of these it is.
const oddOrders: readonly object[] = [
  { id: undefined },
  { id: 7 },
  { status: ['completed'] },
  { status: undefined },
  { intent: 3 },
  { doNotPerform: 'no' },
  { modifierExtension: [{ url: 'https://ehr.example/changed', valueBoolean: true }] },
  { subject: { reference: 'Patient/p1', display: 7 } },
  { contained: [{ resourceType: 'Medication', id: 'a' }], medicationReference: { reference: '#a' } },
  { note: [{ text: 'Invented' }], reported: true },
];

function patient(id: string, random: Random): object {
  const meta = random.chance(0.1) ? { meta: { versionId: String(random.between(1, 3)) } } : {};
  const identifier = random.chance(0.5) ? { identifier: [{ value: `MRN-${id.slice(1)}` }] } : {};
  const odd = random.chance(0.05) ? { birthDate: 'soon', active: 'yes' } : {};
  return { resourceType: 'Patient', id, ...meta, ...identifier, ...odd, name: [{ family: 'Invented' }] };
}

/** Lines of an export in which a few things stand otherwise than usual. */
function linesOf(random: Random): { readonly lines: string[]; readonly page: object } {
  const forms = random.chance(0.1) ? [...marked, ...unmarked] : random.chance(0.2) ? [] : marked;
  const odds = random.chance(0.5) ? 0.03 : 0.3;
  const subject = (id: string) => (forms.length > 0 && random.chance(odds) ? random.pick(forms)(id) : plain(id));
  const found: object[] = [];
  const entry: object[] = [];
  const add = (resource: object) => {
    if (random.chance(odds / 2)) {
      const { resourceType, id } = resource as { resourceType: string; id: string };
      const fullUrl = random.pick(['', `${server}/${resourceType}/${id}`, `urn:uuid:${id}`]);
      entry.push({ ...(fullUrl === '' ? {} : { fullUrl }), resource });
      if (random.chance(0.7)) return;
    }
    found.push(resource);
    if (random.chance(odds / 4)) found.push(random.chance(0.5) ? resource : { ...resource, language: 'en' });
  };
  const count = random.between(2, 15);
  for (let at = 0; at < count; at += 1) {
    const id = `p${at}`;
    if (!random.chance(0.1)) add(patient(id, random));
    for (let order = random.between(0, 3); order > 0; order -= 1)
      add({
        resourceType: 'MedicationRequest',
        id: random.chance(odds / 4) ? 'shared' : `m${at}-${order}`,
        status: random.chance(0.7) ? 'completed' : random.pick(statuses),
        intent: 'order',
        subject: subject(id),
        medicationCodeableConcept: { text: `examplumab ${order} MG Injection` },
        ...(random.chance(odds / 3) ? random.pick(oddOrders) : {}),
      });
    if (random.chance(0.5))
      add({ resourceType: 'Condition', id: `c${at}`, subject: subject(id), code: { text: 'Invented' } });
  }
  const placed = found.map((resource, at) => ({ text: `${JSON.stringify(resource)}\n`, place: at }));
  if (random.chance(0.5)) for (const one of placed) one.place = random.next();
  return {
    lines: placed.sort((one, other) => one.place - other.place).map(({ text }) => text),
    page: { resourceType: 'Bundle', type: 'searchset', entry },
  };
}

const exports = Number(process.env.FAST_EXPORTS ?? 80);

test('of any export --fast tells the same, in one part and in several', async () => {
  let [orders, unmarkedOnes] = [0, 0];
  for (let seed = 1; seed <= exports; seed += 1) {
    const { lines, page } = linesOf(createRandom(seed));
    const path = join(folder, String(seed));
    mkdirSync(path);
    const middle = Math.floor(lines.length / 2);
    writeFileSync(join(path, 'a.ndjson'), lines.slice(0, middle).join(''));
    writeFileSync(join(path, 'b.ndjson'), lines.slice(middle).join(''));
    writeFileSync(join(path, 'c.json'), JSON.stringify(page));
    for (const patientsPerPart of [1 << 30, 1]) {
      const slow = await told(path, { isFast: false, patientsPerPart });
      const fast = await told(path, { isFast: true, patientsPerPart });
      expect(fast, `export ${seed}`).toEqual(slow);
      orders += slow.orders.length;
      unmarkedOnes += slow.isUnmarked ? 1 : 0;
    }
  }
  expect(orders).toBeGreaterThan(exports * 10);
  expect(unmarkedOnes).toBeGreaterThan(exports / 20);
});

test('of a patient whose orders have all ended, nothing is read again', async () => {
  const path = join(folder, 'ended');
  mkdirSync(path);
  const lines = ['completed', 'active', 'stopped'].flatMap((status, at) => [
    { resourceType: 'Patient', id: `p${at}`, name: [{ family: 'Invented' }] },
    { resourceType: 'MedicationRequest', id: `m${at}`, status, intent: 'order', subject: plain(`p${at}`) },
    { resourceType: 'Condition', id: `c${at}`, subject: plain(`p${at}`), code: { text: 'Invented' } },
  ]);
  writeFileSync(join(path, 'a.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  let said: Awaited<ReturnType<typeof told>> | undefined;
  const parsed = await parsedBy(async () => {
    said = await told(path, { isFast: true, patientsPerPart: 1 << 30 });
  });
  expect(parsed).toEqual({ Patient: 4, MedicationRequest: 4, Condition: 4 });
  expect(said?.notes.patients).toBe(3);
  expect(said?.orders.map((text) => JSON.parse(text))).toMatchObject([
    { patient: 'Patient/p0', state: 'not_eligible', reason: 'it is completed' },
    { patient: 'Patient/p1', state: 'incomplete' },
    { patient: 'Patient/p2', state: 'not_eligible', reason: 'it is stopped' },
  ]);
});

test('an order that the bridge stumbles over costs no other one', async () => {
  const path = join(folder, 'stumbled');
  mkdirSync(path);
  const lines = ['p0', 'p1'].flatMap((id) => [
    { resourceType: 'Patient', id },
    { resourceType: 'MedicationRequest', id: `m-${id}`, status: 'active', intent: 'order', subject: plain(id) },
  ]);
  writeFileSync(join(path, 'a.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { roles } = mappings;
  const fillers = roles.fillers.with(roles.places.get('order') ?? -1, () => {
    throw new TypeError('a defect');
  });
  for (const isFast of [true, false]) {
    const said = await told(path, { isFast, patientsPerPart: 1 << 30, roles: { ...roles, fillers } });
    const reason = 'the bridge failed on this order (TypeError): report it';
    expect(said.orders.map((text) => JSON.parse(text))).toMatchObject([
      { order: 'MedicationRequest/m-p0', patient: 'Patient/p0', state: 'cannot_map', reason },
      { order: 'MedicationRequest/m-p1', patient: 'Patient/p1', state: 'cannot_map', reason },
    ]);
  }
});

test('[K8] a policy that takes evidence takes the same however it is read', async () => {
  const path = join(folder, 'policy');
  mkdirSync(path);
  const visit = { reference: 'Encounter/e1' };
  const note = (id: string, text: string) => ({
    resourceType: 'DocumentReference',
    id,
    status: 'current',
    type: { text: 'Progress note' },
    subject: plain('p1'),
    date: '2026-11-12T09:30:00Z',
    content: [{ attachment: { contentType: 'text/plain', data: Buffer.from(text).toString('base64') } }],
    context: { encounter: [visit] },
  });
  const screen = (id: string, code: string) => ({
    resourceType: 'Observation',
    id,
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code }] },
    subject: plain('p1'),
    effectiveDateTime: '2026-10-01',
    valueString: 'Negative',
  });
  const lines = [
    { resourceType: 'Patient', id: 'p1', name: [{ family: 'Invented' }] },
    {
      resourceType: 'MedicationRequest',
      id: 'm1',
      status: 'active',
      intent: 'order',
      subject: plain('p1'),
      encounter: visit,
      medicationCodeableConcept: { text: 'adalimumab 40 MG/0.8 ML Prefilled Syringe' },
    },
    { resourceType: 'Encounter', id: 'e1', status: 'finished', class: { code: 'AMB' }, subject: plain('p1') },
    note('n1', 'Ten tender joints.'),
    note('n2', 'Ten tender joints. 42 CFR part 2 prohibits unauthorized use or disclosure of these records.'),
    screen('o1', '71773-6'),
    { ...screen('o2', '5196-1'), basedOn: [{ reference: 'ServiceRequest/s1' }] },
    {
      resourceType: 'ServiceRequest',
      id: 's1',
      status: 'active',
      intent: 'order',
      subject: plain('p1'),
      code: { text: 'HIV work-up' },
    },
  ];
  writeFileSync(join(path, 'a.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  for (const isFast of [true, false])
    for (const choices of [true, false]) {
      const said = await told(path, { isFast, choices, evidence: 'suggested', patientsPerPart: 1 << 30 });
      const { draft } = JSON.parse(said.orders[0] ?? '') as { draft?: { evidence?: { title: string }[] } };
      expect(draft?.evidence?.map(({ title }) => title)).toEqual(['Tuberculosis screen', 'Note: Progress note']);
    }
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'only-'));
afterAll(() => rmSync(folder, { recursive: true }));

const day = ['--now', '2026-11-21', '--time-zone', 'America/New_York'];
const given = join(folder, 'given');
const doctors = [
  { id: 'd1', npi: '1234567893', family: 'Adams' },
  { id: 'd2', npi: '1003000126', family: 'Baker' },
];

interface Order {
  readonly id: string;
  readonly drug: string;
  readonly code: string;
  readonly payer: string;
  readonly doctor: 0 | 1;
  readonly day: string;
}

const orders: readonly Order[] = [
  { id: 'm1', drug: 'adalimumab 40 MG/0.8 ML', code: '727757', payer: 'North Plan', doctor: 0, day: '2026-08-01' },
  { id: 'm2', drug: 'etanercept 50 MG/ML', code: '616015', payer: 'North Plan', doctor: 1, day: '2026-09-15' },
  { id: 'm3', drug: 'adalimumab 40 MG/0.8 ML', code: '727757', payer: 'South Plan', doctor: 1, day: '2026-10-31' },
];

function chart({ id, drug, code, payer, doctor, day: authoredOn }: Order): object {
  const { id: doctorId, npi, family } = doctors[doctor]!;
  const subject = { reference: `Patient/p-${id}` };
  const resources = [
    { resourceType: 'Patient', id: `p-${id}`, name: [{ family: 'Invented', given: ['Person'] }] },
    {
      resourceType: 'MedicationRequest',
      id,
      status: 'active',
      intent: 'order',
      subject,
      authoredOn,
      medicationCodeableConcept: {
        coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code, display: drug }],
      },
      requester: { reference: `Practitioner/${doctorId}` },
    },
    {
      resourceType: 'Practitioner',
      id: doctorId,
      identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: npi }],
      name: [{ family, given: ['Exempla'] }],
    },
    { resourceType: 'Coverage', id: `c-${id}`, status: 'active', beneficiary: subject, payor: [{ display: payer }] },
  ];
  return { resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) };
}

beforeAll(() => {
  for (const [index, order] of orders.entries()) {
    const site = join(given, index === 2 ? 'east' : 'west');
    mkdirSync(site, { recursive: true });
    writeFileSync(join(site, `${order.id}.json`), JSON.stringify(chart(order)));
  }
});

/** `m1 incomplete` of every order. */
async function statesWith(...options: readonly string[]): Promise<Record<string, string>> {
  const { out } = await cli(['map', given, '--ndjson', ...day, ...options]);
  const told = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return Object.fromEntries(told.map(({ order, state }) => [order.split('/')[1], state]));
}

const mapped = (...ids: readonly string[]) =>
  Object.fromEntries(orders.map(({ id }) => [id, ids.includes(id) ? 'incomplete' : 'left_out']));

test.each([
  ['a drug by a word of its name', ['drug=Adalimumab'], ['m1', 'm3']],
  ['a drug by its code', ['drug=616015'], ['m2']],
  ['a payer', ['payer=south'], ['m3']],
  ['a prescriber by name', ['prescriber=adams'], ['m1']],
  ['a prescriber by NPI', ['prescriber=1003000126'], ['m2', 'm3']],
  ['a site by its folder', ['site=west'], ['m1', 'm2']],
  ['the days from one to another, both among them', ['from=2026-09-15', 'until=2026-10-31'], ['m2', 'm3']],
  ['one of two drugs', ['drug=adalimumab', 'drug=etanercept'], ['m1', 'm2', 'm3']],
  ['a drug and a payer', ['drug=adalimumab', 'payer=north'], ['m1']],
])('--only %s', async (_, only, ids) => {
  expect(await statesWith(...only.flatMap((one) => ['--only', one]))).toEqual(mapped(...ids));
});

test('an order that was left out is told with the condition, and counted', async () => {
  const { out } = await cli(['map', given, '--json', ...day, '--only', 'payer=south']);
  const { orders: told, report } = JSON.parse(out);
  expect(told.find(({ order }: { order: string }) => order.endsWith('m1'))).toMatchObject({
    state: 'left_out',
    reason: 'not asked for: --only payer=south',
  });
  expect(report.totals).toMatchObject({ orders: 3, incomplete: 1, left_out: 2 });
});

test.each(['drug', 'color=red', 'from=yesterday'])('--only %s is refused', async (condition) => {
  const { code, err } = await cli(['map', given, '--only', condition]);
  expect(code).toBe(2);
  expect(err).toContain('drug=');
});

test.each(['files', 'ndjson'])('--changed-since with --format %s leaves out what says the same', async (format) => {
  const [first, second, third] = ['first', 'second', 'third'].map((name) => join(folder, `${format}-${name}`));
  const changed = { ...orders[1]!, drug: 'etanercept 25 MG/0.5 ML' };
  const path = join(given, 'west', 'm2.json');
  const run = (out: string, ...more: readonly string[]) =>
    cli(['map', given, '--out', out, '--format', format, ...day, ...more]);
  await run(first!);
  writeFileSync(path, JSON.stringify(chart(changed)));
  const { out: text } = await run(second!, '--changed-since', first!);
  await run(third!, '--changed-since', second!);
  writeFileSync(path, JSON.stringify(chart(orders[1]!)));
  expect(text).toContain('1 incomplete\n  2 left out');
  const report = JSON.parse(readFileSync(join(second!, 'report.json'), 'utf8'));
  expect(report.orders.map(({ order, state }: { order: string; state: string }) => `${order} ${state}`)).toEqual([
    'MedicationRequest/m3 left_out',
    'MedicationRequest/m1 left_out',
    'MedicationRequest/m2 incomplete',
  ]);
  const drafts =
    format === 'files'
      ? readdirSync(join(second!, 'drafts'))
      : readFileSync(join(second!, 'drafts.ndjson'), 'utf8').trimEnd().split('\n');
  expect(drafts).toHaveLength(1);
  expect(JSON.parse(readFileSync(join(third!, 'report.json'), 'utf8')).totals).toMatchObject({ left_out: 3 });
});

test('--changed-since names the output of a run that came to its end, and another folder than --out', async () => {
  const out = join(folder, 'apart');
  await cli(['map', given, '--out', out, ...day]);
  const missing = await cli(['map', given, '--out', join(folder, 'next'), '--changed-since', given]);
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('It holds no digests.txt') });
  const same = await cli(['map', given, '--out', out, '--overwrite', '--changed-since', out]);
  expect(same).toMatchObject({ code: 2, err: expect.stringContaining('Name another folder with --out') });
});

test('the report counts orders by drug, payer and prescriber, and its page does too', async () => {
  const path = join(folder, 'counted.html');
  const { out } = await cli(['map', given, '--json', ...day, '--report', path]);
  expect(JSON.parse(out).report.by).toEqual({
    drug: [
      { name: 'adalimumab 40 MG/0.8 ML', orders: 2, lacking: 2 },
      { name: 'etanercept 50 MG/ML', orders: 1, lacking: 1 },
    ],
    payer: [
      { name: 'North Plan', orders: 2, lacking: 2 },
      { name: 'South Plan', orders: 1, lacking: 1 },
    ],
    prescriber: [
      { name: 'Exempla Baker, NPI 1003000126', orders: 2, lacking: 2 },
      { name: 'Exempla Adams, NPI 1234567893', orders: 1, lacking: 1 },
    ],
  });
  const page = readFileSync(path, 'utf8');
  expect(page).toContain('<h2>By prescriber</h2>');
  expect(page).toMatch(
    /<th scope="row">Exempla Baker, NPI 1003000126<\/th>.*?<td class="number">2, 2 incomplete<\/td>/,
  );
});

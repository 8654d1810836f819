import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mappings } from '../../../mappings/index.ts';
import { priorAuth } from '../../../mappings/prior-auth.ts';
import { listInputs } from '../../../src/batch/list-inputs.ts';
import { mapDocument, mapInputs } from '../../../src/batch/map.ts';
import { orderJson } from '../../../src/batch/report/order-line.ts';
import type { MappingInput } from '../../../src/core/mapping/input.ts';
import { runMappings } from '../../../src/core/mapping/run/run.ts';
import { createRandom, type Random } from '../../torture/random.ts';

export interface Fuzz {
  /** Lines of bundles, and as many lines of an export. */
  readonly lines: number;
  readonly seed: number;
  /** Where the exports are written. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

export interface FuzzFound {
  readonly lines: number;
  readonly rejected: number;
  readonly orders: number;
  /** The most processor time that one line of a bundle took. */
  readonly slowest: number;
  readonly wrong: readonly string[];
}

const work = {
  map: (charts: readonly MappingInput[]) => runMappings<unknown>(priorAuth, charts),
  roles: mappings.roles,
  site: { country: 'USA' },
  now: new Date('2026-11-21T12:00:00'),
};

/**
 * Maps lines that were damaged at one to four places. Every value of a patient holds that patient's own mark, which no
 * damage can turn into another's: a mark in an order of somebody else is a value of another patient.
 */
export async function fuzzLines({ lines, seed, folder, say }: Fuzz): Promise<FuzzFound> {
  const random = createRandom(seed);
  const found = { lines: 0, rejected: 0, orders: 0, slowest: 0, wrong: [] as string[] };
  for (let at = 0; at < lines; at += 1) {
    await bundleLine(at, random, found);
    if ((at + 1) % 10_000 === 0) say(`${at + 1} lines of bundles, ${found.rejected} rejected`);
  }
  for (let from = 0; from < lines; from += inOneExport) {
    await exportLines({ from, path: join(folder, String(from)) }, random, found);
    if ((from / inOneExport) % 100 === 99) say(`${from + inOneExport} lines of exports, ${found.rejected} rejected`);
  }
  return found;
}

type Growing = { -readonly [Key in keyof FuzzFound]: FuzzFound[Key] } & { readonly wrong: string[] };

/** Two patients in a bundle, a bundle a line. */
async function bundleLine(at: number, random: Random, found: Growing): Promise<void> {
  const entry = [chartOf(at * 2), chartOf(at * 2 + 1)].flat().map((resource) => ({ resource }));
  const text = damaged(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }), random);
  const bytes = Buffer.from(text);
  const before = process.cpuUsage();
  const told: object[] = [];
  try {
    for await (const one of mapDocument(bytes, at + 1, work))
      told.push('state' in one && one.state !== 'unreadable' ? orderJson(one) : one);
  } catch (error) {
    found.wrong.push(`line ${at + 1} threw ${error instanceof Error ? error.name : 'something'}: ${text}`);
  }
  const { user, system } = process.cpuUsage(before);
  found.slowest = Math.max(found.slowest, (user + system) / 1e6);
  found.lines += 1;
  judgeOrders(told, [markOf(at * 2), markOf(at * 2 + 1)], found);
  const isNamed = told.some((one) => Reflect.get(one, 'state') === 'unreadable' && Reflect.get(one, 'line') === at + 1);
  if (isJson(text)) return;
  found.rejected += 1;
  if (!isNamed || told.length !== 1) found.wrong.push(`line ${at + 1} is no JSON and was not named: ${text}`);
}

const inOneExport = 100;

/** Twenty patients of five lines each. */
async function exportLines(
  { from, path }: { readonly from: number; readonly path: string },
  random: Random,
  found: Growing,
): Promise<void> {
  const patients = Array.from({ length: inOneExport / 5 }, (_, index) => from + index);
  const texts = patients
    .flatMap(chartOf)
    .map((resource) => JSON.stringify(resource))
    .map((text) => (random.chance(0.5) ? damaged(text, random).replaceAll('\n', ' ') : text));
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'all.ndjson'), `${texts.join('\n')}\n`);
  const told: object[] = [];
  const named = new Set<number | undefined>();
  for await (const event of mapInputs({ ...work, inputs: await listInputs([path]), stdin: nothing() })) {
    if (event.kind === 'order') told.push(orderJson(event.outcome));
    if (event.kind === 'file') for (const { line } of event.outcome.problems) named.add(line);
  }
  found.lines += texts.length;
  judgeOrders(told, patients.map(markOf), found);
  for (const [index, text] of texts.entries()) {
    if (text.trim() === '' || isJson(text)) continue;
    found.rejected += 1;
    if (!named.has(index + 1)) found.wrong.push(`line ${index + 1} of ${path} is no JSON and was not named: ${text}`);
  }
}

const command = join(import.meta.dirname, '../../../bin/prior-auth-bridge.cjs');
const day = ['--now', '2026-11-21', '--time-zone', 'America/New_York'];
const ways = { one: ['--workers', '1'], two: ['--workers', '2'], fast: ['--workers', '2', '--fast'] };

/**
 * Maps the damaged exports with one worker, with two, and with two and --fast, each as it is and all together in one
 * folder, and says what differs. --fast does not parse every line, so that of the report only the orders are compared.
 */
export function differencesOfWays(folder: string, out: string): string[] {
  const together = joined(folder, `${folder}-together`);
  const [one, two, fast] = Object.values(ways).map((options) => mappedBy([folder, together], out, options));
  const told = (way: string, other: ReadonlyMap<string, string> | undefined, names: readonly string[]) =>
    names.filter((name) => one?.get(name) !== other?.get(name)).map((name) => `${way}: ${name} differs`);
  const orders = ['requests.ndjson', 'drafts.ndjson', 'orders'];
  return [...told('two workers', two, ['exit code', ...orders, 'report.json']), ...told('--fast', fast, orders)];
}

/** The lines of all exports in four files of one folder. */
function joined(folder: string, together: string): string {
  mkdirSync(together);
  for (const [at, name] of readdirSync(folder).sort().entries())
    appendFileSync(join(together, `${at % 4}.ndjson`), readFileSync(join(folder, name, 'all.ndjson')));
  return together;
}

function mappedBy(paths: readonly string[], out: string, options: readonly string[]): ReadonlyMap<string, string> {
  const args = ['map', ...paths, '--out', out, '--format', 'ndjson', ...day];
  const { status, stderr } = spawnSync(process.execPath, [command, ...args, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status === null || status > 2) throw new Error(`map ended with ${status}: ${stderr}`);
  const names = ['requests.ndjson', 'drafts.ndjson', 'report.json'];
  const texts = new Map(names.map((name) => [name, readFileSync(join(out, name), 'utf8')]));
  rmSync(out, { recursive: true });
  const { orders } = JSON.parse(texts.get('report.json') ?? '') as { readonly orders: object[] };
  return texts.set('exit code', String(status)).set('orders', JSON.stringify(orders));
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** `marks`: of all patients that the orders could be mixed up with. */
function judgeOrders(told: readonly object[], marks: readonly string[], found: Growing): void {
  for (const one of told) {
    const text = JSON.stringify(one);
    const held = [...marks].filter((mark) => text.includes(mark));
    if (Reflect.get(one, 'order') !== undefined) found.orders += 1;
    // what refuses an order because of another patient may name that patient's reference, and never a value
    if ('reason' in one) continue;
    if (held.length > 1) found.wrong.push(`an order holds values of ${held.length} patients: ${text}`);
  }
}

/** A number as eight letters and digits in which many differ from those of any other number. */
function markOf(at: number): string {
  let mixed = Math.imul(at + 1, 0x9e3779b1) >>> 0;
  mixed = (mixed ^ (mixed >>> 15)) >>> 0;
  const low = Math.imul(mixed, 0x85ebca6b) >>> 0;
  return `mark${((BigInt(mixed) << 32n) | BigInt(low)).toString(36).padStart(13, '0').slice(-8)}`;
}

function chartOf(at: number): object[] {
  const mark = markOf(at);
  const subject = { reference: `Patient/${mark}` };
  return [
    {
      resourceType: 'Patient',
      id: mark,
      name: [{ family: `Family ${mark}`, given: ['É', mark] }],
      gender: 'female',
      birthDate: '1980-02-03',
      telecom: [{ system: 'phone', value: `555-0100 ${mark}` }],
      address: [{ line: [`1 ${mark} Street`], city: mark, state: 'MA', postalCode: '02115' }],
    },
    {
      resourceType: 'MedicationRequest',
      id: `order-${mark}`,
      status: 'active',
      intent: 'order',
      subject,
      medicationCodeableConcept: { text: `examplumab ${mark} 40 MG/0.8 ML "syringe"` },
      reasonReference: [{ reference: `Condition/c-${mark}` }],
      dosageInstruction: [{ text: `Inject 1 syringe every 2 weeks ${mark}` }],
      dispenseRequest: { quantity: { value: 2, unit: 'syringe' } },
    },
    {
      resourceType: 'Condition',
      id: `c-${mark}`,
      subject,
      code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M05.79', display: mark }], text: mark },
    },
    {
      resourceType: 'Coverage',
      id: `v-${mark}`,
      status: 'active',
      beneficiary: subject,
      subscriberId: mark,
      payor: [{ display: `Plan ${mark}` }],
    },
    { resourceType: 'Observation', id: `o-${mark}`, status: 'final', subject, code: { text: mark }, valueString: mark },
  ];
}

const characters = ' \n\t"\\{}[]:,a1é\u0000\u2028\uD800-.eE+';

/** A text with one to four places changed. */
function damaged(text: string, random: Random): string {
  let out = text;
  for (let change = random.between(1, 4); change > 0; change -= 1) {
    const at = random.between(0, Math.max(0, out.length - 1));
    const parts = out.match(/"[A-Za-z]+":|[{}[\],]|"[^"]{0,8}"/g) ?? [''];
    const part = random.pick(parts);
    const kind = random.between(0, 6);
    if (kind === 0) out = out.slice(0, at);
    else if (kind === 1) out = out.slice(0, at) + out.slice(at + random.between(1, 20));
    else if (kind === 2) out = out.replace(part, random.pick(parts));
    else if (kind === 3) out = out.replace(part, '');
    else if (kind === 4) out = out.slice(0, at) + '[{'.repeat(random.between(1, 2000)) + out.slice(at);
    else out = out.slice(0, at) + random.pick([...characters]) + out.slice(at + random.between(0, 1));
  }
  return out;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

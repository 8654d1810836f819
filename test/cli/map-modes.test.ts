import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle, coverage, lines, order, patient } from '../batch/folder-run.ts';
import { zip } from '../batch/zip.ts';
import { cli } from './run-cli.ts';

const command = join(import.meta.dirname, '../../bin/prior-auth-bridge.cjs');
const folder = mkdtempSync(join(tmpdir(), 'modes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const how = ['--format', 'ndjson', '--now', '2026-11-21', '--time-zone', 'America/New_York'];

function write(within: string, files: Readonly<Record<string, string | Buffer>>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, within, name)), { recursive: true });
    writeFileSync(join(folder, within, name), content);
  }
  return join(folder, within);
}

/** Every file of an output folder. */
function filesOf(out: string): Record<string, string> {
  const entries = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(out, path), readFileSync(path, 'utf8')]));
}

async function filesWith(name: string, args: readonly string[], stdin = ''): Promise<Record<string, string>> {
  const out = join(folder, name);
  const { err } = await cli(['map', ...args, '--out', out, ...how], { stdin });
  expect(err).toBe('');
  return filesOf(out);
}

/** What is said of each order and of what was not used, without the places, which are others in another input. */
function said(files: Readonly<Record<string, string>>): readonly string[] {
  const { orders, files: told } = JSON.parse(files['report.json'] ?? '');
  const written = ['requests.ndjson', 'drafts.ndjson'].flatMap((name) =>
    (files[name] ?? '').split('\n').filter(Boolean),
  );
  const plain = (one: unknown) =>
    JSON.stringify(one, (key, value) =>
      ['file', 'line', 'path', 'written', 'note'].includes(key) ? undefined : value,
    );
  const conflicts = told.flatMap((one: { conflicts: readonly { reason: string }[] }) => one.conflicts);
  const unplaced = conflicts.map(({ reason }: { reason: string }) => reason.replace(/ \(.*\)$/, ''));
  return [...orders.map(plain), ...written.map((line) => plain(JSON.parse(line))), ...unplaced].sort();
}

const gone = (...urls: readonly string[]) => ({
  resourceType: 'Bundle',
  type: 'transaction',
  entry: urls.map((url) => ({ request: { method: 'DELETE', url } })),
});
const ids = Array.from({ length: 40 }, (_, at) => `${at}`);
const doctor = { resourceType: 'Practitioner', id: 'd1', name: [{ family: 'Doctor', given: ['Invented'] }] };
/** Of every tenth patient something was deleted: the patient, the order or the coverage. */
const exported: Readonly<Record<string, string>> = {
  'Coverage.ndjson': lines(...ids.map((id) => coverage(`c${id}`, `Patient/p${id}`))),
  'MedicationRequest.ndjson': lines(
    ...ids.flatMap((id) => {
      const requester = { requester: { reference: `Practitioner/d${Number(id) % 2}` } };
      const ended = { status: 'completed', ...requester };
      return [order(`m${id}`, `Patient/p${id}`, requester), order(`e${id}`, `Patient/p${id}`, ended)];
    }),
  ),
  'Patient.ndjson': lines(...ids.map((id) => patient(`p${id}`, { birthDate: `19${50 + Number(id)}-01-01` }))),
  'Practitioner.ndjson': lines(doctor, { ...doctor, id: 'd0' }),
  'deleted.ndjson': lines(
    ...ids
      .filter((id) => id.endsWith('3'))
      .map((id) => gone([`Patient/p${id}`, `MedicationRequest/m${id}`, `Coverage/c${id}`][Number(id[0]) % 3] ?? '')),
    gone('Practitioner/d0', 'MedicationRequest/e7', 'MedicationRequest/m8'),
  ),
};

let input = '';
let plain: Record<string, string> = {};
beforeAll(async () => {
  input = write('given', exported);
  plain = await filesWith('plain', [input]);
});

test('[K17] what was deleted is left out of an export', () => {
  const deleted = said(plain).flatMap((text) => /^([A-Z]\w+\/\w+) was deleted$/.exec(text)?.[1] ?? []);
  expect(deleted).toEqual(['Coverage/c23', 'Patient/p3', 'Patient/p33', 'Practitioner/d0']);
  const { orders } = JSON.parse(plain['report.json'] ?? '');
  const told = orders.map(({ order, state, reason }: Record<string, string>) => `${order} ${state}: ${reason}`);
  expect(told.filter((text: string) => text.includes('was deleted')).sort()).toEqual([
    'MedicationRequest/e7 not_eligible: it was deleted in the EHR',
    'MedicationRequest/m13 not_eligible: it was deleted in the EHR',
    'MedicationRequest/m3 cannot_map: Patient/p3 was deleted',
    'MedicationRequest/m33 cannot_map: Patient/p33 was deleted',
    'MedicationRequest/m8 not_eligible: it was deleted in the EHR',
  ]);
});

test.each([
  ['--fast', ['--fast']],
  ['one thread', ['--workers', '1']],
])('[K17] with %s the same is deleted, to the byte', async (name, more) => {
  expect(await filesWith(name, [input, ...more])).toEqual(plain);
});

test('[K17] with two threads the same is deleted, to the byte', () => {
  const out = join(folder, 'two');
  spawnSync(process.execPath, [command, 'map', input, '--out', out, ...how, '--workers', '2']);
  expect(filesOf(out)).toEqual(plain);
});

test('[K17] a run that was stopped and goes on deletes the same', async () => {
  const lost = Array.from({ length: 3 }, (_, at) => order(`l${at}`, 'Patient/nobody'));
  const both = [input, write('lost', { 'm.ndjson': lines(...lost) })];
  const whole = await filesWith('whole', both);
  const out = join(folder, 'stopped');
  const stopped = await cli(['map', ...both, '--out', out, ...how, '--max-errors', '5']);
  expect(stopped.err).toContain('--resume');
  expect(await filesWith('stopped', [...both, '--resume'])).toEqual(whole);
});

test.each([
  ['in an archive', () => [write('zip', { 'a.zip': zipped() })], ''],
  ['on standard input', () => ['-'], Object.values(exported).join('')],
])('[K17] an export %s deletes the same', async (name, args, stdin) => {
  expect(said(await filesWith(name, args(), stdin))).toEqual(said(plain));
});

function zipped(): Buffer {
  return zip(Object.entries(exported).map(([name, text]) => ({ name, text, isDeflated: true })));
}

test('[K3] bytes that are not UTF-8 are told the same with --fast', async () => {
  const latin1 = (resource: object) => Buffer.from(`${JSON.stringify(resource)}\n`, 'latin1');
  const named = { name: [{ family: 'Müller' }] };
  const shot = (id: string, text: string) => ({
    resourceType: 'Immunization',
    id,
    patient: { reference: 'Patient/p1' },
    note: [{ text }],
  });
  const wide = shot('i3', 'wide '.repeat(4000));
  const chart = bundle('collection', patient('q1', named), order('o1', 'Patient/q1'), shot('i1', 'für'));
  const files = {
    'Immunization.ndjson': Buffer.concat([latin1(shot('i5', 'plain')), latin1(shot('i6', 'für'))]),
    'Patient.ndjson': Buffer.concat([latin1(patient('p1')), latin1(patient('p2', named))]),
    'MedicationRequest.ndjson': latin1(order('m2', 'Patient/p2', { note: [{ text: 'für' }] })),
    'small.json': latin1(chart),
    'large.json': latin1({ ...chart, entry: [...chart.entry, { resource: wide }] }),
    'unread.json': latin1(bundle('collection', patient('q2'), order('o2', 'Patient/q2'), wide, shot('i4', 'für'))),
    'search.json': latin1(bundle('searchset', patient('p3'), order('m3', 'Patient/p3'), wide, shot('i7', 'für'))),
  };
  const given = write('latin1', files);
  const slow = await filesWith('slow', [given]);
  expect(await filesWith('fast', [given, '--fast'])).toEqual(slow);
  const { files: told } = JSON.parse(slow['report.json'] ?? '');
  const withProblems = told.filter(({ problems }: { problems: readonly unknown[] }) => problems.length > 0);
  expect(withProblems.map(({ file }: { file: string }) => relative(given, file))).toEqual(Object.keys(files).sort());
});

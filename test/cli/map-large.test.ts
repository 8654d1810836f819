import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeExport } from '../bench/export/generate.ts';
import { syntheaBundles } from '../bench/synthea.ts';
import { cli } from './run-cli.ts';

const root = join(import.meta.dirname, '../..');
const command = join(root, 'bin/prior-auth-bridge.cjs');
const folder = mkdtempSync(join(tmpdir(), 'large-'));
const given = join(folder, 'given');
afterAll(() => rmSync(folder, { recursive: true }));

const day = ['--now', '2026-11-21', '--time-zone', 'America/New_York'];

/** A chart as one bundle; every tenth says what one of an earlier part says. */
function chart(at: number): object {
  const id = at % 10 === 9 ? at % 20 : at;
  const patient = { resourceType: 'Patient', id: `p${id}`, name: [{ family: `Invented${id}` }] };
  const order = {
    resourceType: 'MedicationRequest',
    id: `m${id}`,
    status: 'active',
    intent: 'order',
    subject: { reference: `Patient/p${id}` },
    medicationCodeableConcept: { text: `examplumab ${id} MG Injection` },
  };
  return { resourceType: 'Bundle', type: 'collection', entry: [{ resource: patient }, { resource: order }] };
}

beforeAll(() => {
  writeExport(join(given, 'bulk'), { patients: 30, everyActive: 3, bulk: 1 });
  mkdirSync(join(given, 'charts'));
  for (let at = 0; at < 200; at += 1)
    writeFileSync(join(given, 'charts', `${String(at).padStart(3, '0')}.json`), JSON.stringify(chart(at)));
  writeFileSync(join(given, 'charts', '200.json'), '{"resourceType":"Bundle","entry":[{');
});

/** Every file of an output folder. */
function filesOf(out: string): Record<string, string> {
  const entries = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(out, path), readFileSync(path, 'utf8')]));
}

function run(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'map', ...args, ...day], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.each(['files', 'ndjson'])('with --format %s one thread and two write the same bytes', async (format) => {
  const outOf = (workers: string) => join(folder, `${format}-${workers}`);
  const args = (workers: string) => [given, '--out', outOf(workers), '--format', format, '--workers', workers];
  const one = await cli(['map', ...args('1'), '--sources', ...day]);
  const two = run([...args('2'), '--sources']);
  const outs = [
    { code: one.code, out: one.out, workers: '1' },
    { code: two.status, out: two.stdout, workers: '2' },
  ].map(({ code, out, workers }) => {
    expect(code).toBe(2);
    expect(out).toContain('\n  18 duplicates\n');
    expect(out).toMatch(/189\.json: .*the same request as MedicationRequest\/m9 \(.*\/009\.json, entry/);
    return filesOf(outOf(workers));
  });
  expect(outs[0]).toEqual(outs[1]);
  expect(Object.keys(outs[0]!)).toContain('report.json');
  const written = Object.keys(outs[0]!).filter((name) => name.startsWith('drafts'));
  expect(written).toHaveLength(format === 'files' ? 192 : 1);
});

test('a line an order holds what a file an order holds', () => {
  const [files, lines] = [filesOf(join(folder, 'files-1')), filesOf(join(folder, 'ndjson-1'))];
  const drafts = lines['drafts.ndjson']!.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ofFiles = Object.entries(files).filter(([name]) => name.startsWith('drafts/'));
  expect(
    drafts
      .map(({ file, line, path, ...draft }) => draft)
      .map((draft) => JSON.stringify(draft))
      .sort(),
  ).toEqual(ofFiles.map(([, text]) => JSON.stringify(JSON.parse(text))).sort());
});

test.each(['files', 'ndjson'])('with --format %s a run that was stopped goes on to the same bytes', async (format) => {
  const [whole, stopped] = [join(folder, `whole-${format}`), join(folder, `stopped-${format}`)];
  const how = ['map', given, '--format', format, ...day];
  await cli([...how, '--out', whole]);
  // Orders that cannot be mapped stand in the last folder: the parts before it are done.
  writeFileSync(join(given, 'charts', '150.json'), JSON.stringify(withoutPatient(chart(150))));
  await cli([...how, '--out', whole, '--overwrite']);
  const refused = await cli([...how, '--out', stopped, '--max-errors', '2']);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--resume') });
  expect(readdirSync(stopped)).toContain('.run');
  expect(readdirSync(stopped)).not.toContain('report.json');
  writeFileSync(join(stopped, 'report.json'), ''); // as a run leaves it that is killed while it begins its report
  expect(await cli([...how, '--out', stopped])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Add --resume'),
  });
  expect(await cli([...how, '--out', stopped, '--resume'])).toMatchObject({ code: 2, err: '' });
  expect(filesOf(stopped)).toEqual(filesOf(whole));
  expect(await cli([...how, '--out', stopped, '--resume'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('holds no run that was stopped'),
  });
  writeFileSync(join(given, 'charts', '150.json'), JSON.stringify(chart(150)));
});

function withoutPatient(bundle: object): object {
  const order = { ...Reflect.get(bundle, 'entry')[1].resource, subject: { reference: 'Patient/nobody' } };
  return { ...bundle, entry: [...Reflect.get(bundle, 'entry'), { resource: { ...order, id: 'lost' } }] };
}

test('a run goes on only over the same input with the same options', async () => {
  const out = join(folder, 'other-input');
  writeFileSync(join(given, 'charts', '150.json'), JSON.stringify(withoutPatient(chart(150))));
  await cli(['map', given, '--out', out, ...day, '--max-errors', '2']);
  const other = await cli(['map', given, '--out', out, ...day, '--resume', '--sources']);
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('another input or other options') });
  writeFileSync(join(given, 'charts', '150.json'), JSON.stringify(chart(150)));
});

test('--fast gives the same orders, and does not look at what no order reads', async () => {
  const slow = await cli(['map', join(given, 'bulk'), '--ndjson', ...day]);
  const fast = await cli(['map', join(given, 'bulk'), '--ndjson', '--fast', ...day]);
  expect(fast.out).toBe(slow.out);
  writeFileSync(join(given, 'bulk', 'Claim.ndjson'), '{"resourceType":"Claim","id":"c1","item":[}\n');
  expect(await cli(['map', join(given, 'bulk'), '--ndjson', ...day])).toMatchObject({ code: 2 });
  expect(await cli(['map', join(given, 'bulk'), '--ndjson', '--fast', ...day])).toMatchObject({ code: 1 });
  rmSync(join(given, 'bulk', 'Claim.ndjson'));
});

test('the report is written in the form that its name ends with, and no cell is a formula', async () => {
  const path = join(folder, '=cmd.json');
  writeFileSync(path, JSON.stringify(chart(1)));
  const report = async (name: string) => {
    await cli(['map', path, '--out', join(folder, name), '--report', join(folder, `report.${name}`), ...day]);
    return readFileSync(join(folder, `report.${name}`), 'utf8');
  };
  expect(await report('csv')).toMatch(/^file,line,path,order,patient,state,.*\r\n[^=].*,incomplete,/);
  expect(JSON.parse((await report('ndjson')).split('\n')[0]!)).toMatchObject({ order: 'MedicationRequest/m1' });
  const page = await report('html');
  expect(page).toContain('<h1>1 medication order of 1 patient</h1>');
  expect(page).not.toMatch(/https?:|src=|<link/);
});

test.skipIf(!existsSync('/dev/full'))('a full disk is told with the folders, and is no defect', async () => {
  const path = join(folder, 'one-chart.json');
  const out = join(folder, 'full');
  writeFileSync(path, JSON.stringify(chart(1)));
  expect(await cli(['map', path, '--out', out, '--report', '/dev/full', ...day])).toMatchObject({
    code: 3,
    err: expect.stringMatching(
      /^prior-auth-bridge: The disk is full\.\n {2}out: .*full\n {2}temporary: (.|\n)*--resume/,
    ),
  });
});

test('what fails before anything is mapped ends the process, with threads too', () => {
  const temporary = join(folder, 'loop');
  mkdirSync(temporary);
  const name = `prior-auth-bridge-${process.getuid?.() ?? -1}`;
  symlinkSync(name, join(temporary, name)); // nothing can be listed or made there
  const args = [command, 'map', given, '--out', join(folder, 'none'), '--workers', '2'];
  const env = { ...process.env, TMPDIR: temporary };
  expect(spawnSync(process.execPath, args, { env, timeout: 30_000 })).toMatchObject({ status: 3, signal: null });
});

test('as a filter: a bundle a line in, an order a line out, and a bad line is told', async () => {
  const stdin = `${JSON.stringify(chart(1))}\nnonsense\n${JSON.stringify(chart(2))}\n`;
  const { code, out } = await cli(['map', '--stdin', '--stdout', ...day], { stdin });
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ line, order, state }) => [line, order, state])).toEqual([
    [1, 'MedicationRequest/m1', 'incomplete'],
    [2, undefined, 'unreadable'],
    [3, 'MedicationRequest/m2', 'incomplete'],
  ]);
  expect(code).toBe(2);
  expect(await cli(['map', '--stdin'])).toMatchObject({ code: 2, err: expect.stringContaining('belong together') });
});

test('a filter stops at --max-errors, and refuses what only a run with files can do', async () => {
  const stdin = `${JSON.stringify(chart(1))}\nnonsense\nnonsense\n${JSON.stringify(chart(2))}\n`;
  const { code, out, err } = await cli(['map', '--stdin', '--stdout', '--max-errors', '2', ...day], { stdin });
  expect(out.trimEnd().split('\n')).toHaveLength(3);
  expect([code, err]).toEqual([2, expect.stringContaining('name a higher number.')]);
  const useless = ['--out', folder, '--fast', '--report', 'r.csv', '--changed-since', folder];
  expect(await cli(['map', '--stdin', '--stdout', ...useless])).toMatchObject({
    code: 2,
    err: expect.stringContaining('leave out --out, --fast, --changed-since, --report'),
  });
});

test('orders of one file that have the same ids are written into files of their own', async () => {
  const other = JSON.stringify(chart(3)).replace('examplumab 3 MG', 'otherumab 7 MG');
  const path = join(folder, 'ids.ndjson');
  writeFileSync(path, `${JSON.stringify(chart(3))}\n${other}\n${JSON.stringify(chart(3))}\n`);
  const out = join(folder, 'ids');
  await cli(['map', path, '--out', out, ...day]);
  const { orders } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  expect(orders.map(({ state }: { state: string }) => state)).toEqual(['incomplete', 'incomplete', 'duplicate']);
  const drafts = orders.flatMap(({ written }: { written?: string }) => written ?? []);
  expect(drafts.map((name: string) => JSON.parse(readFileSync(join(out, name), 'utf8')).draft)).toEqual([
    expect.objectContaining({ prescription: expect.objectContaining({ drug_name: 'examplumab' }) }),
    expect.objectContaining({ prescription: expect.objectContaining({ drug_name: 'otherumab' }) }),
  ]);
});

test('a run does not go on by other rules of the site than it began with', async () => {
  const [out, sites] = [join(folder, 'other-rules'), join(folder, 'sites.json')];
  const example = readFileSync(join(root, 'docs/sites/sites.example.json'), 'utf8');
  const write = (country: string) => writeFileSync(sites, example.replace('"USA"', JSON.stringify(country)));
  write('USA');
  writeFileSync(join(given, 'charts', '150.json'), JSON.stringify(withoutPatient(chart(150))));
  const how = ['map', given, '--out', out, ...day, '--sites', sites, '--site', 'valley'];
  expect(await cli([...how, '--max-errors', '2'])).toMatchObject({ err: expect.stringContaining('--resume') });
  write('CAN');
  const other = await cli([...how, '--resume']);
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('the site have changed') });
  write('USA');
  expect(await cli([...how, '--resume'])).toMatchObject({ code: 2, err: '' });
  writeFileSync(join(given, 'charts', '150.json'), JSON.stringify(chart(150)));
});

test('several filters at once under xargs give what one gives', async () => {
  const parts = join(folder, 'split');
  mkdirSync(parts);
  for (let at = 0; at < 2; at += 1)
    writeFileSync(
      join(parts, `${at}`),
      Array.from({ length: 10 }, (_, index) => `${JSON.stringify(chart(at * 10 + index))}\n`).join(''),
    );
  const filter = `"${process.execPath}" "${command}" map --stdin --stdout ${day.join(' ')}`;
  const script = `${filter} < "$1" > "$1.out"; [ $? -le 1 ]`;
  const { status } = spawnSync('xargs', ['-P', '2', '-n', '1', 'sh', '-c', script, '_'], {
    input: readdirSync(parts)
      .map((name) => join(parts, name))
      .join('\n'),
  });
  expect(status).toBe(0);
  const orders = readdirSync(parts)
    .filter((name) => name.endsWith('.out'))
    .sort()
    .flatMap((name) => readFileSync(join(parts, name), 'utf8').trimEnd().split('\n'));
  const all = Array.from({ length: 20 }, (_, at) => `${JSON.stringify(chart(at))}\n`).join('');
  const one = await cli(['map', '--stdin', '--stdout', ...day], { stdin: all });
  // each part counts its own lines
  const lines = one.out
    .trimEnd()
    .split('\n')
    .map((line, at) => line.replace(`"line":${at + 1},`, `"line":${(at % 10) + 1},`));
  expect(orders).toEqual(lines);
  expect(orders).toHaveLength(20);
});

test('of large bundles --fast maps the same orders, from charts and from pages of search results', async () => {
  const [{ bytes } = { bytes: Buffer.alloc(0) }] = syntheaBundles({ size: 200 << 10, count: 1 });
  for (const type of ['transaction', 'searchset']) {
    const path = join(folder, `${type}.json`);
    writeFileSync(path, bytes.toString().replace('"transaction"', `"${type}"`));
    const slow = await cli(['map', path, '--ndjson', ...day]);
    expect(slow.out).toContain('"state":"incomplete"');
    expect(await cli(['map', path, '--ndjson', '--fast', ...day])).toEqual(slow);
  }
});

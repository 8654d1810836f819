import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cli } from './run-cli.ts';

const story = join(import.meta.dirname, '../../fixtures/charts/story-no-rxbin');

/** Tables without what pads their cells. */
function tight(text: string): string {
  return text.replaceAll(/ *\| */g, '|');
}

test('fidelity counts per field where values come from and what is missing, and tells no value', async () => {
  const { code, out } = await cli(['fidelity', join(story, 'bundle.json'), '--now', '2026-11-21']);
  expect(code).toBe(0);
  expect(tight(out)).toContain('|`patient.date_of_birth`|Patient 1||');
  expect(tight(out)).toContain('|`insurance_content.rx_bin`||missing 1|');
  expect(tight(out)).toContain('|`provider.npi`|Practitioner 1||');
  for (const [, date] of out.matchAll(/(\d{4}-\d{2}-\d{2})/g)) expect(date).toBeUndefined();
});

test('fidelity of a folder that is not there names it and ends with 2', async () => {
  const path = join(story, 'no-such-folder');
  expect(await cli(['fidelity', path])).toMatchObject({ code: 2, err: `${path}: there is no such file or folder\n` });
});

test('fidelity names a file and a line that it cannot read, counts the rest and ends with 2', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fidelity-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [cut, lines] = [join(folder, 'cut.json'), join(folder, 'lines.ndjson')];
  writeFileSync(cut, '{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient"');
  writeFileSync(lines, '{"resourceType":"Patient","id":"p1"}\n{"resourceType":"Medi');
  const { code, out, err } = await cli(['fidelity', cut, lines, join(story, 'bundle.json'), '--now', '2026-11-21']);
  expect(code).toBe(2);
  expect(err).toBe(
    `${cut}: it ends too early: the JSON is cut off\n${lines}: line 2: it ends too early: the JSON is cut off\n`,
  );
  expect(tight(out)).toContain('|`patient.date_of_birth`|Patient 1||');
});

test('fidelity opens with one summary of all sets', async () => {
  const { out } = await cli([
    'fidelity',
    join(story, 'bundle.json'),
    join(story, '../story-complete/bundle.json'),
    '--now',
    '2026-11-21',
  ]);
  const [head, , ...rows] = out.split('\n');
  expect(head).toMatch(/^\| set {9}\| ready \| incomplete \|/);
  expect(rows.slice(0, 2)).toEqual([
    expect.stringMatching(/^\| bundle\.json \| {5}1 \| {10}0 \|/),
    expect.stringMatching(/^\| bundle\.json \| {5}1 \| {10}1 \|/),
  ]);
});

test('fidelity --report writes values and gaps by field as a page, and no value of the chart [U12]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fidelity-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'fidelity.html');
  await cli(['fidelity', join(story, 'bundle.json'), '--report', path, '--now', '2026-11-21']);
  const page = readFileSync(path, 'utf8');
  expect(page).toMatch(
    /<th scope="row">Insurance: RxBIN<code>insurance_content.rx_bin<\/code><\/th>.*?<td class="number">0, 1 gap<\/td>/,
  );
  expect(page).toMatch(/<th scope="row">Practitioner<\/th>/);
  expect(page).not.toMatch(/\d{4}-\d{2}-\d{2}/);
});

test('fidelity --audit reads every value again and tells how many, and no value', async () => {
  const { code, out } = await cli(['fidelity', join(story, 'bundle.json'), '--audit', '--now', '2026-11-21']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /\nAudit: \d+ values of 1 drafts were read again at the elements they cite; 0 cannot be derived from them\.\n$/,
  );
});

test('fidelity --audit --json holds the findings', async () => {
  const { out } = await cli(['fidelity', join(story, 'bundle.json'), '--audit', '--json', '--now', '2026-11-21']);
  expect(JSON.parse(out)).toMatchObject({ sets: [{ name: 'bundle.json' }], audit: { drafts: 1, findings: [] } });
});

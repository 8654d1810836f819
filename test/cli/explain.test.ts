import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cli } from './run-cli.ts';

const story = (name: string) => join(import.meta.dirname, '../../fixtures/charts', name);

const folder = mkdtempSync(join(tmpdir(), 'explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('explain shows each value with its source and rule, each gap with its looks, and each choice', async () => {
  const { code, out } = await cli(['explain', story('story-snomed-only')]);
  expect(code).toBe(1);
  expect(out).toContain(
    'patient.last_name = "Okafor-Smith"\n      from Patient/snomed-patient Patient.name[0].family\n      %name.family',
  );
  expect(out).toMatch(
    /=\nIncomplete: 1 field needs an answer\.\n\nNeeded before sending\n {2}diagnoses \(choice\): .*\n\n/,
  );
  expect(out).toMatch(/Where each gap was looked for\n {2}diagnoses\n {6}looked at .*\n {6}found .* at /);
  expect(out).toContain('not Condition/snomed-asthma');
});

test('explain shows by role what was chosen, what was refused and why, and what the role asks', async () => {
  const { out } = await cli(['explain', story('coverage-expired-yesterday-is-out'), '--now', '2026-11-21']);
  expect(out).toMatch(/\nRoles\n {2}order: MedicationRequest\/m1: the one that was named\n/);
  expect(out).toMatch(
    /\n {2}coverage: none: no Coverage of the chart fits\n {6}not Coverage\/c1 \([^\n]*\): it ended on Nov 20, 2026/,
  );
});

test('explain shows the sources that must agree with their words, and the question with both readings', async () => {
  const { out } = await cli(['explain', story('drug-names-of-different-strengths-are-asked')]);
  expect(out).toContain(
    [
      '  drug',
      '      MedicationRequest/m1 MedicationRequest.medicationCodeableConcept.coding[0].display says ' +
        '"tofacitinib 5 MG Oral Tablet [Xeljanz]"',
      '      MedicationRequest/m1 MedicationRequest.medicationCodeableConcept.coding[1].display says ' +
        '"tofacitinib 10 MG Oral Tablet [Xeljanz]"',
      '      asks about strength: The RxNorm name says 5 MG, another RxNorm name says 10 MG. Which strength is ' +
        'ordered?',
      '          choose 5 MG',
      '          choose 10 MG',
      '',
    ].join('\n'),
  );
});

test('explain --json holds the roles', async () => {
  const { out } = await cli(['explain', story('drug-names-of-different-strengths-are-asked'), '--json']);
  const [order] = JSON.parse(out) as { roles: { role: string }[] }[];
  expect(order?.roles.find(({ role }) => role === 'drug')).toMatchObject({
    sources: [
      { words: 'tofacitinib 5 MG Oral Tablet [Xeljanz]' },
      { words: 'tofacitinib 10 MG Oral Tablet [Xeljanz]' },
    ],
    questions: [{ part: 'strength', severity: 'blocks', options: [{ value: '5 MG' }, { value: '10 MG' }] }],
  });
});

test('explain says why an order is not mapped', async () => {
  const { out } = await cli(['explain', story('story-two-coverages')]);
  expect(out).toMatch(/Not eligible: it is \w+\./);
});

test('explain --json holds value, source and looks', async () => {
  const { out } = await cli(['explain', story('story-snomed-only'), '--json']);
  const [order] = JSON.parse(out) as { values: object[]; gaps: object[] }[];
  expect(order?.values).toContainEqual(
    expect.objectContaining({
      target: 'patient.last_name',
      value: 'Okafor-Smith',
      source: { resource: 'Patient/snomed-patient', path: 'Patient.name[0].family' },
    }),
  );
  expect(order?.gaps).toContainEqual(
    expect.objectContaining({ target: 'diagnoses', looked: [expect.stringContaining('reason (1)')] }),
  );
});

test('explain of an order that is not there ends with 2', async () => {
  const { code, out, err } = await cli(['explain', story('story-snomed-only'), '--order', 'nope']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^prior-auth-bridge: The input holds no such medication order that can be mapped\.\n/);
  expect(err).toMatch(/\n {2}order: nope\nNext: .*map --json/);
});

test('explain of one order leaves the others out', async () => {
  const { out } = await cli(['explain', story('story-two-coverages')]);
  const orders = [...out.matchAll(/^MedicationRequest\/(\S+)/gm)].map((match) => match[1]!);
  expect(orders.length).toBeGreaterThan(1);
  const one = await cli(['explain', story('story-two-coverages'), '--order', orders[0]!]);
  expect([...one.out.matchAll(/^MedicationRequest\/(\S+)/gm)].map((match) => match[1])).toEqual([orders[0]]);
});

test('describe prints an entry for each field of the request', async () => {
  const { code, out } = await cli(['describe', 'prior-auth']);
  expect(code).toBe(0);
  expect(out).toMatch(/^# prior-auth\n\n- `is_training_data`\n {2}- From: not sent\n/);
  for (const field of [
    'patient.first_name',
    'prescription.quantity',
    'provider.npi',
    'insurance_content.rx_bin',
    'mock_result',
  ])
    expect(out).toContain(`\n- \`${field}\`\n`);
});

test('describe prints the roles after the mapping, and --roles only them', async () => {
  const { out } = await cli(['describe', 'prior-auth']);
  expect(out).toContain('\n# roles\n\n- `%');
  expect(out).toContain('\n- `%supply`\n  - Filled by: together\n');
  expect(out).toMatch(
    /- Part: strength\n {2}- Asked when: two sources differ\n {2}- Question: [^-]*Which strength is ordered\?\n/,
  );
  expect(out).toMatch(/\n## Named functions \(\d+\)\n/);
  const only = await cli(['describe', 'prior-auth', '--roles']);
  expect(only.out).toMatch(/^# roles\n/);
});

test('describe stays within 120 columns, with long patterns in footnotes, each once [U12]', async () => {
  const { out } = await cli(['describe', 'prior-auth']);
  const [text = '', ...notes] = out.split(/^(?=\[\^\d+\]: )/m);
  expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
  expect(notes.length).toBeGreaterThan(5);
  expect(new Set(notes.map((note) => note.replace(/^\S+ /, ''))).size).toBe(notes.length);
  for (const [at] of notes.entries()) expect(text).toContain(`[^${at + 1}]`);
});

test('describe --changes prints what a site changes and nothing else', async () => {
  const { out } = await cli(['describe', 'prior-auth@valley', '--changes']);
  expect(out).toContain('insurance_content.rx_bin');
  expect(out).not.toContain('patient.first_name');
});

test('describe of an unknown mapping names the known ones', async () => {
  expect(await cli(['describe', 'nope'])).toMatchObject({ code: 2, err: expect.stringContaining('prior-auth, ') });
});

test('coverage tells that one case alone proves little, and ends with 1', async () => {
  const fixtures = mkdtempSync(join(tmpdir(), 'coverage-'));
  cpSync(story('story-snomed-only'), join(fixtures, 'one'), { recursive: true });
  const { code, out } = await cli(['coverage', '--fixtures', fixtures]);
  rmSync(fixtures, { recursive: true });
  expect(code).toBe(1);
  expect(out).toMatch(/^prior-auth: 1 case\n/);
  expect(out).toContain('evidence[].title');
});

test('explain reads a mapping case that changes another case as test does', async () => {
  const { code, out } = await cli(['explain', story('coverage-none-is-a-gap'), '--now', '2026-11-21']);
  expect(code).toBe(1);
  expect(out).toContain('coverage-none-is-a-gap/change.json');
  expect(out).toMatch(/patient.last_name = "[^"]+"\n {6}from Patient\/p1 /);
  expect(out).toMatch(/\n {2}insurance_content.member_number \(missing\)/);
});

test('a change of a case that is not there is told and ends with 2', async () => {
  const lost = join(folder, 'lost');
  mkdirSync(lost);
  writeFileSync(join(lost, 'change.json'), JSON.stringify({ base: 'nowhere', change: [] }));
  const { code, err } = await cli(['explain', lost]);
  expect(code).toBe(2);
  expect(err).toContain('change.json: the chart that it changes is not there, or does not have what it changes');
});

test('a change.json that is of no mapping case is left alone', async () => {
  const other = join(folder, 'other');
  cpSync(join(story('story-two-coverages'), 'bundle.json'), join(other, 'chart.json'), { recursive: true });
  writeFileSync(join(other, 'change.json'), JSON.stringify({ author: 'somebody' }));
  const { code, out } = await cli(['explain', other, '--now', '2026-11-21']);
  expect(code).toBe(0);
  expect(out.match(/^Ready\.$/gm)).toHaveLength(1);
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Patient, Practitioner, Resource } from 'fhir/r4.js';
import { afterAll, expect, test } from 'vitest';
import { cli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'reasons-'));
afterAll(() => rmSync(folder, { recursive: true }));

const complete = join(import.meta.dirname, '../../fixtures/charts/everything-in-the-chart-is-complete/bundle.json');
const day = ['--now', '2026-11-20'];

/** A complete chart with another patient and prescriber; the path of its file. */
function chart(name: string, patient: Partial<Patient>, practitioner: Partial<Practitioner> = {}): string {
  const bundle = JSON.parse(readFileSync(complete, 'utf8')) as { entry: { resource: Resource }[] };
  for (const { resource } of bundle.entry) {
    if (resource.resourceType === 'Patient') Object.assign(resource, patient);
    if (resource.resourceType === 'Practitioner') Object.assign(resource, practitioner);
  }
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'chart.json'), JSON.stringify(bundle));
  return join(folder, name);
}

const canaries = {
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: 'canary-npi' }],
};

test('the value that a gap is about stands in the draft, and in no report, line of the run or log [K19]', async () => {
  const path = chart(
    'values',
    { birthDate: 'canary-birth', address: [{ line: ['HOMELESS canary-street'] }] },
    canaries,
  );
  const out = join(folder, 'values-out');
  for (const form of ['json', 'ndjson', 'csv', 'html']) {
    const report = join(folder, `report.${form}`);
    const run = await cli(['map', path, '--out', out, '--overwrite', '--report', report, ...day]);
    expect(run.out + run.err).toContain('provider.npi (the number in the chart is not an NPI, which has ten digits)');
    expect(run.out + run.err + readFileSync(report, 'utf8')).not.toContain('canary');
    expect(readFileSync(report, 'utf8')).toContain(form === 'html' ? 'which has ten digits' : 'npi_digits');
  }
  expect(readFileSync(join(out, 'report.json'), 'utf8')).not.toContain('canary');
  const drafts = readdirSync(join(out, 'drafts'));
  const draft = JSON.parse(readFileSync(join(out, 'drafts', drafts[0] ?? ''), 'utf8')) as { gaps: object[] };
  expect(draft.gaps).toContainEqual(expect.objectContaining({ target: 'provider.npi', why: 'npi_digits' }));
  expect(JSON.stringify(draft.gaps)).toContain('canary-npi');
});

test.each([
  ['a patient who has died', { deceasedDateTime: '2026-10-01' }, 'patient.date_of_birth', 'deceased'],
  ['a birth date in the future', { birthDate: '2027-01-01' }, 'patient.date_of_birth', 'born_in_future'],
  ['a birth date before 1900', { birthDate: '1899-12-31' }, 'patient.date_of_birth', 'born_before_1900'],
  [
    'an address that gets no mail',
    { address: [{ line: ['Undomiciled'], city: 'X', state: 'OR', postalCode: '97099' }] },
    'patient.address.street',
    'no_mail',
  ],
])(
  'in a batch %s makes the order incomplete, with that reason, in every mode [K5]',
  async (what, patient, field, why) => {
    const path = chart(what.replaceAll(' ', '-'), patient);
    const outs: string[] = [];
    for (const mode of [[], ['--fast']]) {
      const { code, out } = await cli(['map', path, '--ndjson', ...mode, ...day]);
      expect(code).toBe(1);
      outs.push(out);
    }
    expect(new Set(outs).size).toBe(1);
    const lines = (outs[0] ?? '').trim().split('\n');
    const [line] = lines.map((text) => JSON.parse(text) as { state: string; gaps: object[] });
    expect(line?.state).toBe('incomplete');
    expect(line?.gaps).toContainEqual(expect.objectContaining({ target: field, severity: 'blocks', why }));
  },
);

test('explain tells the value, its place and the reason in the words of engineers [K19]', async () => {
  const path = chart('explained', {}, canaries);
  const { out } = await cli(['explain', path, ...day]);
  expect(out).toContain(
    'provider.npi (uncertain): Provider: NPI: the number in the chart is not an NPI, which has ten digits. ' +
      'Check for a typo.',
  );
  expect(out).toContain('found "canary-npi" at Practitioner/dr1 Practitioner.identifier[0]: an NPI has ten digits');
});

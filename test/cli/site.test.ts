import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readFixtureChart } from '../../src/base/fixture-chart.ts';
import { cli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-'));
afterAll(() => rmSync(folder, { recursive: true }));

const root = join(import.meta.dirname, '../..');
const charts = join(root, 'fixtures/charts');
const site = {
  id: 'river',
  name: 'River',
  iss: 'https://ehr.river.example/fhir',
  client: { auth: 'public', id: 'b' },
  service: { url: 'https://s.example', tokenEnv: 'T' },
};

/** A sites file with one site and its overlay beside it; the options that name it. */
function siteWith(overlay: object, name = 'river'): readonly string[] {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'overlay.json'), JSON.stringify({ name, ...overlay }, undefined, 2));
  const sites = join(folder, name, 'sites.json');
  writeFileSync(sites, JSON.stringify({ sites: [{ ...site, overlay: 'overlay.json' }] }));
  return ['--site', 'river', '--sites', sites];
}

/** The chart with two plans in a folder of its own, with the choice of the base as what must come out. */
function ownCase(): string {
  const own = join(folder, 'cases', 'own-case');
  mkdirSync(own, { recursive: true });
  const chart = readFixtureChart(join(charts, 'coverage-drug-benefit-over-medical'));
  writeFileSync(join(own, 'bundle.json'), JSON.stringify(chart));
  const expected = { chart: { chosen: { coverage: 'Coverage/c1' }, warnings: [] } };
  writeFileSync(join(own, 'expected.json'), JSON.stringify(expected));
  return own;
}

const expired = { roles: { coverage: { prefer: [{ when: "status = 'active'", text: 'in force' }] } } };
const medical = {
  roles: { coverage: { prefer: [{ when: "type.coding.exists(code = 'EHCPOL')", text: 'an extended plan' }] } },
};

test('test --site tells which cases of the package come out otherwise, and fails none for it', async () => {
  const { code, out } = await cli(['test', 'coverage-drug-benefit-over-medical', ...siteWith(medical)]);
  expect(code).toBe(0);
  expect(out).toContain('CHANGED coverage-drug-benefit-over-medical\n');
  expect(out).toContain('      - without the overlay "Coverage/c1"\n      + under it "Coverage/c2"\n');
  expect(out).toMatch(/1 passed, 0 failed; the overlay of river changes 1 case\n$/);
});

test('test --site says ok of a case that the overlay does not touch', async () => {
  const { out } = await cli(['test', 'coverage-drug-benefit-over-medical', ...siteWith(expired)]);
  expect(out).toBe(
    'ok      coverage-drug-benefit-over-medical\n\n1 passed, 0 failed; the overlay of river changes 0 cases\n',
  );
});

test('a site’s own case expects what comes out under its overlay', async () => {
  ownCase();
  const { code, out } = await cli(['test', '--fixtures', join(folder, 'cases'), ...siteWith(medical)]);
  expect(code).toBe(1);
  expect(out).toContain(
    'FAILED  own-case\n    expected.json: chart.chosen.coverage differs\n      - expected "Coverage/c1"\n',
  );
});

test('map --site maps under the overlay, and its report names the rules', async () => {
  const { out } = await cli(['map', join(ownCase(), 'bundle.json'), '--json', ...siteWith(medical)]);
  const { orders, report } = JSON.parse(out);
  expect(report.mapping).toBe('prior-auth@river');
  expect(orders[0].choices.find((choice: { role: string }) => choice.role === 'coverage').chosen).toBe('Coverage/c2');
});

test('a mistake in an overlay stops every command that names the site, with file, line, column and key', async () => {
  const options = siteWith({ roles: { coverage: { prefer: [{ when: 'typ.exists()', text: 'x' }] } } }, 'broken');
  const place =
    `${join(folder, 'broken', 'overlay.json')}:6:9: roles.coverage.prefer[0]: Coverage has no element typ; did ` +
    'you mean type?';
  for (const command of [
    ['test'],
    ['lint'],
    ['describe'],
    ['map', charts],
    ['coverage'],
    ['sandbox', '--port', '0', '--data', join(folder, 'data')],
  ]) {
    const { code, err } = await cli([...command, ...options]);
    expect(code, command[0]).toBe(3);
    expect(err, command[0]).toContain(place);
  }
});

test('lint of an overlay file tells its mistakes and ends with 1', async () => {
  const path = join(folder, 'alone.json');
  writeFileSync(path, JSON.stringify({ name: 'alone', tables: { gendr: { female: ['w'] } } }));
  const { code, out } = await cli(['lint', path]);
  expect(code).toBe(1);
  expect(out).toContain(`${path}:1:27: tables.gendr: there is no table gendr`);
});

describe('lint of an overlay file, over the mappings of each profile', () => {
  const lint = (name: string, overlay: object, ...more: string[]) => {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, JSON.stringify({ name, ...overlay }));
    return cli(['lint', path, ...more]);
  };
  const therapy = { expected_length_of_therapy: { from: ['%order.note.text'], transform: 'text' } };

  test('one that says nothing of a prior authorization is for all, and no profile is named', async () => {
    const { code, out } = await lint('all', { tables: { gender: { female: ['w'] } } });
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^\d+ mappings and their roles checked, nothing found\.\n$/),
    ]);
  });

  test('one for the profile current is in order, and says for which profiles and why not for the other', async () => {
    const { code, out } = await lint('now', { 'prior-auth': { prescription: therapy } });
    expect(code).toBe(0);
    expect(out).toContain(
      'The overlay is for the profile current with the drug named and the profile current with the drug coded.\n',
    );
    expect(out).toMatch(
      / {2}not for the profile documented: .*now\.json:\d+:\d+: prior-auth\.prescription\.expected_length_of_/,
    );
  });

  test('one for two profiles at once fits none: each profile’s mistakes are told', async () => {
    const both = { ...therapy, dispense_unit: { omit: 'never' } };
    const { code, out } = await lint('both', { 'prior-auth': { prescription: both } });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^overlay for the profile documented: .*both\.json:\d+:\d+: prior-auth\.prescription\.expected_/m,
    );
    expect(out).toMatch(
      /^overlay for the profile current with the drug named: .*: prior-auth\.prescription\.dispense_/m,
    );
    expect(out).not.toContain('The overlay is for');
  });

  test('a benefit verification is checked whatever the profile', async () => {
    const wrong = { 'benefit-verification': { patient: { first_nam: { from: ['%patient.name.given'] } } } };
    const { code, out } = await lint('benefits', wrong);
    expect(code).toBe(1);
    expect(out).toMatch(/benefits\.json:\d+:\d+: benefit-verification\.patient\.first_nam/);
  });

  test('--json names the profiles', async () => {
    const { out } = await lint('json', { 'prior-auth': { prescription: therapy } }, '--json');
    expect(JSON.parse(out)).toMatchObject({
      fits: ['the profile current with the drug named', 'the profile current with the drug coded'],
      findings: [],
    });
  });
});

test('lint and coverage count rules of an overlay that change nothing', async () => {
  const idle = siteWith({ 'prior-auth': { insurance_content: { rx_bin: { from: ['%rxBin.value'] } } } }, 'idle');
  expect((await cli(['lint', ...idle])).out).toContain(
    'prior-auth@idle  insurance_content.rx_bin: the overlay writes the rule as it was',
  );
  const fixtures = join(folder, 'one');
  cpSync(join(charts, 'story-complete'), join(fixtures, 'story-complete'), { recursive: true });
  const { out } = await cli(['coverage', '--fixtures', fixtures, ...idle]);
  expect(out).toContain('Overlay rules that change nothing:\n  insurance_content.rx_bin  (prior-auth@idle)');
});

test('the example sites file has an overlay that is in order', async () => {
  const { code, out } = await cli([
    'describe',
    '--site',
    'lakeside',
    '--sites',
    join(root, 'docs/sites/sites.example.json'),
    '--changes',
    '--json',
  ]);
  expect(code).toBe(0);
  const { layers, roles, rows } = JSON.parse(out);
  expect(layers).toHaveLength(1);
  expect(roles).toMatchObject([{ role: 'coverage', word: 'prefer', index: 0 }]);
  expect(rows).toEqual([{ table: 'dispense unit', value: 'tablet', key: 'tabl.' }]);
  expect(readFileSync(join(root, 'docs/sites/sites.example.json'), 'utf8')).toContain('overlays/lakeside.json');
});

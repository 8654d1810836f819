import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { readFixtureChart } from '../../src/base/fixture-chart.ts';
import { packageRoot } from '../../src/base/package.ts';
import { loadCriteria } from '../../src/config/load-criteria.ts';
import { cli } from '../cli/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'criteria-'));
afterAll(() => rmSync(folder, { recursive: true }));

const example = join(packageRoot, 'docs/sites/criteria.example.json');
copyFileSync(example, join(folder, 'criteria.json'));
const sites = join(folder, 'sites.json');
const chart = join(folder, 'chart.json');
const trials = join(packageRoot, 'fixtures/charts/answers-of-a-drug-after-trials-of-others');
writeFileSync(chart, JSON.stringify(readFixtureChart(trials)));

function siteWith(criteria: string): void {
  const site = {
    id: 'marlow',
    name: 'Marlow Falls Clinic',
    iss: 'https://ehr.marlow.example/fhir',
    client: { auth: 'public', id: 'prior-auth-bridge' },
    service: { url: 'https://api.service.example', tokenEnv: 'MARLOW_TOKEN' },
    timeZone: 'America/Los_Angeles',
    criteria,
  };
  writeFileSync(sites, JSON.stringify({ sites: [site] }));
}

const explain = () =>
  cli([
    ...['explain', chart, '--mapping', 'answers', '--order', 'MedicationRequest/m1'],
    ...['--site', 'marlow', '--sites', sites, '--now', '2026-11-21'],
  ]);

test('the example is read without a mistake', () => {
  expect(loadCriteria(example, mappings.answerNames)).toMatchObject({ rows: { length: 5 } });
});

// The chart: methotrexate, 86 days of supply of which 10 lie behind the stop for an inadequate response, golimumab
// taken now, RA in an adult of 42, a negative screen for tuberculosis, "HBsAg not detected." for hepatitis B, 60
// tablets for 30 days.
test('explain says of each row of the payer what the chart shows, what is not met first', async () => {
  siteWith('criteria.json');
  const { out } = await explain();
  const [, told = ''] = /\nCriteria\n([\s\S]*?)\n\n/.exec(out) ?? [];
  expect(told.split('\n')).toEqual([
    '  not met: Not together with another biologic',
    '    golimumab 50 MG/0.5 ML Auto-Injector since Sep 1, 2026',
    '    MedicationStatement/golimumab',
    '    https://evergreen.example.org/criteria/biologics, read on 2026-10-05, Dana Whitfield, RN',
    '  unknown: Rheumatoid arthritis in an adult, screened for tuberculosis and hepatitis B in the last year',
    '    Hepatitis B surface antigen: “HBsAg not detected.” on May 26, 2026 (179 days ago): read whether it says ' +
      'negative or not detected',
    '    to be found: a person says it',
    '    DiagnosticReport/hbsag',
    '    https://evergreen.example.org/criteria/biologics, read on 2026-10-05, Dana Whitfield, RN',
    '  unknown: Disease activity is lower than before',
    '    the row was valid until Jun 30, 2026',
    '    to be found: a person says it',
    '    https://evergreen.example.org/criteria/jak-inhibitors, read on 2025-10-05, Dana Whitfield, RN',
    '  met: An adequate trial of methotrexate, or a reason why it cannot be taken',
    '    methotrexate (76 days covered, inadequate response)',
    expect.stringContaining('MedicationDispense/mtx1'),
    '    https://evergreen.example.org/criteria/jak-inhibitors, read on 2026-10-05, Dana Whitfield, RN',
    '  met: Two tablets a day',
    '    60 tablets for 30 days',
    '    MedicationRequest/m1',
    '    https://evergreen.example.org/criteria/quantity-limits, read on 2026-10-05, Dana Whitfield, RN',
  ]);
});

test('a mistake stops the start with file, line, column and key', async () => {
  const wrong = join(folder, 'wrong.json');
  writeFileSync(
    wrong,
    '{ "criteria": [\n  { "payer": "Evergreen Mutual", "drug": "tofacitinib", "kind": "step", "text": "as read",\n' +
      '    "condition": { "all": [{ "trail": { "of": ["methotrexate"] } }] } }\n] }\n',
  );
  siteWith('wrong.json');
  const { err, code } = await explain();
  expect(code).not.toBe(0);
  expect(err).toContain(
    `${wrong}:3:30: criteria[0].condition.all[0].trail: there is no such word; did you mean trial?`,
  );
});

test('and so does a file that is no JSON, or not there', async () => {
  writeFileSync(join(folder, 'broken.json'), '{ "criteria": [\n  { "payer" }\n] }');
  siteWith('broken.json');
  expect((await explain()).err).toContain('broken.json:2:13: it is no JSON');
  siteWith('absent.json');
  expect((await explain()).err).toContain('absent.json cannot be read');
});

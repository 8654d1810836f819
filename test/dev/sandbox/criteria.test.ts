import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { readFixtureChart } from '../../../src/base/fixture-chart.ts';
import { packageRoot } from '../../../src/base/package.ts';
import { loadCriteria } from '../../../src/config/load-criteria.ts';
import { sandboxCriteria } from '../../../src/dev/sandbox/index.ts';
import { cli } from '../../cli/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-criteria-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sites = join(folder, 'sites.json');
const example = JSON.parse(readFileSync(join(packageRoot, 'docs/sites/sites.example.json'), 'utf8'));
writeFileSync(sites, JSON.stringify({ ...example, sites: [{ ...example.sites[0], criteria: sandboxCriteria }] }));

test('every row of the sandbox’s criteria is read, and says that it is invented', () => {
  const read = loadCriteria(sandboxCriteria, mappings.answerNames);
  expect(read).not.toHaveProperty('problems');
  for (const row of 'rows' in read ? read.rows : []) {
    expect(row.text).toMatch(/^Invented: /);
    expect(row.source).toBe('Invented for the sandbox: no payer’s rules');
  }
});

// By the charts: 16 tablets for 32 days, 1 mL for 28, hemoglobin A1c 8.0 %; the drugs before were ordered, and nothing
// shows that they were taken; no triptan, no allergist, no metformin.
test.each([
  [
    'story-card-image',
    [
      'not met: Invented: at most 8 tablets in 30 days',
      'unknown: Invented: two preventive drugs tried and stopped for a reason',
      'unknown: Invented: a triptan for at least 30 days, or a reason why it cannot be taken',
      'met: Invented: migraine in an adult',
    ],
  ],
  [
    'story-payer-asks',
    [
      'not met: Invented: at most 0.5 mL in 28 days to begin with',
      'unknown: Invented: prescribed by, or together with, an allergist',
      'unknown: Invented: an antihistamine that did not help, or was not tolerated',
      'met: Invented: chronic urticaria, 12 years or older',
    ],
  ],
  [
    'story-step-therapy',
    [
      'not met: Invented: hemoglobin A1c of at least 8.5 % in the last 90 days',
      'unknown: Invented: metformin for at least 90 days, or a reason why it cannot be taken',
      'met: Invented: an adult',
    ],
  ],
])('of %s the chart shows one as not met, then what is unknown, then what is met', async (story, lines) => {
  const chart = join(folder, `${story}.json`);
  writeFileSync(chart, JSON.stringify(readFixtureChart(join(packageRoot, 'fixtures/charts', story))));
  const how = ['--mapping', 'answers', '--sites', sites, '--site', example.sites[0].id, '--now', '2026-11-21'];
  const { out } = await cli(['explain', chart, ...how]);
  expect(out.match(/(?:not met|unknown|met): Invented: .*/g)).toEqual(lines);
});

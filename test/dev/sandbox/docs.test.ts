import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ledgerAsMarkdown,
  limitsAsMarkdown,
  switchesAsMarkdown,
} from '../../../src/dev/sandbox/control/describe-switches.ts';
import { ehrLedger } from '../../../src/dev/sandbox/ehr/ehr-ledger.ts';
import { ehrSwitches } from '../../../src/dev/sandbox/ehr/ehr-switches.ts';
import { serviceLedger } from '../../../src/dev/sandbox/service/service-ledger.ts';
import { serviceSwitches } from '../../../src/dev/sandbox/service/service-switches.ts';
import { cli } from '../../cli/run-cli.ts';
import { withTables } from '../../support/marked-tables.ts';

const path = join(import.meta.dirname, '../../../docs/develop/sandbox.md');

const tables: Readonly<Record<string, string>> = {
  limits: limitsAsMarkdown(),
  service: switchesAsMarkdown(serviceSwitches),
  ehr: switchesAsMarkdown(ehrSwitches),
  'service ledger': ledgerAsMarkdown(serviceLedger),
  'ehr ledger': ledgerAsMarkdown(ehrLedger),
};

// `npx vitest run test/dev/sandbox/docs.test.ts -u` writes the tables anew.
test('docs/develop/sandbox.md has the tables as they are', async () => {
  await expect(withTables(readFileSync(path, 'utf8'), tables)).toMatchFileSnapshot(path);
});

test('every example of the tables is a valid order', async () => {
  for (const table of [serviceSwitches, ehrSwitches])
    for (const [name, { value, example }] of Object.entries(table))
      expect(value.safeParse(example).success, name).toBe(true);
});

test('--help names every switch of both with its values', async () => {
  const { out } = await cli(['sandbox', '--help']);
  for (const [name, { off }] of [...Object.entries(serviceSwitches), ...Object.entries(ehrSwitches)])
    expect(out).toMatch(new RegExp(`^  ${name} +.*\\(default: ${off.replaceAll('`', '').slice(0, 20)}`, 'm'));
});

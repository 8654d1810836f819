import { expect, test } from 'vitest';
import { cli } from './run-cli.ts';

test('lint checks every mapping against FHIR R4 and ends with 0 when nothing is found', async () => {
  expect(await cli(['lint'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+ mappings and their roles checked, nothing found\.\n$/),
  });
});

test('lint --json names the mappings it checked', async () => {
  const { out } = await cli(['lint', '--json']);
  expect(JSON.parse(out)).toMatchObject({
    mappings: expect.arrayContaining(['prior-auth', 'prior-auth@valley', 'enrollment']),
    findings: [],
  });
});

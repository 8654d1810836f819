import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from './run-cli.ts';

const story = join(import.meta.dirname, '../../fixtures/charts/story-no-rxbin');

test('fidelity counts per field where values come from and what is missing, and tells no value', async () => {
  const { code, out } = await cli(['fidelity', join(story, 'bundle.json'), '--now', '2026-11-21']);
  expect(code).toBe(0);
  expect(out).toContain('| `patient.date_of_birth` | Patient 1 |  |');
  expect(out).toContain('| `insurance_content.rx_bin` |  | missing 1 |');
  expect(out).toContain('| `provider.npi` | Practitioner 1 |  |');
  for (const [, date] of out.matchAll(/(\d{4}-\d{2}-\d{2})/g)) expect(date).toBeUndefined();
});

test('fidelity of a folder that is not there ends with 2', async () => {
  expect(await cli(['fidelity', join(story, 'no-such-folder')])).toMatchObject({ code: 2 });
});

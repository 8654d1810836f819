import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stories } from '../../src/dev/sandbox/ehr/stories.ts';
import { mapChart, readingsOf } from './product.ts';
import { type SecondResult, secondEnrollment, secondPriorAuth } from './second-mapping.ts';

const orders: Readonly<Record<string, string>> = {
  'story-complete': 'complete-order',
  'story-no-rxbin': 'norx-order',
  'story-two-coverages': 'twocov-order',
  'story-snomed-only': 'snomed-order',
  'story-medication-contained': 'contained-order',
  'story-medication-external': 'external-order',
  'story-taper': 'taper-order',
  'story-self-reported': 'selfrep-order',
  'story-card-image': 'card-order',
  'story-sources-differ': 'differ-order',
  'story-step-therapy': 'steptx-order',
  'story-both-plans-fit': 'bothfit-order',
  'story-many-gaps': 'gaps-order',
  'story-payer-asks': 'asked-order',
  'story-request-fails': 'failed-order',
  'story-long-record': 'long-order',
};
const site = {
  country: 'USA',
  diagnoses: 'ask',
  enrollment: { programs: [{ programId: 'prog-1', name: 'Support one' }] },
};

describe('a second mapping, written from the contract alone, makes the same of the sandbox’s patients', () => {
  test.each(stories.map(({ folder }) => [folder]))('%s', async (folder) => {
    const order = orders[folder] ?? '';
    const bundle = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../fixtures/charts', folder, 'bundle.json'), 'utf8'),
    );
    const outcome = mapChart(bundle.entry, {
      order: `MedicationRequest/${order}`,
      site,
      readings: await readingsOf(bundle.entry),
    });
    const resultOf = (result: typeof outcome.priorAuth): SecondResult => ({
      complete: result.status === 'complete',
      body: spelled(result.status === 'complete' ? result.body : result.draft),
    });
    const second = (result: SecondResult) => ({ ...result, body: spelled(result.body) });
    expect(resultOf(outcome.priorAuth)).toEqual(second(secondPriorAuth(bundle, order)));
    expect(resultOf(outcome.enrollment)).toEqual(second(secondEnrollment(bundle, order, 'prog-1')));
  });
});

// A kind of release has several spellings that mean one.
function spelled(body: unknown): Record<string, unknown> {
  const text = JSON.stringify(body).replace(/("drug_name":"[^"]*)/, (name) =>
    name.replace(/\b(extended[- ]release|ER|XR)\b/gi, 'ER').replace(/\b(delayed[- ]release|DR)\b/gi, 'DR'),
  );
  return JSON.parse(text);
}

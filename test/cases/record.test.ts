import { expect, test } from 'vitest';
import { visible } from '../../src/cases/record.ts';
import type { PriorAuthorization } from '../../src/service/contract/prior-authorization.ts';

// What is kept of a record: nobody learns an outcome before the service has finished.

const told: PriorAuthorization = {
  id: 'pa_1',
  status: 'awaiting_outcome',
  outcome: { result: 'Denied' },
  denial_reason_analysis: { categories: ['step_therapy'], explanation: 'x', next_steps: 'Appeal' },
  prescription: { name: 'adalimumab' },
} as PriorAuthorization; // only what is looked at
const more = { ...told, decision: 'Denied' } as PriorAuthorization;

test('of an unfinished record neither the outcome, nor why, nor what the interface does not name', () => {
  const kept = visible({ kind: 'prior-auth', record: more });
  expect(kept).toMatchObject({ id: 'pa_1', status: 'awaiting_outcome' });
  expect(JSON.stringify(kept)).not.toMatch(/Denied|step_therapy|Appeal/);
});

test('of a finished one both', () => {
  const kept = visible({ kind: 'prior-auth', record: { ...told, status: 'completed' } });
  expect(kept).toMatchObject({
    outcome: { result: 'Denied' },
    denial_reason_analysis: { categories: ['step_therapy'] },
  });
});

import { describe, expect, test } from 'vitest';
import { answersRequest, visible } from '../../src/cases/service-record.ts';
import type { BenefitVerification } from '../../src/core/contract/benefit-verification.ts';
import type { PriorAuthorization } from '../../src/core/contract/prior-authorization.ts';

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

const verification: BenefitVerification = {
  id: 'bv_1',
  status: 'processing',
  patient: { internal_id: 'MRN-1' },
  provider: { npi: '1234567893' },
  drugs: [{ name: ' Oxaprozin', dosage: '600  MG', quantity: 30, coverage: 'covered' }],
  patient_coverage_status: 'covered',
};

test('of a benefit verification under way what was asked, and nothing that the plan answers', () => {
  const kept = visible({ kind: 'benefit-verification', record: verification });
  expect(kept).toMatchObject({ id: 'bv_1', patient: { internal_id: 'MRN-1' }, drugs: [{ quantity: 30 }] });
  expect(JSON.stringify(kept)).not.toContain('covered');
});

describe('a benefit verification answers the request', () => {
  const asked = {
    patient: { internal_id: 'MRN-1' },
    provider: { npi: '1234567893' },
    drugs: [{ name: 'OXAPROZIN', dosage: '600 mg', quantity: 30 }],
  };
  const isAnswered = (body: unknown) =>
    answersRequest({ kind: 'benefit-verification', record: verification }, { id: 'c1', attempt: 1, body });

  test('that asked for the same, however it is spelled', () => {
    expect(isAnswered(asked)).toBe(true);
  });

  test.each([
    ['another patient', { ...asked, patient: { internal_id: 'MRN-2' } }],
    ['another prescriber', { ...asked, provider: { npi: '1234567802' } }],
    ['another drug', { ...asked, drugs: [{ name: 'naproxen', dosage: '600 mg', quantity: 30 }] }],
    ['another strength', { ...asked, drugs: [{ name: 'oxaprozin', dosage: '300 mg', quantity: 30 }] }],
    ['another quantity', { ...asked, drugs: [{ name: 'oxaprozin', dosage: '600 mg', quantity: 60 }] }],
    ['a second drug too', { ...asked, drugs: [...asked.drugs, { name: 'naproxen', dosage: '1', quantity: 1 }] }],
    ['no drug', { ...asked, drugs: [] }],
  ])('not one that asked for %s', (_, body) => {
    expect(isAnswered(body)).toBe(false);
  });
});

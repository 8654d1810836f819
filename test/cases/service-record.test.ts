import { describe, expect, test } from 'vitest';
import {
  answersRequest,
  believable,
  caseNamed,
  letterEntry,
  submissionIdIn,
  submissionIdOf,
  visible,
} from '../../src/cases/service-record.ts';
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

describe('the record of a prior authorization as it is kept', () => {
  const log = [
    { id: 'c1', created_at: 'x', type: 'follow_up_call', details: { notes: 'Please send chart notes.', url: 'u' } },
    { id: 'f1', created_at: 'x', type: 'received_fax', details: { url: 'u', recording_url: 'r', pages: 2 } },
    { id: 'n1', created_at: 'x' },
  ];
  const full = {
    ...told,
    insurance: [{ url: 'https://a.example/card', payer_name: 'Evergreen' }],
    activity_log: log,
    decision: 'CANARY',
  } as unknown as PriorAuthorization; // fields that the interface does not name
  const kept = (status: string) => visible({ kind: 'prior-auth', record: { ...full, status } }) as PriorAuthorization;

  test.each(['completed', 'failed', 'not_submitted'])('is whole at %s, without links', (status) => {
    expect(kept(status)).toEqual({
      ...full,
      status,
      insurance: [{ payer_name: 'Evergreen' }],
      activity_log: [
        { ...log[0], details: { notes: 'Please send chart notes.' } },
        { ...log[1], details: { pages: 2 } },
        log[2],
      ],
    });
  });

  test.each(['processing', 'awaiting_outcome', 'validating_outcome', 'cancelled', 'of a later version'])(
    'says of its activities at %s that they were',
    (status) => {
      expect(kept(status)).toEqual({
        id: 'pa_1',
        status,
        prescription: told.prescription,
        insurance: [{ payer_name: 'Evergreen' }],
        activity_log: log.map(({ details: _, ...entry }) => entry),
      });
    },
  );

  test.each(['awaiting_review', 'awaiting_provider_response'])('at %s says what a call asks', (status) => {
    expect(kept(status).activity_log).toEqual([
      { id: 'c1', created_at: 'x', type: 'follow_up_call', details: { notes: 'Please send chart notes.' } },
      { id: 'f1', created_at: 'x', type: 'received_fax' },
      { id: 'n1', created_at: 'x' },
    ]);
  });

  test('has no lists that it had not', () => {
    for (const status of ['processing', 'completed']) {
      const record = visible({ kind: 'prior-auth', record: { id: 'pa_1', status } });
      expect(Object.keys(record).toSorted()).toEqual(['id', 'status']);
    }
  });

  test('names its letter once the payer’s outcome may be shown: the last fax', () => {
    const faxes = { ...full, activity_log: [...log, { ...log[1]!, id: 'f2' }, log[0]!] };
    expect(letterEntry({ ...faxes, status: 'completed' })?.id).toBe('f2');
    expect(letterEntry({ ...faxes, status: 'awaiting_outcome' })).toBeUndefined();
    expect(letterEntry({ ...told, status: 'completed' })).toBeUndefined();
    expect(letterEntry(undefined)).toBeUndefined();
  });
});

describe('the record of a benefit verification as it is kept', () => {
  test('is whole at its end, without links', () => {
    const record = {
      ...verification,
      status: 'completed',
      insurance: [{ url: 'u', payer_name: 'Evergreen' }],
      verification_methods: [{ recording_url: 'r', method: 'call' }],
    } as unknown as BenefitVerification;
    expect(visible({ kind: 'benefit-verification', record })).toEqual({
      ...verification,
      status: 'completed',
      insurance: [{ payer_name: 'Evergreen' }],
      verification_methods: [{ method: 'call' }],
    });
    expect(visible({ kind: 'benefit-verification', record: { id: 'b', status: 'completed' } })).toEqual({
      id: 'b',
      status: 'completed',
    });
  });

  test('before that holds what was asked, drug by drug', () => {
    expect(visible({ kind: 'benefit-verification', record: verification })).toEqual({
      id: 'bv_1',
      status: 'processing',
      patient: { internal_id: 'MRN-1' },
      provider: { npi: '1234567893' },
      drugs: [{ name: ' Oxaprozin', dosage: '600  MG', quantity: 30, ndc: undefined }],
    });
  });

  test.each([
    ['a patient', { ...verification, patient: {} }],
    ['a prescriber', { ...verification, provider: undefined }],
    ['drugs', { ...verification, drugs: undefined }],
    ['a name', { ...verification, drugs: [{ dosage: '600 mg', quantity: 30 }] }],
    ['a dosage', { ...verification, drugs: [{ name: 'oxaprozin', quantity: 30 }] }],
    ['a quantity', { ...verification, drugs: [{ name: 'oxaprozin', dosage: '600 mg' }] }],
  ])('answers nothing without %s, not even itself', (_, record) => {
    const one = { kind: 'benefit-verification', record: record as BenefitVerification } as const;
    expect(answersRequest(one, { id: 'c1', attempt: 1, body: record })).toBe(false);
  });

  test('answers the same drugs in any order', () => {
    const drugs = [
      { name: 'b', dosage: '1', quantity: 1 },
      { name: 'A', dosage: '2', quantity: 2 },
    ];
    const one = { kind: 'benefit-verification', record: { ...verification, drugs } } as const;
    expect(answersRequest(one, { id: 'c1', attempt: 1, body: { ...verification, drugs: drugs.toReversed() } })).toBe(
      true,
    );
  });
});

describe('a record is believed', () => {
  const expected = { id: 'c1', serviceId: 'pa_1', submissionId: 'c1', body: { patient: { internal_id: 'MRN-1' } } };
  const read = (more: object) => ({ kind: 'prior-auth', record: { ...told, ...more } }) as const;
  const own = (submission_id: unknown) => ({ prescription: { extra: { submission_id } } });

  test.each([
    ['another id', { id: 'pa_2' }, 'id'],
    ['another submission', own('c2'), 'submission_id'],
    ['another patient', { patient: { internal_id: 'MRN-2' } }, 'patient.internal_id'],
  ])('not with %s', (_, more, mismatch) => {
    expect(() => believable(expected, read(more))).toThrow(
      expect.objectContaining({ code: 'service_contract', facts: { case: 'c1', mismatch } }),
    );
  });

  test.each([
    ['says the same', { ...own('c1'), patient: { internal_id: 'MRN-1' } }],
    ['does not say', {}],
    ['says something that is no id', own(7)],
  ])('that %s', (_, more) => {
    expect(() => believable(expected, read(more))).not.toThrow();
  });

  test('also where nothing to compare was sent, and the id is not known yet', () => {
    const { serviceId: _, ...before } = expected;
    const other = read({ id: 'pa_2', patient: { internal_id: 'MRN-2' } });
    expect(() => believable({ ...before, serviceId: undefined, body: {} }, other)).not.toThrow();
    expect(() => believable({ ...before, serviceId: undefined, body: 'x' }, other)).not.toThrow();
  });
});

test('a request has the id of its case, and each further one its number', () => {
  expect([submissionIdOf('c1', 1), submissionIdOf('c1', 2)]).toEqual(['c1', 'c1/2']);
  expect([caseNamed('c1'), caseNamed('c1/2'), caseNamed('')]).toEqual(['c1', 'c1', '']);
  const record = { ...told, prescription: { extra: { submission_id: 'c1/2' } } } as PriorAuthorization;
  const isOf = (attempt: number) => answersRequest({ kind: 'prior-auth', record }, { id: 'c1', attempt, body: {} });
  expect([isOf(1), isOf(2), submissionIdIn(record), submissionIdIn({})]).toEqual([false, true, 'c1/2', undefined]);
});

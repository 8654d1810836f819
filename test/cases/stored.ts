import type { CaseHead, SubmissionContent } from '../../src/cases/sealed-parts.ts';
import type { PriorAuthorization } from '../../src/core/contract/prior-authorization.ts';
import type { Sealed, StoredCase } from '../../src/store/types.ts';

// Transitions need no database: a stored case is a value.

export const id = '11111111-2222-4333-8444-555555555555';
export const at = '2026-11-21T10:00:00.000Z';
export const later = '2026-11-21T11:00:00.000Z';
export const by = { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' };

export function sealed<T>(content: T): Sealed<T> {
  return { hash: JSON.stringify(content), value: () => content };
}

export const head: CaseHead = {
  patient: 'Patient/p1',
  order: 'MedicationRequest/m1',
  launch: 'l1',
  banner: { name: 'Canary Testperson' },
  title: 'adalimumab',
  users: {},
};

export const left: SubmissionContent = {
  body: { patient: { internal_id: 'MRN-1' }, prescription: { extra: { submission_id: id } } },
  provenance: [],
  gaps: [],
  mappedBy: { mapping: 'prior-auth', version: '1' },
  by,
  launch: 'l1',
  title: 'adalimumab',
  draft: { edits: { 'prescription.quantity': 3 }, answers: {} },
};

export function stored(changes: Partial<StoredCase> = {}): StoredCase {
  return {
    id,
    site: 'valley',
    kind: 'prior-auth',
    state: 'draft',
    attempt: 0,
    version: 1,
    unwritten: false,
    waiting: false,
    createdAt: at,
    updatedAt: at,
    head: sealed(head),
    draft: sealed({ edits: {}, answers: {} }),
    submissions: [],
    events: [],
    writes: [],
    ...changes,
  };
}

export const sent = (attempt: number, state: string, more: object = {}) => ({
  attempt,
  state,
  sentAt: at,
  sealed: sealed(
    attempt === 1
      ? left
      : { ...left, body: { ...(left.body as object), prescription: { extra: { submission_id: `${id}/${attempt}` } } } },
  ),
  ...more,
});

export const record = (more: Partial<PriorAuthorization> = {}): PriorAuthorization => ({
  id: 'pa_1',
  status: 'processing',
  prescription: { extra: { submission_id: id } },
  ...more,
});

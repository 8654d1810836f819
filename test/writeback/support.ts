import { documentReference } from '../../mappings/document-reference.ts';
import { task } from '../../mappings/task.ts';
import { silentLog } from '../../src/base/log.ts';
import type { PriorAuthorization } from '../../src/core/contract/prior-authorization.ts';
import type { CaseFacts } from '../../src/writeback/case-facts.ts';
import { createRefusals } from '../../src/writeback/create-refusals.ts';
import type { DeliveryRequest } from '../../src/writeback/delivery.ts';
import { follows, type LedgerEntry, record } from '../../src/writeback/ledger.ts';
import { type FakeEhr, fakeEhr } from '../support/fake-ehr.ts';
import { testSite } from '../support/site.ts';

export const bridgeUrl = 'https://bridge.example';
export const caseId = '0b7c1a8e-5d0f-4a39-9c53-0d6a4f6f7f01';

/** A case that the service has just taken; `at` moves it on. */
export function aCase(changes: Partial<CaseFacts> = {}): CaseFacts {
  return {
    id: caseId,
    kind: 'prior-auth',
    patient: 'Patient/p1',
    order: 'MedicationRequest/m1',
    encounter: 'Encounter/e1',
    prescriber: 'Practitioner/d1',
    coverage: 'Coverage/c1',
    banner: { name: 'Testa Sample', birthDate: '1980-02-03', mrn: 'MRN-1' },
    title: 'adalimumab 40 MG prefilled syringe',
    serviceId: 'pa_1',
    sentAt: '2026-11-20T10:00:00.000Z',
    sentBy: { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' },
    changedAt: '2026-11-20T10:00:00.000Z',
    state: 'open',
    writes: [],
    ...changes,
  };
}

export function at(status: string, more: Partial<PriorAuthorization> = {}): Partial<CaseFacts> {
  return { record: { id: 'pa_1', status, ...more }, changedAt: '2026-11-21T09:30:00.000Z' };
}

export const approval = {
  outcome: {
    result: 'Approved',
    detail: 'Approved',
    detail_code: 'approval',
    authorization_start_date: '2026-11-21',
    authorization_expiration: '2027-11-20',
  },
};
export const denial = {
  outcome: { result: 'Denied', detail: 'Step Therapy Criteria Not Met', detail_code: 'step_therapy_criteria_not_met' },
  denial_reason_analysis: {
    categories: ['step_therapy'],
    explanation: 'A trial of another drug is required.',
    next_steps: 'Appeal',
    next_steps_explanation: 'Attach the history.',
  },
};

/** A time that tests move by hand. */
export interface TestClock {
  (): Date;
  forward(seconds: number): void;
}

export function testClock(start = '2026-11-21T10:00:00Z'): TestClock {
  let now = Date.parse(start);
  return Object.assign(() => new Date(now), {
    forward(seconds: number) {
      now += seconds * 1000;
    },
  });
}

export interface TestRequest extends DeliveryRequest {
  readonly api: FakeEhr;
  /** Every row in the order in which it was stored. */
  readonly saved: LedgerEntry[];
  readonly ledger: () => readonly LedgerEntry[];
}

export function aRequest(
  facts: CaseFacts,
  changes: Partial<DeliveryRequest> & { readonly api?: FakeEhr } = {},
): TestRequest {
  const saved: LedgerEntry[] = [];
  const clock = changes.clock ?? (() => new Date('2026-11-21T10:00:00Z'));
  const ledger = () => saved.reduce<readonly LedgerEntry[]>(record, facts.writes);
  return {
    site: testSite(),
    bridgeUrl,
    facts,
    token: 'refresh',
    mappings: { task, documentReference },
    save: async (entry, before) => {
      // As the store does: one delivery alone never meets another's row.
      if (!follows(ledger(), entry, before)) throw new Error('a row of the ledger that does not follow');
      saved.push(entry);
    },
    refusals: createRefusals(clock),
    clock,
    log: silentLog,
    ...changes,
    api: changes.api ?? fakeEhr(),
    saved,
    ledger,
  };
}

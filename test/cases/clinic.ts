import { documentReference } from '../../mappings/document-reference.ts';
import { task } from '../../mappings/task.ts';
import { type Case, type CaseKind, type Editable, isEditable, type Open } from '../../src/cases/case.ts';
import { type Cases, createCases } from '../../src/cases/cases.ts';
import { type CaseContext, createContext, type EhrAccess } from '../../src/cases/context.ts';
import type { DraftRequest, Submission } from '../../src/cases/requests.ts';
import { createWork, type Work } from '../../src/cases/work/work.ts';
import type { Site } from '../../src/config/config.ts';
import type { CreateBenefitVerificationRequest } from '../../src/core/contract/benefit-verification.ts';
import type { CreatePriorAuthRequest } from '../../src/core/contract/documented.ts';
import type { CreateEnrollmentRequest } from '../../src/core/contract/enrollment.ts';
import type { ErrorFacts } from '../../src/core/errors.ts';
import type { Store } from '../../src/store/types.ts';
import { type FakeEhr, fakeEhr } from '../support/fake-ehr.ts';
import { type FakeService, fakeService } from '../support/fake-service.ts';
import { testSite } from '../support/site.ts';

/** One clinic around a store: an EHR, a service, a clock, and what was logged. */
export interface Clinic {
  readonly context: CaseContext;
  readonly cases: Cases;
  readonly work: Work;
  readonly ehr: FakeEhr;
  readonly service: FakeService;
  readonly logged: { level: string; facts: ErrorFacts; message: string }[];
  readonly asked: { patient: string; launch?: string }[];
  /** The store's own time, unless a test sets another. */
  clock: () => Date;
  access: (launch: string | undefined) => EhrAccess | Promise<EhrAccess>;
}

let counter = 0;

export const limits = { slots: 32, perSite: 4 };

// The cases of other tests are in the same store: they must not use up the pace.
export const busy = { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN', readsPerMinute: 60_000 };

export function aClinic(
  store: Store,
  changes: {
    readonly pollSeconds?: number;
    readonly letterDays?: number;
    readonly ehr?: FakeEhr;
    readonly service?: FakeService;
    /** By site, instead of the one service. */
    readonly services?: (site: Site) => FakeService;
    /** Instead of the two usual ones. */
    readonly sites?: readonly Site[];
  } = {},
): Clinic {
  const ehr = changes.ehr ?? fakeEhr();
  const service = changes.service ?? fakeService();
  const logged: Clinic['logged'] = [];
  const log = (level: string) => (facts: ErrorFacts, message: string) => void logged.push({ level, facts, message });
  const asked: Clinic['asked'] = [];
  const context = createContext({
    store: untidied(store),
    config: {
      url: 'https://bridge.example',
      sites: changes.sites ?? [
        testSite({ service: busy }),
        testSite({ id: 'hill', name: 'Hill Clinic', service: busy }),
      ],
      pollSeconds: changes.pollSeconds ?? 30,
      letterDays: changes.letterDays ?? 30,
    },
    services: changes.services ?? (() => service),
    access: async ({ patient, launch }) => {
      asked.push({ patient, ...(launch === undefined ? {} : { launch }) });
      return clinic.access(launch);
    },
    mappings: { task, documentReference },
    clock: () => clinic.clock(),
    log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
  });
  const clinic: Clinic = {
    ehr,
    service,
    logged,
    asked,
    clock: store.clock,
    access: () => ({ api: ehr, by: 'refresh' }),
    context,
    cases: createCases(context),
    work: createWork(context, { limits }),
  };
  return clinic;
}

/** Workers tidy the whole embedded database when they start: beside the few rows of a test that is most of the work. */
function untidied(store: Store): Store {
  return { ...store, maintenance: { ...store.maintenance, tidy: async () => {} } };
}

/** The draft of a fresh order of a fresh patient, unless told otherwise. */
export function aRequest(changes: Partial<DraftRequest> = {}): DraftRequest {
  counter += 1;
  return {
    site: 'valley',
    patient: `Patient/p${counter}`,
    order: `MedicationRequest/m${counter}`,
    kind: 'prior-auth',
    launch: `launch-${counter}`,
    banner: { name: 'Canary Testperson', birthDate: '1980-02-03', mrn: 'MRN-CANARY' },
    title: 'adalimumab',
    mappedBy,
    ...changes,
  };
}

/** The rules that all requests here are made by. */
export const mappedBy = { mapping: 'prior-auth', version: '0123456789abcdef' };

export const body: CreatePriorAuthRequest = {
  diagnoses: [{ code: 'M06.9' }],
  patient: {
    first_name: 'Canary',
    last_name: 'Testperson',
    internal_id: 'MRN-CANARY',
    date_of_birth: '1980-02-03',
    gender: 'female',
    address: { street: '1 Test St', city: 'Testville', state_province: 'OH', zip_postal_code: '00000', country: 'USA' },
  },
  insurance_content: { member_number: 'MEMBER-CANARY' },
  prescription: {
    drug_name: 'adalimumab',
    strength: '40 mg',
    dose_form: 'injectable',
    route_of_administration: 'subcutaneous',
    quantity: 2,
    directions: 'one every two weeks',
    dispense_unit: 'each',
  },
  provider: { first_name: 'Deva', last_name: 'Loper', npi: '1234567893' },
};

export const enrollment: CreateEnrollmentRequest = {
  programId: 'program-1',
  patient: {
    first_name: 'Canary',
    last_name: 'Testperson',
    date_of_birth: '1980-02-03',
    address: body.patient.address,
  },
};

export const benefits: CreateBenefitVerificationRequest = {
  drugs: [{ name: 'adalimumab', dosage: '40 mg', quantity: 2 }],
  diagnoses: body.diagnoses,
  patient: body.patient,
  provider: { ...body.provider, address: body.patient.address },
  insurance_content: { member_number: 'MEMBER-CANARY' },
};

const bodies: Readonly<Record<CaseKind, unknown>> = {
  'prior-auth': body,
  enrollment,
  'benefit-verification': benefits,
};

export function aSubmission({ cases }: Clinic, draft: Case, changes: Partial<Submission> = {}): Submission {
  return {
    body: bodies[draft.kind],
    provenance: [],
    gaps: [],
    mappedBy,
    by: { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' },
    expectedPatient: cases.patientMark(draft.site, draft.patient),
    ...changes,
  };
}

/**
 * Does `during` with the clinic's jobs running, and stops them also when it fails. `restarted`: as after a start, which
 * takes up what an earlier process left.
 */
export async function working<T>(
  { work }: Pick<Clinic, 'work'>,
  during: () => Promise<T>,
  { restarted = true }: { readonly restarted?: boolean } = {},
): Promise<T> {
  if (restarted) await work.prepare();
  work.start();
  try {
    return await during();
  } finally {
    await work.stop();
  }
}

/** The draft of a fresh order. */
export async function aDraft(clinic: Clinic, changes: Partial<DraftRequest> = {}): Promise<Editable> {
  const draft = await clinic.cases.openDraft(aRequest(changes));
  if (!isEditable(draft)) throw new Error(`not a draft: ${draft.state}`);
  return draft;
}

/** An open case with its service id. */
export async function aSentCase(clinic: Clinic, changes: Partial<DraftRequest> = {}): Promise<Open> {
  const draft = await clinic.cases.openDraft(aRequest(changes));
  const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
  if (sent.state !== 'open') throw new Error(`not sent: ${sent.state}`);
  return sent;
}

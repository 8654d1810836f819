import type { CreateBenefitVerificationRequest } from '../../src/core/contract/benefit-verification.ts';
import type {
  CreateCodedPriorAuthRequest,
  CreatePriorAuthRequest as CurrentRequest,
} from '../../src/core/contract/current.ts';
import type { CreatePriorAuthRequest } from '../../src/core/contract/documented.ts';
import type { CreateEnrollmentRequest } from '../../src/core/contract/enrollment.ts';

/** An invented, complete request; `drug` picks the sandbox's decision. */
export function priorAuthBody(drug = 'Oxaprozin', more: Partial<CreatePriorAuthRequest> = {}): CreatePriorAuthRequest {
  return {
    diagnoses: [{ code: 'M05.79' }],
    patient: {
      first_name: 'Zsófia',
      last_name: 'Teszt-Łabędź',
      internal_id: 'mrn-0001',
      date_of_birth: '1971-02-28',
      gender: 'female',
      address: {
        street: '1 Invented Way',
        city: 'Springfield',
        state_province: 'IL',
        zip_postal_code: '00501',
        country: 'USA',
      },
    },
    insurance_content: { member_number: '000123', rx_bin: '004336', payer_name: 'Invented Health' },
    prescription: {
      drug_name: drug,
      strength: '40 mg/0.4 mL',
      dose_form: 'injection',
      route_of_administration: 'subcutaneous',
      quantity: 2,
      days_supply: 28,
      directions: 'Inject 40 mg every other week',
      dispense_unit: 'pack',
      extra: { submission_id: '7d8a2b0e-0000-4000-8000-000000000001' },
      prescription_date: '2026-11-20T00:00:00.000000',
    },
    provider: { first_name: 'Ada', last_name: 'Muster', npi: '1234567893' },
    ...more,
  };
}

export function enrollmentBody(): CreateEnrollmentRequest {
  const { first_name, last_name, date_of_birth, address } = priorAuthBody().patient;
  return {
    programId: 'program-1',
    patient: {
      first_name,
      last_name,
      date_of_birth,
      address,
      insurance_details: { data: { membership_number: '000123' } },
    },
  };
}

/** A benefit verification of this drug. */
export function benefitBody(drug = 'tofacitinib'): CreateBenefitVerificationRequest {
  const { patient, provider, diagnoses, insurance_content } = priorAuthBody();
  return {
    drugs: [{ name: drug, dosage: '5 mg', quantity: 60 }],
    diagnoses,
    patient,
    provider: { ...provider, address: patient.address },
    insurance_content,
  };
}

/** The same request in the profile `current`. */
export function currentBody(drug = 'Oxaprozin', more: Partial<CurrentRequest> = {}): CurrentRequest {
  const { prescription, provider, ...body } = priorAuthBody(drug);
  const { dispense_unit: _, ...named } = prescription;
  return {
    ...body,
    prescription: {
      ...named,
      dose_form: 'injection',
      route_of_administration: 'subcutaneous',
      days_supply: 28,
      prescription_date: '2026-11-20T00:00:00.000000',
    },
    provider: { ...provider, address: { city: 'Springfield' } },
    ...more,
  } as CurrentRequest; // a sample has neither a mock result nor training data
}

/** The same with the drug by its NDC. */
export function codedBody(ndc = '00074-0554-02'): CreateCodedPriorAuthRequest {
  const { prescription, ...body } = currentBody();
  const { directions, quantity, days_supply, prescription_date, extra } = prescription;
  return { ...body, prescription: { ndc, directions, quantity, days_supply, prescription_date, extra } };
}

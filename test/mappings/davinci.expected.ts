import type { CreatePriorAuthRequest } from '../../src/core/contract/documented.ts';
import type { DeepPartial } from '../../src/core/mapping/words/rules.ts';

/**
 * The two orders of pat014 in the public Da Vinci test EHR data, read from the source files by hand:
 * o2teddy_01__patient, o2teddy_02__coverage, o2teddy_medicationrequest(_methotrexate), "1. practitioner", "2.
 * organization".
 */

interface Expectation {
  readonly draft: DeepPartial<CreatePriorAuthRequest>;
  readonly gaps: readonly { readonly target: string; readonly severity: string; readonly reason: string }[];
}

// Patient.name[0] official; identifier type MR; no telecom; the address names no country, so it is the site's.
const patient = {
  first_name: 'Theodor',
  last_name: 'Roosevelt',
  internal_id: '0M846129001NF',
  date_of_birth: '1946-07-04',
  gender: 'male',
  address: {
    street: '7525 Colshire Dr',
    city: 'McLean',
    state_province: 'VA',
    zip_postal_code: '22102',
    country: 'USA',
  },
} as const;

// cov014: subscriberId, payor Organization/org1234, one class: plan, with a value and no name. No pharmacy routing at
// all.
const insurance = {
  member_number: '10A3D58WH1600',
  payer_name: 'Centers for Medicare and Medicaid Services',
  plan_name: 'Medicare Part B',
} as const;

// pra1234: NPI by system, a phone without a use, no fax; the only address is marked home.
const provider = {
  first_name: 'Jane',
  last_name: 'Doe',
  npi: '1122334455',
  internal_id: 'pra1234',
  phone: '716-873-1557',
  address: { street: '840 Seneca St', city: 'Buffalo', state_province: 'NY', zip_postal_code: '14210', country: 'USA' },
} as const;

// The stated reason is SNOMED CT only: it is asked. The patient's eleven other conditions do not replace it.
const gaps = [
  { target: 'diagnoses', severity: 'blocks', reason: 'choice' },
  { target: 'insurance_content.rx_bin', severity: 'warns', reason: 'missing' },
  { target: 'insurance_content.rx_pcn', severity: 'warns', reason: 'missing' },
  { target: 'patient.phone', severity: 'warns', reason: 'missing' },
  { target: 'provider.address', severity: 'warns', reason: 'advice' },
  { target: 'provider.fax', severity: 'warns', reason: 'missing' },
] as const;

export const expectations: Readonly<Record<string, Expectation>> = {
  'MedicationRequest/pat014-mr-azathioprine': {
    draft: {
      patient,
      insurance_content: insurance,
      provider,
      prescription: {
        // "azathioprine 50 MG Oral Tablet [Imuran]"
        drug_name: 'Imuran',
        strength: '50 MG',
        dose_form: 'tablet',
        route_of_administration: 'oral',
        quantity: 90,
        // 50 mg once a day, tablets of 50 MG, 90 tablets
        days_supply: 90,
        directions: '50 mg PO daily for remission induction',
        dispense_unit: 'tablet',
        prescription_date: '2020-05-11T00:00:00.000000',
        extra: { rxnorm: '105611' },
      },
    },
    gaps,
  },
  'MedicationRequest/pat014-mr-methotrexate': {
    draft: {
      patient,
      insurance_content: insurance,
      provider,
      prescription: {
        // "methotrexate 2.5 MG Oral Tablet"
        drug_name: 'methotrexate',
        strength: '2.5 MG',
        dose_form: 'tablet',
        route_of_administration: 'oral',
        quantity: 90,
        // 7.5 mg once a day, tablets of 2.5 MG: three a day, 90 tablets
        days_supply: 30,
        directions: '7.5 mg PO daily for remission induction',
        dispense_unit: 'tablet',
        prescription_date: '2020-07-11T00:00:00.000000',
        extra: { rxnorm: '105585' },
      },
    },
    gaps,
  },
};

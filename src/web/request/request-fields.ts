import type { CreateBenefitVerificationRequest } from '../../core/contract/benefit-verification.ts';
import type { CreateEnrollmentRequest } from '../../core/contract/enrollment.ts';
import type { LeafOf } from '../../core/contract/leaf-of.ts';
import {
  type DispenseUnit,
  type DoseForm,
  dispenseUnits,
  doseForms,
  type Route,
  routes,
} from '../../core/contract/lists.ts';
import type {
  Address,
  InsuranceContent,
  RequestPatient,
  RequestPharmacy,
  RequestProvider,
} from '../../core/contract/parts.ts';
import type { PriorAuthLeaf } from '../../core/contract/profiles.ts';
import type { EntryField, LeafEntry, LeafSpec, SectionId } from './labels.ts';

/**
 * How pages and prints label, group and edit each leaf of a request. Each contract has a table, whose type requires
 * every leaf of the contract. Leaves are in the order of the review page.
 */

type Fields<Leaf extends string> = Readonly<Record<Leaf, EntryField>>;

/** A table of all leaves of one contract, or of all contracts for one kind of request. */
export type RequestFields<Leaf extends string> = Readonly<Record<Leaf, LeafSpec>>;

const genders = [
  ['male', 'Male'],
  ['female', 'Female'],
  ['other', 'Other'],
  ['not_specified', 'Not specified'],
] as const;

const priorities = [
  ['', 'Not set'],
  ['0', 'Critical'],
  ['1', 'High'],
  ['2', 'Medium'],
  ['3', 'Low'],
] as const;

const fundSourceWords = [
  ['true', 'Asked'],
  ['false', 'Not asked'],
] as const;

/** The parts of an address. `on` names the line of a printed address. */
export const addressFields = {
  street: { label: 'Street', input: 'text', on: 'street' },
  street_line_2: { label: 'Address line 2', input: 'text', on: 'street' },
  city: { label: 'City', input: 'text', on: 'city' },
  state_province: { label: 'State', input: 'state', on: 'state' },
  zip_postal_code: { label: 'ZIP code', input: 'zip', on: 'state' },
  country: { label: 'Country', input: 'text', on: 'country' },
} as const satisfies Readonly<Record<LeafOf<typeof Address>, EntryField & { readonly on: AddressLine }>>;
export type AddressLine = 'street' | 'city' | 'state' | 'country';

const patient: Fields<LeafOf<typeof RequestPatient> | 'mrn'> = {
  first_name: { label: 'First name', input: 'text', isName: true },
  last_name: { label: 'Last name', input: 'text', isName: true },
  date_of_birth: { label: 'Date of birth', input: 'date' },
  gender: { label: 'Gender', input: 'choice', options: genders },
  internal_id: { label: 'MRN', input: 'text', inLine: false },
  mrn: { label: 'Medical record number', input: 'text', inLine: false },
  phone: { label: 'Phone', input: 'tel' },
  email: { label: 'Email', input: 'email', inLine: false },
  ...under('address', addressFields),
};

const provider: Fields<LeafOf<typeof RequestProvider>> = {
  first_name: { label: 'First name', input: 'text', isName: true },
  last_name: { label: 'Last name', input: 'text', isName: true },
  npi: { label: 'NPI', input: 'digits', hint: '10 digits', planNeeds: true },
  fax: { label: 'Fax', input: 'tel' },
  phone: { label: 'Phone', input: 'tel', inLine: false },
  internal_id: { label: 'Prescriber ID (clinic)', input: 'text', inLine: false },
  ...under('address', addressFields),
};

const plan: Fields<LeafOf<typeof InsuranceContent>> = {
  payer_name: { label: 'Payer', input: 'text', means: 'payer' },
  plan_name: { label: 'Plan', input: 'text', means: 'plan' },
  member_number: {
    label: 'Member ID',
    input: 'text',
    hint: 'Required unless the insurance card is attached.',
    means: 'member',
    planNeeds: true,
  },
  member_name: { label: 'Member name', input: 'text', inLine: false },
  rx_bin: { label: 'RxBIN', input: 'digits', hint: '6 digits. Keep leading zeros.', means: 'rxBin' },
  rx_pcn: { label: 'RxPCN', input: 'text', means: 'rxPcn' },
  rx_group: { label: 'RxGrp', input: 'text', means: 'rxGroup' },
  group_number: { label: 'Group number', input: 'text', means: 'group' },
  client_name: { label: 'Employer', input: 'text', inLine: false },
};

const pharmacy: Fields<LeafOf<typeof RequestPharmacy>> = {
  name: { label: 'Name', input: 'text', wide: true, find: 'pharmacy' },
  ...under('address', addressFields),
};

const drug = { label: 'Drug', input: 'text', question: 'Which drug is ordered?' } as const;
const strength = { label: 'Strength', input: 'text', question: 'Which strength is ordered?' } as const;
const quantity = { label: 'Quantity', input: 'number', question: 'How much is dispensed?' } as const;
const directions = { label: 'Directions', input: 'long', wide: true, question: 'What are the directions?' } as const;
/** The leaves that the bridge's mappings write to the free-form part of a prescription. */
const extra = {
  extra: { label: 'Drug codes', part: 'Drug codes' },
  'extra.rxnorm': { label: 'Drug code (RxNorm)', part: 'Drug codes' },
  'extra.ndc': { label: 'Drug code (NDC)', part: 'Drug codes' },
  'extra.submission_id': { label: 'Reference of this app', part: 'Drug codes', isOwn: true },
} as const;

/** The most common dose forms, which are suggested before the others of the service's list. */
const commonForms: readonly DoseForm[] = [
  ...(['tablet', 'capsule', 'injection', 'solution', 'suspension'] as const),
  ...(['cream', 'ointment', 'gel', 'patch', 'inhaler', 'spray', 'drops'] as const),
];
const commonRoutes: readonly Route[] = [
  ...(['oral', 'subcutaneous', 'intravenous', 'intramuscular', 'topical', 'transdermal', 'inhalation'] as const),
  ...(['nasal', 'ophthalmic', 'otic', 'rectal', 'vaginal', 'sublingual', 'buccal'] as const),
];
const commonUnits: readonly DispenseUnit[] = ['tablet', 'capsule', 'milliliter', 'gram'];

const prescription = under('prescription', {
  ndc: { label: 'NDC', input: 'text', hint: '11 digits, or 10 with their dashes' },
  'extra.drug_name': { label: 'Drug', input: 'text', beside: 'prescription.ndc' },
  'extra.strength': { label: 'Strength', input: 'text', beside: 'prescription.ndc' },
  drug_name: drug,
  strength,
  dose_form: {
    label: 'Dose form',
    input: 'text',
    suggestions: commonFirst(doseForms, commonForms),
    question: 'What is the dose form?',
  },
  route_of_administration: {
    label: 'Route',
    input: 'text',
    suggestions: commonFirst(routes, commonRoutes),
    question: 'What is the route?',
  },
  quantity,
  dispense_unit: {
    label: 'Dispense unit',
    input: 'text',
    suggestions: commonFirst(dispenseUnits, commonUnits),
    question: 'What is dispensed?',
  },
  quantity_unit_of_measure: {
    label: 'Unit',
    input: 'text',
    hint: 'An NCIt code, such as C48542 for tablets',
    inLine: false,
  },
  days_supply: { label: 'Days supply', input: 'whole', question: 'How many days is it for?' },
  prescription_date: { label: 'Date written', input: 'day' },
  directions,
  expected_length_of_therapy: { label: 'Expected length of therapy', input: 'text', inLine: false },
  ...extra,
});

/** Rows that several kinds of request share. */
const shared = {
  patient: inSection('patient', under('patient', patient)),
  prescriber: inSection('prescriber', under('provider', provider)),
  diagnoses: inSection('diagnoses', { 'diagnoses[].code': { label: 'Diagnosis', part: 'Diagnosis' } }),
  insurance: inSection('insurance', {
    ...under('insurance_content', plan),
    'insurance[].file_content': { label: 'Insurance card #1', part: 'Insurance card' },
  }),
  priority: inSection('priority', {
    priority: {
      label: 'Priority',
      input: 'choice',
      options: priorities,
      isNumber: true,
      hint: 'Sent only when you choose one.',
    },
  }),
};

/** The leaves of all profiles. Pages of a site show only those that its contract has. */
export const priorAuthFields: RequestFields<PriorAuthLeaf> = {
  ...shared.patient,
  ...inSection('prescription', prescription),
  ...shared.prescriber,
  ...shared.diagnoses,
  ...shared.insurance,
  ...inSection('pharmacy', under('pharmacy', pharmacy)),
  ...inSection(
    'evidence',
    under('evidence[]', {
      title: { label: 'Document #1: title' },
      date_created: { label: 'Document #1: date' },
      content: { label: 'Document #1: content' },
      'asset.file_content': { label: 'Document #1: file' },
    }),
  ),
  ...shared.priority,
  ...inSection('resubmission', {
    'resubmission_info.previous_prior_auth_request_id': {
      label: 'Earlier request',
      input: 'text',
      wide: true,
      hint: 'Its number at the service. Fill this in only when this request follows an earlier one.',
      offers: 'finished requests',
    },
    'resubmission_info.note': { label: 'What is new', input: 'long', wide: true },
    'resubmission_info.quantity_limit_exception_reason': {
      label: 'Why more than the quantity limit',
      input: 'long',
      wide: true,
    },
  }),
  ...inSection('appeal', {
    'appeal_details.is_urgent': { label: 'Urgent appeal', input: 'flag' },
    'appeal_details.appeal_letter.title': { label: 'Appeal letter' },
    'appeal_details.appeal_letter.date_created': { label: 'Date of the appeal letter' },
    'appeal_details.appeal_letter.asset.file_content': { label: 'File of the appeal letter' },
  }),
  ...inSection('further', {
    is_training_data: { label: 'Training request', isOwn: true },
    mock_result: { label: 'Result of the service’s sandbox', part: 'Result of the service’s sandbox' },
    ...under('questionnaires[]', {
      'questions[].question': { label: 'Questionnaire #1, question #2', part: 'Questionnaire', writtenBy: 'app' },
      // an answer of the chart has a source
      'questions[].answer': {
        label: 'Questionnaire #1, question #2: answer',
        part: 'Questionnaire',
        writtenBy: 'person',
      },
      'questions[].choices[]': {
        label: 'Questionnaire #1, question #2: choice #3',
        part: 'Questionnaire',
        writtenBy: 'app',
      },
      date_created: { label: 'Questionnaire #1: date', part: 'Questionnaire', writtenBy: 'app' },
    }),
    ...under('visit_notes[]', {
      title: { label: 'Visit note #1: title', part: 'Visit note' },
      content: { label: 'Visit note #1: content', part: 'Visit note' },
      date_created: { label: 'Visit note #1: date', part: 'Visit note' },
    }),
    'ndp_submission.prescription_message_id': { label: 'Prescription message' },
    ...under('trigger_benefit_verification', {
      enabled: { label: 'Benefit verification asked', part: 'Benefit verification' },
      'additional_medications[].ndc': { label: 'Further drug #1: NDC', part: 'Benefit verification' },
      'additional_medications[].quantity': { label: 'Further drug #1: quantity', part: 'Benefit verification' },
    }),
  }),
};

const { first_name, last_name, date_of_birth, phone, email, internal_id } = patient;
const { payer_name, group_number, rx_bin, rx_group } = plan;

export const enrollmentFields: RequestFields<LeafOf<typeof CreateEnrollmentRequest>> = {
  ...inSection('program', {
    programId: {
      label: 'Support program',
      input: 'choice',
      wide: true,
      offers: 'programs',
      question: 'Which program?',
    },
  }),
  ...inSection('prescription', {
    ...under('prescription', { drug_name: drug, dosage: { ...strength, label: 'Dosage' }, directions, ...extra }),
  }),
  ...inSection('patient', {
    ...under('patient', { first_name, last_name, date_of_birth, phone, email, 'metadata.patient_id': internal_id }),
    ...under('patient.address', addressFields),
  }),
  ...inSection('insurance', {
    ...under('patient.insurance_details.data', {
      payer: payer_name,
      membership_number: { label: 'Member ID', input: 'text', means: 'member' },
      ...{ group_number, rx_bin, rx_group },
    }),
    ...under('patient.insurance_details.assets[]', filesOf('Insurance card #1')),
  }),
  ...inSection('evidence', {
    ...under('evidence[]', {
      type: { label: 'Document #1: type' },
      date_created: { label: 'Document #1: date' },
      content: { label: 'Document #1: content' },
    }),
    ...under('evidence[].assets[]', filesOf('Document #1, file #2')),
  }),
  ...inSection('further', { 'metadata.enrollment_id': { label: 'Reference of this app', isOwn: true } }),
};

/** Leaves that prior authorizations also have use the same rows. */
export const benefitFields: RequestFields<LeafOf<typeof CreateBenefitVerificationRequest>> = {
  ...inSection('drugs', {
    ...under('drugs[]', { name: drug, dosage: { ...strength, label: 'Dosage' }, quantity }),
  }),
  ...shared.patient,
  ...shared.prescriber,
  ...shared.diagnoses,
  ...shared.insurance,
  ...inSection('replaces', {
    replaces: {
      label: 'In place of',
      input: 'text',
      wide: true,
      hint: 'The number at the service of a canceled verification. Only when this one stands in its place.',
      offers: 'canceled requests',
    },
  }),
  ...inSection('plan', {
    use_patient_plan_fund_source_check: {
      label: 'Ask who pays for the plan',
      input: 'flag',
      options: fundSourceWords,
      hint: 'Tells a commercial plan from a government plan. Copay cards are for commercial plans only.',
    },
  }),
  ...shared.priority,
  ...inSection('further', {
    ...under('drug_history', {
      'currently_taking_drugs[].name': { label: 'Drug taken now #1', part: 'Drug history' },
      'previously_taken_drugs[].name': { label: 'Drug taken before #1', part: 'Drug history' },
    }),
    ...under('entity', {
      legal_name: { label: 'Practice: legal name', part: 'Practice' },
      tax_id: { label: 'Practice: tax ID', part: 'Practice' },
    }),
    mock_result: { label: 'Result of the service’s sandbox', part: 'Result of the service’s sandbox' },
  }),
};

function commonFirst<Word>(list: readonly Word[], common: readonly Word[]): readonly Word[] {
  return [...new Set([...common, ...list])];
}

// `Object.fromEntries` loses the types of the keys.
function under<Part extends string, Leaf extends string, Entry extends LeafEntry>(
  part: Part,
  entries: Readonly<Record<Leaf, Entry>>,
) {
  return Object.fromEntries(
    Object.entries<Entry>(entries).map(([leaf, entry]) => [`${part}.${leaf}`, entry]),
  ) as Readonly<Record<`${Part}.${Leaf}`, Entry>>;
}

function inSection<Leaf extends string>(section: SectionId, entries: Readonly<Record<Leaf, LeafEntry>>) {
  return Object.fromEntries(
    Object.entries<LeafEntry>(entries).map(([leaf, entry]) => [leaf, { ...entry, section }]),
  ) as Readonly<Record<Leaf, LeafSpec>>;
}

/** The leaves of a file that is sent as a URL. */
function filesOf(label: string) {
  return { name: { label: `${label}: name` }, type: { label: `${label}: type` }, url: { label: `${label}: address` } };
}

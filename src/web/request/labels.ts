import type { Site } from '../../config/config.ts';
import { dispenseUnits, doseForms, routes } from '../../core/contract/lists.ts';
import type { Leaves } from './leaves.ts';

/**
 * How each leaf of the bodies is called, entered and ordered on the review page. One table; the page, its summary
 * and the confirmation read it.
 */

/**
 * What a field takes: `digits` is a text of digits alone (a phone shows its number keys), `zip` one in the US, `flag`
 * yes or no.
 */
type Input =
  | ('text' | 'long' | 'choice' | 'flag' | 'state' | 'tel' | 'email' | 'date' | 'day')
  | ('number' | 'whole' | 'digits' | 'zip');

export interface FieldSpec {
  readonly target: string;
  readonly label: string;
  readonly input: Input;
  /** Blocks sending when missing. */
  readonly required?: true;
  /** Takes the whole row. */
  readonly wide?: true;
  readonly hint?: string;
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** What the server searches while one types in this field: see search.ts. */
  readonly find?: 'pharmacy';
  /** What is suggested while typing; any other text may be entered, unless the contract has a closed list. */
  readonly suggestions?: readonly string[];
  /** Shown only where the contract has this field too: its own place is in a free-form part. */
  readonly beside?: string;
}

export interface SectionSpec {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly FieldSpec[];
}

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

/** Of all profiles; see `sectionsOf`. */
export const priorAuthSections: readonly SectionSpec[] = [
  {
    id: 'patient',
    title: 'Patient',
    fields: [
      { target: 'patient.first_name', label: 'First name', input: 'text', required: true },
      { target: 'patient.last_name', label: 'Last name', input: 'text', required: true },
      { target: 'patient.date_of_birth', label: 'Date of birth', input: 'date', required: true },
      { target: 'patient.gender', label: 'Gender', input: 'choice', options: genders, required: true },
      { target: 'patient.internal_id', label: 'MRN', input: 'text', required: true },
      { target: 'patient.mrn', label: 'Medical record number', input: 'text' },
      { target: 'patient.phone', label: 'Phone', input: 'tel' },
      { target: 'patient.email', label: 'Email', input: 'email' },
      ...address('patient.address', true),
    ],
  },
  {
    id: 'prescription',
    title: 'Prescription',
    fields: [
      {
        target: 'prescription.ndc',
        label: 'NDC',
        input: 'text',
        required: true,
        hint: '11 digits, or 10 with their dashes',
      },
      { target: 'prescription.extra.drug_name', label: 'Drug', input: 'text', beside: 'prescription.ndc' },
      { target: 'prescription.extra.strength', label: 'Strength', input: 'text', beside: 'prescription.ndc' },
      { target: 'prescription.drug_name', label: 'Drug', input: 'text', required: true },
      { target: 'prescription.strength', label: 'Strength', input: 'text', required: true },
      { target: 'prescription.dose_form', label: 'Dose form', input: 'text', required: true, suggestions: doseForms },
      {
        target: 'prescription.route_of_administration',
        label: 'Route',
        input: 'text',
        required: true,
        suggestions: routes,
      },
      { target: 'prescription.quantity', label: 'Quantity', input: 'number', required: true },
      {
        target: 'prescription.dispense_unit',
        label: 'Dispense unit',
        input: 'text',
        required: true,
        suggestions: dispenseUnits,
      },
      {
        target: 'prescription.quantity_unit_of_measure',
        label: 'Unit',
        input: 'text',
        hint: 'An NCIt code, such as C48542 for tablets',
      },
      { target: 'prescription.days_supply', label: 'Days supply', input: 'whole' },
      { target: 'prescription.prescription_date', label: 'Date written', input: 'day' },
      { target: 'prescription.directions', label: 'Directions', input: 'long', required: true, wide: true },
      { target: 'prescription.expected_length_of_therapy', label: 'Expected length of therapy', input: 'text' },
    ],
  },
  {
    id: 'prescriber',
    title: 'Prescriber',
    fields: [
      { target: 'provider.first_name', label: 'First name', input: 'text', required: true },
      { target: 'provider.last_name', label: 'Last name', input: 'text', required: true },
      { target: 'provider.npi', label: 'NPI', input: 'digits', required: true, hint: '10 digits' },
      { target: 'provider.fax', label: 'Fax', input: 'tel' },
      { target: 'provider.phone', label: 'Phone', input: 'tel' },
      { target: 'provider.internal_id', label: 'Prescriber ID (clinic)', input: 'text' },
      ...address('provider.address', false),
    ],
  },
  { id: 'diagnoses', title: 'Diagnoses', fields: [] },
  {
    id: 'insurance',
    title: 'Insurance',
    fields: [
      { target: 'insurance_content.payer_name', label: 'Payer', input: 'text' },
      { target: 'insurance_content.plan_name', label: 'Plan', input: 'text' },
      {
        target: 'insurance_content.member_number',
        label: 'Member ID',
        input: 'text',
        hint: 'Required unless the insurance card is attached.',
      },
      { target: 'insurance_content.member_name', label: 'Member name', input: 'text' },
      { target: 'insurance_content.rx_bin', label: 'RxBIN', input: 'digits', hint: '6 digits. Keep leading zeros.' },
      { target: 'insurance_content.rx_pcn', label: 'RxPCN', input: 'text' },
      { target: 'insurance_content.rx_group', label: 'RxGrp', input: 'text' },
      { target: 'insurance_content.group_number', label: 'Group number', input: 'text' },
      { target: 'insurance_content.client_name', label: 'Employer', input: 'text' },
    ],
  },
  {
    id: 'pharmacy',
    title: 'Pharmacy',
    fields: [
      { target: 'pharmacy.name', label: 'Name', input: 'text', wide: true, find: 'pharmacy' },
      ...address('pharmacy.address', false),
    ],
  },
  { id: 'evidence', title: 'Supporting documents', fields: [] },
  {
    id: 'priority',
    title: 'Priority',
    fields: [
      {
        target: 'priority',
        label: 'Priority',
        input: 'choice',
        options: priorities,
        hint: 'Sent only when you choose one.',
      },
    ],
  },
  {
    id: 'resubmission',
    title: 'Resubmission',
    fields: [
      {
        target: 'resubmission_info.previous_prior_auth_request_id',
        label: 'Earlier request',
        input: 'text',
        wide: true,
        hint: 'Its number at the service. Fill this in only when this request follows an earlier one.',
      },
      { target: 'resubmission_info.note', label: 'What is new', input: 'long', wide: true },
      {
        target: 'resubmission_info.quantity_limit_exception_reason',
        label: 'Why more than the quantity limit',
        input: 'long',
        wide: true,
      },
    ],
  },
  {
    id: 'appeal',
    title: 'Appeal',
    fields: [{ target: 'appeal_details.is_urgent', label: 'Urgent appeal', input: 'flag' }],
  },
];

export const enrollmentSections: readonly SectionSpec[] = [
  {
    id: 'program',
    title: 'Program',
    fields: [{ target: 'programId', label: 'Support program', input: 'choice', required: true, wide: true }],
  },
  {
    id: 'prescription',
    title: 'Prescription',
    fields: [
      { target: 'prescription.drug_name', label: 'Drug', input: 'text', required: true },
      { target: 'prescription.dosage', label: 'Dosage', input: 'text', required: true },
      { target: 'prescription.directions', label: 'Directions', input: 'long', required: true, wide: true },
    ],
  },
  {
    id: 'patient',
    title: 'Patient',
    fields: [
      { target: 'patient.first_name', label: 'First name', input: 'text', required: true },
      { target: 'patient.last_name', label: 'Last name', input: 'text', required: true },
      { target: 'patient.date_of_birth', label: 'Date of birth', input: 'date', required: true },
      { target: 'patient.phone', label: 'Phone', input: 'tel' },
      { target: 'patient.email', label: 'Email', input: 'email' },
      { target: 'patient.metadata.patient_id', label: 'MRN', input: 'text' },
      ...address('patient.address', true),
    ],
  },
  {
    id: 'insurance',
    title: 'Insurance',
    fields: [
      { target: 'patient.insurance_details.data.payer', label: 'Payer', input: 'text' },
      { target: 'patient.insurance_details.data.membership_number', label: 'Member ID', input: 'text' },
      { target: 'patient.insurance_details.data.group_number', label: 'Group number', input: 'text' },
      {
        target: 'patient.insurance_details.data.rx_bin',
        label: 'RxBIN',
        input: 'digits',
        hint: '6 digits. Keep leading zeros.',
      },
      { target: 'patient.insurance_details.data.rx_group', label: 'RxGrp', input: 'text' },
    ],
  },
  { id: 'evidence', title: 'Supporting documents', fields: [] },
  { id: 'consent', title: 'Consent', fields: [] },
];

const fundSourceWords = [
  ['true', 'Asked'],
  ['false', 'Not asked'],
] as const;

const asForPriorAuth = (...ids: readonly string[]) => priorAuthSections.filter(({ id }) => ids.includes(id));

/** Of a benefit verification: what it has in common with a prior authorization stands as there. */
export const benefitSections: readonly SectionSpec[] = [
  {
    id: 'drugs',
    title: 'Drug',
    fields: [
      { target: 'drugs[0].name', label: 'Drug', input: 'text', required: true },
      { target: 'drugs[0].dosage', label: 'Dosage', input: 'text', required: true },
      { target: 'drugs[0].quantity', label: 'Quantity', input: 'number', required: true },
    ],
  },
  ...asForPriorAuth('insurance', 'diagnoses', 'patient', 'prescriber'),
  {
    id: 'replaces',
    title: 'Earlier verification',
    fields: [
      {
        target: 'replaces',
        label: 'In place of',
        input: 'text',
        wide: true,
        hint: 'The number at the service of a canceled verification. Only when this one stands in its place.',
      },
    ],
  },
  {
    id: 'plan',
    title: 'Who pays for the plan',
    fields: [
      {
        target: 'use_patient_plan_fund_source_check',
        label: 'Ask who pays for the plan',
        input: 'flag',
        options: fundSourceWords,
        hint: 'Tells a commercial plan from a government plan. Copay cards are for commercial plans only.',
      },
    ],
  },
  ...asForPriorAuth('priority'),
];

const parts: readonly (readonly [RegExp, string])[] = [
  [/^diagnoses\[(\d+)\]/, 'Diagnosis'],
  [/^diagnoses$/, 'Diagnosis'],
  [/^drugs\b/, 'Drug'],
  [/^evidence/, 'Supporting documents'],
  [/^consent$/, 'Consent'],
  [/^insurance\b(?!_content)/, 'Insurance card'],
  [/^insurance_content$|^patient\.insurance_details/, 'Insurance'],
  [/^prescription\.extra/, 'Drug codes'],
  [/^appeal_details/, 'Appeal'],
  [/^resubmission_info/, 'Resubmission'],
];

/** The name of a leaf for people: `Prescriber: NPI`. */
export function labelOf(target: string, sections: readonly SectionSpec[]): string {
  for (const section of sections) {
    const field = section.fields.find((candidate) => candidate.target === target);
    if (field !== undefined) return section.fields.length === 1 ? field.label : `${section.title}: ${field.label}`;
  }
  return parts.find(([pattern]) => pattern.test(target))?.[1] ?? target;
}

/** Where on the page a gap is asked for; the section when no single field belongs to it. */
export function anchorOf(target: string, sections: readonly SectionSpec[]): string {
  if (sections.some((section) => section.fields.some((field) => field.target === target))) return fieldId(target);
  const root = target.replace(/[.[].*$/, '');
  const holding = (part: string) =>
    sections.find(({ fields }) => fields.some((field) => field.target.startsWith(`${part}.`)));
  const section = holding(target) ?? sections.find(({ id }) => id === root) ?? holding(root);
  const id = root === 'appeal_details' ? 'appeal' : section?.id;
  return `section-${root === 'coverage' || root === 'insurance' ? 'insurance' : (id ?? 'top')}`;
}

/** The id of a field's input. */
export function fieldId(target: string): string {
  return `field-${target.replaceAll(/[^\w]+/g, '-')}`;
}

function address(at: string, required: boolean): FieldSpec[] {
  const must = required ? { required: true as const } : {};
  return [
    { target: `${at}.street`, label: 'Street', input: 'text', ...must },
    { target: `${at}.street_line_2`, label: 'Address line 2', input: 'text' },
    { target: `${at}.city`, label: 'City', input: 'text', ...must },
    { target: `${at}.state_province`, label: 'State', input: 'state', ...must },
    { target: `${at}.zip_postal_code`, label: 'ZIP code', input: 'zip', ...must },
    { target: `${at}.country`, label: 'Country', input: 'text', ...must },
  ];
}

/** The section as this site and this request have it. */
export function withSiteOptions(section: SectionSpec, site: Site, values?: Leaves): SectionSpec {
  return { ...section, fields: section.fields.map((spec) => withOptions(spec, site, values)) };
}

/**
 * The field as this site and this request have it: the programs that the site enrolls in, by name; the list of states
 * and digits for the ZIP code where the address is American, and any text where it is not.
 */
export function withOptions(spec: FieldSpec, { enrollment, country }: Site, values?: Leaves): FieldSpec {
  if (spec.input === 'state' || spec.input === 'zip') {
    const stated = values?.get(spec.target.replace(/\w+$/, 'country')) ?? country;
    return stated === 'USA' ? spec : { ...spec, input: 'text' };
  }
  if (spec.target !== 'programId') return spec;
  return { ...spec, options: enrollment.programs.map(({ programId, name }) => [programId, name] as const) };
}

import type { CapabilityStatement } from 'fhir/r4.js';

export type Params = readonly (readonly [string, string])[];

/** One search of the first round. */
export interface ChartSearch {
  readonly type: string;
  /** In addition to `patient` and `_count`. */
  readonly params?: Params;
  readonly when: 'needed' | 'awaited' | 'wanted' | 'granted';
  readonly pages?: number;
  /** `_count`; 100 when left out. */
  readonly count?: number;
  readonly include?: readonly string[];
  readonly revInclude?: readonly string[];
}

// LOINC: health insurance card, and its older code for a copy of it
const cards = 'http://loinc.org|64290-0,http://loinc.org|52037-9';

const orders = {
  include: [
    'MedicationRequest:medication',
    'MedicationRequest:requester',
    'MedicationRequest:encounter',
    'MedicationRequest:intended-dispenser',
    'PractitionerRole:organization',
    'PractitionerRole:location',
  ],
  // not also PractitionerRole:practitioner above: iterating both ways makes a cycle, which servers refuse
  revInclude: ['PractitionerRole:practitioner'],
};

/** The searches for one patient that are sent to an EHR in parallel. */
export const searches: readonly ChartSearch[] = [
  { type: 'MedicationRequest', when: 'needed', ...orders },
  { type: 'Coverage', when: 'awaited', include: ['Coverage:payor'] },
  { type: 'Condition', when: 'awaited' },
  { type: 'DocumentReference', when: 'wanted', params: [['type', cards]] },
  // notes may contain their whole text, so only the newest are read, by the category of US Core
  {
    type: 'DocumentReference',
    when: 'granted',
    params: Object.entries({ category: 'clinical-note', _sort: '-date' }),
    pages: 1,
    count: 20,
  },
  { type: 'DiagnosticReport', when: 'granted', params: [['_sort', '-date']], pages: 1, count: 20 },
  { type: 'AllergyIntolerance', when: 'granted' },
  { type: 'MedicationStatement', when: 'granted', include: ['MedicationStatement:medication'] },
  { type: 'MedicationDispense', when: 'granted', include: ['MedicationDispense:medication'] },
  // labs of a long record fill hundreds of pages, and a request cites only the newest
  {
    type: 'Observation',
    when: 'granted',
    params: Object.entries({ category: 'laboratory,vital-signs', _sort: '-date' }),
    pages: 2,
  },
];

/**
 * Returns the `_include` and `_revinclude` parameters of a search that the EHR's CapabilityStatement lists. Parameters
 * that start from an included resource use `:iterate`.
 */
export function includes(
  statement: CapabilityStatement | undefined,
  { type, include = [], revInclude = [] }: ChartSearch,
): Params {
  const resources = statement?.rest?.find((rest) => rest.mode === 'server')?.resource ?? [];
  const offers = (offered: readonly string[] | undefined, value: string) =>
    offered?.some((each) => [value, '*', `${typeNamedBy(value)}:*`].includes(each)) === true;
  const sources = include.filter((value) =>
    offers(resources.find((resource) => resource.type === typeNamedBy(value))?.searchInclude, value),
  );
  // the CapabilityStatement lists the parameter at the target type: at Practitioner for PractitionerRole:practitioner
  const reversed = revInclude.filter((value) =>
    resources.some((resource) => resource.type !== type && offers(resource.searchRevInclude, value)),
  );
  return [
    ...sources.map((value) => [typeNamedBy(value) === type ? '_include' : '_include:iterate', value] as const),
    ...reversed.map((value) => ['_revinclude:iterate', value] as const),
  ];
}

export function offersBatch(statement: CapabilityStatement | undefined): boolean {
  return (
    statement?.rest?.some((rest) => rest.interaction?.some((interaction) => interaction.code === 'batch')) === true
  );
}

/** Returns the type at the start of a reference (`Medication/1`) or of a search parameter (`Coverage:payor`). */
export function typeNamedBy(reference: string): string {
  return reference.split(/[/:?]/)[0] ?? '';
}

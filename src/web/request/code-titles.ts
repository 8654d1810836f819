import type { CodeableConcept, Condition, MedicationRequest } from 'fhir/r4.js';
import { icd10OfCoding } from '../../core/fhir/codes/icd10.ts';
import { meaningful } from '../../core/fhir/text/placeholder.ts';
import { diagnosesIn } from '../pages/search/search-codes.ts';
import type { Draft } from './draft.ts';

/** Titles of a request's diagnosis codes, by code; codes without a known title are absent. */
export function codeTitles({ values, codes, pull }: Pick<Draft, 'values' | 'codes' | 'pull'>): Record<string, string> {
  const inChart = titlesIn(pull.entries.map(({ resource }) => resource));
  return Object.fromEntries(
    diagnosesIn(values).flatMap(([, code]) => {
      const title = codes.named.get(code)?.title ?? inChart.get(code);
      return title === undefined ? [] : [[code, title]];
    }),
  );
}

// Only the display of the code's own coding is used, because it comes from the EHR's terminology. Free text beside it
// may be about the patient.
export function titlesIn(resources: readonly unknown[]): ReadonlyMap<string, string> {
  const codings = resources.flatMap(conceptsOf).flatMap(({ coding = [] }) => (Array.isArray(coding) ? coding : []));
  return new Map(
    codings.flatMap((coding) => {
      const [code, title] = [icd10OfCoding(coding), meaningful(coding.display)];
      return code === undefined || title === undefined ? [] : [[code, title] as const];
    }),
  );
}

function conceptsOf(resource: unknown): CodeableConcept[] {
  // The resource may have any shape, so the types are not certain.
  const { resourceType, code, reasonCode } = resource as Partial<Condition & MedicationRequest> & {
    readonly resourceType?: string;
  };
  if (resourceType === 'Condition') return code === undefined ? [] : [code];
  return resourceType === 'MedicationRequest' && Array.isArray(reasonCode) ? reasonCode : [];
}

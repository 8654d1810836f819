import type { CodeableConcept, Condition, MedicationRequest } from 'fhir/r4.js';
import { asBridgeError } from '../../core/errors.ts';
import { icd10OfCoding } from '../../core/fhir/codes/icd10.ts';
import { meaningful } from '../../core/fhir/text/placeholder.ts';
import type { Deps } from '../http/deps.ts';
import { diagnosesIn, usedDiagnosis } from '../pages/search/search-codes.ts';
import { keyOf, pharmacyIn, usedPharmacy } from '../pages/search/search-pharmacies.ts';
import type { Draft } from './draft.ts';

/**
 * Counts the diagnoses and the pharmacy of a sent request for the practice's next searches. Nothing about the patient
 * is kept. A failed count stops nothing.
 */
export async function noteUsed(deps: Pick<Deps, 'used' | 'log'>, { case: one, values, pull }: Draft): Promise<void> {
  const titles = titlesIn(pull.entries.map(({ resource }) => resource));
  const diagnoses = diagnosesIn(values).map(([, code]) => {
    const title = titles.get(code);
    return { key: code, content: title === undefined ? { code } : { code, title } };
  });
  const pharmacy = pharmacyIn(values);
  try {
    if (diagnoses.length > 0) await deps.used?.note(one.site, usedDiagnosis, diagnoses);
    if (pharmacy !== undefined)
      await deps.used?.note(one.site, usedPharmacy, [{ key: keyOf(pharmacy), content: pharmacy }]);
  } catch (thrown) {
    deps.log.warn({ site: one.site, code: asBridgeError(thrown).code }, 'a use was not counted');
  }
}

// The display in the code's own coding, which comes from the EHR's terminology; free text beside it may be about the
// patient.
function titlesIn(resources: readonly unknown[]): ReadonlyMap<string, string> {
  const codings = resources.flatMap(conceptsOf).flatMap(({ coding = [] }) => (Array.isArray(coding) ? coding : []));
  return new Map(
    codings.flatMap((coding) => {
      const [code, title] = [icd10OfCoding(coding), meaningful(coding.display)];
      return code === undefined || title === undefined ? [] : [[code, title] as const];
    }),
  );
}

function conceptsOf(resource: unknown): CodeableConcept[] {
  // The resource may have any shape.
  const { resourceType, code, reasonCode } = resource as Partial<Condition & MedicationRequest> & {
    readonly resourceType?: string;
  };
  if (resourceType === 'Condition') return code === undefined ? [] : [code];
  return resourceType === 'MedicationRequest' && Array.isArray(reasonCode) ? reasonCode : [];
}

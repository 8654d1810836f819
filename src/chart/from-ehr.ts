import type { Resource } from 'fhir/r4.js';
import type { FhirApi } from '../fhir/api.ts';

/** Everything about one patient that a request may need, as the EHR has it now. */
export interface EhrChart {
  readonly resources: readonly Resource[];
  /** Rounds of requests that it took, one to three. */
  readonly rounds: number;
  /** Truncated searches, dropped resources of other patients, OperationOutcome codes: sentences without clinical values. */
  readonly warnings: readonly string[];
  /** Resource types that the EHR does not let this user read: `Coverage`. */
  readonly forbidden: readonly string[];
}

/**
 * Reads the chart of one patient in at most three rounds of parallel requests. `patient`, `order` and `encounter` are ids or references (`Patient/123`).
 * Throws patient_mismatch when the Patient or the focal order is another patient's; resources of other patients are dropped with a warning.
 */
export async function readChart(_api: FhirApi, _focus: { readonly patient: string; readonly order?: string; readonly encounter?: string }): Promise<EhrChart> {
  throw new Error('under construction');
}

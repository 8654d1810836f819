import { BridgeError } from '../../core/errors.ts';
import type { FhirApi, SearchAnswer } from '../../core/fhir/api.ts';
import type { Params } from './searches.ts';

/**
 * Searches. If the EHR answers 400, repeats the search without `included`, since some EHRs advertise more than they
 * accept.
 */
export async function searchWithout(
  api: FhirApi,
  type: string,
  included: Params,
  plain: Params,
  options: { readonly pages?: number },
): Promise<SearchAnswer> {
  try {
    return await api.search(type, included, options);
  } catch (error) {
    const isRefused = error instanceof BridgeError && error.code === 'ehr_error' && error.facts.http === 400;
    if (!isRefused || included.length === plain.length) throw error;
    return api.search(type, plain, options);
  }
}

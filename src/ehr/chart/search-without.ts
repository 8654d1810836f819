import { BridgeError } from '../../core/errors.ts';
import type { FhirApi, SearchAnswer } from '../../core/fhir/api.ts';
import type { Params } from './searches.ts';

/**
 * Searches, and repeats the search without its includes when the EHR refuses it with 400, because some EHRs advertise
 * more than they accept.
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

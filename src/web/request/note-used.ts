import { asBridgeError } from '../../core/errors.ts';
import type { Deps } from '../http/deps.ts';
import { diagnosesIn, usedDiagnosis } from '../pages/search/search-codes.ts';
import { keyOf, pharmacyIn, usedPharmacy } from '../pages/search/search-pharmacies.ts';
import { titlesIn } from './code-titles.ts';
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

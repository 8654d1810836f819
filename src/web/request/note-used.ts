import { asBridgeError } from '../../core/errors.ts';
import type { Deps } from '../http/deps.ts';
import { diagnosesIn, usedDiagnosis, usedForDrug } from '../pages/search/search-codes.ts';
import { keyOf, pharmacyIn, usedPharmacy } from '../pages/search/search-pharmacies.ts';
import { titlesIn } from './code-titles.ts';
import type { Draft } from './draft.ts';
import { prescriberOf, usedPrescriber } from './npi-sent.ts';

/**
 * Counts the diagnoses, the prescriber and the pharmacy of a sent request, for searches in later requests. No patient
 * data is stored. A failure is only logged.
 */
export async function noteUsed(deps: Pick<Deps, 'used' | 'log'>, { case: one, values, pull }: Draft): Promise<void> {
  const titles = titlesIn(pull.entries.map(({ resource }) => resource));
  const diagnoses = diagnosesIn(values).map(([, code]) => {
    const title = titles.get(code);
    return { key: code, content: title === undefined ? { code } : { code, title } };
  });
  const [ofDrug, prescriber, pharmacy] = [usedForDrug(values), prescriberOf(values), pharmacyIn(values)];
  try {
    if (diagnoses.length > 0) await deps.used?.note(one.site, usedDiagnosis, diagnoses);
    if (diagnoses.length > 0 && ofDrug !== undefined) await deps.used?.note(one.site, ofDrug, diagnoses);
    if (prescriber !== undefined)
      await deps.used?.note(one.site, usedPrescriber, [{ key: prescriber.npi, content: prescriber }]);
    if (pharmacy !== undefined)
      await deps.used?.note(one.site, usedPharmacy, [{ key: keyOf(pharmacy), content: pharmacy }]);
  } catch (thrown) {
    deps.log.warn({ site: one.site, code: asBridgeError(thrown).code }, 'a use was not counted');
  }
}

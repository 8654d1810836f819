import type { FhirApi } from '../fhir/api.ts';
import type { Entry } from '../fhir/bundle.ts';
import { EhrReader } from './reader.ts';
import { searches } from './searches.ts';

/** Everything about one patient that a request may need, as the EHR has it now. */
export interface EhrChart {
  /** Each with its `fullUrl` at this EHR: references to another server then never mean one of them. */
  readonly entries: readonly Entry[];
  /** Rounds of requests that it took, one to three. */
  readonly rounds: number;
  /**
   * Truncated searches, references left unread, dropped resources of other patients, OperationOutcome codes: sentences
   * without clinical values.
   */
  readonly warnings: readonly string[];
  /** Resource types that the EHR does not let this user read: `Coverage`. */
  readonly forbidden: readonly string[];
}

const maxRounds = 3;
/** References followed in one round; only a list of all orders of a long record comes near. */
const maxReferences = 60;

/**
 * Reads the chart of one patient in at most three rounds of parallel requests: searches with `_include` where the EHR
 * states it, then what they
 * refer to, the focal order's own references first; what is left unread is told. `patient`, `order` and `encounter` are
 * ids or references (`Patient/123`); without `order`, the people of every order are followed.
 * Throws patient_mismatch when the Patient or the focal order is another patient's; other resources of other patients,
 * and of a patient
 * of the same id on another server, are dropped with a warning.
 */
export async function readChart(
  api: FhirApi,
  focus: { readonly patient: string; readonly order?: string; readonly encounter?: string },
): Promise<EhrChart> {
  const reader = new EhrReader(api, idOf(focus.patient), focus.order === undefined ? undefined : idOf(focus.order));
  const statement = reader.capabilities();
  // whoever awaits it sees the failure; this keeps it from being nobody's when another request fails first
  statement.catch(() => undefined);
  await Promise.all([
    reader.readPatient(),
    ...searches.map((search) => reader.search(search, statement)),
    ...(focus.encounter === undefined ? [] : [reader.read(`Encounter/${idOf(focus.encounter)}`)]),
  ]);
  let rounds = 1;
  for (let missing = reader.missing(); missing.length > 0 && rounds < maxRounds; missing = reader.missing()) {
    rounds += 1;
    await reader.readAll(missing.slice(0, maxReferences), await statement);
  }
  reader.leave(reader.missing());
  return { ...reader.found(), rounds };
}

function idOf(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}

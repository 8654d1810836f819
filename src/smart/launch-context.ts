import { BridgeError } from '../errors.ts';
import { scopeList } from '../fhir/scopes.ts';
import type { Identity } from './id-token.ts';
import type { LaunchContext } from './store.ts';
import type { TokenAnswer } from './token-endpoint.ts';

/**
 * What the token answer says about the chart, each value checked by itself: a malformed extra is ignored, a missing or
 * malformed patient stops the launch
 * (patient_missing).
 * https://hl7.org/fhir/smart-app-launch/scopes-and-launch-context.html#launch-context-arrives-with-your-access_token
 */
export function launchContext(answer: TokenAnswer, asked: string, iss: string, identity: Identity): LaunchContext {
  if (answer.patient === undefined || answer.patient === null || answer.patient === '')
    throw new BridgeError('patient_missing');
  if (!isId(answer.patient)) throw new BridgeError('patient_missing', { reason: 'not a FHIR id' });
  return {
    patient: answer.patient,
    ...(isId(answer.encounter) ? { encounter: answer.encounter } : {}),
    ...identity,
    orders: orderReferences(answer.fhirContext, iss),
    // only a clear "no" hides the banner
    needPatientBanner: answer.need_patient_banner !== false,
    ...(typeof answer.intent === 'string' && answer.intent.length <= 100 ? { intent: answer.intent } : {}),
    // RFC 6749 5.1: no scope in the answer means that all was granted
    scopes: scopeList(answer.scope ?? asked),
  };
}

/** https://hl7.org/fhir/R4/datatypes.html#id */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9.-]{1,64}$/.test(value) && !/^\.+$/.test(value);
}

function orderReferences(fhirContext: unknown, iss: string): string[] {
  if (!Array.isArray(fhirContext)) return [];
  const references = fhirContext.flatMap((item: unknown) => {
    // SMART 1 had plain strings
    if (typeof item === 'string') return [item];
    if (typeof item !== 'object' || item === null || !('reference' in item) || typeof item.reference !== 'string')
      return [];
    return 'role' in item && item.role !== undefined && item.role !== 'launch' ? [] : [item.reference];
  });
  const relative = references.map((reference) =>
    reference.startsWith(`${iss}/`) ? reference.slice(iss.length + 1) : reference,
  );
  return [...new Set(relative.filter((reference) => /^MedicationRequest\/[A-Za-z0-9.-]{1,64}$/.test(reference)))];
}

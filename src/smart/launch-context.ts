import { setTimeout as sleep } from 'node:timers/promises';
import type { Encounter, Person, Practitioner } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import type { FhirApi } from '../fhir/api.ts';
import { grants } from '../fhir/scopes.ts';
import type { Identity } from './id-token.ts';
import type { LaunchContext } from './store.ts';
import type { TokenAnswer } from './token-endpoint.ts';

/** How long the name of the user may be looked for: a launch does not wait for it. */
const nameMs = 3_000;

/**
 * What the token answer says about the chart, each value checked by itself: a malformed extra is ignored, a missing or
 * malformed patient stops the launch (patient_missing). Where the EHR names an encounter only, `api` reads whose it is;
 * where the id_token names no user, what `fhirUser` is called.
 * https://hl7.org/fhir/smart-app-launch/scopes-and-launch-context.html#launch-context-arrives-with-your-access_token
 */
export async function launchContext(answer: TokenAnswer, identity: Identity, api: FhirApi): Promise<LaunchContext> {
  const encounter = isId(answer.encounter) ? answer.encounter : undefined;
  const [patient, named] = await Promise.all([patientOf(answer, encounter, api), withName(identity, api)]);
  return {
    patient,
    ...(encounter === undefined ? {} : { encounter }),
    ...named,
    orders: orderReferences(answer.fhirContext, api.base),
    // only a clear "no" hides the banner
    needPatientBanner: answer.need_patient_banner !== false,
    ...(typeof answer.intent === 'string' && answer.intent.length <= 100 ? { intent: answer.intent } : {}),
    scopes: api.scopes,
  };
}

async function patientOf({ patient }: TokenAnswer, encounter: string | undefined, api: FhirApi): Promise<string> {
  const isNamed = patient !== undefined && patient !== null && patient !== '';
  if (isNamed && !isId(patient)) throw new BridgeError('patient_missing', { reason: 'not a FHIR id' });
  if (isNamed) return patient;
  if (encounter === undefined) throw new BridgeError('patient_missing');
  if (!grants(api.scopes, 'Encounter', 'r'))
    throw new BridgeError('ehr_forbidden', { resource: 'Encounter', scope: 'Encounter.r' });
  const found = await api.read<Encounter>('Encounter', encounter);
  const { reference } = found?.subject ?? {};
  const id = reference?.startsWith(`${api.base}/`) ? reference.slice(api.base.length + 1) : reference;
  const subject = /^Patient\/([^/]+)(?:\/_history\/[^/]+)?$/.exec(id ?? '')?.[1];
  if (!isId(subject))
    throw new BridgeError('patient_missing', { reason: 'the encounter of this launch names no patient of this EHR' });
  return subject;
}

/** With the name that the EHR's own record of the user states, where it may be read and comes soon. */
async function withName(identity: Identity, api: FhirApi): Promise<Identity> {
  const { fhirUser, userName } = identity;
  const [type = '', id = ''] = fhirUser?.split('/') ?? [];
  if (userName !== undefined || !isPerson(type) || !grants(api.scopes, type, 'r')) return identity;
  const soon = new AbortController();
  const late = sleep(nameMs, undefined, { ref: false, signal: soon.signal }).catch(() => undefined);
  const read = api.read<Practitioner | Person>(type, id).catch(() => undefined);
  const name = nameOf(await Promise.race([read, late]));
  soon.abort();
  return name === undefined ? identity : { ...identity, userName: name.slice(0, 200) };
}

function isPerson(type: string): type is 'Practitioner' | 'Person' {
  return type === 'Practitioner' || type === 'Person';
}

function nameOf(person: Practitioner | Person | undefined): string | undefined {
  const names = Array.isArray(person?.name) ? person.name : [];
  const name = names.find(({ use }) => use === 'official' || use === 'usual') ?? names[0];
  const parts = [...(name?.given ?? []), name?.family ?? ''].filter((part) => part.trim() !== '');
  const text = parts.length === 0 ? (name?.text ?? '') : [parts.join(' '), ...(name?.suffix ?? [])].join(', ');
  return text.trim() === '' ? undefined : text.trim();
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

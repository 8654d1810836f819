import type { WriteChannel } from './write-channels.ts';

/** Scopes and their purpose. The documentation prints these rows; presets and doctor use them. */
export interface ScopeRow {
  readonly scopes: readonly string[];
  readonly what: string;
}

const signIn: ScopeRow = {
  scopes: ['launch', 'openid', 'fhirUser', 'profile'],
  what: 'the launch itself, and who signs in',
};

const refresh: ScopeRow = {
  scopes: ['online_access'],
  what:
    'a refresh token while the user is signed in. Where the EHR refreshes for `offline_access` only, that is asked ' +
    'in its place',
};

/** The scopes without which a request is impossible. */
const needed: ScopeRow = {
  scopes: ['patient/Patient.r', 'patient/Coverage.rs', 'patient/MedicationRequest.rs', 'patient/Condition.rs'],
  what: 'who, the plan, the order, the diagnosis: without these there is no request',
};

const reads: readonly ScopeRow[] = [
  needed,
  { scopes: ['patient/Encounter.r'], what: 'the visit of the order and its diagnoses' },
  {
    scopes: ['patient/DocumentReference.rs'],
    what: 'images of the insurance card, and notes as supporting documents',
  },
  {
    scopes: [
      'patient/DiagnosticReport.rs',
      'patient/AllergyIntolerance.rs',
      'patient/Observation.rs',
      'patient/MedicationStatement.rs',
      'patient/MedicationDispense.rs',
    ],
    what: 'supporting documents: reports, allergies, results, earlier treatment',
  },
  { scopes: ['user/Practitioner.rs', 'user/PractitionerRole.rs'], what: 'the prescriber' },
  { scopes: ['user/Medication.rs'], what: 'a medication that is a resource of its own' },
  { scopes: ['user/Organization.r', 'user/Location.r'], what: 'the practice, the payer' },
  { scopes: ['user/Binary.r'], what: 'the bytes of documents that are kept apart' },
];

export type WrittenName = 'Task' | 'DocumentReference' | 'Communication' | 'Provenance';

interface WrittenType {
  /** The interactions that the bridge uses with the type, in SMART v2 letters. */
  readonly interactions: string;
  /** When the scope is requested; always, if absent. */
  readonly when?: string;
  readonly what: string;
}

const written: Readonly<Record<WrittenName, WrittenType>> = {
  Task: {
    interactions: 'crus',
    what: 'the Task that follows the request from sending on',
  },
  DocumentReference: {
    interactions: 'crus',
    what: 'the summary of the decision, and the payer’s letter',
  },
  Communication: {
    interactions: 'crs',
    when: 'with the channel `communication`',
    what: 'the decision as a message',
  },
  Provenance: {
    interactions: 'crs',
    when: 'by a preset whose EHR takes it; else where it is wished: the scope itself says so',
    what: 'who wrote each of these, and from what, where the EHR takes it',
  },
};

/** The scopes for signing in and for the launch context. */
export const signInScopes = signIn.scopes;

export const readScopes: readonly string[] = reads.flatMap(({ scopes }) => scopes);

/** The read scopes without which a request is impossible. */
export const neededScopes = needed.scopes;

/**
 * Returns the scope for writing a type in a launch (`patient`) or by Backend Services. `interactions`: for an EHR that
 * offers others.
 * @example writeScope('Provenance', 'patient') // 'user/Provenance.crs'
 */
export function writeScope(
  type: WrittenName,
  level: 'patient' | 'system',
  interactions: string = written[type].interactions,
): string {
  // A Provenance is about a resource and not about a patient, so it is in no patient compartment.
  return `${level === 'patient' && type === 'Provenance' ? 'user' : level}/${type}.${interactions}`;
}

export function typesWrittenBy(channels: readonly WriteChannel[]): readonly WrittenName[] {
  const byChannel: Readonly<Record<WriteChannel, readonly WrittenName[]>> = {
    'task+document': ['Task', 'DocumentReference'],
    document: ['DocumentReference'],
    communication: ['Communication'],
    worklist: [],
  };
  return [...new Set(channels.flatMap((channel) => byChannel[channel]))];
}

/** The scopes of a launch when neither the site nor a preset states any. */
export const defaultScopes: readonly string[] = [
  ...signInScopes,
  ...refresh.scopes,
  ...readScopes,
  ...typesWrittenBy(['task+document', 'document', 'worklist']).map((type) => writeScope(type, 'patient')),
];

/**
 * Every row for the documentation: the scopes of a launch and of Backend Services, their purpose, and when they are
 * requested.
 */
export const scopeRows: readonly (ScopeRow & { readonly system: readonly string[]; readonly when: string })[] = [
  ...[signIn, refresh, ...reads].map((row) => ({ ...row, system: [], when: 'by default' })),
  ...(Object.keys(written) as WrittenName[]).map((type) => {
    // the keys of an object literal
    const { when = 'by default', what } = written[type];
    return { scopes: [writeScope(type, 'patient')], system: [writeScope(type, 'system')], when, what };
  }),
];

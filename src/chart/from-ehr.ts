import type { CapabilityStatement, FhirResource, Patient, Resource } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import type { FhirApi } from '../fhir/api.ts';
import { grants } from '../fhir/scopes.ts';
import { openReferences } from './ehr-references.ts';
import { ownerOf, segmentsOf } from './graph.ts';

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

interface Focus {
  readonly patient: string;
  readonly order?: string;
  readonly encounter?: string;
}

type Params = readonly (readonly [string, string])[];

/** One search of the first round. `needed`: without an answer there is no draft worth showing. */
interface Search {
  readonly type: string;
  readonly params: Params;
  readonly when: 'always' | 'needed' | 'granted';
  readonly pages?: number;
  readonly include?: readonly string[];
}

const maxRounds = 3;
/** References followed in one round; only a list of all orders of a long record comes near. */
const maxReferences = 60;
const cards = 'http://loinc.org|64290-0,http://loinc.org|52037-9';

const searches: readonly Search[] = [
  {
    type: 'MedicationRequest',
    params: [],
    when: 'needed',
    include: [
      'MedicationRequest:medication',
      'MedicationRequest:requester',
      'MedicationRequest:encounter',
      'MedicationRequest:intended-dispenser',
      'PractitionerRole:practitioner',
      'PractitionerRole:organization',
      'PractitionerRole:location',
    ],
  },
  { type: 'Coverage', params: [], when: 'needed', include: ['Coverage:payor'] },
  { type: 'Condition', params: [], when: 'needed' },
  { type: 'DocumentReference', params: [['type', cards]], when: 'always' },
  { type: 'AllergyIntolerance', params: [], when: 'granted' },
  { type: 'MedicationStatement', params: [], when: 'granted', include: ['MedicationStatement:medication'] },
  { type: 'MedicationDispense', params: [], when: 'granted', include: ['MedicationDispense:medication'] },
  // labs of a long record fill hundreds of pages: the newest ones are what a request can cite
  {
    type: 'Observation',
    params: [
      ['category', 'laboratory,vital-signs'],
      ['_sort', '-date'],
    ],
    when: 'granted',
    pages: 2,
  },
];

/**
 * Reads the chart of one patient in at most three rounds of parallel requests: searches with `_include` where the EHR offers it, then what they
 * refer to. `patient`, `order` and `encounter` are ids or references (`Patient/123`).
 * Throws patient_mismatch when the Patient or the focal order is another patient's; other resources of other patients are dropped with a warning.
 */
export async function readChart(api: FhirApi, focus: Focus): Promise<EhrChart> {
  const patient = idOf(focus.patient);
  const order = focus.order === undefined ? undefined : idOf(focus.order);
  const reader = createReader(api, patient, order);
  const statement = reader.tolerate('CapabilityStatement', () => api.capabilities());
  // whoever awaits it below sees the failure; this keeps it from being nobody's when another look fails first
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
  await statement;
  return { ...reader.found(), rounds };
}

function createReader(api: FhirApi, patient: string, order: string | undefined) {
  const resources = new Map<string, Resource>();
  const asked = new Set<string>();
  const warnings = new Set<string>();
  const forbidden = new Set<string>();

  function add(resource: Resource): void {
    const reference = `${resource.resourceType}/${resource.id}`;
    const owner = segmentsOf(ownerOf(resource as FhirResource)?.reference);
    if (owner === undefined || owner === `Patient/${patient}`) {
      resources.set(reference, resource);
      return;
    }
    if (resource.resourceType === 'MedicationRequest' && resource.id === order) throw new BridgeError('patient_mismatch', { resource: 'MedicationRequest' });
    warnings.add(`${reference} belongs to another patient and was dropped.`);
  }

  /** Runs one look; what the EHR forbids or fails to give becomes a note, unless nothing can be said without it. */
  async function tolerate<T>(type: string, look: () => Promise<T>, isNeeded = false): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      if (error.code === 'ehr_forbidden' && type !== 'MedicationRequest' && type !== 'Patient') forbidden.add(type);
      else if (isNeeded || ['relaunch_required', 'patient_mismatch', 'ehr_forbidden', 'store_unavailable'].includes(error.code)) throw error;
      else warnings.add(`${type} could not be read (${error.code}${error.facts.http === undefined ? '' : ` ${error.facts.http}`}).`);
      return undefined;
    }
  }

  async function search(wanted: Search, statement: Promise<CapabilityStatement | undefined>): Promise<void> {
    const { type } = wanted;
    if (!grants(api.scopes, type, 's')) {
      if (wanted.when === 'granted') return;
      if (type === 'MedicationRequest') throw new BridgeError('ehr_forbidden', { resource: type, scope: `${type}.s` });
      forbidden.add(type);
      return;
    }
    const params: Params = [['patient', patient], ['_count', '100'], ...wanted.params];
    const options = wanted.pages === undefined ? {} : { pages: wanted.pages };
    const included = wanted.include === undefined ? params : [...params, ...includes(await statement, wanted.include, type)];
    const answer = await tolerate(type, () => searchWithout(api, type, included, params, options), wanted.when === 'needed');
    for (const resource of answer?.resources ?? []) add(resource);
    for (const code of answer?.warnings ?? []) warnings.add(`${type}: the EHR added the note ${code}.`);
    if (answer?.truncated === true) warnings.add(`${type}: the EHR has more than was read.`);
  }

  async function read(reference: string): Promise<void> {
    const [type = '', id = ''] = reference.split('/');
    asked.add(reference);
    if (!grants(api.scopes, type, 'r')) {
      forbidden.add(type);
      return;
    }
    const resource = await tolerate(type, () => api.read(type, id));
    if (resource !== undefined) add(resource);
    else if (!forbidden.has(type)) warnings.add(`${reference} is not in the EHR.`);
  }

  return {
    search,
    read,
    tolerate,
    async readPatient(): Promise<void> {
      const resource = await api.read<Patient>('Patient', patient);
      if (resource === undefined) throw new BridgeError('ehr_error', { http: 404, resource: 'Patient' });
      resources.set(`Patient/${patient}`, resource);
    },
    /** References that are needed, not there, and not yet asked for. */
    missing(): string[] {
      const focal = order === undefined ? [] : [`MedicationRequest/${order}`];
      const wanted = [...focal, ...[...resources.values()].flatMap((resource) => openReferences(resource, api.base, order))];
      return [...new Set(wanted)].filter((reference) => !resources.has(reference) && !asked.has(reference));
    },
    async readAll(references: readonly string[], statement: CapabilityStatement | undefined): Promise<void> {
      const roles = references.filter((reference) => reference.startsWith('PractitionerRole?'));
      const reads = references.filter((reference) => !roles.includes(reference));
      for (const reference of references) asked.add(reference);
      await Promise.all([...roles.map(searchRoles), ...(offersBatch(statement) && reads.length > 4 ? [readBatch(reads)] : reads.map(read))]);
    },
    found: () => ({ resources: [...resources.values()], warnings: [...warnings], forbidden: [...forbidden].sort() }),
  };

  /** `PractitionerRole?practitioner=…`: a role is the only place where some EHRs keep a practice. Not every EHR has roles, so a refusal is no news. */
  async function searchRoles(query: string): Promise<void> {
    if (!grants(api.scopes, 'PractitionerRole', 's')) return;
    const params = [...new URLSearchParams(query.slice(query.indexOf('?')))];
    const answer = await api.search('PractitionerRole', params).catch((error: unknown) => {
      if (error instanceof BridgeError && ['ehr_error', 'ehr_forbidden', 'ehr_not_fhir'].includes(error.code)) return undefined;
      throw error;
    });
    for (const resource of answer?.resources ?? []) add(resource);
  }

  async function readBatch(references: readonly string[]): Promise<void> {
    const readable = references.filter((reference) => grants(api.scopes, typeOf(reference), 'r'));
    for (const reference of references) if (!readable.includes(reference)) forbidden.add(typeOf(reference));
    const answers = await tolerate('Bundle', () => api.batch(readable));
    if (answers === undefined) {
      await Promise.all(readable.map(read));
      return;
    }
    answers.forEach((answer, index) => {
      const reference = readable[index] ?? '';
      if ('resourceType' in answer) add(answer);
      else if (answer.status === 403) forbidden.add(typeOf(reference));
      else warnings.add(answer.status === 404 || answer.status === 410 ? `${reference} is not in the EHR.` : `${reference} could not be read (${answer.status}).`);
    });
  }
}

/** A search, and once more without its includes when the EHR refuses it with 400: some advertise more than they take. */
async function searchWithout(api: FhirApi, type: string, included: Params, plain: Params, options: { readonly pages?: number }): ReturnType<FhirApi['search']> {
  try {
    return await api.search(type, included, options);
  } catch (error) {
    const isRefused = error instanceof BridgeError && error.code === 'ehr_error' && error.facts.http === 400;
    if (!isRefused || included.length === plain.length) throw error;
    return api.search(type, plain, options);
  }
}

function includes(statement: CapabilityStatement | undefined, wanted: readonly string[], type: string): Params {
  const resources = statement?.rest?.find((rest) => rest.mode === 'server')?.resource ?? [];
  const isOffered = (value: string) => {
    const source = value.split(':')[0] ?? type;
    const offered = resources.find((resource) => resource.type === source)?.searchInclude ?? [];
    return offered.includes(value) || offered.includes('*') || offered.includes(`${source}:*`);
  };
  // what an included resource refers to is asked for by iterating
  return wanted.filter(isOffered).map((value) => [value.startsWith(`${type}:`) ? '_include' : '_include:iterate', value] as const);
}

function offersBatch(statement: CapabilityStatement | undefined): boolean {
  return statement?.rest?.some((rest) => rest.interaction?.some((interaction) => interaction.code === 'batch')) === true;
}

function typeOf(reference: string): string {
  return reference.split('/')[0] ?? '';
}

function idOf(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}

import type {
  CapabilityStatement,
  CapabilityStatementRestResource,
  DocumentReference,
  Resource,
  Task,
} from 'fhir/r4.js';
import { BridgeError } from '../../src/errors.ts';
import type { FhirApi, Written } from '../../src/fhir/api.ts';

/** What the EHR does with one write: `lost-before` and `lost-after` lose the answer without and with storing. */
export type Behaviour = 'ok' | 'lost-before' | 'lost-after' | BridgeError;

export interface FakeEhrOptions {
  readonly scopes?: readonly string[];
  /** Interactions by type; all of Task, DocumentReference and Communication when left out. */
  readonly offers?: Readonly<Record<string, readonly string[]>>;
  readonly conditionalCreate?: boolean;
  /** Search parameters by name; `identifier` and `patient` when left out. */
  readonly searchParams?: readonly string[];
  /** The EHR forgets identifiers, as some do. */
  readonly dropsIdentifiers?: boolean;
}

/** An EHR's FHIR server in memory, seen through FhirApi. `calls` lists what it was asked, in order. */
export interface FakeEhr extends FhirApi {
  readonly calls: string[];
  readonly resources: Map<string, Resource>;
  readonly conditions: (string | undefined)[];
  /** Behaviours of the next writes (`create Task`, `update Task`), or of reading; used up one by one. */
  readonly next: Map<string, Behaviour[]>;
  all<T extends Resource>(type: T['resourceType']): T[];
}

const every = ['create', 'read', 'search-type', 'update'];

export function fakeEhr(options: FakeEhrOptions = {}): FakeEhr {
  const resources = new Map<string, Resource>();
  const calls: string[] = [];
  const conditions: (string | undefined)[] = [];
  const next = new Map<string, Behaviour[]>();
  const behave = (name: string): Behaviour => {
    calls.push(name);
    return next.get(name)?.shift() ?? 'ok';
  };
  const write = (name: string, store: () => Written): Written => {
    const behaviour = behave(name);
    if (behaviour instanceof BridgeError) throw behaviour;
    if (behaviour === 'ok') return store();
    if (behaviour === 'lost-after') store();
    throw new BridgeError('ehr_write_unclear');
  };
  const put = (resource: Resource, id: string, versionId: string): Written => {
    const stored = structuredClone(resource);
    if (options.dropsIdentifiers === true && 'identifier' in stored) delete stored.identifier;
    resources.set(`${resource.resourceType}/${id}`, { ...stored, id, meta: { ...stored.meta, versionId } });
    return { id, versionId, existed: false };
  };
  return {
    base: 'https://ehr.example/fhir',
    scopes: options.scopes ?? ['patient/Task.crus', 'patient/DocumentReference.crus', 'patient/Communication.crus'],
    calls,
    resources,
    conditions,
    next,
    all: <T extends Resource>(type: T['resourceType']) =>
      [...resources.values()].filter((resource) => resource.resourceType === type) as T[],
    async read<T extends Resource>(type: T['resourceType'], id: string) {
      const behaviour = behave(`read ${type}`);
      if (behaviour instanceof BridgeError) throw behaviour;
      const found = resources.get(`${type}/${id}`);
      return found === undefined ? undefined : (structuredClone(found) as T);
    },
    async search(type, params) {
      const behaviour = behave(`search ${type}`);
      if (behaviour instanceof BridgeError) throw behaviour;
      const wanted = Object.fromEntries(params);
      const found = [...resources.values()].filter(
        (resource) => resource.resourceType === type && matches(resource as Task | DocumentReference, wanted),
      );
      return { resources: structuredClone(found), truncated: false, warnings: [] };
    },
    async batch() {
      throw new Error('not used here');
    },
    async create(resource, condition) {
      conditions.push(condition?.ifNoneExist);
      return write(`create ${resource.resourceType}`, () => put(resource, String(resources.size + 1), '1'));
    },
    async update(resource, condition) {
      return write(`update ${resource.resourceType}`, () => {
        const current = resources.get(`${resource.resourceType}/${resource.id}`)?.meta?.versionId;
        if (condition?.ifMatch !== undefined && condition.ifMatch !== current) throw new BridgeError('ehr_conflict');
        return put(resource, resource.id, String(Number(current ?? 0) + 1));
      });
    },
    capabilities: async () => statement(options),
  };
}

function statement({
  offers,
  conditionalCreate = false,
  searchParams = ['identifier', 'patient'],
}: FakeEhrOptions): CapabilityStatement {
  const types = offers ?? { Task: every, DocumentReference: every, Communication: every };
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: '2026-01-01',
    kind: 'instance',
    fhirVersion: '4.0.1',
    format: ['json'],
    rest: [
      {
        mode: 'server',
        resource: Object.entries(types).map(([type, interactions]) => ({
          type: type as CapabilityStatementRestResource['type'],
          interaction: interactions.map((code) => ({ code: code as 'read' })),
          conditionalCreate,
          searchParam: searchParams.map((name) => ({ name, type: 'token' as const })),
        })),
      },
    ],
  };
}

function matches(resource: Task | DocumentReference, wanted: Readonly<Record<string, string>>): boolean {
  const subject = resource.resourceType === 'Task' ? resource.for : resource.subject;
  const identifiers = resource.identifier ?? [];
  const byPatient = wanted.patient === undefined || subject?.reference === `Patient/${wanted.patient}`;
  return (
    byPatient &&
    (wanted.identifier === undefined ||
      identifiers.some(({ system, value }) => `${system}|${value}` === wanted.identifier))
  );
}

import type {
  CapabilityStatement,
  CapabilityStatementRestResource,
  Communication,
  DocumentReference,
  Provenance,
  Resource,
  Task,
} from 'fhir/r4.js';
import { BridgeError } from '../../src/core/errors.ts';
import type { FhirApi, PatchOperation, WriteResult } from '../../src/core/fhir/api.ts';

/**
 * What the EHR does with one write. `lost-before` and `lost-after` lose the answer without and with storing; `lateBy`
 * loses the answer and stores so many seconds later; `shownAfter` answers as ever and stores so many seconds later;
 * `ignored` answers as ever and stores nothing; `no-id` stores and does not say where.
 */
export type Behaviour =
  | 'ok'
  | 'lost-before'
  | 'lost-after'
  | 'no-id'
  | 'ignored'
  | { readonly lateBy: number }
  | { readonly shownAfter: number }
  | BridgeError;

export interface FakeEhrOptions {
  readonly scopes?: readonly string[];
  /** Interactions by type; create, read, search and update of Task, DocumentReference, Communication when left out. */
  readonly offers?: Readonly<Record<string, readonly string[]>>;
  readonly conditionalCreate?: boolean;
  /** Search parameters by name; `identifier` and `patient` when left out. */
  readonly searchParams?: readonly string[];
  /** The EHR forgets identifiers, as some do. */
  readonly dropsIdentifiers?: boolean;
  /** The time by which late writes and the index of searches go; standing still when left out. */
  readonly clock?: () => Date;
  /** Seconds until a search finds what was stored. */
  readonly searchLag?: number;
  /** No resource has a version, and If-Match is not looked at. */
  readonly withoutVersions?: boolean;
  /** How a read names its version in ETag: `W/"3"`, `"3"`, `3`, or not at all (as when left out). */
  readonly etag?: 'weak' | 'strong' | 'bare';
  /** Resources have versions, and do not say so in `meta.versionId`. */
  readonly hidesVersionId?: boolean;
  /** The one spelling of If-Match that is the version; each when left out. */
  readonly takes?: 'weak' | 'strong' | 'bare';
  /** An update without If-Match is refused with 428. */
  readonly requiresIfMatch?: boolean;
  /** Resources have versions, and If-Match is not looked at. */
  readonly ignoresIfMatch?: boolean;
  /** Every request with If-Match is answered as if the version were another. */
  readonly refusesIfMatch?: boolean;
  /** What refers to a document or Task that is not there is refused. */
  readonly refusesDangling?: boolean;
}

/** An EHR's FHIR server in memory, seen through FhirApi. `calls` lists what it was asked, in order. */
export interface FakeEhr extends FhirApi {
  readonly calls: string[];
  readonly resources: Map<string, Resource>;
  readonly conditions: (string | undefined)[];
  /** If-Match of every update and patch, in order. */
  readonly bound: (string | undefined)[];
  /** Behaviours of the next writes (`create Task`, `update Task`), or of reading; used up one by one. */
  readonly next: Map<string, Behaviour[]>;
  all<T extends Resource>(type: T['resourceType']): T[];
  /** `all` without what is entered in error. */
  live<T extends Resource>(type: T['resourceType']): T[];
}

type Ours = Task | DocumentReference | Communication;
type Stored = Resource & { id: string };

const every = ['create', 'read', 'search-type', 'update'];
const scopesOfAll = ['patient/Task.cruds', 'patient/DocumentReference.cruds', 'patient/Communication.cruds'];

export function fakeEhr(options: FakeEhrOptions = {}): FakeEhr {
  const resources = new Map<string, Resource>();
  const calls: string[] = [];
  const conditions: (string | undefined)[] = [];
  const bound: (string | undefined)[] = [];
  const next = new Map<string, Behaviour[]>();
  const found = new Map<string, number>();
  const late: { readonly at: number; readonly store: () => unknown }[] = [];
  let storing: number | undefined;
  const seconds = () => storing ?? (options.clock?.() ?? new Date(0)).getTime() / 1000;

  /** What comes late has come by now. A late write that the EHR then refuses leaves nothing. */
  const settle = () => {
    const come = late.filter(({ at }) => at <= seconds()).sort((left, right) => left.at - right.at);
    late.splice(0, late.length, ...late.filter((write) => !come.includes(write)));
    for (const write of come) {
      storing = write.at;
      refusedOr(write.store);
      storing = undefined;
    }
  };
  const behave = (name: string): Behaviour => {
    settle();
    calls.push(name);
    return next.get(name)?.shift() ?? 'ok';
  };
  const write = (name: string, store: () => WriteResult, idOf: () => string): WriteResult => {
    const behaviour = behave(name);
    if (behaviour instanceof BridgeError) throw behaviour;
    if (behaviour === 'ok') return store();
    if (behaviour === 'ignored') return { id: idOf(), existed: false };
    if (typeof behaviour === 'object' && 'shownAfter' in behaviour) {
      late.push({ at: seconds() + behaviour.shownAfter, store });
      return { id: idOf(), existed: false };
    }
    if (typeof behaviour === 'object') late.push({ at: seconds() + behaviour.lateBy, store });
    if (behaviour === 'no-id') {
      const { id: _, ...nameless } = store();
      return nameless;
    }
    if (behaviour === 'lost-after') refusedOr(store);
    throw new BridgeError('ehr_write_unclear');
  };
  let ids = 0;
  const put = (resource: Resource, id: string): WriteResult => {
    const stored = structuredClone(resource);
    if (options.refusesDangling === true && referencesIn(stored).some((reference) => !resources.has(reference)))
      throw new BridgeError('ehr_write_refused', { http: 400 });
    const key = `${resource.resourceType}/${id}`;
    const versionId = String(Number(resources.get(key)?.meta?.versionId ?? 0) + 1);
    if (options.dropsIdentifiers === true && 'identifier' in stored) delete stored.identifier;
    const meta = options.withoutVersions === true ? {} : { meta: { ...stored.meta, versionId } };
    const { meta: _, ...rest } = stored;
    resources.set(key, { ...rest, id, ...meta } as Resource);
    if (!found.has(key)) found.set(key, seconds() + (options.searchLag ?? 0));
    return { id, ...(options.withoutVersions === true ? {} : { versionId }), existed: false };
  };
  const search = (type: string, wanted: Readonly<Record<string, string>>): Resource[] =>
    [...resources.entries()]
      .filter(([key, resource]) => resource.resourceType === type && (found.get(key) ?? 0) <= seconds())
      .map(([, resource]) => resource)
      .filter((resource) =>
        resource.resourceType === 'Provenance'
          ? (resource as Provenance).target.some(({ reference }) => reference === wanted.target)
          : matches(resource as Ours, wanted),
      );
  const check = (resource: Stored, ifMatch: string | undefined) => {
    bound.push(ifMatch);
    const current = resources.get(`${resource.resourceType}/${resource.id}`);
    if (current === undefined) throw new BridgeError('ehr_write_refused', { http: 404 });
    if (ifMatch === undefined && options.requiresIfMatch === true)
      throw new BridgeError('ehr_write_refused', { http: 428 });
    if (ifMatch === undefined || options.withoutVersions === true || options.ignoresIfMatch === true) return;
    const version = current.meta?.versionId ?? '';
    const spelled = (['weak', 'strong', 'bare'] as const).filter((form) => spellings[form](version) === ifMatch);
    const isTaken = options.takes === undefined ? spelled.length > 0 : spelled.includes(options.takes);
    if (options.refusesIfMatch === true || !isTaken) throw new BridgeError('ehr_conflict', { http: 412 });
  };
  const readVersion = async <T extends Resource>(type: T['resourceType'], id: string) => {
    const behaviour = behave(`read ${type}`);
    if (behaviour instanceof BridgeError) throw behaviour;
    const stored = resources.get(`${type}/${id}`);
    if (stored === undefined) return undefined;
    const resource = structuredClone(stored) as T;
    const versionId = resource.meta?.versionId;
    if (options.hidesVersionId === true) delete resource.meta;
    return options.etag === undefined || versionId === undefined
      ? { resource }
      : { resource, etag: spellings[options.etag](versionId) };
  };
  return {
    base: 'https://ehr.example/fhir',
    scopes: options.scopes ?? scopesOfAll,
    calls,
    resources,
    conditions,
    bound,
    next,
    all: <T extends Resource>(type: T['resourceType']) => {
      settle();
      return [...resources.values()].filter((resource) => resource.resourceType === type) as T[];
    },
    live: <T extends Resource>(type: T['resourceType']) => {
      settle();
      const live = [...resources.values()].filter(
        (resource) => resource.resourceType === type && (resource as Ours).status !== 'entered-in-error',
      );
      return live as T[];
    },
    async read<T extends Resource>(type: T['resourceType'], id: string) {
      return (await readVersion<T>(type, id))?.resource;
    },
    readVersion,
    async search(type, params) {
      const behaviour = behave(`search ${type}`);
      if (behaviour instanceof BridgeError) throw behaviour;
      return { resources: structuredClone(search(type, Object.fromEntries(params))), truncated: false, warnings: [] };
    },
    async batch() {
      throw new Error('not used here');
    },
    async create(resource, condition) {
      conditions.push(condition?.ifNoneExist);
      let given: string | undefined;
      const newId = () => {
        if (given === undefined) {
          ids += 1;
          while ([...resources.values()].some(({ id }) => id === String(ids))) ids += 1;
        }
        given ??= String(ids);
        return given;
      };
      const store = () => {
        const existing =
          options.conditionalCreate === true && condition?.ifNoneExist !== undefined
            ? search(resource.resourceType, Object.fromEntries(new URLSearchParams(condition.ifNoneExist)))
            : [];
        if (existing.length > 1) throw new BridgeError('ehr_conflict', { http: 412 });
        const [one] = existing;
        if (one?.id !== undefined) return { id: one.id, versionId: one.meta?.versionId ?? '1', existed: true };
        return put(resource, newId());
      };
      return write(`create ${resource.resourceType}`, store, newId);
    },
    async update(resource, condition) {
      const store = () => {
        check(resource, condition?.ifMatch);
        return put(resource, resource.id);
      };
      return write(`update ${resource.resourceType}`, store, () => resource.id);
    },
    async patch(resource, operations, condition) {
      const store = () => {
        check(resource, condition?.ifMatch);
        const current = resources.get(`${resource.resourceType}/${resource.id}`);
        return put(patched({ ...current } as Stored, operations), resource.id);
      };
      return write(`patch ${resource.resourceType}`, store, () => resource.id);
    },
    async delete(resource) {
      write(
        `delete ${resource.resourceType}`,
        () => {
          resources.delete(`${resource.resourceType}/${resource.id}`);
          return { id: resource.id, existed: false };
        },
        () => resource.id,
      );
    },
    capabilities: async () => {
      const behaviour = behave('capabilities');
      calls.pop();
      if (behaviour instanceof BridgeError) throw behaviour;
      return statement(options);
    },
  };
}

const spellings = {
  weak: (version: string) => `W/"${version}"`,
  strong: (version: string) => `"${version}"`,
  bare: (version: string) => version,
} as const;

function referencesIn(resource: Resource): string[] {
  return JSON.stringify(resource).match(/(?:DocumentReference|Task)\/[A-Za-z0-9.-]+/g) ?? [];
}

/** The EHR's own refusal of a write whose answer is lost anyway stays with the EHR. */
function refusedOr(store: () => unknown): void {
  try {
    store();
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
  }
}

/** Operations on members of the resource itself, which are all that the bridge sends. */
function patched(resource: Stored, operations: readonly PatchOperation[]): Stored {
  const next: Record<string, unknown> = structuredClone({ ...resource });
  for (const operation of operations) {
    const member = /^\/([A-Za-z]+)$/.exec(operation.path)?.[1];
    if (member === undefined) throw new Error(`not a member of the resource: ${operation.path}`);
    if (operation.op === 'remove') delete next[member];
    else next[member] = operation.value;
  }
  return next as unknown as Stored;
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

function matches(resource: Ours, wanted: Readonly<Record<string, string>>): boolean {
  const subject = resource.resourceType === 'Task' ? resource.for : resource.subject;
  const identifiers = resource.identifier ?? [];
  const byPatient = wanted.patient === undefined || subject?.reference === `Patient/${wanted.patient}`;
  return (
    byPatient &&
    (wanted.identifier === undefined ||
      identifiers.some(({ system, value }) => `${system}|${value}` === wanted.identifier))
  );
}

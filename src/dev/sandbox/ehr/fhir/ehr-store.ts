import { setTimeout as pause } from 'node:timers/promises';
import {
  badRequest,
  deepClone,
  generateId,
  gone,
  normalizeOperationOutcome,
  notFound,
  OperationOutcomeError,
  preconditionFailed,
  type SearchRequest,
  type WithId,
} from '@medplum/core';
import {
  type CreateResourceOptions,
  type DeleteResourceOptions,
  MemoryRepository,
  type UpdateResourceOptions,
} from '@medplum/fhir-router';
import type { Bundle, Resource } from '@medplum/fhirtypes';
import type { Clock } from '../../../../base/log.ts';
import type { EhrLedger } from '../ehr-ledger.ts';
import { Changes } from './changes.ts';
import { resourceFacts } from './resource-facts.ts';
import { isTypeHere } from './resource-types.ts';
import { SearchIndex } from './search-index.ts';
import { assertValid } from './validate.ts';

/** The state across restarts: the current resources, and the references of deleted resources (`Task/7`). */
export interface StoredResources {
  readonly resources: readonly Resource[];
  readonly deleted: readonly string[];
}

/** Milliseconds until a write becomes visible. */
interface Committing {
  readonly commitMs?: number;
  /** The version that the write is based on, if the writer stated it. */
  readonly ifMatch?: string | undefined;
}

/**
 * medplum's memory repository with what it lacks: validation, version numbers from 1, 410 after a delete, references
 * that must resolve, transactions with rollback, indexed and delayed searches, delayed writes, and a ledger of writes.
 */
export class EhrStore extends MemoryRepository {
  private readonly current = new Map<string, WithId<Resource>>();
  private readonly byType = new Map<string, Map<string, WithId<Resource>>>();
  private readonly deleted = new Set<string>();
  private readonly index = new SearchIndex();
  private readonly changes = new Changes();
  private undo: (() => Promise<unknown>)[] | undefined;
  /** Ledger entries of the current transaction. */
  private unledgered: (() => void)[] | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly ledger: EhrLedger,
    /** Aborts delayed writes, which then never become visible. */
    private readonly stop: AbortSignal,
    private readonly changed: () => void,
  ) {
    super();
  }

  override async createResource<T extends Resource>(
    resource: T,
    options?: CreateResourceOptions & Committing,
  ): Promise<WithId<T>> {
    // The server chooses the id, unless a transaction has already used the id in a reference.
    const id = options?.assignedId === true && resource.id !== undefined ? resource.id : generateId();
    return this.write({ ...resource, id }, options) as Promise<WithId<T>>; // `write` returns the type that it got
  }

  override async updateResource<T extends Resource>(
    resource: T,
    options?: UpdateResourceOptions & Committing,
  ): Promise<WithId<T>> {
    if (resource.id === undefined) throw new OperationOutcomeError(badRequest('Missing id'));
    this.assertVersion(`${resource.resourceType}/${resource.id}`, options?.ifMatch);
    return this.write({ ...resource, id: resource.id }, options) as Promise<WithId<T>>;
  }

  override async readResource<T extends Resource>(resourceType: string, id: string): Promise<T> {
    if (this.deleted.has(`${resourceType}/${id}`)) throw new OperationOutcomeError(gone);
    return super.readResource<T>(resourceType, id);
  }

  override async deleteResource(resourceType: string, id: string, options?: DeleteResourceOptions): Promise<void> {
    const key = `${resourceType}/${id}`;
    const before = this.current.get(key);
    if (before === undefined) throw new OperationOutcomeError(this.deleted.has(key) ? gone : notFound);
    this.assertVersion(key, options?.ifMatch);
    await super.deleteResource(resourceType, id);
    this.forget(before);
    this.deleted.add(key);
    this.undo?.push(async () => {
      this.deleted.delete(key);
      return this.put(before);
    });
    this.enter('deleted', before);
    this.changed();
  }

  /** Makes several writes that succeed or fail together. They run in memory, and no other request runs in between. */
  override async withTransaction<TResult>(callback: (repo: this) => Promise<TResult>): Promise<TResult> {
    if (this.undo !== undefined) return callback(this);
    const undo: (() => Promise<unknown>)[] = [];
    const unledgered: (() => void)[] = [];
    this.undo = undo;
    this.unledgered = unledgered;
    try {
      const result = await callback(this);
      this.undo = undefined;
      this.assertNothingDangles(undo.length > 0);
      this.unledgered = undefined;
      for (const enter of unledgered) enter();
      return result;
    } catch (thrown) {
      this.undo = undefined;
      this.unledgered = undefined;
      for (const step of undo.reverse()) await step();
      throw new OperationOutcomeError(normalizeOperationOutcome(thrown), { cause: thrown });
    }
  }

  /** Returns the current resource, for the EHR's own pages and rules; undefined if there is none. */
  peek(reference: string): WithId<Resource> | undefined {
    return this.current.get(reference);
  }

  all(): readonly WithId<Resource>[] {
    return [...this.current.values()];
  }

  async load(stored: StoredResources): Promise<void> {
    for (const resource of stored.resources) {
      if (resource.id === undefined) throw new TypeError(`a ${resource.resourceType} to load has no id`);
      await this.put({
        ...resource,
        id: resource.id,
        meta: { versionId: '1', lastUpdated: this.clock().toISOString(), ...resource.meta },
      });
    }
    for (const key of stored.deleted) this.deleted.add(key);
    // Loaded resources have no earlier version.
    this.changes.forget();
  }

  snapshot(): StoredResources {
    return { resources: this.all(), deleted: [...this.deleted] };
  }

  /** Searches the chart as it was this many milliseconds ago. */
  async searchAsOf<T extends Resource>(request: SearchRequest<T>, ageMs: number): Promise<Bundle<WithId<T>>> {
    const { resourceType } = request;
    const known = this.byType.get(resourceType) ?? new Map<string, WithId<Resource>>();
    const before = ageMs > 0 ? this.changes.since(resourceType, this.clock().getTime() - ageMs) : undefined;
    const candidates = this.index.candidates(request);
    if (candidates === undefined && before === undefined) return this.search(request);
    const seen = new Map<string, WithId<Resource>>();
    for (const id of candidates ?? known.keys()) {
      const resource = known.get(id);
      if (resource !== undefined && before?.has(id) !== true) seen.set(id, resource);
    }
    for (const [id, resource] of before ?? []) if (resource !== undefined) seen.set(id, resource);
    return this.searchIn(request, seen);
  }

  /** Runs the library's search over `seen` for the searched type, and over the current resources of other types. */
  private searchIn<T extends Resource>(
    request: SearchRequest<T>,
    seen: ReadonlyMap<string, Resource>,
  ): Promise<Bundle<WithId<T>>> {
    // private only in TypeScript
    const all = (this as unknown as { resources: Map<string, ReadonlyMap<string, Resource>> }).resources;
    const view: EhrStore = Object.create(this, {
      resources: { value: new Map([...all, [request.resourceType, seen]]) },
    });
    return view.search(request);
  }

  private async write(
    resource: WithId<Resource>,
    { commitMs = 0, ifMatch }: Committing = {},
  ): Promise<WithId<Resource>> {
    const key = `${resource.resourceType}/${resource.id}`;
    if (!isTypeHere(resource.resourceType)) throw new OperationOutcomeError(notFound);
    assertValid(resource);
    if (this.undo === undefined) this.assertReferences(resource);
    const next = this.nextOf(resource);
    if (commitMs <= 0) return this.commit(next);
    this.ledger.add('write.pending', { ...resourceFacts(next), commitMs });
    this.commitLater(key, resource, { commitMs, ifMatch });
    return next;
  }

  /**
   * Until a delayed write is visible, reads return the earlier version. The write then replaces writes in between,
   * unless it stated a version: then it never becomes visible.
   */
  private commitLater(key: string, resource: WithId<Resource>, { commitMs, ifMatch }: Committing): void {
    pause(commitMs, undefined, { signal: this.stop, ref: false })
      .then(() => {
        this.assertVersion(key, ifMatch);
        return this.commit(this.nextOf(resource));
      })
      .catch(() => this.ledger.add('write.lost', { resource: key }));
  }

  private nextOf(resource: WithId<Resource>): WithId<Resource> {
    const before = this.current.get(`${resource.resourceType}/${resource.id}`);
    const versionId = String(Number(before?.meta?.versionId ?? '0') + 1);
    return { ...resource, meta: { ...resource.meta, versionId, lastUpdated: this.clock().toISOString() } };
  }

  private async commit(resource: WithId<Resource>): Promise<WithId<Resource>> {
    const key = `${resource.resourceType}/${resource.id}`;
    const before = this.current.get(key);
    const written = await this.put(resource);
    const wasDeleted = this.deleted.delete(key);
    this.undo?.push(async () => {
      if (before !== undefined) return this.put(before);
      await this.expungeResource(resource.resourceType, resource.id);
      this.forget(written);
      if (wasDeleted) this.deleted.add(key);
      return undefined;
    });
    this.enter(before === undefined ? 'created' : 'updated', written);
    this.changed();
    return written;
  }

  // The memory repository lets a caller set versionId and lastUpdated only in seeding mode.
  private async put(resource: WithId<Resource>): Promise<WithId<Resource>> {
    const written = await this.withSeeding(() => super.createResource(resource, undefined, true));
    this.replace(written.resourceType, written.id, deepClone(written));
    return written;
  }

  private forget({ resourceType, id }: WithId<Resource>): void {
    this.replace(resourceType, id, undefined);
  }

  private replace(type: string, id: string, after: WithId<Resource> | undefined): void {
    const key = `${type}/${id}`;
    const before = this.current.get(key);
    const ofType = this.byType.get(type) ?? new Map<string, WithId<Resource>>();
    this.byType.set(type, ofType);
    if (after === undefined) this.current.delete(key);
    else this.current.set(key, after);
    if (after === undefined) ofType.delete(id);
    else ofType.set(id, after);
    this.index.change(before, after);
    this.changes.add({ at: this.clock().getTime(), type, id, before });
  }

  private enter(what: 'created' | 'updated' | 'deleted', resource: WithId<Resource>): void {
    const enter = () => this.ledger.add(`write.${what}`, resourceFacts(resource));
    if (this.unledgered === undefined) enter();
    else this.unledgered.push(enter);
  }

  private assertVersion(key: string, ifMatch: string | undefined): void {
    if (ifMatch === undefined) return;
    if (this.current.get(key)?.meta?.versionId !== ifMatch) throw new OperationOutcomeError(preconditionFailed);
  }

  private assertReferences(resource: Resource): void {
    const dangling = localReferences(resource).filter(
      (reference) => !this.current.has(reference) && reference !== `${resource.resourceType}/${resource.id}`,
    );
    if (dangling.length > 0)
      throw new OperationOutcomeError(badRequest(`Referenced resource not found: ${dangling.join(', ')}`));
  }

  private assertNothingDangles(wrote: boolean): void {
    if (!wrote) return;
    for (const resource of this.current.values()) this.assertReferences(resource);
  }
}

/** Relative references to resource types of this EHR, such as `Patient/1`, without a version. */
function localReferences(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(localReferences);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name !== 'reference' || typeof inner !== 'string') return localReferences(inner);
    const [type, id] = inner.split('/');
    return type !== undefined && id !== undefined && isTypeHere(type) ? [`${type}/${id}`] : [];
  });
}

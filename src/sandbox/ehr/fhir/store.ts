import {
  badRequest,
  deepClone,
  generateId,
  gone,
  normalizeOperationOutcome,
  notFound,
  OperationOutcomeError,
  preconditionFailed,
  type WithId,
} from '@medplum/core';
import {
  type CreateResourceOptions,
  type DeleteResourceOptions,
  MemoryRepository,
  type UpdateResourceOptions,
} from '@medplum/fhir-router';
import type { Resource } from '@medplum/fhirtypes';
import type { Clock } from '../../../log.ts';
import { isTypeHere } from './definitions.ts';
import { assertValid } from './validate.ts';

/** What outlives a restart: the current resources, and what was deleted (`Task/7`). */
export interface StoredResources {
  readonly resources: readonly Resource[];
  readonly deleted: readonly string[];
}

/**
 * The memory repository with what it lacks: validation, version numbers that count from 1, 410 after a delete,
 * references that must lead somewhere, transactions that undo themselves.
 */
export class EhrStore extends MemoryRepository {
  private readonly current = new Map<string, WithId<Resource>>();
  private readonly deleted = new Set<string>();
  private undo: (() => Promise<unknown>)[] | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {
    super();
  }

  override async createResource<T extends Resource>(resource: T, options?: CreateResourceOptions): Promise<WithId<T>> {
    // The server chooses the id, except inside a transaction that already spoke of it.
    const id = options?.assignedId === true && resource.id !== undefined ? resource.id : generateId();
    return this.write({ ...resource, id }) as Promise<WithId<T>>; // a write answers with what it was given
  }

  override async updateResource<T extends Resource>(resource: T, options?: UpdateResourceOptions): Promise<WithId<T>> {
    if (resource.id === undefined) throw new OperationOutcomeError(badRequest('Missing id'));
    this.assertVersion(`${resource.resourceType}/${resource.id}`, options?.ifMatch);
    return this.write({ ...resource, id: resource.id }) as Promise<WithId<T>>;
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
    this.current.delete(key);
    this.deleted.add(key);
    this.undo?.push(() => this.put(before));
    this.changed();
  }

  /**
   * Several writes that stand or fall together. All work is in memory and yields to no other request between its steps.
   */
  override async withTransaction<TResult>(callback: (repo: this) => Promise<TResult>): Promise<TResult> {
    if (this.undo !== undefined) return callback(this);
    const undo: (() => Promise<unknown>)[] = [];
    this.undo = undo;
    try {
      const result = await callback(this);
      this.undo = undefined;
      this.assertNothingDangles(undo.length > 0);
      return result;
    } catch (thrown) {
      this.undo = undefined;
      for (const step of undo.reverse()) await step();
      throw new OperationOutcomeError(normalizeOperationOutcome(thrown), { cause: thrown });
    }
  }

  /** The resource as it stands, for the EHR's own pages and for rules; undefined when there is none. */
  peek(reference: string): WithId<Resource> | undefined {
    return this.current.get(reference);
  }

  all(): readonly WithId<Resource>[] {
    return [...this.current.values()];
  }

  /** Takes resources in as they are: at start, from a snapshot (with their versions) or from seeds. */
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
  }

  snapshot(): StoredResources {
    return { resources: this.all(), deleted: [...this.deleted] };
  }

  private async write(resource: WithId<Resource>): Promise<WithId<Resource>> {
    const key = `${resource.resourceType}/${resource.id}`;
    if (!isTypeHere(resource.resourceType)) throw new OperationOutcomeError(notFound);
    assertValid(resource);
    if (this.undo === undefined) this.assertReferences(resource);
    const before = this.current.get(key);
    const versionId = String(Number(before?.meta?.versionId ?? '0') + 1);
    const written = await this.put({
      ...resource,
      meta: { ...resource.meta, versionId, lastUpdated: this.clock().toISOString() },
    });
    const wasDeleted = this.deleted.delete(key);
    this.undo?.push(async () => {
      if (before !== undefined) return this.put(before);
      await this.expungeResource(resource.resourceType, resource.id);
      this.current.delete(key);
      if (wasDeleted) this.deleted.add(key);
      return undefined;
    });
    this.changed();
    return written;
  }

  // Seeding mode is what lets a caller of the memory repository set versionId and lastUpdated.
  private async put(resource: WithId<Resource>): Promise<WithId<Resource>> {
    const written = await this.withSeeding(() => super.createResource(resource, undefined, true));
    this.current.set(`${written.resourceType}/${written.id}`, deepClone(written));
    return written;
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

/** Relative literal references to resource types of this EHR: `Patient/1`, without a version. */
function localReferences(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(localReferences);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name !== 'reference' || typeof inner !== 'string') return localReferences(inner);
    const [type, id] = inner.split('/');
    return type !== undefined && id !== undefined && isTypeHere(type) ? [`${type}/${id}`] : [];
  });
}

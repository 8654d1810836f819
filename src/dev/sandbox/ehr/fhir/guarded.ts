import {
  badRequest,
  created,
  forbidden,
  formatSearchQuery,
  getSearchParameter,
  multipleMatches,
  type Operation,
  OperationOutcomeError,
  type SearchRequest,
  type WithId,
} from '@medplum/core';
import {
  type CreateResourceOptions,
  type DeleteResourceOptions,
  FhirRepository,
  getExtraEntries,
  type UpdateResourceOptions,
} from '@medplum/fhir-router';
import type { Bundle, BundleEntry, OperationOutcome, Parameters, Reference, Resource } from '@medplum/fhirtypes';
import type { Access, Action } from './access.ts';
import type { EhrStore } from './ehr-store.ts';
import { isTypeHere } from './resource-types.ts';

const pageSize = 20;
const maxPageSize = 100;
const generalParameters = new Set(['_id', '_lastUpdated', '_profile', '_security', '_tag', '_source']);

export interface Paging {
  readonly size?: number;
  readonly parameter?: '_count' | '_maxresults';
  readonly link?: 'search' | 'relative' | 'inner-host' | 'cursor' | 'continue' | 'page';
  /** Added to the entries of a search result. */
  readonly note?: OperationOutcome;
}

/** Milliseconds: how old the chart is that searches see, and how long writes stay invisible. */
export interface Lateness {
  readonly searchMs: number;
  readonly commitMs: number;
}

/**
 * The store as one access token sees it. Every request is made through this class, and so is every entry of a batch or
 * transaction.
 */
export class GuardedRepository extends FhirRepository {
  constructor(
    private readonly store: EhrStore,
    private readonly access: Access,
    /** For fullUrl and links, such as `http://127.0.0.1:8081/fhir`. */
    private readonly base: string,
    private readonly lateness: Lateness = { searchMs: 0, commitMs: 0 },
    private readonly paging: Paging = {},
  ) {
    super();
  }

  setMode(): void {}

  generateId(): string {
    return this.store.generateId();
  }

  async createResource<T extends Resource>(resource: T, options?: CreateResourceOptions): Promise<WithId<T>> {
    this.assertMay(resource, 'c');
    return this.store.createResource(resource, this.late(options));
  }

  override async conditionalCreate<T extends Resource>(
    resource: T,
    search: SearchRequest<T>,
    options?: CreateResourceOptions,
  ): Promise<{ resource: WithId<T>; outcome: OperationOutcome }> {
    this.assertMay(resource, 'c');
    const found = await this.search({ ...search, count: 2, offset: 0 });
    const matches = (found.entry ?? []).flatMap(({ search: as, resource: one }) =>
      as?.mode === 'match' ? (one ?? []) : [],
    );
    if (matches.length > 1) throw new OperationOutcomeError(multipleMatches);
    const [existing] = matches;
    if (existing !== undefined)
      return {
        resource: existing,
        outcome: {
          resourceType: 'OperationOutcome',
          id: 'ok',
          issue: [{ severity: 'information', code: 'informational' }],
        },
      };
    return { resource: await this.store.createResource(resource, this.late(options)), outcome: created };
  }

  async updateResource<T extends Resource>(resource: T, options?: UpdateResourceOptions): Promise<WithId<T>> {
    const before = this.store.peek(`${resource.resourceType}/${resource.id}`);
    this.assertMay(before ?? resource, before === undefined ? 'c' : 'u');
    this.assertMay(resource, 'u');
    return this.store.updateResource(resource, this.late(options));
  }

  async patchResource<T extends Resource>(
    resourceType: T['resourceType'],
    id: string,
    patch: Operation[] | Parameters,
    options?: UpdateResourceOptions,
  ): Promise<WithId<T>> {
    this.assertMay(await this.store.readResource(resourceType, id), 'u');
    return this.store.withTransaction(async () => {
      const patched = await this.store.patchResource<T>(resourceType, id, patch, this.late(options));
      this.assertMay(patched, 'u');
      return patched;
    });
  }

  async deleteResource(resourceType: string, id: string, options?: DeleteResourceOptions): Promise<void> {
    const before = this.store.peek(`${resourceType}/${id}`);
    if (before === undefined) this.assertMayType(resourceType, 'd');
    else this.assertMay(before, 'd');
    return this.store.deleteResource(resourceType, id, options);
  }

  async readResource<T extends Resource>(resourceType: string, id: string): Promise<WithId<T>> {
    this.assertMayType(resourceType, 'r');
    const resource = await this.store.readResource<WithId<T>>(resourceType, id);
    this.assertMay(resource, 'r');
    return resource;
  }

  async readReference<T extends Resource>(reference: Reference<T>): Promise<WithId<T>> {
    const [type, id, ...rest] = (reference.reference ?? '').split('/');
    if (type === undefined || id === undefined || rest.length > 0)
      throw new OperationOutcomeError(badRequest('Invalid reference'));
    return this.readResource<T>(type, id);
  }

  /** Returns an error for a resource that the token must not read. `_include` then leaves it out. */
  async readReferences<T extends Resource>(references: readonly Reference<T>[]): Promise<(T | Error)[]> {
    return Promise.all(
      references.map((reference) =>
        this.readReference<T>(reference).catch((thrown: unknown) =>
          thrown instanceof Error ? thrown : new Error('unreadable'),
        ),
      ),
    );
  }

  async readHistory<T extends Resource>(resourceType: string, id: string): Promise<Bundle<WithId<T>>> {
    await this.readResource(resourceType, id);
    const history = await this.store.readHistory<WithId<T>>(resourceType, id);
    // The memory repository reverses its list at every call, so the entries are sorted here.
    const newestFirst = [...(history.entry ?? [])].sort(
      (a, b) => Number(b.resource?.meta?.versionId) - Number(a.resource?.meta?.versionId),
    );
    return { ...history, total: newestFirst.length, entry: newestFirst };
  }

  async readVersion<T extends Resource>(resourceType: string, id: string, vid: string): Promise<WithId<T>> {
    await this.readResource(resourceType, id);
    const version = await this.store.readVersion<WithId<T>>(resourceType, id, vid);
    this.assertMay(version, 'r');
    return version;
  }

  /**
   * Returns a searchset with fullUrl, total and absolute links. Only what the token may read is found, counted and
   * included.
   */
  async search<T extends Resource>(request: SearchRequest<T>): Promise<Bundle<WithId<T>>> {
    this.assertMayType(request.resourceType, 's');
    assertKnownParameters(request);
    const { include: _include, revInclude: _revInclude, count: _count, offset: _offset, ...criteria } = request;
    const matches = ((await this.store.searchAsOf<T>(criteria, this.lateness.searchMs)).entry ?? [])
      .flatMap((entry) => entry.resource ?? [])
      .filter((resource) => this.may(resource, 's'));
    const offset = request.offset ?? 0;
    const count = Math.min(request.count ?? this.paging.size ?? pageSize, maxPageSize);
    const page = matches.slice(offset, offset + count);
    const entry: BundleEntry[] = page.map((resource) => ({
      fullUrl: this.fullUrl(resource.resourceType, resource.id),
      search: { mode: 'match' },
      resource,
    }));
    await getExtraEntries(this, request, page, entry, {
      fullUrl: (type, id) => this.fullUrl(type, id),
      executeSearch: async (inner) => (this.access.mayType(inner.resourceType, 's') ? this.allMatches(inner) : []),
    });
    if (this.paging.note !== undefined)
      entry.push({ search: { mode: 'outcome' }, resource: this.paging.note } as BundleEntry);
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      total: matches.length,
      link: this.links(request, offset, count, matches.length),
      ...(entry.length === 0 ? {} : { entry: entry as BundleEntry<WithId<T>>[] }),
    };
  }

  async searchByReference<T extends Resource>(
    searchRequest: SearchRequest<T>,
    referenceField: string,
    references: string[],
  ): Promise<Record<string, WithId<T>[]>> {
    const found = await this.store.searchByReference(searchRequest, referenceField, references);
    return Object.fromEntries(
      Object.entries(found).map(([reference, resources]) => [
        reference,
        resources.filter((resource) => this.may(resource, 's')),
      ]),
    );
  }

  withTransaction<TResult>(callback: (repo: this) => Promise<TResult>): Promise<TResult> {
    return this.store.withTransaction(() => callback(this));
  }

  private late<Options extends object>(options: Options | undefined): Options & { commitMs: number } {
    return { ...(options as Options), commitMs: this.lateness.commitMs }; // spreading undefined adds nothing
  }

  private async allMatches(request: SearchRequest): Promise<WithId<Resource>[]> {
    const { include: _include, revInclude: _revInclude, count: _count, offset: _offset, ...criteria } = request;
    return ((await this.store.searchAsOf(criteria, this.lateness.searchMs)).entry ?? [])
      .flatMap((entry) => entry.resource ?? [])
      .filter((resource) => this.may(resource, 's'));
  }

  private links(request: SearchRequest, offset: number, count: number, total: number): NonNullable<Bundle['link']> {
    const { link: style = 'search', parameter = '_count' } = this.paging;
    const base = baseOf(this.base, style);
    const at = (from: number) => {
      const query = formatSearchQuery({ ...request, count, ...(from === 0 ? {} : { offset: from }) });
      const words =
        style === 'search' || style === 'relative' || style === 'inner-host'
          ? query.replace('_count=', `${parameter}=`)
          : `?${style}=${Buffer.from(query).toString('base64url')}`;
      return `${base}/${request.resourceType}${words}`;
    };
    const link = [{ relation: 'self' as const, url: at(offset) }];
    return count > 0 && offset + count < total
      ? [...link, { relation: 'next' as const, url: at(offset + count) }]
      : link;
  }

  private fullUrl(type: string, id: string): string {
    return `${this.base}/${type}/${id}`;
  }

  /** A Binary is protected like the resource that its securityContext names (FHIR R4, Binary). */
  private may(resource: Resource, action: Action): boolean {
    const context = resource.resourceType === 'Binary' ? resource.securityContext?.reference : undefined;
    return this.access.may(resource, action, context === undefined ? undefined : this.store.peek(context));
  }

  private assertMay(resource: Resource, action: Action): void {
    this.assertMayType(resource.resourceType, action);
    if (!this.may(resource, action)) throw new OperationOutcomeError(refusal('The token’s patient is another one'));
  }

  private assertMayType(type: string, action: Action): void {
    if (!isTypeHere(type))
      throw new OperationOutcomeError({
        resourceType: 'OperationOutcome',
        id: 'not-found',
        issue: [{ severity: 'error', code: 'not-supported' }],
      });
    if (!this.access.mayType(type, action))
      throw new OperationOutcomeError(refusal(`The token has no scope ${this.access.needed(type, action)}`));
  }
}

/** Returns the base URL for the links of a search. */
function baseOf(base: string, style: Paging['link']): string {
  if (style === 'relative') return '';
  return style === 'inner-host' ? `http://ehr.inner.example:8443${new URL(base).pathname}` : base;
}

function refusal(text: string): OperationOutcome {
  return { ...forbidden, issue: [{ severity: 'error', code: 'forbidden', details: { text } }] };
}

// A search with a misspelled parameter would return too much if the parameter were ignored. FHIR lets the server
// choose.
function assertKnownParameters(request: SearchRequest): void {
  for (const { code } of request.filters ?? []) {
    const name = code.split(/[.:]/)[0] ?? '';
    if (
      code.startsWith('_has') ||
      (getSearchParameter(request.resourceType, name) === undefined && !generalParameters.has(name))
    ) {
      throw new OperationOutcomeError(badRequest(`Unknown search parameter: ${code}`));
    }
  }
}

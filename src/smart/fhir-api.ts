import type { Bundle, CapabilityStatement, Resource } from 'fhir/r4.js';
import type { Preset } from '../config/presets/preset.ts';
import { BridgeError } from '../errors.ts';
import type { Condition, FhirApi, PatchOperation, SearchAnswer, VersionRead, Written } from '../fhir/api.ts';
import { isResource } from '../fhir/is-resource.ts';
import {
  type GuardedFhir,
  outcomeCodes,
  readError,
  refuseBrokenGlass,
  type Subject,
  writeError,
} from './guarded-fhir.ts';
import { type Answer, jsonOf } from './http.ts';
import type { Limits } from './types.ts';

/** FhirApi over a guarded client. https://hl7.org/fhir/R4/http.html */
export function createFhirApi(options: {
  readonly client: GuardedFhir;
  readonly base: string;
  readonly scopes: readonly string[];
  readonly limits: Limits;
  readonly capabilities: () => Promise<CapabilityStatement>;
  /** What is known of this EHR. */
  readonly preset?: Preset | undefined;
}): FhirApi {
  const { client, base, scopes, limits, capabilities, preset } = options;
  const notes = preset?.search.notes ?? {};
  const quietNotes = Object.keys(notes).filter((code) => notes[code] === '');
  return {
    base,
    scopes,
    capabilities,
    notes,
    read: async <T extends Resource>(type: T['resourceType'], id: string) =>
      (await readVersion<T>(client, type, id))?.resource,
    readVersion: <T extends Resource>(type: T['resourceType'], id: string) => readVersion<T>(client, type, id),
    search: (type, params, searched) =>
      search(
        client,
        { ...limits, pages: Math.min(searched?.pages ?? limits.pages, limits.pages) },
        type,
        params.map(([name, value]) => [name === '_count' ? (preset?.search.count ?? name) : name, value]),
        quietNotes,
      ),
    batch: (urls) => batch(client, base, urls),
    create: (resource, created) => create(client, resource, created?.ifNoneExist),
    update: (resource, condition) => update(client, resource, boundBy(resource, condition, preset)),
    patch: (resource, operations, condition) =>
      patch(client, resource, operations, boundBy(resource, condition, preset)),
    delete: (resource) => remove(client, resource),
  };
}

/** The EHR's CapabilityStatement, asked without a token as everybody may. */
export async function readCapabilities(client: GuardedFhir): Promise<CapabilityStatement> {
  const subject: Subject = { type: 'CapabilityStatement', interaction: 'metadata' };
  const answer = await client.exchange('metadata', { method: 'GET', subject, anonymous: true });
  if (answer.status !== 200) throw readError(answer, subject);
  return ofType<CapabilityStatement>(client.resourceOf(answer, subject), 'CapabilityStatement', answer);
}

async function readVersion<T extends Resource>(
  client: GuardedFhir,
  type: T['resourceType'],
  id: string,
): Promise<VersionRead<T> | undefined> {
  if (!isId(id)) throw new BridgeError('ehr_not_fhir', { resource: type, reason: 'not a FHIR id' });
  const subject: Subject = { type, interaction: 'r' };
  const answer = await client.exchange(`${type}/${id}`, { method: 'GET', subject });
  if (answer.status === 404 || answer.status === 410) return undefined;
  if (answer.status !== 200) throw readError(answer, subject);
  const resource = ofType<T>(client.resourceOf(answer, subject), type, answer);
  // A merged record answers under another id: whose it is now is not ours to decide. Some servers change only the case.
  if (resource.id !== id && type === 'Patient')
    throw new BridgeError('patient_mismatch', { resource: type, reason: 'merged or replaced record' });
  if (resource.id?.toLowerCase() !== id.toLowerCase()) throw notFhir(answer, type, 'another id');
  const etag = answer.headers.get('etag')?.trim() ?? '';
  return etag === '' ? { resource } : { resource, etag };
}

async function search(
  client: GuardedFhir,
  limits: Limits,
  type: string,
  params: readonly (readonly [string, string])[],
  quiet: readonly string[],
): Promise<SearchAnswer> {
  const subject: Subject = { type, interaction: 's' };
  const query = new URLSearchParams(params.map(([name, value]) => [name, value]));
  const found = new Map<string, Resource>();
  const warnings = new Set<string>();
  const seen = new Set<string>();
  let truncated = false;
  for await (const page of client.pages(`${type}?${query}`)) {
    collect(page, subject, found, warnings);
    const next = nextLink(client, page);
    if (next === undefined) break;
    if (next === 'foreign' || seen.has(next) || seen.size + 1 >= limits.pages || found.size >= limits.resources) {
      truncated = true;
      break;
    }
    seen.add(next);
  }
  return { resources: [...found.values()], truncated, warnings: [...warnings].filter((code) => !quiet.includes(code)) };
}

function collect(page: Bundle, subject: Subject, found: Map<string, Resource>, warnings: Set<string>): void {
  for (const { resource, search: match } of page.entry ?? []) {
    if (resource === undefined) continue;
    if (match?.mode === 'outcome' || resource.resourceType === 'OperationOutcome') {
      const codes = outcomeCodes(resource);
      refuseBrokenGlass(codes, subject);
      for (const code of codes) warnings.add(code);
    } else {
      found.set(`${resource.resourceType}/${resource.id ?? `?${found.size}`}`, resource);
    }
  }
}

function nextLink(client: GuardedFhir, page: Bundle): string | undefined {
  const url = page.link?.find((link) => link.relation === 'next')?.url;
  if (typeof url !== 'string') return undefined;
  try {
    return client.resolve(url);
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'ehr_foreign_address') return 'foreign';
    throw error;
  }
}

async function batch(
  client: GuardedFhir,
  base: string,
  urls: readonly string[],
): Promise<(Resource | { status: number })[]> {
  const subject: Subject = { type: 'Bundle', interaction: 'batch' };
  const bundle: Bundle = {
    resourceType: 'Bundle',
    type: 'batch',
    entry: urls.map((url) => ({ request: { method: 'GET', url } })),
  };
  const answer = await client.exchange(base, { method: 'POST', subject, body: JSON.stringify(bundle) });
  if (answer.status !== 200) throw readError(answer, subject);
  const { entry = [] } = ofType<Bundle>(client.resourceOf(answer, subject), 'Bundle', answer);
  if (entry.length !== urls.length) throw notFhir(answer, 'Bundle', 'another number of entries');
  return entry.map(({ resource, response }) => {
    const status = Number.parseInt(response?.status ?? '200', 10);
    return resource !== undefined && status >= 200 && status < 300 ? resource : { status };
  });
}

async function create(client: GuardedFhir, resource: Resource, ifNoneExist: string | undefined): Promise<Written> {
  const subject: Subject = { type: resource.resourceType, interaction: 'c' };
  const headers = { prefer: 'return=minimal', ...(ifNoneExist === undefined ? {} : { 'if-none-exist': ifNoneExist }) };
  const answer = await client.exchange(resource.resourceType, {
    method: 'POST',
    subject,
    headers,
    body: JSON.stringify(resource),
  });
  if (!isTaken(answer)) throw writeError(answer, subject);
  const created = written(answer, resource.resourceType, undefined, ifNoneExist !== undefined && answer.status === 200);
  // A gateway answers a request that it never passed on with a page of its own.
  if (created.id === undefined && answer.text.trim() !== '' && !isResource(jsonOf(answer)))
    throw new BridgeError('ehr_write_unclear', { http: answer.status, resource: resource.resourceType });
  return created;
}

async function update(
  client: GuardedFhir,
  resource: Resource & { id: string },
  headers: Readonly<Record<string, string>>,
): Promise<Written> {
  return await change(client, resource, { method: 'PUT', body: resource, headers });
}

async function patch(
  client: GuardedFhir,
  resource: Resource & { id: string },
  operations: readonly PatchOperation[],
  condition: Readonly<Record<string, string>>,
): Promise<Written> {
  const headers = { ...condition, 'content-type': 'application/json-patch+json' };
  return await change(client, resource, { method: 'PATCH', body: operations, headers });
}

/**
 * The header that binds a change to what was read: If-Match, or If-Unmodified-Since with the time of the resource
 * (RFC 9110 13.1), since some EHRs give no versions.
 */
function boundBy(
  { meta }: Resource,
  { ifMatch, anyVersion }: Condition = {},
  preset: Preset | undefined,
): Readonly<Record<string, string>> {
  if (anyVersion === true) return {};
  if (preset?.updates.precondition !== 'If-Unmodified-Since')
    return ifMatch === undefined ? {} : { 'if-match': ifMatch };
  const at = Date.parse(meta?.lastUpdated ?? '');
  return Number.isNaN(at) ? {} : { 'if-unmodified-since': new Date(at).toUTCString() };
}

async function change(
  client: GuardedFhir,
  resource: Resource & { id: string },
  { method, body, headers }: { method: 'PUT' | 'PATCH'; body: unknown; headers: Readonly<Record<string, string>> },
): Promise<Written> {
  const subject: Subject = { type: resource.resourceType, interaction: 'u' };
  const answer = await client.exchange(pathOf(resource), {
    method,
    subject,
    headers: { prefer: 'return=minimal', ...headers },
    body: JSON.stringify(body),
  });
  if (!isTaken(answer)) throw writeError(answer, subject);
  return written(answer, resource.resourceType, resource.id, false);
}

async function remove(client: GuardedFhir, resource: Resource & { id: string }): Promise<void> {
  const subject: Subject = { type: resource.resourceType, interaction: 'd' };
  const answer = await client.exchange(pathOf(resource), { method: 'DELETE', subject });
  if (!isTaken(answer) && answer.status !== 404 && answer.status !== 410) throw writeError(answer, subject);
}

// 202 is one: the EHR has it, and says nothing of it yet.
function isTaken({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function pathOf({ resourceType, id }: Resource & { id: string }): string {
  if (!isId(id)) throw new BridgeError('ehr_not_fhir', { resource: resourceType, reason: 'not a FHIR id' });
  return `${resourceType}/${id}`;
}

/**
 * The id from Location (relative, absolute, with or without a version; never fetched), else from the body; the version
 * from there or from ETag.
 */
function written(answer: Answer, type: string, knownId: string | undefined, existed: boolean): Written {
  const match = new RegExp(`(?:^|/)${type}/([A-Za-z0-9.-]{1,64})(?:/_history/([A-Za-z0-9.-]{1,64}))?/?$`).exec(
    answer.headers.get('location') ?? '',
  );
  const body = bodyMeta(answer, type);
  const id = knownId ?? match?.[1] ?? body.id;
  const versionId = match?.[2] ?? body.versionId ?? /^(?:W\/)?"([^"]+)"$/.exec(answer.headers.get('etag') ?? '')?.[1];
  return { ...(id === undefined ? {} : { id }), ...(versionId === undefined ? {} : { versionId }), existed };
}

function bodyMeta(answer: Answer, type: string): { id?: string; versionId?: string } {
  const body = jsonOf(answer);
  if (!isResource(body) || body.resourceType !== type) return {};
  const meta = 'meta' in body && typeof body.meta === 'object' && body.meta !== null ? body.meta : {};
  return {
    ...('id' in body && isId(body.id) ? { id: body.id } : {}),
    ...('versionId' in meta && isId(meta.versionId) ? { versionId: meta.versionId } : {}),
  };
}

function ofType<T extends Resource>(
  resource: { readonly resourceType: string },
  type: T['resourceType'],
  answer: Answer,
): T {
  if (resource.resourceType !== type)
    throw notFhir(answer, type, `answered ${/^[A-Za-z]{1,60}$/.exec(resource.resourceType)?.[0] ?? 'something else'}`);
  return resource as T;
}

function notFhir(answer: Answer, resource: string, reason: string): BridgeError {
  return new BridgeError('ehr_not_fhir', { http: answer.status, resource, reason });
}

/** https://hl7.org/fhir/R4/datatypes.html#id */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9.-]{1,64}$/.test(value) && !/^\.+$/.test(value);
}

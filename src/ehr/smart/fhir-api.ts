import type { Bundle, CapabilityStatement, Resource } from 'fhir/r4.js';
import type { Preset } from '../../config/presets/preset.ts';
import { BridgeError } from '../../core/errors.ts';
import type {
  ChangeCondition,
  FhirApi,
  PatchOperation,
  SearchAnswer,
  VersionRead,
  WriteResult,
} from '../../core/fhir/api.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import { isResource } from '../../core/fhir/is-resource.ts';
import { readShape } from '../../core/fhir/shape/read-shape.ts';
import { type CallSubject, type GuardedFhir, readError, refuseBrokenGlass, writeError } from './guarded-fhir.ts';
import { type EhrAnswer, jsonOf } from './http.ts';
import { causedBy, isFailedOutcome, notesOf, outcomeCodes } from './operation-outcome.ts';
import type { SearchPage } from './search-page.ts';
import type { Limits } from './types.ts';

/** A FhirApi that sends its requests through `client`. https://hl7.org/fhir/R4/http.html */
export function createFhirApi(options: {
  readonly client: GuardedFhir;
  readonly base: string;
  readonly scopes: readonly string[];
  readonly limits: Limits;
  readonly capabilities: () => Promise<CapabilityStatement>;
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

/** The CapabilityStatement is public, so it is requested without a token. */
export async function readCapabilities(client: GuardedFhir): Promise<CapabilityStatement> {
  const subject: CallSubject = { type: 'CapabilityStatement', interaction: 'metadata' };
  const answer = await client.exchange('metadata', { method: 'GET', subject, anonymous: true });
  if (answer.status !== 200) throw readError(answer, subject);
  const stated = ofType<CapabilityStatement>(client.resourceOf(answer, subject), 'CapabilityStatement', answer);
  return readShape(stated).resource as CapabilityStatement; // readShape returns the type that it got
}

async function readVersion<T extends Resource>(
  client: GuardedFhir,
  type: T['resourceType'],
  id: string,
): Promise<VersionRead<T> | undefined> {
  if (!isId(id)) throw new BridgeError('ehr_not_fhir', { resource: type, reason: 'not a FHIR id' });
  const subject: CallSubject = { type, interaction: 'r' };
  const answer = await client.exchange(`${type}/${id}`, { method: 'GET', subject });
  if (answer.status === 404 || answer.status === 410) return undefined;
  if (answer.status !== 200) throw readError(answer, subject);
  const resource = ofType<T>(client.resourceOf(answer, subject), type, answer);
  // After a merge, an EHR returns the record under another id, and the bridge cannot decide whose record it is now.
  // Some servers change only the case of the id.
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
  const subject: CallSubject = { type, interaction: 's' };
  const query = new URLSearchParams(params.map(([name, value]) => [name, value]));
  const found = new Map<string, Resource>();
  const said: Resource[] = [];
  const seen = new Set<string>();
  let [unread, isOutside, isLong] = [0, false, false];
  for await (const page of client.pages(`${type}?${query}`)) {
    const { resources, outcomes, link, isCut, ...read } = page as Bundle & SearchPage; // `fhirRequest` makes these
    for (const resource of resources)
      found.set(`${resource.resourceType}/${resource.id ?? `?${found.size}`}`, resource);
    said.push(...outcomes);
    unread += read.unread;
    isOutside ||= isCut;
    const next = link[0]?.url;
    if (next === undefined) break;
    isLong = seen.has(next) || seen.size + 1 >= limits.pages || found.size >= limits.resources;
    if (isLong) break;
    seen.add(next);
  }
  const codes = said.flatMap(outcomeCodes);
  refuseBrokenGlass(codes, subject);
  const failures = said.filter(isFailedOutcome);
  if (failures.length > 0)
    throw new BridgeError(
      'ehr_error',
      { http: 200, resource: type, codes: [...new Set(failures.flatMap(outcomeCodes))] },
      causedBy(...failures),
    );
  const texts = Object.fromEntries(said.flatMap(notesOf).flatMap(({ code, text }) => (text ? [[code, text]] : [])));
  return {
    resources: [...found.values()],
    truncated: unread > 0 || isOutside || isLong,
    warnings: [...new Set(codes)].filter((code) => !quiet.includes(code)),
    ...(Object.keys(texts).length === 0 ? {} : { texts }),
    ...(unread === 0 ? {} : { unread }),
    ...(isOutside ? { isOutside } : {}),
  };
}

async function batch(
  client: GuardedFhir,
  base: string,
  urls: readonly string[],
): Promise<(Resource | { status: number })[]> {
  const subject: CallSubject = { type: 'Bundle', interaction: 'batch' };
  const bundle: Bundle = {
    resourceType: 'Bundle',
    type: 'batch',
    entry: urls.map((url) => ({ request: { method: 'GET', url } })),
  };
  const answer = await client.exchange(base, { method: 'POST', subject, body: JSON.stringify(bundle) });
  if (answer.status !== 200) throw readError(answer, subject);
  const entries: unknown = Reflect.get(ofType<Bundle>(client.resourceOf(answer, subject), 'Bundle', answer), 'entry');
  const answers = Array.isArray(entries) ? entries.map(answerIn) : [];
  if (answers.length !== urls.length) throw notFhir(answer, 'Bundle', 'another number of entries');
  return answers;
}

// An entry without a status counts as 502: a gateway did not pass the request on.
function answerIn(entry: unknown): Resource | { readonly status: number } {
  const { resource, response } = isObject(entry) ? entry : {};
  const stated = isObject(response) ? Number.parseInt(String(response.status), 10) : 200;
  const isGiven = stated >= 200 && stated < 300;
  if (isGiven && isResource(resource) && resource.resourceType !== 'OperationOutcome') return resource;
  return { status: isGiven || Number.isNaN(stated) ? 502 : stated };
}

async function create(client: GuardedFhir, resource: Resource, ifNoneExist: string | undefined): Promise<WriteResult> {
  const subject: CallSubject = { type: resource.resourceType, interaction: 'c' };
  const headers = { prefer: 'return=minimal', ...(ifNoneExist === undefined ? {} : { 'if-none-exist': ifNoneExist }) };
  const answer = await client.exchange(resource.resourceType, {
    method: 'POST',
    subject,
    headers,
    body: JSON.stringify(resource),
  });
  if (!isTaken(answer)) throw writeError(answer, subject);
  const created = written(answer, resource.resourceType, undefined, ifNoneExist !== undefined && answer.status === 200);
  // A page that is not FHIR comes from a gateway that may not have passed the request on.
  if (created.id === undefined && answer.text.trim() !== '' && !isResource(jsonOf(answer)))
    throw new BridgeError('ehr_write_unclear', { http: answer.status, resource: resource.resourceType });
  return created;
}

async function update(
  client: GuardedFhir,
  resource: Resource & { id: string },
  headers: Readonly<Record<string, string>>,
): Promise<WriteResult> {
  return await change(client, resource, { method: 'PUT', body: resource, headers });
}

async function patch(
  client: GuardedFhir,
  resource: Resource & { id: string },
  operations: readonly PatchOperation[],
  condition: Readonly<Record<string, string>>,
): Promise<WriteResult> {
  const headers = { ...condition, 'content-type': 'application/json-patch+json' };
  return await change(client, resource, { method: 'PATCH', body: operations, headers });
}

/**
 * Returns the header that makes a change conditional on the version that was read: If-Match, or If-Unmodified-Since for
 * EHRs without versions (RFC 9110 13.1).
 */
function boundBy(
  { meta }: Resource,
  { ifMatch, anyVersion }: ChangeCondition = {},
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
): Promise<WriteResult> {
  const subject: CallSubject = { type: resource.resourceType, interaction: 'u' };
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
  const subject: CallSubject = { type: resource.resourceType, interaction: 'd' };
  const answer = await client.exchange(pathOf(resource), { method: 'DELETE', subject });
  if (!isTaken(answer) && answer.status !== 404 && answer.status !== 410) throw writeError(answer, subject);
}

// 202 is a success too: the EHR has received the write and will process it later.
function isTaken({ status }: EhrAnswer): boolean {
  return status >= 200 && status < 300;
}

function pathOf({ resourceType, id }: Resource & { id: string }): string {
  if (!isId(id)) throw new BridgeError('ehr_not_fhir', { resource: resourceType, reason: 'not a FHIR id' });
  return `${resourceType}/${id}`;
}

/** Takes the id from Location (any form, never fetched), else from the body, and the version from Location or ETag. */
function written(answer: EhrAnswer, type: string, knownId: string | undefined, existed: boolean): WriteResult {
  const match = new RegExp(`(?:^|/)${type}/([A-Za-z0-9.-]{1,64})(?:/_history/([A-Za-z0-9.-]{1,64}))?/?$`).exec(
    answer.headers.get('location') ?? '',
  );
  const body = bodyMeta(answer, type);
  const id = knownId ?? match?.[1] ?? body.id;
  const versionId = match?.[2] ?? body.versionId ?? /^(?:W\/)?"([^"]+)"$/.exec(answer.headers.get('etag') ?? '')?.[1];
  return { ...(id === undefined ? {} : { id }), ...(versionId === undefined ? {} : { versionId }), existed };
}

function bodyMeta(answer: EhrAnswer, type: string): { id?: string; versionId?: string } {
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
  answer: EhrAnswer,
): T {
  if (resource.resourceType !== type)
    throw notFhir(answer, type, `answered ${/^[A-Za-z]{1,60}$/.exec(resource.resourceType)?.[0] ?? 'something else'}`);
  return resource as T;
}

function notFhir(answer: EhrAnswer, resource: string, reason: string): BridgeError {
  return new BridgeError('ehr_not_fhir', { http: answer.status, resource, reason });
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9.-]{1,64}$/.test(value) && !/^\.+$/.test(value);
}

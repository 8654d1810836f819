import type { CapabilityStatement, Provenance, Resource } from 'fhir/r4.js';
import type { Site } from '../../config/config.ts';
import { presetOf } from '../../config/presets/presets.ts';
import { asBridgeError, BridgeError, type ErrorFacts } from '../../core/errors.ts';
import type { FhirApi } from '../../core/fhir/api.ts';
import { ChartBytes } from './chart-bytes.ts';
import { createFhirApi, readCapabilities } from './fhir-api.ts';
import { GuardedFhir } from './guarded-fhir.ts';
import { isLive } from './launch.ts';
import { readOutsideFile } from './outside-file.ts';
import type { LaunchContext, LaunchRecord } from './store.ts';
import { createSystemTokens, createUserTokens, type TokenSource } from './tokens.ts';
import type { DeliveryAccess, Parts, SiteParts, Turn } from './types.ts';

/** The part of a launch that FHIR access needs. */
export interface LaunchAccess {
  readonly id: string;
  readonly patient: string;
  readonly scopes: readonly string[];
}

/** FHIR access at a site outside any launch. */
export interface SiteApis {
  /** The EHR's CapabilityStatement; cached for ten minutes. */
  capabilities(site: Site): Promise<CapabilityStatement>;
  /** Uses the token that the callback has just received, to read a launch's context before the launch exists. */
  signInApi(site: Site, token: string, scopes: readonly string[]): FhirApi;
  /** Uses Backend Services, whose token reaches every patient. */
  systemApi(site: Site): Promise<FhirApi>;
}

export interface Apis extends SiteApis {
  /**
   * Uses the user's token, bound to the launch's patient. With `turn`, large documents are read only when `turn`
   * allows.
   */
  userApi(site: Site, launch: LaunchAccess, turn?: Turn): FhirApi;
}

const keepMs = 10 * 60_000;

/**
 * FHIR access for launches and for the bridge itself. All of them share each site's CapabilityStatement, which is
 * cached for ten minutes.
 */
export function createApis(parts: Parts): Apis {
  const userTokens = createUserTokens(parts);
  const { apiOf, ...siteApis } = siteApisOf(parts);
  return {
    ...siteApis,
    userApi(site, launch, turn) {
      const bytes = new ChartBytes(parts.limits, turn);
      return {
        ...forPatient(apiOf(site, userTokens(launch.id), launch.scopes, bytes), launch.patient),
        outsideFile: (address) => readOutsideFile(site, { limits: parts.limits, bytes }, address),
      };
    },
  };
}

/** FHIR access for the bridge itself, outside any launch. */
export function createSiteApis(parts: SiteParts): SiteApis {
  return siteApisOf(parts);
}

function siteApisOf(
  parts: SiteParts,
): SiteApis & { apiOf(site: Site, tokens: TokenSource, scopes: readonly string[], bytes?: ChartBytes): FhirApi } {
  const systemTokens = createSystemTokens(parts);
  const statements = new Map<string, { readonly at: number; readonly statement: Promise<CapabilityStatement> }>();

  function capabilities(site: Site): Promise<CapabilityStatement> {
    const known = statements.get(site.id);
    const now = parts.clock().getTime();
    if (known !== undefined && now - known.at < keepMs) return known.statement;
    const statement = readCapabilities(new GuardedFhir(parts, site.iss, noToken, presetOf(site)));
    statements.set(site.id, { at: now, statement });
    statement.catch((cause: unknown) => {
      const { code, facts } = asBridgeError(cause);
      parts.log.warn(
        { event: 'capabilities_unread', site: site.id, code, ...httpOf(facts) },
        'CapabilityStatement unread',
      );
      if (statements.get(site.id)?.statement === statement) statements.delete(site.id);
    });
    return statement;
  }

  function apiOf(site: Site, tokens: TokenSource, scopes: readonly string[], bytes?: ChartBytes): FhirApi {
    const preset = presetOf(site);
    return createFhirApi({
      client: new GuardedFhir(parts, site.iss, tokens, preset, bytes),
      base: site.iss,
      scopes,
      limits: parts.limits,
      capabilities: () => capabilities(site),
      preset,
    });
  }

  return {
    apiOf,
    capabilities,
    signInApi: (site, token, scopes) => apiOf(site, newToken(site, token), scopes),
    systemApi: async (site) => apiOf(site, systemTokens.of(site), await systemTokens.scopes(site)),
  };
}

/** For requests that the EHR answers without a token. */
const noToken: TokenSource = {
  current: refuseToken,
  renew: refuseToken,
  refusal: 'token_failed',
};

async function refuseToken(): Promise<never> {
  throw new BridgeError('internal');
}

function newToken({ id }: Site, token: string): TokenSource {
  return {
    current: async () => token,
    renew: async () => {
      throw new BridgeError('token_invalid', { site: id, reason: 'the EHR refuses the token that it just gave' });
    },
    refusal: 'token_failed',
  };
}

function httpOf({ http }: ErrorFacts): ErrorFacts {
  return http === undefined ? {} : { http };
}

/**
 * Returns access with a token that may deliver, by the site's order of preference, or the reason to wait. If the site
 * allows a user's token, an open session of the delivery's own launch is used.
 */
export async function accessFor(
  parts: Parts,
  apis: Apis,
  delivery: { readonly site: Site; readonly patient: string; readonly launch?: string },
): Promise<DeliveryAccess> {
  const { site } = delivery;
  const patient = delivery.patient.replace(/^Patient\//, '');
  const own = await ownLaunch(parts, site, patient, delivery.launch);
  let failure: unknown;
  for (const way of site.writeback.tokens) {
    if (way === 'system') {
      try {
        return { api: forPatient(await apis.systemApi(site), patient), by: 'system' };
      } catch (error) {
        // another kind of token may still work; if none does, this error is reported
        failure = error;
      }
    }
    if (way === 'system' || own === undefined) continue;
    const userApi = () => apis.userApi(site, { id: own.record.id, patient, scopes: own.context.scopes });
    if (isLive(parts, site, own.record)) return { api: userApi(), by: 'session' };
    if (way === 'refresh' && own.record.tokens?.refreshToken !== undefined) return { api: userApi(), by: 'refresh' };
  }
  if (failure !== undefined) throw failure;
  return { waiting: 'next-launch' };
}

/** Returns the launch if it is of this site and this patient; else undefined. */
async function ownLaunch(
  parts: Parts,
  site: Site,
  patient: string,
  launch: string | undefined,
): Promise<{ record: LaunchRecord; context: LaunchContext } | undefined> {
  const record = launch === undefined ? undefined : await parts.store.get(launch);
  const context = record?.context;
  return record !== undefined && record.site === site.id && record.tokens !== undefined && context?.patient === patient
    ? { record, context }
    : undefined;
}

/** Elements that refer to the patient of a resource. */
const owners = ['subject', 'patient', 'for', 'beneficiary'] as const;
const patientParams = new Set(['patient', 'subject', 'beneficiary', 'for']);

/**
 * Returns the same access bound to one patient: a request about another patient throws patient_mismatch before it is
 * sent. A Backend Services token, which reaches every chart, must be used in this form.
 */
export function forPatient(api: FhirApi, patient: string): FhirApi {
  const refuse = (resource: string): never => {
    throw new BridgeError('patient_mismatch', { resource, reason: 'the access is bound to another patient' });
  };
  const isHis = (reference: string) =>
    [patient, `Patient/${patient}`, `${api.base}/Patient/${patient}`].includes(reference);
  const checkOwner = (resource: Resource) => {
    const named = ownerReferences(resource);
    if (named.length === 0 || !named.every(isHis)) refuse(resource.resourceType);
  };
  return {
    base: api.base,
    scopes: api.scopes,
    ...(api.notes === undefined ? {} : { notes: api.notes }),
    capabilities: () => api.capabilities(),
    batch: (urls) => api.batch(urls),
    read: async (type, id) => (type === 'Patient' && id !== patient ? refuse('Patient') : api.read(type, id)),
    readVersion: async (type, id) =>
      type === 'Patient' && id !== patient ? refuse('Patient') : api.readVersion(type, id),
    search: async (type, params, options) =>
      params.some(([name, value]) => patientParams.has(name) && !isHis(value))
        ? refuse(type)
        : api.search(type, params, options),
    create: async (resource, options) => {
      checkOwner(resource);
      return api.create(resource, options);
    },
    update: async (resource, options) => {
      checkOwner(resource);
      return api.update(resource, options);
    },
    patch: async (resource, operations, options) => {
      checkOwner(resource);
      const isOwner = (path: string) => owners.some((owner) => path === `/${owner}` || path.startsWith(`/${owner}/`));
      if (operations.some(({ path }) => path === '' || isOwner(path))) refuse(resource.resourceType);
      return api.patch(resource, operations, options);
    },
    delete: async (resource) => {
      checkOwner(resource);
      return api.delete(resource);
    },
  };
}

function ownerReferences(resource: Resource): string[] {
  if (resource.resourceType === 'Provenance') return patientsAmongSources(resource as Provenance); // checked by type
  const elements: Readonly<Record<string, unknown>> = { ...resource };
  return owners.flatMap((owner) => {
    const value = elements[owner];
    return typeof value === 'object' && value !== null && 'reference' in value && typeof value.reference === 'string'
      ? [value.reference]
      : [];
  });
}

// A Provenance has no element for its patient, so the bridge lists the patient in `entity`.
function patientsAmongSources({ entity = [] }: Provenance): string[] {
  return entity.flatMap(({ what }) => what.reference ?? []).filter((reference) => /(?:^|\/)Patient\//.test(reference));
}

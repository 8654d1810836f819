import { canonicalIssuer } from '../../config/addresses.ts';
import type { Site } from '../../config/config.ts';
import { defaultScopes } from '../../config/scopes.ts';
import { BridgeError } from '../../core/errors.ts';
import { asV1, scopeList } from '../../core/fhir/scopes.ts';
import { authorizationRequest } from './fhirclient.ts';
import { hashOf, randomText } from './launch.ts';
import type { AuthorizationState } from './store.ts';
import type { Discovery, Parts, Query } from './types.ts';

/** Milliseconds that a browser may take between launch and callback. */
export const signInMs = 10 * 60_000;

/**
 * Implements `Smart.startLaunch`. Checks `iss` and `launch`, stores the state of this launch, and returns the URL for
 * the browser.
 */
export async function startLaunch(
  parts: Parts,
  query: Query,
  sessionId: string,
): Promise<{ redirect: string; launch: string }> {
  const site = siteOf(parts, query);
  return authorize(parts, site, { launch: launchParameter(query.launch) }, sessionId);
}

/** A sign-in that starts at the bridge and not in a chart. */
export interface SignInRequest {
  readonly site: string;
  /**
   * `worklist`: identifies the user, without a chart. `chart`: opens the chart of a patient whom the user picks in the
   * EHR.
   */
  readonly to: 'worklist' | 'chart';
  /** The case to return to. */
  readonly back?: string;
}

/** Implements `Smart.startSignIn`, a standalone launch. */
export async function startSignIn(
  parts: Parts,
  { site: id, to, back }: SignInRequest,
  sessionId: string,
): Promise<{ redirect: string; launch: string }> {
  const site = parts.config.sites.find((each) => each.id === id);
  if (site === undefined) throw new BridgeError('issuer_unknown');
  if (!site.enabled) throw new BridgeError('site_disabled', { site: site.id });
  return authorize(parts, site, { standalone: to, ...(back === undefined ? {} : { back }) }, sessionId);
}

async function authorize(
  parts: Parts,
  site: Site,
  asked: Pick<AuthorizationState, 'launch' | 'standalone' | 'back'>,
  sessionId: string,
): Promise<{ redirect: string; launch: string }> {
  const { launch } = asked;
  const discovery = await parts.discover(site);
  if (!discovery.pkceMethods.includes('S256'))
    throw new BridgeError('discovery_unsafe', { site: site.id, reason: 'PKCE with S256 is not offered' });
  const state = randomText(parts.random, 32);
  const redirectUri = callbackAddress(parts, site);
  const scope = scopesFor(asked.standalone, requestedScopes(site, discovery));
  const client = { iss: site.iss, clientId: site.client.id, scope, redirectUri, state };
  const request = launch === undefined ? client : { ...client, launch };
  const { params, kept } = await authorizationRequest(request, discovery.tokenEndpoint, parts.limits);
  const nonce =
    site.signIn?.nonce === 'off' || !scopeList(scope).includes('openid') ? undefined : randomText(parts.random, 16);
  if (nonce !== undefined) params.set('nonce', nonce);
  const id = randomText(parts.random, 24);
  const now = parts.clock();
  await parts.store.put({
    id,
    site: site.id,
    stateHash: hashOf(state),
    sessionHash: hashOf(sessionId),
    phase: 'started',
    createdAt: now.toISOString(),
    lastUsedAt: now.toISOString(),
    dueAt: new Date(now.getTime() + signInMs).toISOString(),
    authorization: {
      ...kept,
      ...asked,
      ...(nonce === undefined ? {} : { nonce }),
      ...(discovery.namesIssuer ? { namesIssuer: true } : {}),
    },
  });
  return { redirect: withParams(discovery.authorizationEndpoint, params), launch: id };
}

/** The redirect URI of a site. Every site has its own, so that one EHR's response cannot be used with another EHR. */
export function callbackAddress(parts: Pick<Parts, 'config'>, site: Site): string {
  return `${parts.config.url}/callback/${site.id}`;
}

/** The site's scopes, or else the default scopes, without duplicates. In v1 style if the server supports only v1. */
export function requestedScopes(site: Site, discovery: Pick<Discovery, 'capabilities' | 'scopes'>): string {
  const scopes = site.scopes === undefined ? defaultsAt(discovery) : scopeList(site.scopes);
  const onlyV1 = discovery.capabilities.includes('permission-v1') && !discovery.capabilities.includes('permission-v2');
  return [...new Set(onlyV1 ? scopes.flatMap(asV1) : scopes)].join(' ');
}

/**
 * The scopes of a standalone launch. For the worklist, only the user's identity. For a chart, the scopes of a launch
 * from the EHR, with `launch/patient` in place of `launch`.
 * https://hl7.org/fhir/smart-app-launch/scopes-and-launch-context.html
 */
function scopesFor(standalone: AuthorizationState['standalone'], scope: string): string {
  if (standalone === undefined) return scope;
  if (standalone === 'worklist') return 'openid fhirUser profile';
  const scopes = scopeList(scope).filter((each) => each !== 'launch' && !each.startsWith('launch/'));
  return [...new Set(['launch/patient', 'openid', 'fhirUser', ...scopes])].join(' ');
}

// Without a refresh token, a session ends within minutes and no outcome can be written to the chart. So
// `offline_access` is requested if the EHR has no `online_access`.
function defaultsAt({ capabilities, scopes }: Pick<Discovery, 'capabilities' | 'scopes'>): readonly string[] {
  const offers = (access: 'online' | 'offline') =>
    scopes.includes(`${access}_access`) || capabilities.includes(`permission-${access}`);
  const onlyOffline = offers('offline') && !offers('online');
  return defaultScopes.map((scope) => (scope === 'online_access' && onlyOffline ? 'offline_access' : scope));
}

function siteOf(parts: Parts, query: Query): Site {
  if (query.iss === undefined || query.iss === '') throw new BridgeError('launch_invalid', { parameter: 'iss' });
  const wanted = typeof query.iss === 'string' ? canonicalIssuer(query.iss) : undefined;
  const site =
    wanted === undefined ? undefined : parts.config.sites.find((each) => canonicalIssuer(each.iss) === wanted);
  if (site === undefined) {
    const facts = addressFact(query.iss);
    parts.log.warn({ event: 'launch_refused', code: 'issuer_unknown', ...facts }, 'launch refused');
    throw new BridgeError('issuer_unknown', facts);
  }
  if (!site.enabled) throw new BridgeError('site_disabled', { site: site.id });
  return site;
}

/** A stranger may have sent this value. Only host and path of a URL are logged; other text is not. */
function addressFact(iss: unknown): { readonly iss?: string } {
  const { protocol, host, pathname } = (typeof iss === 'string' ? URL.parse(iss) : undefined) ?? {};
  if (protocol !== 'https:' && protocol !== 'http:') return {};
  return { iss: `${protocol}//${host}${pathname}`.slice(0, longestAddress) };
}

const longestAddress = 200;

function launchParameter(launch: unknown): string {
  if (typeof launch !== 'string' || launch.length === 0 || launch.length > 2048 || !/^[\x20-\x7e]+$/.test(launch)) {
    throw new BridgeError('launch_invalid', { parameter: 'launch' });
  }
  return launch;
}

function withParams(endpoint: string, params: URLSearchParams): string {
  const url = new URL(endpoint);
  for (const [name, value] of params) url.searchParams.set(name, value);
  return url.href;
}

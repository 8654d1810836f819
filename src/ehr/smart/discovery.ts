import { z } from 'zod';
import type { Clock } from '../../base/log.ts';
import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import { readWellKnown } from './fhirclient.ts';
import type { Discovery, Limits } from './types.ts';

const texts = z.array(z.string()).catch([]);
const Document = z.object({
  authorization_endpoint: z.string().min(1),
  token_endpoint: z.string().min(1),
  revocation_endpoint: z.string().min(1).optional().catch(undefined),
  jwks_uri: z.string().min(1).optional().catch(undefined),
  issuer: z.string().min(1).optional().catch(undefined),
  code_challenge_methods_supported: texts,
  capabilities: texts,
  scopes_supported: texts,
  authorization_response_iss_parameter_supported: z.boolean().catch(false),
});

const keepMs = 10 * 60_000;

/**
 * Reads the sign-in configuration of EHRs. Responses are cached for ten minutes, failures never. Throws
 * discovery_failed and discovery_unsafe. https://hl7.org/fhir/smart-app-launch/conformance.html
 */
export function createDiscovery({
  clock,
  limits,
}: {
  readonly clock: Clock;
  readonly limits: Limits;
}): (site: Site) => Promise<Discovery> {
  const known = new Map<string, { readonly at: number; readonly discovery: Promise<Discovery> }>();
  return (site) => {
    const kept = known.get(site.id);
    if (kept !== undefined && clock().getTime() - kept.at < keepMs) return kept.discovery;
    const discovery = fetchDocument(site, limits).then((document) => check(site, document));
    known.set(site.id, { at: clock().getTime(), discovery });
    discovery.catch(() => {
      if (known.get(site.id)?.discovery === discovery) known.delete(site.id);
    });
    return discovery;
  };
}

async function fetchDocument(site: Site, limits: Limits): Promise<unknown> {
  try {
    return await readWellKnown(site, limits);
  } catch (cause) {
    throw new BridgeError('discovery_failed', { site: site.id, ...httpFact(cause) }, { cause });
  }
}

function check(site: Site, document: unknown): Discovery {
  const parsed = Document.safeParse(document);
  if (!parsed.success)
    throw new BridgeError('discovery_failed', { site: site.id, reason: 'not a smart-configuration document' });
  const { data } = parsed;
  const issuer = data.issuer;
  const revocation = data.revocation_endpoint === undefined ? undefined : absolute(site, data.revocation_endpoint);
  return Object.freeze({
    authorizationEndpoint: allowed(site, 'authorization_endpoint', data.authorization_endpoint),
    tokenEndpoint: allowed(site, 'token_endpoint', data.token_endpoint),
    ...(data.jwks_uri === undefined ? {} : { jwksUri: allowed(site, 'jwks_uri', data.jwks_uri) }),
    // revocation is optional, so an address at another origin is ignored and does not stop the launch
    ...(revocation === undefined || !isAllowed(site, revocation) ? {} : { revocationEndpoint: revocation.href }),
    ...(issuer === undefined ? {} : { issuer }),
    pkceMethods: data.code_challenge_methods_supported,
    capabilities: data.capabilities,
    scopes: data.scopes_supported,
    namesIssuer: data.authorization_response_iss_parameter_supported,
  });
}

function allowed(site: Site, endpoint: string, address: string): string {
  const url = absolute(site, address);
  if (url === undefined)
    throw new BridgeError('discovery_failed', { site: site.id, reason: `${endpoint} is not an address` });
  if (!isAllowed(site, url)) throw new BridgeError('discovery_unsafe', { site: site.id, endpoint, origin: url.origin });
  return url.href;
}

/** Relative endpoints are resolved against the FHIR base, as the conformance page specifies. */
function absolute(site: Site, address: string): URL | undefined {
  return URL.canParse(address, `${site.iss}/`) ? new URL(address, `${site.iss}/`) : undefined;
}

function isAllowed(site: Site, url: URL): boolean {
  const safe = url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return (
    safe &&
    url.username === '' &&
    url.password === '' &&
    [new URL(site.iss).origin, ...site.origins].includes(url.origin)
  );
}

function httpFact(cause: unknown): { http?: number } {
  return cause instanceof Error && 'status' in cause && typeof cause.status === 'number' ? { http: cause.status } : {};
}

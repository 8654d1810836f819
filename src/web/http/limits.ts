import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { canonicalIssuer } from '../../config/addresses.ts';
import type { Config, Site } from '../../config/config.ts';

/** Route options: at most `max` requests a minute from one client address to one site. */
export function limitedPerSite(config: Config, max: number): { readonly config: { readonly rateLimit: object } } {
  const keyGenerator = (request: FastifyRequest) => `${siteOf(config, request)?.id ?? ''}|${normalizeIP(request.ip)}`;
  return { config: { rateLimit: { max, timeWindow: 60_000, keyGenerator } } };
}

/** The site of a request from an EHR or a service, from the path or from the `iss` of a launch. */
export function siteOf(config: Config, request: FastifyRequest): Site | undefined {
  const { site } = request.params as { readonly site?: unknown };
  const { iss } = request.query as { readonly iss?: unknown };
  if (typeof site === 'string') return config.sites.find(({ id }) => id === site);
  const issuer = typeof iss === 'string' ? canonicalIssuer(iss) : undefined;
  return issuer === undefined ? undefined : config.sites.find((one) => canonicalIssuer(one.iss) === issuer);
}

import type { CapabilityStatement } from 'fhir/r4.js';
import type { JSONWebKeySet } from 'jose';
import type { Site } from '../../config/config.ts';
import type { FhirApi } from '../../core/fhir/api.ts';
import { scopeList } from '../../core/fhir/scopes.ts';
import { createSiteApis, forPatient } from './access.ts';
import { callbackAddress, requestedScopes } from './authorize.ts';
import { checkKeys } from './keys.ts';
import { makeSiteParts, type SitePartsOptions } from './site-parts.ts';
import { type ClientTrial, tryClient } from './try-client.ts';
import type { Discovery } from './types.ts';

/** One site's EHR, called as launches and deliveries call it, without a launch and without a store. */
export interface Inspection {
  /** Throws discovery_failed, discovery_unsafe. */
  discovery(): Promise<Discovery>;
  capabilities(): Promise<CapabilityStatement>;
  /** The scopes that a launch requests from an EHR with this discovery document. */
  launchScopes(discovery: Pick<Discovery, 'capabilities' | 'scopes'>): readonly string[];
  /** Throws config_invalid when the site signs with a missing key. */
  checkKeys(): void;
  /** Public keys as the bridge publishes them. */
  jwks(): JSONWebKeySet;
  /** Whether the EHR accepts the client of the launches with its secret or key. Throws as `tryClient` does. */
  tryLaunchClient(): Promise<ClientTrial>;
  /** Uses Backend Services; throws as `Smart.systemApi` does. */
  systemApi(): Promise<FhirApi>;
  /** `systemApi` bound to one patient. */
  patientApi(patient: string): Promise<FhirApi>;
  readonly addresses: Addresses;
}

/** The addresses that the EHR’s administrator registers. */
export interface Addresses {
  readonly launch: string;
  readonly redirect: string;
  readonly jwks: string;
}

export function inspectSite(options: SitePartsOptions, site: Site): Inspection {
  const parts = makeSiteParts(options);
  const apis = createSiteApis(parts);
  const { url } = parts.config;
  return {
    discovery: () => parts.discover(site),
    capabilities: () => apis.capabilities(site),
    launchScopes: (discovery) => scopeList(requestedScopes(site, discovery)),
    checkKeys: () => checkKeys(parts),
    jwks: () => parts.keys.publicJwks(),
    tryLaunchClient: () => tryClient(parts, site),
    systemApi: () => apis.systemApi(site),
    patientApi: async (patient) => forPatient(await apis.systemApi(site), patient),
    addresses: {
      launch: `${url}/launch`,
      redirect: callbackAddress(parts, site),
      jwks: `${url}/.well-known/jwks.json`,
    },
  };
}

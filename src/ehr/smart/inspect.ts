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

/** Calls one site's EHR as launches and deliveries do, without a launch and without a store. */
export interface Inspection {
  /** Throws discovery_failed, discovery_unsafe. */
  discovery(): Promise<Discovery>;
  capabilities(): Promise<CapabilityStatement>;
  /** The scopes that a launch requests from an EHR with this discovery document. */
  launchScopes(discovery: Pick<Discovery, 'capabilities' | 'scopes'>): readonly string[];
  /** Throws config_invalid if the site signs with a missing key. */
  checkKeys(): void;
  jwks(): JSONWebKeySet;
  /**
   * Checks whether the EHR accepts the launch client with its secret or key. Throws discovery_failed, discovery_unsafe,
   * token_failed, token_invalid.
   */
  tryLaunchClient(): Promise<ClientTrial>;
  /**
   * Uses Backend Services. Throws config_invalid, discovery_failed, discovery_unsafe, client_refused, token_failed,
   * token_invalid.
   */
  systemApi(): Promise<FhirApi>;
  patientApi(patient: string): Promise<FhirApi>;
  readonly addresses: Addresses;
}

/** The URLs that the EHR's administrator registers. */
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

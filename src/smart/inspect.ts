import type { CapabilityStatement } from 'fhir/r4.js';
import type { JSONWebKeySet } from 'jose';
import type { Site } from '../config.ts';
import { BridgeError } from '../errors.ts';
import type { FhirApi } from '../fhir/api.ts';
import { scopeList } from '../fhir/scopes.ts';
import { createSiteApis, forPatient } from './access.ts';
import { callbackAddress, requestedScopes } from './authorize.ts';
import { exchangeCode } from './callback.ts';
import { checkKeys } from './keys.ts';
import { randomText } from './launch.ts';
import { makeSiteParts, type SitePartsOptions } from './parts.ts';
import type { Discovery } from './types.ts';

/** One site's EHR, asked as launches and deliveries ask it, without a launch and without a store. */
export interface Inspection {
  /** Throws discovery_failed, discovery_unsafe. */
  discovery(): Promise<Discovery>;
  capabilities(): Promise<CapabilityStatement>;
  /** What a launch asks for at an EHR that describes itself so. */
  launchScopes(discovery: Pick<Discovery, 'capabilities' | 'scopes'>): readonly string[];
  /** Throws config_invalid when the site signs with a key that is not there. */
  checkKeys(): void;
  /** Public keys as the bridge publishes them. */
  jwks(): JSONWebKeySet;
  /**
   * Asks the token endpoint with a code that nobody gave: resolves when the EHR refuses that alone, so that it knows
   * the client of the launches and its secret or key. Throws client_refused when it does not, token_failed when there
   * is no telling, and the errors of `discovery`.
   */
  tryLaunchClient(): Promise<void>;
  /** By Backend Services; throws as `Smart.systemApi` does. */
  systemApi(): Promise<FhirApi>;
  /** The same, bound to one patient. */
  patientApi(patient: string): Promise<FhirApi>;
  readonly addresses: Addresses;
}

/** What the EHR’s administrator registers. */
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
    async tryLaunchClient() {
      const { tokenEndpoint } = await parts.discover(site);
      const madeUp = () => randomText(parts.random, 32);
      const exchange = {
        redirectUri: callbackAddress(parts, site),
        tokenUri: tokenEndpoint,
        codeVerifier: madeUp(),
      };
      try {
        await exchangeCode(parts, site, exchange, madeUp());
      } catch (error) {
        if (error instanceof BridgeError && error.code === 'token_failed' && error.facts.error === 'invalid_grant')
          return;
        throw error;
      }
      throw new BridgeError('token_invalid', { site: site.id, reason: 'the EHR gave a token for a code of nobody' });
    },
    systemApi: () => apis.systemApi(site),
    patientApi: async (patient) => forPatient(await apis.systemApi(site), patient),
    addresses: {
      launch: `${url}/launch`,
      redirect: callbackAddress(parts, site),
      jwks: `${url}/.well-known/jwks.json`,
    },
  };
}

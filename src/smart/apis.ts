import type { CapabilityStatement } from 'fhir/r4.js';
import type { Site } from '../config.ts';
import { asBridgeError, BridgeError, type ErrorFacts } from '../errors.ts';
import type { FhirApi } from '../fhir/api.ts';
import { createFhirApi, readCapabilities } from './fhir-api.ts';
import { GuardedFhir } from './guarded-fhir.ts';
import { readOutsideFile } from './outside-file.ts';
import { forPatient } from './patient-guard.ts';
import type { Room } from './room.ts';
import { createSystemTokens } from './system-tokens.ts';
import { createUserTokens, type TokenSource } from './user-tokens.ts';

/** What an access of a launch is made from. */
export interface LaunchAccess {
  readonly id: string;
  readonly patient: string;
  readonly scopes: readonly string[];
}

export interface Apis {
  /** With the user's token, bound to the launch's patient. */
  userApi(site: Site, launch: LaunchAccess): FhirApi;
  /** With the token that the callback just got: to read what a launch is about, before there is one. */
  signInApi(site: Site, token: string, scopes: readonly string[]): FhirApi;
  /** By Backend Services; reaches every patient. */
  systemApi(site: Site): Promise<FhirApi>;
}

const keepMs = 10 * 60_000;

/**
 * FHIR access for launches and for the bridge itself; a site's CapabilityStatement is read once in ten minutes for all
 * of them.
 */
export function createApis(room: Room): Apis {
  const userTokens = createUserTokens(room);
  const systemTokens = createSystemTokens(room);
  const statements = new Map<string, { readonly at: number; readonly statement: Promise<CapabilityStatement> }>();

  function capabilities(site: Site, client: GuardedFhir): Promise<CapabilityStatement> {
    const known = statements.get(site.id);
    const now = room.clock().getTime();
    if (known !== undefined && now - known.at < keepMs) return known.statement;
    const statement = readCapabilities(client);
    statements.set(site.id, { at: now, statement });
    statement.catch((cause: unknown) => {
      const { code, facts } = asBridgeError(cause);
      room.log.warn(
        { event: 'capabilities_unread', site: site.id, code, ...httpOf(facts) },
        'CapabilityStatement unread',
      );
      if (statements.get(site.id)?.statement === statement) statements.delete(site.id);
    });
    return statement;
  }

  function apiOf(site: Site, tokens: TokenSource, scopes: readonly string[]): FhirApi {
    const client = new GuardedFhir(room, site.iss, tokens);
    return createFhirApi({
      client,
      base: site.iss,
      scopes,
      limits: room.limits,
      capabilities: () => capabilities(site, client),
    });
  }

  return {
    userApi: (site, launch) => ({
      ...forPatient(apiOf(site, userTokens(launch.id), launch.scopes), launch.patient),
      outsideFile: (address) => readOutsideFile(site, room.limits, address),
    }),
    signInApi: (site, token, scopes) => apiOf(site, newToken(site, token), scopes),
    systemApi: async (site) => apiOf(site, systemTokens.of(site), await systemTokens.scopes(site)),
  };
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

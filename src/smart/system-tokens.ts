import type { Site } from '../config.ts';
import { BridgeError } from '../errors.ts';
import { scopeList } from '../fhir/scopes.ts';
import { clientAuth } from './client-auth.ts';
import type { Room } from './room.ts';
import { askToken } from './token-endpoint.ts';
import type { TokenSource } from './user-tokens.ts';

interface SystemToken {
  readonly token: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const marginMs = 30_000;

/**
 * Tokens by SMART Backend Services, one per site, asked for by one request at a time.
 * https://hl7.org/fhir/smart-app-launch/backend-services.html
 */
export function createSystemTokens(room: Room): {
  scopes(site: Site): Promise<readonly string[]>;
  of(site: Site): TokenSource;
} {
  const kept = new Map<string, Promise<SystemToken>>();

  async function current(site: Site): Promise<SystemToken> {
    const known = kept.get(site.id);
    const token = await known;
    if (token !== undefined && room.clock().getTime() < token.until) return token;
    return replace(site, known);
  }

  /** A new token, unless somebody replaced `old` meanwhile. */
  function replace(site: Site, old: Promise<SystemToken> | undefined): Promise<SystemToken> {
    const known = kept.get(site.id);
    if (known !== undefined && known !== old) return known;
    const asked = ask(room, site);
    kept.set(site.id, asked);
    asked.catch(() => {
      if (kept.get(site.id) === asked) kept.delete(site.id);
    });
    return asked;
  }

  return {
    scopes: async (site) => (await current(site)).scopes,
    of: (site) => ({
      refusal: 'token_failed',
      current: async () => (await current(site)).token,
      async renew(refused) {
        const known = kept.get(site.id);
        const token = await known;
        return token !== undefined && token.token !== refused ? token.token : (await replace(site, known)).token;
      },
    }),
  };
}

async function ask(room: Room, site: Site): Promise<SystemToken> {
  const { system } = site.writeback;
  if (system === undefined)
    throw new BridgeError('config_invalid', { problems: [`site ${site.id}: writeback.system is missing`] });
  const { tokenEndpoint } = await room.discover(site);
  const client = { auth: 'private_key_jwt' as const, id: system.id, alg: system.alg };
  const { params } = await clientAuth(room, client, tokenEndpoint);
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: system.scopes, ...params });
  const answer = await askToken(room, tokenEndpoint, { site: site.id, client, headers: {}, body: body.toString() });
  return {
    token: answer.access_token,
    scopes: scopeList(answer.scope ?? system.scopes),
    until: room.clock().getTime() + Math.max(answer.expires_in * 1000 - marginMs, answer.expires_in * 500),
  };
}

import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import { covers, scopeList } from '../../core/fhir/scopes.ts';
import { clientAuth, launchClient } from './keys.ts';
import { killSession, siteById } from './launch.ts';
import type { LaunchRecord, Tokens } from './store.ts';
import { askToken, isGrantDead, type TokenAnswer } from './token-endpoint.ts';
import type { Parts, SiteParts } from './types.ts';

/** Supplies the bearer token of FHIR requests. */
export interface TokenSource {
  /** Returns a token that should be valid, refreshed if it has expired. */
  current(): Promise<string>;
  /**
   * Returns a new token after the EHR answered 401 to the token `refused`. Throws relaunch_required if there is none.
   */
  renew(refused: string): Promise<string>;
  /** The error if the EHR refuses the renewed token too. */
  readonly refusal: 'relaunch_required' | 'token_failed';
}

const marginMs = 30_000;
/** Milliseconds between refreshes. EHRs throttle clients that refresh more often. */
const refreshPauseMs = 60_000;

/** Creates the token sources of launches. A token is never refreshed twice at once, even by different processes. */
export function createUserTokens(parts: Parts): (launchId: string) => TokenSource {
  const stored = createTokenRecords(parts);

  async function obtain(id: string, refused?: string): Promise<string> {
    const known = await stored.get(id);
    const now = parts.clock().getTime();
    if (known?.tokens?.accessToken !== undefined && plan(known.tokens, now, refused) === 'use' && !stored.isUnsaved(id))
      return known.tokens.accessToken;
    return parts.store.exclusive(`launch|${id}`, async () => {
      const record = await stored.get(id);
      if (record?.tokens === undefined) throw new BridgeError('relaunch_required');
      if (stored.isUnsaved(id)) await stored.save(record);
      return next(record, record.tokens, refused);
    });
  }

  async function next(record: LaunchRecord, tokens: Tokens, refused: string | undefined): Promise<string> {
    const now = parts.clock().getTime();
    const step = plan(tokens, now, refused);
    if (step === 'use' && tokens.accessToken !== undefined) return tokens.accessToken;
    if (step !== 'refresh' || tokens.refreshToken === undefined)
      throw new BridgeError('relaunch_required', { site: record.site });
    try {
      return await refresh(record, tokens.refreshToken);
    } catch (error) {
      // if the token service fails, an unexpired token is still valid
      const isOutage =
        error instanceof BridgeError &&
        (error.code === 'client_refused' || error.code === 'token_failed') &&
        !isGrantDead(error);
      if (
        isOutage &&
        refused === undefined &&
        tokens.accessToken !== undefined &&
        now < Date.parse(tokens.accessExpiresAt)
      )
        return tokens.accessToken;
      throw error;
    }
  }

  async function refresh(record: LaunchRecord, refreshToken: string): Promise<string> {
    const answer = await askRefresh(parts, record, refreshToken);
    const isOther =
      answer.patient !== undefined && answer.patient !== null && answer.patient !== record.context?.patient;
    if (isOther) throw new BridgeError('patient_mismatch', { site: record.site, during: 'refresh' });
    await stored.save(refreshed(parts, record, refreshToken, answer));
    return answer.access_token;
  }

  // `giveUp` takes the launch's lock, so it runs after `obtain` has released the lock
  const orGiveUp = (id: string, work: Promise<string>) =>
    work.catch((error: unknown) => {
      if (error instanceof BridgeError && (error.code === 'patient_mismatch' || isGrantDead(error)))
        return giveUp(parts, id, error);
      throw error;
    });
  return (id) => ({
    current: () => orGiveUp(id, obtain(id)),
    renew: (refused) => orGiveUp(id, obtain(id, refused)),
    refusal: 'relaunch_required',
  });
}

/**
 * Decides whether to use the current token, refresh it, or send the user back to the chart. `refused`: the token to
 * which the EHR answered 401.
 */
function plan(tokens: Tokens, now: number, refused: string | undefined): 'use' | 'refresh' | 'relaunch' {
  const left = tokens.accessToken === undefined ? 0 : Date.parse(tokens.accessExpiresAt) - now;
  const isNew = tokens.accessToken !== undefined && tokens.accessToken !== refused;
  if (isNew && (refused !== undefined || left > marginMs)) return 'use';
  if (tokens.refreshToken === undefined) return isNew && left > 0 ? 'use' : 'relaunch';
  const justRefreshed = tokens.refreshedAt !== undefined && now - Date.parse(tokens.refreshedAt) < refreshPauseMs;
  if (!justRefreshed) return 'refresh';
  return isNew ? 'use' : 'relaunch';
}

async function askRefresh(parts: Parts, record: LaunchRecord, refreshToken: string): Promise<TokenAnswer> {
  const site = siteById(parts, record.site);
  const { tokenEndpoint } = await parts.discover(site);
  const client = launchClient(site);
  const { headers, params } = await clientAuth(parts, client, tokenEndpoint);
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, ...params });
  return askToken(parts, tokenEndpoint, { site: site.id, client, headers, body: body.toString() });
}

function refreshed(parts: Parts, record: LaunchRecord, refreshToken: string, answer: TokenAnswer): LaunchRecord {
  const now = parts.clock();
  const tokens: Tokens = {
    accessToken: answer.access_token,
    accessExpiresAt: new Date(now.getTime() + answer.expires_in * 1000).toISOString(),
    // some EHRs return no new refresh token, and the old one stays valid
    refreshToken: answer.refresh_token ?? refreshToken,
    refreshedAt: now.toISOString(),
  };
  return {
    ...record,
    tokens,
    ...(record.context === undefined
      ? {}
      : { context: { ...record.context, scopes: narrowed(record.context.scopes, answer.scope) } }),
  };
}

/** A refresh may remove scopes but never add any (RFC 6749 6). */
function narrowed(granted: readonly string[], answered: string | undefined): readonly string[] {
  if (answered === undefined || answered.trim() === '') return granted;
  return scopeList(answered).filter((scope) => covers(granted, scope));
}

async function giveUp(parts: Parts, id: string, error: BridgeError): Promise<never> {
  await killSession(parts, id);
  if (error.code !== 'patient_mismatch') throw new BridgeError('relaunch_required', error.facts, { cause: error });
  parts.log.error(
    { event: 'patient_changed', launch: id.slice(0, 8) },
    'a refresh answered with another patient; the launch was closed',
  );
  throw error;
}

/**
 * The launch records of the store, combined with tokens that could not be stored yet: after a rotation, only those
 * tokens work.
 */
function createTokenRecords(parts: Parts) {
  const unsaved = new Map<string, Pick<LaunchRecord, 'tokens' | 'context'>>();
  return {
    isUnsaved: (id: string) => unsaved.has(id),
    async get(id: string): Promise<LaunchRecord | undefined> {
      const record = await parts.store.get(id);
      // a record without tokens was closed, so its tokens must not be restored
      if (record?.tokens === undefined) unsaved.delete(id);
      const pending = unsaved.get(id);
      return record === undefined || pending === undefined ? record : { ...record, ...pending };
    },
    async save(record: LaunchRecord): Promise<void> {
      const { tokens, context } = record;
      unsaved.set(record.id, {
        ...(tokens === undefined ? {} : { tokens }),
        ...(context === undefined ? {} : { context }),
      });
      for (let attempt = 1; ; attempt += 1) {
        try {
          await parts.store.put(record);
          unsaved.delete(record.id);
          return;
        } catch (cause) {
          if (attempt === 3)
            throw cause instanceof BridgeError ? cause : new BridgeError('store_unavailable', {}, { cause });
        }
      }
    },
  };
}

interface SystemToken {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly until: number;
}

/**
 * Creates the Backend Services tokens, one for each site. Simultaneous callers share one token request.
 * https://hl7.org/fhir/smart-app-launch/backend-services.html
 */
export function createSystemTokens(parts: SiteParts): {
  scopes(site: Site): Promise<readonly string[]>;
  of(site: Site): TokenSource;
} {
  const kept = new Map<string, Promise<SystemToken>>();

  async function current(site: Site): Promise<SystemToken> {
    const known = kept.get(site.id);
    const token = await known;
    if (token !== undefined && parts.clock().getTime() < token.until) return token;
    return replace(site, known);
  }

  /** Requests a new token, unless another caller has replaced `old` already. */
  function replace(site: Site, old: Promise<SystemToken> | undefined): Promise<SystemToken> {
    const known = kept.get(site.id);
    if (known !== undefined && known !== old) return known;
    const asked = ask(parts, site);
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

async function ask(parts: SiteParts, site: Site): Promise<SystemToken> {
  const { system } = site.writeback;
  if (system === undefined)
    throw new BridgeError('config_invalid', { problems: [`site ${site.id}: writeback.system is missing`] });
  const { tokenEndpoint } = await parts.discover(site);
  const client = { auth: 'private_key_jwt' as const, id: system.id, alg: system.alg };
  const { params } = await clientAuth(parts, client, tokenEndpoint);
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: system.scopes, ...params });
  const answer = await askToken(parts, tokenEndpoint, { site: site.id, client, headers: {}, body: body.toString() });
  return {
    token: answer.access_token,
    scopes: scopeList(answer.scope ?? system.scopes),
    until: parts.clock().getTime() + Math.max(answer.expires_in * 1000 - marginMs, answer.expires_in * 500),
  };
}

import type { Site } from '../config.ts';
import { BridgeError } from '../errors.ts';
import { scopeList } from '../fhir/scopes.ts';
import type { Apis } from './apis.ts';
import { signInMs } from './authorize.ts';
import { clientAuth, launchClient } from './client-auth.ts';
import { codeExchange } from './fhirclient.ts';
import { createIdTokens, type Identity, issuersOf } from './id-token.ts';
import type { Launch, Query } from './launch.ts';
import { launchContext } from './launch-context.ts';
import type { Room } from './room.ts';
import { hasHash, hashOf, randomText } from './secret.ts';
import { change, launchOf, sessionDue } from './sessions.ts';
import type { AuthorizationState, LaunchContext, LaunchRecord } from './store.ts';
import { askToken, clientRefused, isClientError, type TokenAnswer } from './token-endpoint.ts';

/** OAuth's own words for a refusal (RFC 6749 4.1.2.1); any other text of the address is not repeated. */
const refusals = new Set([
  'access_denied',
  'invalid_request',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
]);

type CompleteLaunch = (
  siteId: string,
  query: Query,
  sessionIds: readonly string[],
) => Promise<{ launch: Launch; sessionId: string }>;

/**
 * See `Smart.completeLaunch`. The state is used up before the code leaves; when anything fails after that, nothing of
 * the launch stays.
 */
export function createCallback(room: Room, apis: Pick<Apis, 'signInApi'>): CompleteLaunch {
  const identify = createIdentify(room);
  return async (siteId, query, sessionIds) => {
    const site = room.config.sites.find((each) => each.id === siteId);
    if (site === undefined) throw new BridgeError('state_invalid');
    const record = await startedRecord(room, site, query, sessionIds);
    const authorization = await checkAnswer(room, site, record, query);
    if (!(await room.store.consume(record.stateHash, room.clock().toISOString()))) throw new BridgeError('state_used');
    try {
      const answer = await exchange(room, site, authorization, query.code);
      const identity = await identify(site, answer, authorization);
      // RFC 6749 5.1: no scope in the answer means that all was granted
      const scopes = scopeList(answer.scope ?? authorization.scope);
      const context = await launchContext(answer, identity, apis.signInApi(site, answer.access_token, scopes));
      // another id than before the sign-in: whoever planted that one opens nothing with it
      const sessionId = randomText(room.random, 32);
      const opened = await open(room, site, { id: record.id, sessionId }, answer, context);
      room.log.info({ event: 'launch_opened', site: site.id, launch: record.id.slice(0, 8) }, 'launch opened');
      return { launch: launchOf(site, opened), sessionId };
    } catch (error) {
      await room.store.delete(record.id);
      throw error;
    }
  };
}

/** See `Smart.launchAddress`. */
export async function launchAddress(room: Room, siteId: string, { state }: Query): Promise<string | undefined> {
  const site = room.config.sites.find((each) => each.id === siteId);
  const record = typeof state === 'string' ? await room.store.byState(hashOf(state)) : undefined;
  if (
    site === undefined ||
    record?.site !== siteId ||
    record.authorization === undefined ||
    record.consumedAt !== undefined
  )
    return undefined;
  return `/launch?${new URLSearchParams({ iss: site.iss, launch: record.authorization.launch })}`;
}

async function startedRecord(
  room: Room,
  site: Site,
  query: Query,
  sessionIds: readonly string[],
): Promise<LaunchRecord> {
  const { state } = query;
  if (typeof state !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(state)) throw new BridgeError('state_invalid');
  const record = await room.store.byState(hashOf(state));
  if (record === undefined || record.site !== site.id) throw new BridgeError('state_invalid');
  if (sessionIds.length === 0) throw new BridgeError('cookies_blocked');
  // another browser's answer does not use up this one's state
  if (!sessionIds.some((sessionId) => hasHash(sessionId, record.sessionHash))) throw new BridgeError('state_invalid');
  if (record.consumedAt !== undefined) throw new BridgeError('state_used');
  return record;
}

async function checkAnswer(room: Room, site: Site, record: LaunchRecord, query: Query): Promise<AuthorizationState> {
  const { authorization } = record;
  if (authorization === undefined || room.clock().getTime() - Date.parse(record.createdAt) > signInMs)
    throw new BridgeError('state_invalid', { reason: 'too old' });
  if (query.iss !== undefined) await checkIssuer(room, site, query.iss);
  if (query.error !== undefined) {
    await room.store.delete(record.id);
    if (isClientError(query.error))
      throw clientRefused(room, { site: site.id, client: launchClient(site) }, { error: query.error });
    throw new BridgeError(
      'ehr_denied',
      typeof query.error === 'string' && refusals.has(query.error) ? { error: query.error } : {},
    );
  }
  if (typeof query.code !== 'string' || query.code === '' || query.code.length > 8192)
    throw new BridgeError('state_invalid', { reason: 'no code' });
  return authorization;
}

/** RFC 9207: an `iss` in the answer must be this EHR's. */
async function checkIssuer(room: Room, site: Site, iss: unknown): Promise<void> {
  const issuers = issuersOf(site, await room.discover(site));
  if (typeof iss !== 'string' || !issuers.includes(iss))
    throw new BridgeError('state_invalid', { reason: 'the answer comes from another issuer' });
}

async function exchange(
  room: Room,
  site: Site,
  authorization: AuthorizationState,
  code: unknown,
): Promise<TokenAnswer> {
  const client = launchClient(site);
  const { headers, params } = await clientAuth(room, client, authorization.tokenUri);
  const body = new URLSearchParams(await codeExchange(String(code), authorization, client.id));
  for (const [name, value] of Object.entries(params)) body.set(name, value);
  return askToken(room, authorization.tokenUri, { site: site.id, client, headers, body: body.toString() });
}

function createIdentify(
  room: Room,
): (site: Site, answer: TokenAnswer, authorization: AuthorizationState) => Promise<Identity> {
  const verify = createIdTokens(room);
  return async (site, answer, authorization) => {
    if (answer.id_token !== undefined)
      return verify(site, await room.discover(site), answer.id_token, authorization.nonce);
    if (site.signIn?.idToken === 'required')
      throw new BridgeError('token_invalid', { token: 'id_token', reason: 'missing' });
    return {};
  };
}

async function open(
  room: Room,
  site: Site,
  { id, sessionId }: { readonly id: string; readonly sessionId: string },
  answer: TokenAnswer,
  context: LaunchContext,
): Promise<LaunchRecord> {
  const now = room.clock();
  const opened = await change(room, id, ({ authorization: _, ...record }) => {
    const session = { phase: 'open' as const, sessionHash: hashOf(sessionId), lastUsedAt: now.toISOString() };
    const used = { ...record, ...session, context };
    const refresh = answer.refresh_token === undefined ? {} : { refreshToken: answer.refresh_token };
    const tokens = {
      accessToken: answer.access_token,
      accessExpiresAt: new Date(now.getTime() + answer.expires_in * 1000).toISOString(),
      ...refresh,
    };
    return { ...used, tokens, dueAt: new Date(sessionDue(site, used)).toISOString() };
  });
  if (opened === undefined) throw new BridgeError('launch_not_found');
  return opened;
}

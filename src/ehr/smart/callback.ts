import { setTimeout as sleep } from 'node:timers/promises';
import type { Encounter, Person, Practitioner } from 'fhir/r4.js';
import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import { nameAt } from '../../core/fhir/address.ts';
import type { FhirApi } from '../../core/fhir/api.ts';
import { grants, scopeList } from '../../core/fhir/scopes.ts';
import type { Apis } from './access.ts';
import { signInMs } from './authorize.ts';
import { isId } from './fhir-api.ts';
import { contextNames } from './fhir-context.ts';
import { type CodeExchange, codeExchange } from './fhirclient.ts';
import { createIdTokens, issuersOf } from './id-token.ts';
import { clientAuth, launchClient } from './keys.ts';
import { change, hasHash, hashOf, isStaff, launchOf, randomText, sessionDue } from './launch.ts';
import { exchangeRefused, signInRefused } from './sign-in-refused.ts';
import type { AuthorizationState, LaunchContext, LaunchRecord } from './store.ts';
import { askToken, revoke, type TokenAnswer } from './token-endpoint.ts';
import type { Identity, Launch, Parts, Query, SiteParts } from './types.ts';

type CompleteLaunch = (siteId: string, query: Query, sessionIds: readonly string[]) => Promise<Completed>;

/**
 * The result of a sign-in: a launch with a chart and perhaps the case to return to, or the id of a sign-in without a
 * chart.
 */
export type Completed =
  | { readonly launch: Launch; readonly sessionId: string; readonly back?: string }
  | { readonly staff: string; readonly sessionId: string };

/**
 * Completes a sign-in: exchanges the code for a token and opens the launch. The state is consumed before the code is
 * sent. If a later step fails, nothing of the launch remains.
 */
export function createCallback(parts: Parts, apis: Pick<Apis, 'signInApi'>): CompleteLaunch {
  const identify = createIdentify(parts);
  return async (siteId, query, sessionIds) => {
    const site = parts.config.sites.find((each) => each.id === siteId);
    if (site === undefined) throw new BridgeError('state_invalid');
    const record = await startedRecord(parts, site, query, sessionIds);
    const authorization = await checkAnswer(parts, site, record, query);
    if (!(await parts.store.consume(record.stateHash, parts.clock().toISOString())))
      throw new BridgeError('state_used');
    try {
      const answer = await exchangeCode(parts, site, authorization, query.code).catch((error: unknown) => {
        throw exchangeRefused(parts, site, error);
      });
      const identity = await identify(site, answer, authorization);
      // RFC 6749 5.1: a response without scope grants everything that was requested
      const scopes = scopeList(answer.scope ?? authorization.scope);
      const api = apis.signInApi(site, answer.access_token, scopes);
      // the session gets a new id, so that an id planted before the sign-in is useless
      const sessionId = randomText(parts.random, 32);
      if (authorization.standalone === 'worklist') {
        await openWorklist(parts, site, { id: record.id, sessionId }, await staffIdentity(site, identity, api));
        // Without a chart, the token is not needed any more.
        await revoke(parts, site, { accessToken: answer.access_token, accessExpiresAt: record.createdAt });
        return { staff: record.id, sessionId };
      }
      const context = await launchContext(answer, identity, api);
      const opened = await open(parts, site, { id: record.id, sessionId }, answer, context);
      parts.log.info({ event: 'launch_opened', site: site.id, launch: record.id.slice(0, 8) }, 'launch opened');
      const { back } = authorization;
      return { launch: launchOf(site, opened), sessionId, ...(back === undefined ? {} : { back }) };
    } catch (error) {
      await parts.store.delete(record.id);
      throw error;
    }
  };
}

/** Whether this response belongs to a sign-in without a chart. */
export async function isSignIn(parts: Parts, siteId: string, { state }: Query): Promise<boolean> {
  const record = typeof state === 'string' ? await parts.store.byState(hashOf(state)) : undefined;
  return record?.site === siteId && record.authorization?.standalone === 'worklist';
}

/**
 * Returns the path, with `iss` and `launch`, that restarts the sign-in of this response; undefined if the sign-in has
 * expired.
 */
export async function launchAddress(parts: Parts, siteId: string, { state }: Query): Promise<string | undefined> {
  const site = parts.config.sites.find((each) => each.id === siteId);
  const record = typeof state === 'string' ? await parts.store.byState(hashOf(state)) : undefined;
  if (
    site === undefined ||
    record?.site !== siteId ||
    record.authorization === undefined ||
    record.consumedAt !== undefined
  )
    return undefined;
  const { launch, standalone = 'worklist', back } = record.authorization;
  if (launch !== undefined) return `/launch?${new URLSearchParams({ iss: site.iss, launch })}`;
  const query = new URLSearchParams({ site: site.id, to: standalone, ...(back === undefined ? {} : { case: back }) });
  return `/sign-in?${query}`;
}

async function startedRecord(
  parts: Parts,
  site: Site,
  query: Query,
  sessionIds: readonly string[],
): Promise<LaunchRecord> {
  const { state } = query;
  if (typeof state !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(state)) throw new BridgeError('state_invalid');
  const record = await parts.store.byState(hashOf(state));
  if (record === undefined || record.site !== site.id) throw new BridgeError('state_invalid');
  if (sessionIds.length === 0) throw new BridgeError('cookies_blocked');
  // a response in another browser must not consume the state of this browser
  if (!sessionIds.some((sessionId) => hasHash(sessionId, record.sessionHash))) throw new BridgeError('state_invalid');
  if (record.consumedAt !== undefined) throw new BridgeError('state_used');
  return record;
}

async function checkAnswer(parts: Parts, site: Site, record: LaunchRecord, query: Query): Promise<AuthorizationState> {
  const { authorization } = record;
  if (authorization === undefined || parts.clock().getTime() - Date.parse(record.createdAt) > signInMs)
    throw new BridgeError('state_invalid', { reason: 'too old' });
  if (query.iss !== undefined) await checkIssuer(parts, site, query.iss);
  else if (authorization.namesIssuer === true)
    throw new BridgeError('state_invalid', { reason: 'the answer does not name its issuer, as this EHR promises' });
  if (query.error !== undefined) {
    await parts.store.delete(record.id);
    throw signInRefused(parts, site, query);
  }
  if (typeof query.code !== 'string' || query.code === '' || query.code.length > 8192)
    throw new BridgeError('state_invalid', { reason: 'no code' });
  return authorization;
}

/** RFC 9207: if the response has an `iss`, it must be this EHR's. */
async function checkIssuer(parts: Parts, site: Site, iss: unknown): Promise<void> {
  const issuers = issuersOf(site, await parts.discover(site));
  if (typeof iss !== 'string' || !issuers.includes(iss))
    throw new BridgeError('state_invalid', { reason: 'the answer comes from another issuer' });
}

/**
 * Exchanges a code for a token at the site's token endpoint, or makes the request without a code. Throws
 * client_refused, token_failed, token_invalid.
 */
export async function exchangeCode(
  parts: SiteParts,
  site: Site,
  authorization: CodeExchange,
  code: unknown,
): Promise<TokenAnswer> {
  const client = launchClient(site);
  const { headers, params } = await clientAuth(parts, client, authorization.tokenUri);
  const body = await codeExchange(String(code), authorization, client.id);
  if (code === undefined) body.delete('code');
  for (const [name, value] of Object.entries(params)) body.set(name, value);
  return askToken(parts, authorization.tokenUri, { site: site.id, client, headers, body: body.toString() });
}

function createIdentify(
  parts: Parts,
): (site: Site, answer: TokenAnswer, authorization: AuthorizationState) => Promise<Identity> {
  const verify = createIdTokens(parts);
  return async (site, answer, authorization) => {
    if (answer.id_token !== undefined)
      return verify(site, await parts.discover(site), answer.id_token, authorization.nonce);
    if (site.signIn?.idToken === 'required')
      throw new BridgeError('token_invalid', { token: 'id_token', reason: 'missing' });
    return {};
  };
}

/** The worklist is only for identified staff. */
async function staffIdentity(
  site: Site,
  identity: Identity,
  api: FhirApi,
): Promise<NonNullable<LaunchRecord['staff']>> {
  const { fhirUser, userName } = await withName(identity, api);
  if (fhirUser === undefined || !isStaff(fhirUser)) throw new BridgeError('staff_only', { site: site.id });
  return { fhirUser, ...(userName === undefined ? {} : { userName }) };
}

async function openWorklist(
  parts: Parts,
  site: Site,
  { id, sessionId }: { readonly id: string; readonly sessionId: string },
  staff: NonNullable<LaunchRecord['staff']>,
): Promise<void> {
  const now = parts.clock();
  const opened = await change(parts, id, ({ authorization: _, ...record }) => {
    const session = { phase: 'open' as const, sessionHash: hashOf(sessionId), lastUsedAt: now.toISOString() };
    const used = { ...record, ...session, staff };
    return { ...used, dueAt: new Date(sessionDue(site, used)).toISOString() };
  });
  if (opened === undefined) throw new BridgeError('launch_not_found');
}

async function open(
  parts: Parts,
  site: Site,
  { id, sessionId }: { readonly id: string; readonly sessionId: string },
  answer: TokenAnswer,
  context: LaunchContext,
): Promise<LaunchRecord> {
  const now = parts.clock();
  const opened = await change(parts, id, ({ authorization: _, ...record }) => {
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

/** Milliseconds. A launch does not wait longer for the user's name. */
const nameMs = 3_000;

/**
 * Reads the launch context in the token response, each value separately. A malformed optional value is ignored; a
 * missing or malformed patient throws patient_missing. If the EHR states only an encounter, `api` reads its patient; if
 * the id_token has no user name, `api` reads it from `fhirUser`.
 * https://hl7.org/fhir/smart-app-launch/scopes-and-launch-context.html#launch-context-arrives-with-your-access_token
 */
export async function launchContext(answer: TokenAnswer, identity: Identity, api: FhirApi): Promise<LaunchContext> {
  const encounter = idOf(answer.encounter, 'Encounter', api.base);
  const [patient, named] = await Promise.all([patientOf(answer, encounter, api), withName(identity, api)]);
  const { orders, tasks } = contextNames(answer.fhirContext, api.base);
  return {
    patient,
    ...(encounter === undefined ? {} : { encounter }),
    ...named,
    orders,
    ...(tasks.length === 0 ? {} : { tasks }),
    // only an explicit false hides the banner
    needPatientBanner: answer.need_patient_banner !== false,
    ...(typeof answer.intent === 'string' && answer.intent.length <= 100 ? { intent: answer.intent } : {}),
    scopes: api.scopes,
  };
}

async function patientOf({ patient }: TokenAnswer, encounter: string | undefined, api: FhirApi): Promise<string> {
  const named = idOf(patient, 'Patient', api.base);
  if (named !== undefined) return named;
  if (patient !== undefined && patient !== null && patient !== '')
    throw new BridgeError('patient_missing', { reason: 'what it named is no patient of this EHR' });
  if (encounter === undefined) throw new BridgeError('patient_missing');
  if (!grants(api.scopes, 'Encounter', 'r'))
    throw new BridgeError('ehr_forbidden', { resource: 'Encounter', scope: 'Encounter.r' });
  const found = await api.read<Encounter>('Encounter', encounter);
  const { reference } = found?.subject ?? {};
  const subject = reference === undefined ? undefined : idIn(reference, 'Patient', api.base);
  if (subject === undefined)
    throw new BridgeError('patient_missing', { reason: 'the encounter of this launch names no patient of this EHR' });
  return subject;
}

/** By SMART the token response has an id, but some EHRs send a reference. */
function idOf(stated: unknown, type: string, base: string): string | undefined {
  if (isId(stated)) return stated;
  return typeof stated === 'string' ? idIn(stated, type, base) : undefined;
}

function idIn(reference: string, type: string, base: string): string | undefined {
  const [named, id] = nameAt(base, reference)?.split('/') ?? [];
  return named === type && isId(id) ? id : undefined;
}

/** Adds the name from the EHR's own record of the user, if that may be read and arrives in time. */
async function withName(identity: Identity, api: FhirApi): Promise<Identity> {
  const { fhirUser, userName } = identity;
  const [type = '', id = ''] = fhirUser?.split('/') ?? [];
  if (userName !== undefined || !isPerson(type) || !grants(api.scopes, type, 'r')) return identity;
  const soon = new AbortController();
  const late = sleep(nameMs, undefined, { ref: false, signal: soon.signal }).catch(() => undefined);
  const read = api.read<Practitioner | Person>(type, id).catch(() => undefined);
  const name = nameOf(await Promise.race([read, late]));
  soon.abort();
  return name === undefined ? identity : { ...identity, userName: name.slice(0, 200) };
}

function isPerson(type: string): type is 'Practitioner' | 'Person' {
  return type === 'Practitioner' || type === 'Person';
}

function nameOf(person: Practitioner | Person | undefined): string | undefined {
  const names = Array.isArray(person?.name) ? person.name : [];
  const name = names.find(({ use }) => use === 'official' || use === 'usual') ?? names[0];
  const words = [...(name?.given ?? []), name?.family ?? ''].filter((word) => word.trim() !== '');
  const text = words.length === 0 ? (name?.text ?? '') : [words.join(' '), ...(name?.suffix ?? [])].join(', ');
  return text.trim() === '' ? undefined : text.trim();
}

import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Vault } from '../../base/vault.ts';
import type { Config } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import type { Smart } from '../../ehr/smart/smart.ts';

// Each launch has its own cookie, so that launches in one browser never renew each other's sessions.
const prefix = '__Host-bridge-';
/** From this number of cookies on, the cookies of ended launches are removed. */
const enough = 30;

/** No browser keeps more cookies of one site: RFC 6265 6.1 asks for 50, and browsers keep up to 180. */
export const mostCleared = 200;
const launchName = /^__Host-bridge-([\w-]{16,64})$/;

const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'none', partitioned: true } as const;

/** The browser's session id for this launch; undefined if there is none in our format. */
export function sessionOf(request: FastifyRequest, launchId: string): string | undefined {
  return sessionIn(request.cookies[`${prefix}${launchId}`]);
}

/** The session ids of all launches that the browser sent. */
export function sessionsOf(request: FastifyRequest): string[] {
  return Object.entries(request.cookies).flatMap(([name, value]) =>
    name.startsWith(prefix) ? (sessionIn(value) ?? []) : [],
  );
}

/**
 * The launches for which the browser sent a session, newest first. The number is limited because a stranger may send
 * any number.
 */
export function launchesIn(request: FastifyRequest, most = enough): ReadonlyMap<string, string> {
  const sent = Object.entries(request.cookies).flatMap(([name, value]) => {
    const [launch, session] = [launchName.exec(name)?.[1], sessionIn(value)];
    return launch === undefined || session === undefined ? [] : [[launch, session] as const];
  });
  return new Map(sent.reverse().slice(0, most));
}

/**
 * Sets the session cookie, which has only a random id. It is partitioned and SameSite=None so that it works in a frame
 * of the EHR.
 */
export function setSession(reply: FastifyReply, launchId: string, sessionId: string): void {
  reply.setCookie(`${prefix}${launchId}`, sessionId, attributes);
}

export function clearSession(reply: FastifyReply, launchId: string): void {
  reply.clearCookie(`${prefix}${launchId}`, attributes);
}

/** Removes the cookies of ended launches, because browsers keep a limited number of cookies. */
export async function makeRoom(
  smart: Pick<Smart, 'over'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const launches = Object.keys(request.cookies).flatMap((name) => launchName.exec(name)?.[1] ?? []);
  if (launches.length < enough) return;
  for (const launch of await smart.over(launches.slice(0, mostCleared))) clearSession(reply, launch);
}

function sessionIn(value: string | undefined): string | undefined {
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/**
 * The token in the forms of this launch. It depends only on the launch; `checkForm` does not check who owns the launch.
 */
export function formToken(vault: Vault, launchId: string): string {
  return vault.token(launchId);
}

/**
 * Throws `forgery` unless the form came from our own page: its token matches, and the browser's headers about the
 * origin do not contradict it. Our no-referrer policy makes browsers send `Origin: null` with forms, so that value
 * proves nothing.
 */
export function checkForm(
  { config, vault }: { readonly config: Config; readonly vault: Vault },
  request: FastifyRequest,
  launchId: string,
  token: unknown,
): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    throw new BridgeError('forgery', { reason: 'sent from another site' });
  const { origin } = request.headers;
  if (origin !== undefined && origin !== 'null' && origin !== new URL(config.url).origin)
    throw new BridgeError('forgery', { reason: 'sent from another origin' });
  if (typeof token !== 'string' || !vault.isToken(launchId, token))
    throw new BridgeError('forgery', { reason: 'form token' });
}

import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { BridgeError } from '../errors.ts';
import type { Vault } from '../vault.ts';

const cookieName = '__Host-bridge';

/** The browser's session id, or undefined when it sent none that we could have made. */
export function sessionOf(request: FastifyRequest): string | undefined {
  const value = request.cookies[cookieName];
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

/** Partitioned and SameSite=None, so that it also works in a frame of the EHR; nothing in it but a random id. */
export function setSession(reply: FastifyReply, sessionId: string): void {
  reply.setCookie(cookieName, sessionId, {
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'none',
    partitioned: true,
  });
}

/**
 * The token that forms of this launch carry. It hangs on the launch alone; that the browser owns the launch is checked
 * apart from it.
 */
export function formToken(vault: Vault, launchId: string): string {
  return vault.token(launchId);
}

/**
 * Throws `forgery` unless the form came from our own page: its token fits, and what the browser says about its origin
 * does not contradict.
 * Under our no-referrer policy browsers send `Origin: null` with forms, so that value alone proves nothing.
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

import { createHmac, timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { BridgeError } from '../errors.ts';

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
 * The token that forms of this launch carry. It hangs on the launch alone: a second launch in the same browser changes
 * the session id,
 * and forms that are open in the first chart's window must stay good. That the browser owns the launch is checked apart
 * from it.
 */
export function formToken(config: Config, launchId: string): string {
  return createHmac('sha256', config.keys[0] ?? '')
    .update(`form|${launchId}`)
    .digest('base64url');
}

/**
 * Throws `forgery` unless the form came from our own page: its token fits, and what the browser says about its origin
 * does not contradict.
 * Under our no-referrer policy browsers send `Origin: null` with forms, so that value alone proves nothing.
 */
export function checkForm(config: Config, request: FastifyRequest, launchId: string, token: unknown): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    throw new BridgeError('forgery', { reason: 'sent from another site' });
  const { origin } = request.headers;
  if (origin !== undefined && origin !== 'null' && origin !== new URL(config.url).origin)
    throw new BridgeError('forgery', { reason: 'sent from another origin' });
  if (typeof token !== 'string' || !sameText(token, formToken(config, launchId)))
    throw new BridgeError('forgery', { reason: 'form token' });
}

export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

import type { Site } from '../config.ts';
import { clientAuth, launchClient } from './client-auth.ts';
import { send } from './http.ts';
import type { Room } from './room.ts';
import type { Tokens } from './store.ts';

/**
 * Asks the EHR to forget the tokens (RFC 7009), the refresh token first. What the EHR answers does not matter: here
 * they are forgotten anyway.
 */
export async function revoke(room: Room, site: Site, { refreshToken, accessToken }: Tokens): Promise<void> {
  try {
    const { revocationEndpoint } = await room.discover(site);
    if (revocationEndpoint === undefined) return;
    if (refreshToken !== undefined) await revokeOne(room, site, revocationEndpoint, refreshToken, 'refresh_token');
    if (accessToken !== undefined) await revokeOne(room, site, revocationEndpoint, accessToken, 'access_token');
  } catch {
    room.log.info({ event: 'revocation_failed', site: site.id }, 'the EHR did not take the revocation');
  }
}

async function revokeOne(room: Room, site: Site, endpoint: string, token: string, hint: string): Promise<void> {
  const { headers, params } = await clientAuth(room, launchClient(site), endpoint);
  const body = new URLSearchParams({ token, token_type_hint: hint, ...params }).toString();
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  };
  await send(room.fetch, endpoint, request, {
    timeoutMs: Math.min(room.limits.timeoutMs, 5_000),
    bytes: room.limits.documentBytes,
  });
}

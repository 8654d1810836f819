import { join } from 'node:path';
import type { SandboxClient } from './ehr/oauth/clients.ts';

/** What the sandboxes know of the bridge: how it is registered, and what its sites file calls them. */
export const defaultSite = 'valley';
export const clientId = 'prior-auth-bridge';
export const systemClientId = 'prior-auth-bridge-system';

/** The two registrations of a bridge at an EHR: for launches, and for Backend Services. */
export function registeredClients(bridge: string, site: string): readonly SandboxClient[] {
  const jwksUri = `${bridge}/.well-known/jwks.json`;
  return [
    { auth: 'private_key_jwt', id: clientId, jwksUri, redirectUris: [`${bridge}/callback/${site}`] },
    { auth: 'private_key_jwt', id: systemClientId, jwksUri, redirectUris: [], system: true },
  ];
}

export function ledgerFile(folder: string, of: 'ehr' | 'service'): string {
  return join(folder, `${of}.ndjson`);
}

import { join } from 'node:path';
import type { SandboxClient } from './ehr/oauth/clients.ts';
import { type ProductId, products } from './ehr/products.ts';

/** The site of the bridge and the ids of its clients, as the sandboxes know them. */
export const defaultSite = 'valley';
/** The site of the same clinic with the service's profile `current`. */
export const currentSite = 'valley-current';
export const clientId = 'prior-auth-bridge';
export const systemClientId = 'prior-auth-bridge-system';

export function registeredClients(bridge: string, site: string, secret?: string): readonly SandboxClient[] {
  const jwksUri = `${bridge}/.well-known/jwks.json`;
  const redirectUris = [`${bridge}/callback/${site}`];
  return [
    secret === undefined
      ? { auth: 'private_key_jwt', id: clientId, jwksUri, redirectUris }
      : { auth: 'client_secret', id: clientId, secret, redirectUris },
    { auth: 'private_key_jwt', id: systemClientId, jwksUri, redirectUris: [], system: true },
  ];
}

/** Whether apps of this product authenticate by a secret. */
export function hasSecret(product: ProductId | undefined): boolean {
  return product !== undefined && products[product].auth === 'client_secret';
}

export function ledgerFile(folder: string, of: 'ehr' | 'service'): string {
  return join(folder, `${of}.ndjson`);
}

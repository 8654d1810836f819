import type { ClientMetadata } from 'oidc-provider';

export type SandboxClient =
  | { readonly auth: 'public'; readonly id: string; readonly redirectUris: readonly string[] }
  | {
      readonly auth: 'client_secret';
      readonly id: string;
      readonly secret: string;
      readonly redirectUris: readonly string[];
    }
  /**
   * `jwksUri` is read when the client signs in. `system` allows Backend Services; a client without redirectUris can do
   * nothing else.
   */
  | {
      readonly auth: 'private_key_jwt';
      readonly id: string;
      readonly jwksUri: string;
      readonly redirectUris: readonly string[];
      readonly system?: boolean;
    };

/** Returns the registration as in OpenID Connect Dynamic Client Registration. */
export function clientMetadata(client: SandboxClient): ClientMetadata {
  const launches = client.redirectUris.length > 0;
  const system = client.auth === 'private_key_jwt' && client.system === true;
  return {
    client_id: client.id,
    redirect_uris: [...client.redirectUris],
    response_types: launches ? ['code'] : [],
    grant_types: [
      ...(launches ? ['authorization_code', 'refresh_token'] : []),
      ...(system ? ['client_credentials'] : []),
    ],
    ...authentication(client),
  };
}

function authentication(client: SandboxClient): Partial<ClientMetadata> {
  switch (client.auth) {
    case 'public':
      // oidc-provider allows loopback redirects of public clients only for native apps.
      return { token_endpoint_auth_method: 'none', application_type: 'native' };
    case 'client_secret':
      return { token_endpoint_auth_method: 'client_secret_basic', client_secret: client.secret };
    case 'private_key_jwt':
      return { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: client.jwksUri };
  }
}

import type { Config, Site } from '../../config/config.ts';
import type { Inspection } from '../../ehr/smart/inspect.ts';

/** A value that the administrator of the EHR or of the service must register, ready to copy. */
export interface ToRegister {
  readonly name: string;
  readonly value: string;
}

export interface Administrator {
  readonly ehr: readonly ToRegister[];
  readonly service: readonly ToRegister[];
}

/** `scopes`: the scopes that a launch requests. */
export function toRegister(
  site: Site,
  {
    config,
    inspection,
    scopes,
  }: { readonly config: Config; readonly inspection: Inspection; readonly scopes: readonly string[] },
): Administrator {
  const { launch, redirect, jwks } = inspection.addresses;
  const { client, writeback, service } = site;
  const signs = client.auth === 'private_key_jwt' || writeback.system !== undefined;
  return {
    ehr: [
      { name: 'Launch address', value: launch },
      { name: 'Redirect address', value: redirect },
      ...(signs ? [{ name: 'Key set (JWK Set)', value: jwks }] : []),
      { name: 'Client', value: `${client.id}, ${clientWords[client.auth]}` },
      { name: 'Scopes', value: scopes.join(' ') },
      ...(writeback.system === undefined
        ? []
        : [
            { name: 'Backend client', value: `${writeback.system.id}, signs with the keys above (private_key_jwt)` },
            { name: 'Backend scopes', value: writeback.system.scopes },
          ]),
    ],
    service:
      service.webhookSecretEnvs.length === 0
        ? []
        : [{ name: 'Webhook address', value: `${config.url}/webhooks/${site.id}` }],
  };
}

const clientWords = {
  public: 'a public client with PKCE',
  client_secret: 'a confidential client with a secret',
  private_key_jwt: 'a confidential client that signs with the keys above (private_key_jwt)',
} as const;

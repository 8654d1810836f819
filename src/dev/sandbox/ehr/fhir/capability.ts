import { getSearchParameters } from '@medplum/core';
import type { CapabilityStatement, CapabilityStatementRestResource } from 'fhir/r4.js';
import type { EhrSwitches } from '../ehr-switches.ts';
import { type ResourceTypeHere, resourceTypes } from './resource-types.ts';

type Interaction = NonNullable<CapabilityStatementRestResource['interaction']>[number]['code'];

const everything: readonly Interaction[] = [
  'read',
  'vread',
  'update',
  'patch',
  'delete',
  'history-instance',
  'create',
  'search-type',
];

/** Returns the CapabilityStatement, without the interactions that switches turn off now. */
export function capabilityStatement(
  base: string,
  authorizationServer: string,
  date: string,
  switches: Pick<EhrSwitches, 'stating'>,
): CapabilityStatement {
  const hidden = switches.stating('hide-type');
  const isThere = (type: ResourceTypeHere) => !hidden.includes(type) && offeredOf(switches, type) !== '';
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date,
    kind: 'instance',
    software: { name: 'prior-auth-bridge sandbox EHR' },
    implementation: { description: 'A sandbox with invented people', url: base },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'json'],
    patchFormat: ['application/json-patch+json'],
    rest: [
      {
        mode: 'server',
        security: {
          service: [
            {
              coding: [
                { system: 'http://terminology.hl7.org/CodeSystem/restful-security-service', code: 'SMART-on-FHIR' },
              ],
            },
          ],
          extension: [
            {
              url: 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris',
              extension: [
                { url: 'authorize', valueUri: `${authorizationServer}/auth` },
                { url: 'token', valueUri: `${authorizationServer}/token` },
                { url: 'revoke', valueUri: `${authorizationServer}/token/revocation` },
              ],
            },
          ],
        },
        resource: resourceTypes.filter(isThere).map((type) => resourceStatement(type, switches)),
        ...(switches.stating('no-system').length > 0
          ? {}
          : { interaction: [{ code: 'batch' as const }, { code: 'transaction' as const }] }),
      },
    ],
  };
}

function resourceStatement(
  type: ResourceTypeHere,
  switches: Pick<EhrSwitches, 'stating'>,
): CapabilityStatementRestResource {
  const isRefused = (name: 'refuse-create' | 'refuse-update') =>
    switches.stating(name).some((refused) => refused.type === type && refused.status === 405);
  const offered = offeredOf(switches, type);
  const withoutCreate = isRefused('refuse-create') || !offered.includes('c');
  const withoutUpdate = isRefused('refuse-update') || !offered.includes('u');
  const isConditional = switches.stating('no-conditional').length === 0;
  const includes = switches.stating('no-include').length === 0;
  const refused: readonly Interaction[] = [
    ...(withoutCreate ? (['create'] as const) : []),
    ...(withoutUpdate ? (['update'] as const) : []),
    ...(isRefused('refuse-update') ? (['patch'] as const) : []),
    ...everything.filter((code) => !offered.includes(letterOf[code])),
  ];
  const parameters = Object.entries(getSearchParameters(type) ?? {}).filter(
    ([name]) => !['_compartment', '_project'].includes(name),
  );
  return {
    type,
    interaction: everything.filter((code) => !refused.includes(code)).map((code) => ({ code })),
    versioning: 'versioned-update',
    readHistory: true,
    updateCreate: !withoutUpdate,
    conditionalCreate: isConditional && !withoutCreate,
    conditionalRead: 'not-match',
    conditionalUpdate: isConditional && !withoutUpdate,
    conditionalDelete: 'single',
    ...(includes ? includesOf(type, parameters) : {}),
    searchParam: parameters.map(([name, parameter]) => ({ name, type: parameter.type })),
    ...(type === 'Patient'
      ? {
          operation: [{ name: 'everything', definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything' }],
        }
      : {}),
  };
}

function includesOf(
  type: ResourceTypeHere,
  parameters: readonly (readonly [string, { readonly type: string }])[],
): Pick<CapabilityStatementRestResource, 'searchInclude' | 'searchRevInclude'> {
  return {
    searchInclude: parameters
      .filter(([, parameter]) => parameter.type === 'reference')
      .map(([name]) => `${type}:${name}`),
    searchRevInclude: resourceTypes.flatMap((other) =>
      Object.entries(getSearchParameters(other) ?? {})
        .filter(([, parameter]) => parameter.target?.some((target) => target === type) === true)
        .map(([name]) => `${other}:${name}`),
    ),
  };
}

const letterOf: Readonly<Record<Interaction, string>> = {
  read: 'r',
  vread: 'r',
  'history-instance': 'r',
  'history-type': 'r',
  update: 'u',
  patch: 'p',
  delete: 'd',
  create: 'c',
  'search-type': 's',
};

/** The letters of the interactions that a type has now. */
export function offeredOf(switches: Pick<EhrSwitches, 'stating'>, type: ResourceTypeHere): string {
  const [offers] = switches.stating('offers');
  return offers === undefined ? 'crupds' : (offers.types[type] ?? offers.others);
}

export interface SignIn {
  readonly algs: readonly ('ES384' | 'RS384')[];
  readonly refresh: readonly ('online_access' | 'offline_access')[];
  readonly styles: readonly ('v1' | 'v2')[];
}

/** `GET /fhir/.well-known/smart-configuration` (SMART App Launch 2.2, "Conformance"). */
export function smartConfiguration(authorizationServer: string, signIn: SignIn): Record<string, unknown> {
  return {
    issuer: authorizationServer,
    jwks_uri: `${authorizationServer}/jwks`,
    authorization_endpoint: `${authorizationServer}/auth`,
    token_endpoint: `${authorizationServer}/token`,
    revocation_endpoint: `${authorizationServer}/token/revocation`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: signIn.algs,
    grant_types_supported: ['authorization_code', 'client_credentials'],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: [
      'openid',
      'profile',
      'fhirUser',
      'launch',
      ...signIn.refresh,
      'patient/*.cruds',
      'user/*.cruds',
      'system/*.cruds',
    ],
    capabilities: [
      'launch-ehr',
      'launch-standalone',
      'context-standalone-patient',
      'authorize-post',
      'client-public',
      'client-confidential-symmetric',
      'client-confidential-asymmetric',
      'sso-openid-connect',
      'context-banner',
      'context-ehr-patient',
      'context-ehr-encounter',
      ...signIn.refresh.map((access) => `permission-${access.replace('_access', '')}`),
      'permission-patient',
      'permission-user',
      ...signIn.styles.map((style) => `permission-${style}`),
    ],
  };
}

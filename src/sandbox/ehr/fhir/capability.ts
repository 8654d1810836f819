import { getSearchParameters } from '@medplum/core';
import type { CapabilityStatement, CapabilityStatementRestResource } from 'fhir/r4.js';
import type { EhrSwitches } from '../switches.ts';
import { type ResourceTypeHere, resourceTypes } from './types.ts';

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

/** `GET /fhir/metadata`: what this server does, and what its switches take away at this moment. */
export function capabilityStatement(
  base: string,
  authorizationServer: string,
  date: string,
  switches: Pick<EhrSwitches, 'stating'>,
): CapabilityStatement {
  const hidden = switches.stating('hide-type');
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
        resource: resourceTypes.flatMap((type) => (hidden.includes(type) ? [] : [resourceStatement(type, switches)])),
        interaction: [{ code: 'batch' }, { code: 'transaction' }],
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
  const withoutCreate = isRefused('refuse-create');
  const withoutUpdate = isRefused('refuse-update');
  const refused: readonly Interaction[] = [
    ...(withoutCreate ? (['create'] as const) : []),
    ...(withoutUpdate ? (['update', 'patch'] as const) : []),
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
    conditionalCreate: !withoutCreate,
    conditionalRead: 'not-match',
    conditionalUpdate: !withoutUpdate,
    conditionalDelete: 'single',
    searchInclude: parameters
      .filter(([, parameter]) => parameter.type === 'reference')
      .map(([name]) => `${type}:${name}`),
    searchRevInclude: resourceTypes.flatMap((other) =>
      Object.entries(getSearchParameters(other) ?? {})
        .filter(([, parameter]) => parameter.target?.some((target) => target === type) === true)
        .map(([name]) => `${other}:${name}`),
    ),
    searchParam: parameters.map(([name, parameter]) => ({ name, type: parameter.type })),
    ...(type === 'Patient'
      ? {
          operation: [{ name: 'everything', definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything' }],
        }
      : {}),
  };
}

/** `GET /fhir/.well-known/smart-configuration` (SMART App Launch 2.2, "Conformance"). */
export function smartConfiguration(authorizationServer: string): Record<string, unknown> {
  return {
    issuer: authorizationServer,
    jwks_uri: `${authorizationServer}/jwks`,
    authorization_endpoint: `${authorizationServer}/auth`,
    token_endpoint: `${authorizationServer}/token`,
    revocation_endpoint: `${authorizationServer}/token/revocation`,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['ES384', 'RS384'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: [
      'openid',
      'profile',
      'fhirUser',
      'launch',
      'online_access',
      'offline_access',
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
      'permission-online',
      'permission-offline',
      'permission-patient',
      'permission-user',
      'permission-v1',
      'permission-v2',
    ],
  };
}

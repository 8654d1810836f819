import { getSearchParameters } from '@medplum/core';
import type { CapabilityStatement, CapabilityStatementRestResource } from 'fhir/r4.js';
import type { EhrFaults } from '../faults.ts';
import { type ResourceTypeHere, resourceTypes } from './definitions.ts';

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

/** `GET /fhir/metadata`: what this server does, and what its faults at this moment take away. */
export function capabilityStatement(
  base: string,
  authorizationServer: string,
  date: string,
  faults: EhrFaults,
): CapabilityStatement {
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
        resource: resourceTypes.flatMap((type) =>
          type === 'Task' && faults.hideTask ? [] : [resourceStatement(type, faults)],
        ),
        interaction: [{ code: 'batch' }, { code: 'transaction' }],
      },
    ],
  };
}

function resourceStatement(type: ResourceTypeHere, faults: EhrFaults): CapabilityStatementRestResource {
  const refused =
    (type === 'Task' && faults.refuseTaskCreate === 405) ||
    (type === 'DocumentReference' && faults.refuseDocumentCreate === 405);
  const parameters = Object.entries(getSearchParameters(type) ?? {}).filter(
    ([name]) => !['_compartment', '_project'].includes(name),
  );
  return {
    type,
    interaction: everything.filter((code) => !(refused && code === 'create')).map((code) => ({ code })),
    versioning: 'versioned-update',
    readHistory: true,
    updateCreate: true,
    conditionalCreate: !refused,
    conditionalRead: 'not-match',
    conditionalUpdate: true,
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

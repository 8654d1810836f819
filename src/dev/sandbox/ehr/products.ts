import type { SignIn } from './fhir/capability.ts';
import type { ResourceTypeHere } from './fhir/resource-types.ts';
import type { SandboxClient } from './oauth/clients.ts';

/** An EHR product that the sandbox can imitate: what it has, and how it deviates from FHIR R4 and SMART. */
export interface Product {
  readonly name: string;
  readonly signIn: SignIn;
  readonly auth: SandboxClient['auth'];
  /** Switches that are on from the start. */
  readonly orders: readonly object[];
}

const anySignature = ['ES384', 'RS384'] as const;
const bothWords = ['v1', 'v2'] as const;

/** What every product except Medplum lacks: batches, conditional creates, and resource types. */
function offering(types: Partial<Record<ResourceTypeHere, string>>): readonly object[] {
  return [
    { switch: 'offers', value: { others: 'rs', types } },
    { switch: 'no-conditional', value: true },
  ];
}

const noSystem = { switch: 'no-system', value: true };
const noInclude = { switch: 'no-include', value: true };

/**
 * Taken from the CapabilityStatement and smart-configuration of one sandbox tenant of each product (July and August
 * 2026) and from vendors' documentation; docs/sites/ehrs.md has the sources. This table is independent of the bridge's
 * presets.
 */
export const products = {
  epic: {
    name: 'Epic',
    signIn: { algs: anySignature, refresh: ['offline_access'], styles: bothWords },
    auth: 'private_key_jwt',
    orders: [
      ...offering({ Task: 'rus', DocumentReference: 'crus', Communication: 'crs', Provenance: 'r', Consent: '' }),
      noSystem,
      { switch: 'outcome-entry', value: '4119' },
    ],
  },
  oracle: {
    name: 'Oracle Health',
    signIn: { algs: anySignature, refresh: ['online_access', 'offline_access'], styles: bothWords },
    auth: 'private_key_jwt',
    orders: [
      ...offering({
        Task: '',
        Medication: '',
        PractitionerRole: '',
        DocumentReference: 'crus',
        Communication: 'crps',
        Provenance: 'crs',
        Binary: 'r',
      }),
      noInclude,
      { switch: 'empty-created', value: 'body' },
      { switch: 'conflict-status', value: 409 },
      { switch: 'pages', value: { size: 10 } },
      { switch: 'rules', value: 'oracle' },
    ],
  },
  athenahealth: {
    name: 'athenahealth',
    signIn: { algs: anySignature, refresh: ['offline_access'], styles: bothWords },
    auth: 'private_key_jwt',
    orders: [
      ...offering({ Task: '', Communication: '', PractitionerRole: '', Binary: 'r' }),
      noSystem,
      { switch: 'pages', value: { size: 20, link: 'cursor' } },
    ],
  },
  eclinicalworks: {
    name: 'eClinicalWorks',
    signIn: { algs: ['RS384'], refresh: ['online_access', 'offline_access'], styles: bothWords },
    auth: 'private_key_jwt',
    orders: [
      ...offering({ Task: '', Communication: '', Binary: 'r' }),
      noSystem,
      { switch: 'pages', value: { size: 20, link: 'page' } },
    ],
  },
  nextgen: {
    name: 'NextGen',
    signIn: { algs: anySignature, refresh: ['offline_access'], styles: bothWords },
    auth: 'client_secret',
    orders: [
      ...offering({ Task: '', Communication: '', Medication: '', Binary: '', Practitioner: 'r' }),
      noSystem,
      noInclude,
      { switch: 'pages', value: { size: 20, parameter: '_maxresults' } },
    ],
  },
  meditech: {
    name: 'MEDITECH',
    signIn: { algs: anySignature, refresh: ['online_access', 'offline_access'], styles: bothWords },
    auth: 'private_key_jwt',
    orders: [
      ...offering({ Task: 'r', Communication: 'crs', Provenance: 'r' }),
      noSystem,
      noInclude,
      { switch: 'pages', value: { size: 20, link: 'continue' } },
    ],
  },
  canvas: {
    name: 'Canvas',
    signIn: { algs: anySignature, refresh: ['offline_access'], styles: ['v1'] },
    auth: 'client_secret',
    orders: [
      ...offering({
        Task: 'crus',
        DocumentReference: 'crs',
        Communication: 'crs',
        PractitionerRole: '',
        Binary: '',
      }),
      noSystem,
      noInclude,
      { switch: 'empty-created', value: 'body' },
      { switch: 'precondition', value: 'if-unmodified-since' },
      { switch: 'pages', value: { size: 10, link: 'relative' } },
      { switch: 'rules', value: 'canvas' },
    ],
  },
  medplum: {
    name: 'Medplum',
    signIn: { algs: anySignature, refresh: ['offline_access'], styles: bothWords },
    auth: 'private_key_jwt',
    orders: [],
  },
} as const satisfies Readonly<Record<string, Product>>;

export type ProductId = keyof typeof products;
export const productIds = Object.keys(products) as readonly ProductId[]; // the keys of an object literal

/** How a sandbox that imitates no product signs in apps. */
export const plainSignIn: SignIn = {
  algs: anySignature,
  refresh: ['online_access', 'offline_access'],
  styles: bothWords,
};

import type { Preset } from './preset.ts';

export const athenahealth = {
  id: 'athenahealth',
  name: 'athenahealth',
  signIn: {
    auth: ['private_key_jwt', 'client_secret'],
    algs: ['ES384', 'RS384'],
    refresh: ['offline_access'],
    origins: [],
  },
  scopes: { styles: ['v2', 'v1'], wildcards: true, also: [] },
  search: { count: '_count', without: ['PractitionerRole'], notes: {}, byIdentifier: true },
  may: { Task: '', DocumentReference: 'rs', Communication: '', Provenance: 'rs' },
  channels: ['worklist'],
  updates: { precondition: 'If-Match', appends: [] },
  refusesUntilNextMinute: false,
} as const satisfies Preset;

import type { Preset } from './preset.ts';

export const meditech = {
  id: 'meditech',
  name: 'MEDITECH',
  signIn: {
    auth: ['private_key_jwt', 'client_secret'],
    algs: ['ES384', 'RS384'],
    refresh: ['offline_access', 'online_access'],
    origins: [],
  },
  scopes: { styles: ['v1', 'v2'], wildcards: true, also: [] },
  search: { count: '_count', without: [], notes: {}, byIdentifier: true },
  may: { Task: 'r', DocumentReference: 'rs', Communication: 'crs', Provenance: 'r' },
  channels: ['communication', 'worklist'],
  updates: { precondition: 'If-Match', appends: [] },
  refusesUntilNextMinute: false,
} as const satisfies Preset;

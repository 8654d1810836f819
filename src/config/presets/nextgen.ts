import type { Preset } from './preset.ts';

export const nextgen = {
  id: 'nextgen',
  name: 'NextGen',
  signIn: {
    auth: ['client_secret', 'private_key_jwt'],
    algs: ['ES384', 'RS384'],
    refresh: ['offline_access'],
    origins: [],
  },
  scopes: { styles: ['v2', 'v1'], wildcards: true, also: [] },
  search: { count: '_maxresults', without: ['Medication', 'Binary'], notes: {}, byIdentifier: true },
  may: { Task: '', DocumentReference: 'rs', Communication: '', Provenance: 'rs' },
  channels: ['worklist'],
  updates: { precondition: 'If-Match', appends: [] },
  refusesUntilNextMinute: false,
} as const satisfies Preset;

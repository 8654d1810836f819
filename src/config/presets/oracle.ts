import type { Preset } from './preset.ts';

export const oracle = {
  id: 'oracle',
  name: 'Oracle Health',
  signIn: {
    auth: ['private_key_jwt', 'client_secret', 'public'],
    algs: ['ES384', 'RS384'],
    refresh: ['offline_access', 'online_access'],
    origins: ['https://authorization.cerner.com'],
  },
  // Oracle's documentation grants Coverage to users and systems; its smart-configuration grants it to patients as well.
  scopes: { styles: ['v2', 'v1'], wildcards: false, also: ['user/Coverage.rs'] },
  search: {
    count: '_count',
    without: ['Medication', 'PractitionerRole'],
    notes: {},
    byIdentifier: false,
  },
  may: { Task: '', DocumentReference: 'crus', Communication: 'crs', Provenance: 'crs' },
  channels: ['document', 'communication', 'worklist'],
  updates: { precondition: 'If-Match', appends: [] },
  refusesUntilNextMinute: false,
} as const satisfies Preset;

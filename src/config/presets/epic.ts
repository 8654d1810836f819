import type { Preset } from './preset.ts';

export const epic = {
  id: 'epic',
  name: 'Epic',
  signIn: {
    // A public app gets no refresh token, so `public` is left out.
    auth: ['private_key_jwt', 'client_secret'],
    algs: ['ES384', 'RS384'],
    refresh: ['offline_access'],
    origins: [],
  },
  scopes: { styles: ['v2', 'v1'], wildcards: true, also: [] },
  // The CapabilityStatement lists the search by identifier, but the parameter may only filter the results of another
  // search.
  search: {
    count: '_count',
    without: [],
    notes: { '4101': '', '4119': 'this may not be the whole record' },
    byIdentifier: false,
  },
  may: { Task: 'rus', DocumentReference: 'crus', Communication: 'crs', Provenance: 'r' },
  channels: ['document', 'communication', 'worklist'],
  updates: { precondition: 'If-Match', appends: [] },
  refusesUntilNextMinute: false,
} as const satisfies Preset;

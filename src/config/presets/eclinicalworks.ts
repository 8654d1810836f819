import type { Preset } from './preset.ts';

export const eclinicalworks = {
  id: 'eclinicalworks',
  name: 'eClinicalWorks',
  signIn: {
    auth: ['private_key_jwt', 'client_secret'],
    algs: ['RS384'],
    // The bridge writes nothing to this EHR after the visit, so online access is enough.
    refresh: ['online_access', 'offline_access'],
    origins: ['https://oauthserver.eclinicalworks.com'],
  },
  scopes: { styles: ['v2', 'v1'], wildcards: true, also: [] },
  search: { count: '_count', without: [], notes: {}, byIdentifier: true },
  // The EHR offers scopes to write documents, but its CapabilityStatement has no create.
  may: { Task: '', DocumentReference: 'rs', Communication: '', Provenance: 'rs' },
  channels: ['worklist'],
  updates: { precondition: 'If-Match', appends: [] },
  refusesUntilNextMinute: true,
} as const satisfies Preset;

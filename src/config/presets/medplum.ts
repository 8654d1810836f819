import type { Preset } from './preset.ts';

export const medplum = {
  id: 'medplum',
  name: 'Medplum',
  signIn: {
    auth: ['private_key_jwt', 'client_secret', 'public'],
    algs: ['ES384', 'RS384'],
    refresh: ['offline_access'],
    origins: [],
  },
  scopes: { styles: ['v2', 'v1'], wildcards: true, also: [] },
  search: { count: '_count', without: [], notes: {}, byIdentifier: true },
  may: { Task: 'cruds', DocumentReference: 'cruds', Communication: 'cruds', Provenance: 'cruds' },
  channels: ['task+document', 'document', 'communication', 'worklist'],
  updates: { precondition: 'If-Match', appends: [] },
  refusesUntilNextMinute: false,
} as const satisfies Preset;

import type { Preset } from './preset.ts';

export const canvas = {
  id: 'canvas',
  name: 'Canvas',
  signIn: {
    auth: ['client_secret', 'public'],
    algs: ['ES384', 'RS384'],
    refresh: ['offline_access'],
    origins: [],
  },
  scopes: { styles: ['v1'], wildcards: true, also: [] },
  search: { count: '_count', without: ['PractitionerRole', 'Binary'], notes: {}, byIdentifier: false },
  may: { Task: 'crus', DocumentReference: 'crs', Communication: 'crs', Provenance: 'rs' },
  channels: ['task+document', 'document', 'communication', 'worklist'],
  updates: { precondition: 'If-Unmodified-Since', appends: ['note'] },
  takes: {
    task: {
      intent: 'unknown',
      statuses: {
        received: 'requested',
        'in-progress': 'requested',
        'on-hold': 'requested',
        rejected: 'cancelled',
        failed: 'cancelled',
      },
      only: ['resourceType', 'status', 'intent', 'description', 'for', 'authoredOn', 'requester', 'note'],
    },
    document: {
      only: ['resourceType', 'extension', 'status', 'type', 'category', 'subject', 'author', 'description', 'content'],
      category: {
        system: 'http://schemas.canvasmedical.com/fhir/document-reference-category',
        code: 'patientadministrativedocument',
      },
      type: { code: '52034-6', title: 'Insurer Prior Authorization' },
      extensions: 'http://schemas.canvasmedical.com/fhir/document-reference-',
    },
  },
  refusesUntilNextMinute: false,
} as const satisfies Preset;

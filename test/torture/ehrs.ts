import type { Order } from './faults.ts';

/** What an EHR takes of what the bridge writes, from the beginning to the end. */
export type Takes = 'all' | 'no-update' | 'no-documents' | 'no-search';

/** An EHR of the run: what stands there from the beginning to the end, besides the faults that are drawn. */
export interface EhrKind {
  readonly takes: Takes;
  /** Orders to the sandbox; see docs/develop/sandbox.md for the switches. */
  readonly orders: readonly Order[];
}

const every = 'crupds';

const chartTypes = ['MedicationRequest', 'Coverage', 'DiagnosticReport', 'MedicationDispense'] as const;

/** By site. */
export const allEhrs = {
  valley: { takes: 'all', orders: [] },
  ridge: { takes: 'no-update', orders: [{ switch: 'refuse-update', value: { type: 'Task', status: 405 } }] },
  lake: {
    takes: 'no-documents',
    orders: [{ switch: 'refuse-create', value: { type: 'DocumentReference', status: 403 } }],
  },
  // Strong ETags, and no versionId to make one of.
  brook: {
    takes: 'all',
    orders: [
      { switch: 'versions', value: { etag: 'strong', versionId: false, takes: 'strong', required: true } },
      { switch: 'pages', value: { size: 2, link: 'relative' } },
    ],
  },
  // Weak ETags that are compared strongly: none matches as it came. Behind a proxy, and its links name its inner host.
  heath: {
    takes: 'all',
    orders: [
      { switch: 'versions', value: { etag: 'weak', versionId: false, takes: 'strong', required: true } },
      { switch: 'pages', value: { size: 2, link: 'inner-host' } },
    ],
  },
  grove: {
    takes: 'all',
    orders: [
      { switch: 'versions', value: { etag: 'bare', versionId: false, takes: 'bare', required: true } },
      { switch: 'no-conditional', value: true },
    ],
  },
  // If-Match is required, and nothing says of which version: no Task can be changed.
  fen: {
    takes: 'no-update',
    orders: [{ switch: 'versions', value: { etag: 'none', versionId: false, required: true } }],
  },
  marsh: {
    takes: 'all',
    orders: [
      { switch: 'offers', value: { others: every, types: { Task: 'crps' } } },
      { switch: 'versions', value: { etag: 'strong', versionId: false, takes: 'strong', required: true } },
    ],
  },
  // Searches of the chart that fail, each in a way of its own.
  moor: {
    takes: 'all',
    orders: [
      { switch: 'status', value: { status: 501 }, path: '/fhir/Condition', method: 'GET' },
      { switch: 'status', value: { status: 404 }, path: '/fhir/AllergyIntolerance', method: 'GET' },
      { switch: 'failed-search', value: 'error', path: '/fhir/Observation' },
      { switch: 'failed-search', value: 'fatal', path: '/fhir/MedicationStatement' },
      ...chartTypes.map((type) => ({ switch: 'null-entries', value: true, path: `/fhir/${type}` })),
    ],
  },
  // Searches of what the bridge writes, which the CapabilityStatement offers all the same.
  dale: {
    takes: 'no-search',
    orders: [
      { switch: 'status', value: { status: 501 }, path: '/fhir/Task', method: 'GET' },
      { switch: 'status', value: { status: 404 }, path: '/fhir/DocumentReference', method: 'GET' },
    ],
  },
} as const satisfies Readonly<Record<string, EhrKind>>;

export type SiteName = keyof typeof allEhrs;

export function isSiteName(name: string): name is SiteName {
  return Object.hasOwn(allEhrs, name);
}

/** The sites of this name alone. */
export function someEhrs(...sites: readonly SiteName[]): Readonly<Record<string, EhrKind>> {
  return Object.fromEntries(sites.map((site) => [site, allEhrs[site]]));
}

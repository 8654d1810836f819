import type { Resource } from 'fhir/r4.js';
import { type BundleIssue, type PlacedEntry, type ReadBundle, readBundle } from '../fhir/bundle.ts';
import { readHookRequest } from '../fhir/cds-hooks.ts';
import { isResource } from '../fhir/is-resource.ts';

/** One JSON document of the input that holds FHIR. */
export interface Document extends ReadBundle {
  readonly entries: readonly PlacedEntry[];
  readonly issues: readonly BundleIssue[];
  /**
   * Whether it is mapped from itself alone: a CDS Hooks request, or a bundle with a Patient and an order. A page of
   * search results is none: it means something only together with the other pages.
   */
  readonly isChart: boolean;
  /** The orders being written that a CDS Hooks request names. */
  readonly drafts: ReadonlySet<string>;
  /** The base URL that a CDS Hooks request is from. */
  readonly server?: string;
}

/**
 * Tells Bundles (of any type, nested ones too), single resources, arrays of resources and CDS Hooks requests from
 * everything else.
 */
export function readDocument(value: unknown): Document | { readonly ignored: string } {
  const hook = readHookRequest(value);
  if (hook !== undefined) return { ...hook, isChart: true };
  const holdsFhir = Array.isArray(value) ? value.some(isResource) : isResource(value);
  if (!holdsFhir) return { ignored: 'JSON without a FHIR resource' };
  const read = readBundle(value);
  return { ...read, isChart: isResource(value) && isChartBundle(value, read), drafts: noDrafts };
}

const noDrafts: ReadonlySet<string> = new Set();

function isChartBundle(whole: Resource, { entries }: ReadBundle): boolean {
  const isList = whole.resourceType === 'Bundle' || whole.resourceType === 'Parameters';
  const holds = (type: string) => entries.some(({ resource }) => resource.resourceType === type);
  return isList && Reflect.get(whole, 'type') !== 'searchset' && holds('Patient') && holds('MedicationRequest');
}

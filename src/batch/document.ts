import type { Resource } from 'fhir/r4.js';
import { readManifest } from '../core/fhir/bulk-manifest.ts';
import { type BundleIssue, type PlacedEntry, type ReadBundle, readBundle } from '../core/fhir/bundle.ts';
import { readHookRequest } from '../core/fhir/cds-hooks.ts';
import { isResource } from '../core/fhir/is-resource.ts';
import { notUtf8 } from './read-json.ts';
import type { InputProblem } from './report/order-outcome.ts';

export interface ParsedDocument extends ReadBundle {
  readonly entries: readonly PlacedEntry[];
  readonly issues: readonly BundleIssue[];
  /**
   * Whether the document is mapped alone: a CDS Hooks request, or a bundle with a Patient and an order. A page of
   * search results is not mapped alone, since the other pages belong to the same charts.
   */
  readonly isChart: boolean;
  /** The draft orders in a CDS Hooks request. */
  readonly drafts: ReadonlySet<string>;
  /** The base URL of the server that sent a CDS Hooks request. */
  readonly server?: string;
}

/**
 * Accepts only Bundles (of any type, also nested), single resources, arrays of resources and CDS Hooks requests.
 */
export function parseDocument(value: unknown): ParsedDocument | Ignored {
  const hook = readHookRequest(value);
  if (hook !== undefined) return { ...hook, isChart: true };
  const holdsFhir = Array.isArray(value) ? value.some(isResource) : isResource(value);
  if (!holdsFhir) {
    const { says = 'JSON without a FHIR resource', deletionFiles } = readManifest(value) ?? {};
    return { ignored: says, deletionFiles };
  }
  const read = readBundle(value);
  return { ...read, isChart: isResource(value) && isChartBundle(value, read), drafts: noDrafts };
}

export interface Ignored {
  readonly ignored: string;
  /** The number of deletion files that the manifest of a bulk export lists; undefined for any other document. */
  readonly deletionFiles?: number | undefined;
}

const noDrafts: ReadonlySet<string> = new Set();

function isChartBundle(whole: Resource, { entries }: ReadBundle): boolean {
  const isList = whole.resourceType === 'Bundle' || whole.resourceType === 'Parameters';
  const holds = (type: string) => entries.some(({ resource }) => resource.resourceType === type);
  return isList && Reflect.get(whole, 'type') !== 'searchset' && holds('Patient') && holds('MedicationRequest');
}

/** Returns the resources of a non-UTF-8 document that lost characters, or the whole document if none did. */
export function damagedIn(document: ParsedDocument | Ignored): readonly InputProblem[] {
  const entries = 'ignored' in document ? [] : document.entries;
  const found = entries.filter(({ resource }) => JSON.stringify(resource).includes('\ufffd'));
  if (found.length === 0) return [{ reason: notUtf8 }];
  return found.map(({ path }) => (path === '' ? { reason: notUtf8 } : { path, reason: notUtf8 }));
}

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
  /** How many files of deletions it lists, where it is the manifest of a bulk export. */
  readonly deletionFiles?: number | undefined;
}

const noDrafts: ReadonlySet<string> = new Set();

function isChartBundle(whole: Resource, { entries }: ReadBundle): boolean {
  const isList = whole.resourceType === 'Bundle' || whole.resourceType === 'Parameters';
  const holds = (type: string) => entries.some(({ resource }) => resource.resourceType === type);
  return isList && Reflect.get(whole, 'type') !== 'searchset' && holds('Patient') && holds('MedicationRequest');
}

/** The resources of a document that is not UTF-8 in which characters are lost; the whole where none of them has any. */
export function damagedIn(document: ParsedDocument | Ignored): readonly InputProblem[] {
  const entries = 'ignored' in document ? [] : document.entries;
  const found = entries.filter(({ resource }) => JSON.stringify(resource).includes('\ufffd'));
  if (found.length === 0) return [{ reason: notUtf8 }];
  return found.map(({ path }) => (path === '' ? { reason: notUtf8 } : { path, reason: notUtf8 }));
}

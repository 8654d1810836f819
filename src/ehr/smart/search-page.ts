import type { Bundle, Resource } from 'fhir/r4.js';
import { isObject } from '../../core/fhir/is-object.ts';
import { isResource } from '../../core/fhir/is-resource.ts';
import { listOf } from '../../core/fhir/list-of.ts';

/** One page of a search, whatever the shape of the Bundle that it came in. */
export interface SearchPage extends Pick<Bundle, 'resourceType' | 'type'> {
  readonly resources: readonly Resource[];
  /** What the EHR says of the search itself. */
  readonly outcomes: readonly Resource[];
  /** How many entries hold something that cannot be read. */
  readonly unread: number;
  /** Only the link to the next page, and only where its address is allowed; else empty. */
  readonly link: { readonly relation: 'next'; readonly url: string }[];
  /** There is a next page, and its address may not be asked. */
  readonly isCut: boolean;
}

/** Reads a page; `nextAt` gives the address to ask for a link, undefined where it may not be asked. */
export function readPage(
  bundle: Readonly<Record<string, unknown>>,
  nextAt: (link: string) => string | undefined,
): SearchPage {
  const entries = listOf(bundle.entry).map(entryOf);
  const next = listOf(bundle.link).find((link) => isObject(link) && link.relation === 'next');
  const stated = isObject(next) ? next.url : undefined;
  const url = typeof stated === 'string' ? nextAt(stated.trim()) : undefined;
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    resources: entries.flatMap(({ resource }) => resource ?? []),
    outcomes: entries.flatMap(({ outcome }) => outcome ?? []),
    unread: entries.filter(({ isUnread }) => isUnread === true).length,
    link: url === undefined ? [] : [{ relation: 'next', url }],
    isCut: next !== undefined && url === undefined,
  };
}

interface PageEntry {
  readonly resource?: Resource;
  readonly outcome?: Resource;
  readonly isUnread?: true;
}

// An entry without a resource holds nothing that could be lost.
function entryOf(entry: unknown): PageEntry {
  if (!isObject(entry)) return { isUnread: true };
  const { resource, search } = entry;
  if (resource === undefined || resource === null) return {};
  if (!isResource(resource)) return { isUnread: true };
  const isOutcome = resource.resourceType === 'OperationOutcome' || (isObject(search) && search.mode === 'outcome');
  return isOutcome ? { outcome: resource } : { resource };
}

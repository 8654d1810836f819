import type { Bundle, Resource } from 'fhir/r4.js';
import { isObject } from '../../core/fhir/is-object.ts';
import { isResource } from '../../core/fhir/is-resource.ts';
import { listOf } from '../../core/fhir/list-of.ts';

/** One page of a search result, read from a Bundle of any shape. */
export interface SearchPage extends Pick<Bundle, 'resourceType' | 'type'> {
  readonly resources: readonly Resource[];
  readonly outcomes: readonly Resource[];
  /** The number of unreadable entries. */
  readonly unread: number;
  /** The link to the next page if its URL is allowed; else empty. */
  readonly link: { readonly relation: 'next'; readonly url: string }[];
  /** Whether there is a next page whose URL is not allowed. */
  readonly isCut: boolean;
}

/** Reads a page. `nextAt` returns the URL for a link, or undefined if it is not allowed. */
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

// An entry without a resource has no content that could be lost.
function entryOf(entry: unknown): PageEntry {
  if (!isObject(entry)) return { isUnread: true };
  const { resource, search } = entry;
  if (resource === undefined || resource === null) return {};
  if (!isResource(resource)) return { isUnread: true };
  const isOutcome = resource.resourceType === 'OperationOutcome' || (isObject(search) && search.mode === 'outcome');
  return isOutcome ? { outcome: resource } : { resource };
}

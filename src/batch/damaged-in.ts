import type { Document } from './document.ts';
import { notUtf8 } from './json.ts';
import type { Problem } from './outcome.ts';

/** The resources of a document that is not UTF-8 in which characters are lost; the whole where none of them has any. */
export function damagedIn(document: Document | { readonly ignored: string }): readonly Problem[] {
  const entries = 'ignored' in document ? [] : document.entries;
  const found = entries.filter(({ resource }) => JSON.stringify(resource).includes('\ufffd'));
  if (found.length === 0) return [{ reason: notUtf8 }];
  return found.map(({ path }) => (path === '' ? { reason: notUtf8 } : { path, reason: notUtf8 }));
}

import { createHmac, createSecretKey } from 'node:crypto';
import type { Vault } from '../base/vault.ts';
import { BridgeError } from '../core/errors.ts';
import type { Sealed } from './types.ts';

/** Seals contents under the content keys. Hashes and marks use the store's own key, which never rotates. */
export interface Seals {
  /** `about` binds the text to its row, as in `case|<id>|head`. */
  seal(content: unknown, about: string): { readonly hash: string; readonly sealed: string };
  /**
   * Returns the content of a row, which is opened on access. Throws `store_unavailable` then if the seal does not
   * match.
   */
  lazily<T>(row: { readonly hash: string; readonly sealed: string }, about: string): Sealed<T>;
  open(sealed: string, about: string): unknown;
  /** Seals the text as it is, without JSON encoding. */
  sealText(text: string, about: string): string;
  openText(sealed: string, about: string): string;
  /** Equal contents have equal hashes, whatever the order of keys. */
  hashOf(content: unknown): string;
  /** Returns a keyed hash of an identifying text: it finds a row again without revealing the text. */
  mark(text: string): string;
}

export function createSeals(vault: Vault, markKey: Buffer): Seals {
  // A key object, since node:crypto would otherwise make one for each hash.
  const key = createSecretKey(markKey);
  const keyed = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const hashOf = (content: unknown) => keyed(`content|${JSON.stringify(sorted(JSON.parse(jsonOf(content))))}`);
  const open = (sealed: string, about: string) => opened(vault, sealed, about);
  return {
    hashOf,
    open,
    sealText: (text, about) => vault.seal(text, about),
    openText: (sealed, about) => openedText(vault, sealed, about),
    mark: (text) => keyed(`mark|${text}`),
    seal: (content, about) => ({ hash: hashOf(content), sealed: vault.seal(jsonOf(content), about) }),
    lazily: <T>(row: { readonly hash: string; readonly sealed: string }, about: string): Sealed<T> => ({
      hash: row.hash,
      // Only the store seals, and the seal is bound to the row, so the value has the type that was written.
      value: () => open(row.sealed, about) as T,
    }),
  };
}

/** Throws `store_unavailable` with the kind of record, which is the first word of `about`. */
export function opened(vault: Vault, sealed: string, about: string): unknown {
  return JSON.parse(openedText(vault, sealed, about));
}

function openedText(vault: Vault, sealed: string, about: string): string {
  try {
    return vault.open(sealed, about);
  } catch (cause) {
    throw new BridgeError('store_unavailable', { record: about.split('|')[0] ?? '' }, { cause });
  }
}

function jsonOf(content: unknown): string {
  const text: string | undefined = JSON.stringify(content);
  if (text === undefined) throw new TypeError('only what JSON can say is sealed');
  return text;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

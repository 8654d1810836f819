import type { Mapping } from '../mapping/words/define.ts';
import { type Kind, kinds, type RequestOf } from './kinds.ts';

/** Mappings by the kind of request that they fill, and by name. */
export type MappingsByKind = { readonly [Of in Kind]: Readonly<Record<string, Mapping<RequestOf[Of]>>> };

/** The mapping of a kind by its name, whatever its request. */
export function mappingIn(mappings: MappingsByKind, kind: Kind, name: string): Mapping<unknown> | undefined {
  const named = mappings[kind] as Readonly<Record<string, unknown>>;
  return Object.hasOwn(named, name) ? (named[name] as Mapping<unknown>) : undefined; // nobody reads its request's type
}

/** The kind of the mapping of this name; undefined when there is none. */
export function kindOfMapping(mappings: MappingsByKind, name: string): Kind | undefined {
  return kinds.find((kind) => Object.hasOwn(mappings[kind], name));
}

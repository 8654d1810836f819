import type { Mapping } from '../mapping/words/define.ts';
import { type BodyOf, type MappingKind, mappingKinds } from './kinds.ts';

/** Mappings by the kind that they fill, and by name. */
export type MappingsByKind = { readonly [Of in MappingKind]: Readonly<Record<string, Mapping<BodyOf[Of]>>> };

/** The mapping of a kind by its name, without the type of its request. */
export function mappingIn(mappings: MappingsByKind, kind: MappingKind, name: string): Mapping<unknown> | undefined {
  const named = mappings[kind] as Readonly<Record<string, unknown>>;
  return Object.hasOwn(named, name) ? (named[name] as Mapping<unknown>) : undefined; // the type is not used
}

/** The kind of the mapping with this name; undefined when no mapping has it. */
export function kindOfMapping(mappings: MappingsByKind, name: string): MappingKind | undefined {
  return mappingKinds.find((kind) => Object.hasOwn(mappings[kind], name));
}

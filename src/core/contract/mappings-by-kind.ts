import type { Mapping } from '../mapping/words/define.ts';
import { type BodyOf, type MappingKind, mappingKinds } from './kinds.ts';

export type MappingsByKind = { readonly [Of in MappingKind]: Readonly<Record<string, Mapping<BodyOf[Of]>>> };

/** The mapping with this name, without the type of its body. */
export function mappingIn(mappings: MappingsByKind, kind: MappingKind, name: string): Mapping<unknown> | undefined {
  const named = mappings[kind] as Readonly<Record<string, unknown>>;
  return Object.hasOwn(named, name) ? (named[name] as Mapping<unknown>) : undefined; // callers do not use its type
}

export function kindOfMapping(mappings: MappingsByKind, name: string): MappingKind | undefined {
  return mappingKinds.find((kind) => Object.hasOwn(mappings[kind], name));
}

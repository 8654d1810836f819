import { z } from 'zod';
import { type MappingKind, mappingKinds, type NamesByKind } from '../contract/kinds.ts';
import { mappingIn } from '../contract/mappings-by-kind.ts';
import { inOurWords } from '../issue-words.ts';
import type { Mapping } from '../mapping/words/define.ts';
import { JsonMistake, type JsonPlace, type JsonPlaces, placesOf } from './json-places.ts';
import { readRoleChanges } from './read-roles.ts';
import { type ReadRules, readRules } from './read-rules.ts';
import type { Registry } from './registry.ts';
import type { OverlayProblem, SiteOverlay } from './site-overlay.ts';

/** The content of an overlay file or all of its problems. `at` finds the place of each part. */
export type ReadOverlay =
  | { readonly overlay: SiteOverlay; readonly at: PlaceOf }
  | { readonly problems: readonly OverlayProblem[]; readonly at: PlaceOf };

/** Returns line and column of a part of the file. */
export type PlaceOf = (path: readonly PropertyKey[]) => JsonPlace;

const Rules = z.record(z.string(), z.unknown()).optional();
const OverlayFile = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'small letters, digits and hyphens'),
  ...(Object.fromEntries(mappingKinds.map((kind) => [kind, Rules])) as Record<MappingKind, typeof Rules>),
  tables: z.record(z.string(), z.record(z.string(), z.array(z.string().trim().min(1)).min(1))).optional(),
  roles: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

/**
 * Reads the text of an overlay file. `bases` has the name of the site's mapping for each kind. Returns every mistake of
 * shape, key and expression.
 */
export function readOverlay(text: string, registry: Registry, bases: NamesByKind): ReadOverlay {
  const plain = text.replace(/^\uFEFF/, '');
  const places = placesIn(plain);
  if (places instanceof JsonMistake)
    return { at: () => places.place, problems: [{ path: [], reason: `it is no JSON: ${places.reason}` }] };
  const { at, repeated, prototypes } = places;
  const twice = [
    ...repeated.map((path) => ({ path, reason: 'the key stands there twice' })),
    ...prototypes.map((path) => ({ path, reason: 'there is no such key here' })),
  ];
  const file = OverlayFile.safeParse(JSON.parse(plain), inOurWords);
  if (!file.success) return { at, problems: [...twice, ...file.error.issues.flatMap(problemsOf)] };
  const { name, tables, roles = {} } = file.data;
  const read = mappingKinds.map(
    (kind) => [kind, rulesOf(file.data[kind], mappingIn(registry, kind, bases[kind]), kind)] as const,
  );
  const changes = readRoleChanges(roles, registry.roles, ['roles']);
  const problems = [...twice, ...read.flatMap(([, { problems }]) => problems), ...changes.problems];
  if (problems.length > 0) return { at, problems };
  const rules = Object.fromEntries(read.map(([kind, { rules }]) => [kind, rules]));
  return { at, overlay: { name, ...rules, tables, roles: changes.changes } };
}

function placesIn(text: string): JsonPlaces | JsonMistake {
  try {
    return placesOf(text);
  } catch (thrown) {
    if (thrown instanceof JsonMistake) return thrown;
    throw thrown;
  }
}

function rulesOf<T>(written: unknown, base: Mapping<T> | undefined, kind: MappingKind): ReadRules<T> {
  if (base === undefined || written === undefined) return { rules: {}, problems: [] };
  return readRules(written, base, [kind]);
}

function problemsOf(issue: z.core.$ZodIssue): OverlayProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...issue.path, key], reason: 'there is no such key here' }));
  return [{ path: issue.path, reason: issue.message }];
}

import type { BodyOf, MappingKind } from '../contract/kinds.ts';
import type { PartialRules } from '../mapping/words/rules.ts';
import type { RoleChanges } from '../roles/role-change.ts';

export type RulesByKind = { readonly [Of in MappingKind]?: PartialRules<BodyOf[Of]> | undefined };

/**
 * What differs at one site. It is read from a JSON file next to the sites file, or written in TypeScript and registered
 * in `mappings/index.ts`. It only adds rules; `loosenedBy` and `refusedChanges` refuse rules that loosen the base.
 */
export interface SiteOverlay extends RulesByKind {
  /** A short name. The site's mappings are called `<kind>@<name>`, such as `prior-auth@<name>`. */
  readonly name: string;
  /** Additional rows, by table and by the value that the keys map to: `{ "dose form": { "tablet": ["my tab"] } }`. */
  readonly tables?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> | undefined;
  readonly roles?: RoleChanges | undefined;
}

/** A mistake in an overlay. `path` starts at the root of the overlay. */
export interface OverlayProblem {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
  /** The offset in the expression, in characters from 0. */
  readonly position?: number;
}

import type { BodyOf, MappingKind } from '../contract/kinds.ts';
import type { PartialRules } from '../mapping/words/rules.ts';
import type { RoleChanges } from '../roles/role-change.ts';

/** Rules that differ, by the kind of what is filled. */
export type RulesByKind = { readonly [Of in MappingKind]?: PartialRules<BodyOf[Of]> | undefined };

/**
 * What differs at a site. It is read from a JSON file beside the sites file, or written in TypeScript and named in
 * `mappings/index.ts`. It adds and never loosens: `keptBy` and `overlayRoles` refuse the rest.
 */
export interface SiteOverlay extends RulesByKind {
  /** Short name: the site's mappings are called `<kind>@<name>`, as `prior-auth@<name>`. */
  readonly name: string;
  /** Rows that are added, by table and value of its list: `{ "dose form": { "tablet": ["my tab"] } }`. */
  readonly tables?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> | undefined;
  /** What is added to roles. */
  readonly roles?: RoleChanges | undefined;
}

/** A mistake in an overlay; `path` leads to it from the top of the overlay. */
export interface OverlayProblem {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
  /** Characters from the beginning of an expression. */
  readonly position?: number;
}

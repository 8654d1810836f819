import type { PartialRules } from '../mapping/words/rules.ts';
import type { RoleChanges } from '../roles/overlay.ts';
import type { CreateEnrollmentRequest, CreatePriorAuthRequest } from '../service/contract.ts';

/** The kinds of request, as the sites file names them. */
export const kinds = ['prior-auth', 'enrollment'] as const;
export type Kind = (typeof kinds)[number];

/**
 * What differs at a site. It is read from a JSON file beside the sites file, or written in TypeScript and named in
 * `mappings/index.ts`. It adds and never loosens: `keptBy` and `overlayRoles` refuse the rest.
 */
export interface SiteOverlay {
  /** Short name: the site's mappings are called `prior-auth@<name>` and `enrollment@<name>`. */
  readonly name: string;
  /** Rules of the prior authorization that differ. */
  readonly 'prior-auth'?: PartialRules<CreatePriorAuthRequest> | undefined;
  /** Rules of the enrollment that differ. */
  readonly enrollment?: PartialRules<CreateEnrollmentRequest> | undefined;
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

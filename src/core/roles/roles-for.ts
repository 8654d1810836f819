import type { RoleTable } from './define.ts';

/** Tables of roles: the base, and those that a site's overlay changes. */
export interface RoleTables {
  readonly roles: RoleTable;
  /** By the name of a mapping that is laid over the base for a site. */
  readonly siteRoles?: Readonly<Record<string, RoleTable>>;
}

/**
 * The table of roles that belongs to a mapping.
 * @example rolesFor(mappings, site.mappings['prior-auth'])
 */
export function rolesFor({ roles, siteRoles = {} }: RoleTables, mapping: string): RoleTable {
  return (Object.hasOwn(siteRoles, mapping) ? siteRoles[mapping] : undefined) ?? roles;
}

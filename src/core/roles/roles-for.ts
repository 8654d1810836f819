import type { RoleTable } from './define.ts';

/** The base table of roles, and the tables that overlays of sites changed. */
export interface RoleTables {
  readonly roles: RoleTable;
  /** The role tables of sites, by the name of the site's mapping. */
  readonly siteRoles?: Readonly<Record<string, RoleTable>>;
}

/**
 * The table of roles that belongs to a mapping.
 * @example rolesFor(mappings, site.mappings['prior-auth'])
 */
export function rolesFor({ roles, siteRoles = {} }: RoleTables, mapping: string): RoleTable {
  return (Object.hasOwn(siteRoles, mapping) ? siteRoles[mapping] : undefined) ?? roles;
}

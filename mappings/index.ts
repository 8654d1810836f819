import { loadOverlays } from '../src/overlay/load-overlays.ts';
import type { Registry } from '../src/overlay/registry.ts';
import { drugRoles } from './drug-roles.ts';
import { enrollment } from './enrollment.ts';
import { drugNames } from './knowledge/brands.ts';
import { drugClasses } from './knowledge/drug-classes.ts';
import { ingredientNames } from './knowledge/ingredients.ts';
import { priorAuth } from './prior-auth.ts';
import { roles } from './roles.ts';
import { valley } from './sites/valley.ts';

const base: Registry = {
  'prior-auth': { 'prior-auth': priorAuth },
  enrollment: { enrollment },
  roles,
  rolesOverTables: drugRoles,
  overlays: { valley },
  drugNames: [
    ...ingredientNames,
    ...drugNames.flatMap(({ name, ingredients }) => [name, ...ingredients]),
    ...drugClasses.flatMap(({ drugs, before }) => [...drugs, ...before]),
  ],
};

// An overlay in TypeScript is known by name to every command, a JSON file only where a sites file names it.
const written = Object.keys(base.overlays ?? {}).map((overlay) => ({
  id: overlay,
  overlay,
  mappings: { 'prior-auth': 'prior-auth', enrollment: 'enrollment' },
}));

/**
 * Every mapping to a service request by the name that the sites file and the command line use, and the roles that they
 * read.
 */
export const mappings: Registry = loadOverlays(base, written).registry;

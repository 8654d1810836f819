import { loadOverlays } from '../src/overlay/load-overlays.ts';
import type { Registry } from '../src/overlay/registry.ts';
import { baseNames } from '../src/service/kinds.ts';
import { benefitVerification } from './benefit-verification.ts';
import { drugRoles } from './drug-roles.ts';
import { enrollment } from './enrollment.ts';
import { drugNames } from './knowledge/brands.ts';
import { drugClasses } from './knowledge/drug-classes.ts';
import { ingredientNames } from './knowledge/ingredients.ts';
import { priorAuth } from './prior-auth.ts';
import { priorAuthCoded } from './prior-auth-coded.ts';
import { priorAuthCurrent } from './prior-auth-current.ts';
import { roles } from './roles.ts';
import { valley } from './sites/valley.ts';

const base: Registry = {
  'prior-auth': {
    'prior-auth': priorAuth,
    'prior-auth-current': priorAuthCurrent,
    'prior-auth-coded': priorAuthCoded,
  },
  enrollment: { enrollment },
  'benefit-verification': { 'benefit-verification': benefitVerification },
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
  mappings: baseNames,
}));

/**
 * Every mapping to a service request by the name that the sites file and the command line use, and the roles that they
 * read.
 */
export const mappings: Registry = loadOverlays(base, written).registry;

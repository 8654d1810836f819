import type { Mapping } from '../src/mapping/words/define.ts';
import type { RoleTable } from '../src/roles/define.ts';
import type { CreateEnrollmentRequest, CreatePriorAuthRequest } from '../src/service/contract.ts';
import { enrollment } from './enrollment.ts';
import { drugNames } from './knowledge/brands.ts';
import { drugClasses } from './knowledge/drug-classes.ts';
import { ingredientNames } from './knowledge/ingredients.ts';
import { priorAuth } from './prior-auth.ts';
import { roles } from './roles.ts';
import { valleyPriorAuth } from './sites/valley.ts';

/** Every mapping and overlay to a service request, by the name that the sites file and the command line use. A new site adds its line here. */
export interface Registry {
  readonly 'prior-auth': Readonly<Record<string, Mapping<CreatePriorAuthRequest>>>;
  readonly enrollment: Readonly<Record<string, Mapping<CreateEnrollmentRequest>>>;
  /** What a request is made of. */
  readonly roles: RoleTable;
  /** Names of drugs and of what is in them, as the knowledge has them: they name nobody. */
  readonly drugNames: readonly string[];
}

export const mappings: Registry = {
  'prior-auth': { 'prior-auth': priorAuth, 'prior-auth@valley': valleyPriorAuth },
  enrollment: { enrollment },
  roles,
  drugNames: [
    ...ingredientNames,
    ...drugNames.flatMap(({ name, ingredients }) => [name, ...ingredients]),
    ...drugClasses.flatMap(({ drugs, before }) => [...drugs, ...before]),
  ],
};

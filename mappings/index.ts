import type { Mapping } from '../src/mapping/words/define.ts';
import type { RoleTable } from '../src/roles/define.ts';
import type { CreateEnrollmentRequest, CreatePriorAuthRequest } from '../src/service/contract.ts';
import { enrollment } from './enrollment.ts';
import { priorAuth } from './prior-auth.ts';
import { roles } from './roles.ts';
import { valleyPriorAuth } from './sites/valley.ts';

/** Every mapping and overlay to a service request, by the name that the sites file and the command line use. A new site adds its line here. */
export interface Registry {
  readonly 'prior-auth': Readonly<Record<string, Mapping<CreatePriorAuthRequest>>>;
  readonly enrollment: Readonly<Record<string, Mapping<CreateEnrollmentRequest>>>;
  /** What a request is made of. */
  readonly roles: RoleTable;
}

export const mappings: Registry = {
  'prior-auth': { 'prior-auth': priorAuth, 'prior-auth@valley': valleyPriorAuth },
  enrollment: { enrollment },
  roles,
};

import type { User } from '../../cases/case.ts';
import type { Identity } from '../../ehr/smart/types.ts';

/** The user of a launch, in the form in which cases store people. */
export function userOf({ fhirUser, userName }: Identity): User {
  return { ...(fhirUser === undefined ? {} : { fhirUser }), ...(userName === undefined ? {} : { name: userName }) };
}

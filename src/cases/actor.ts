/** Who did something: the user of the launch as far as the EHR named them, or the bridge itself. */
export type Actor = User | 'bridge';

export interface User {
  /** `Practitioner/12` */
  readonly fhirUser?: string;
  readonly name?: string;
}

/** The user in words: the name where the EHR gave one. */
export function userText({ fhirUser, name }: User): string {
  return name ?? fhirUser ?? 'a user whom the EHR did not name';
}

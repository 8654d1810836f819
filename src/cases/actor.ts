/** The author of an action: the user of the launch, as far as the EHR identified them, or the bridge itself. */
export type Actor = User | 'bridge';

export interface User {
  /** `Practitioner/12` */
  readonly fhirUser?: string;
  readonly name?: string;
}

/** The user's name, or the reference where the EHR gave no name. */
export function userText({ fhirUser, name }: User): string {
  return name ?? fhirUser ?? 'a user whom the EHR did not name';
}

import type { Bundle, Practitioner } from 'fhir/r4.js';

/** A person who can be signed in to the sandbox EHR. All are invented. */
export interface EhrUser {
  readonly id: string;
  readonly name: string;
  /** What the person can do, for the page that offers them. */
  readonly says: string;
  /** Id of the Practitioner who signs in; absent for the prescriber of whatever order is opened. */
  readonly practitioner?: string;
}

export const managerId = 'sandbox-manager';

/** The first one is signed in until somebody chooses. */
export const ehrUsers: readonly [EhrUser, ...EhrUser[]] = [
  {
    id: 'prescriber',
    name: 'The prescriber',
    says: 'The physician of the order that is opened. Reviews, sends, answers the payer.',
  },
  {
    id: 'nurse',
    name: 'Dana Whitfield, RN',
    says: 'Nurse. Prepares requests for every prescriber of the clinic.',
    practitioner: 'sandbox-nurse',
  },
  {
    id: 'manager',
    name: 'Marcus Ellery',
    says: 'Practice manager. Sees, assigns and closes all lines of the worklist, and sends nothing.',
    practitioner: managerId,
  },
];

export function userById(id: string | undefined): EhrUser {
  return ehrUsers.find((one) => one.id === id) ?? ehrUsers[0];
}

/** Their records in the EHR. */
export const userRecords: Bundle = {
  resourceType: 'Bundle',
  type: 'collection',
  entry: [
    practitioner('sandbox-nurse', { given: ['Dana'], family: 'Whitfield', suffix: ['RN'] }),
    practitioner(managerId, { given: ['Marcus'], family: 'Ellery' }),
  ].map((resource) => ({ resource })),
};

function practitioner(id: string, name: NonNullable<Practitioner['name']>[number]): Practitioner {
  return { resourceType: 'Practitioner', id, active: true, name: [name] };
}

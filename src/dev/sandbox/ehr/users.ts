import type { Bundle, Practitioner } from 'fhir/r4.js';

/** A person who can sign in to the sandbox EHR. Every such person is invented. */
export interface EhrUser {
  readonly id: string;
  readonly name: string;
  /** What the person may do, for the page that lists users. */
  readonly says: string;
  /** Id of the Practitioner who signs in; absent: the prescriber of the order that is opened. */
  readonly practitioner?: string;
}

export const managerId = 'sandbox-manager';

/** The first user is signed in until another is selected. */
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

/** The Practitioner resources of these users. */
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

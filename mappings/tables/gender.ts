import type { Table } from '../../src/mapping/words/rules.ts';
import { genders } from '../../src/service/contract/parts.ts';

/** FHIR administrative-gender to the service's gender; `unknown` is `not_specified`. */
export const genderTable: Table<(typeof genders)[number]> = {
  name: 'gender',
  list: genders,
  rows: { male: ['male'], female: ['female'], other: ['other'], not_specified: ['unknown'] },
};

import { genders } from '../../src/core/contract/parts.ts';
import type { Table } from '../../src/core/mapping/words/rules.ts';

/** FHIR administrative-gender to the service's gender; `unknown` is `not_specified`. */
export const genderTable: Table<(typeof genders)[number]> = {
  name: 'gender',
  list: genders,
  rows: { male: ['male'], female: ['female'], other: ['other'], not_specified: ['unknown'] },
};

import { expect, test } from 'vitest';
import { z } from 'zod';
import { targetLabel } from '../../../src/core/mapping/run/messages.ts';

const Drug = z.object({ daysSupply: z.number().meta({ title: 'days that it lasts' }), rx_bin: z.string() });
const Request = z.object({ prescription: Drug, drugs: z.array(Drug), extra: z.object({ npi: z.string() }) });

test.each<[string, readonly PropertyKey[], string]>([
  [
    'the title of the field, after the name of its section',
    ['prescription', 'daysSupply'],
    'Prescription: days that it lasts',
  ],
  ['the name of a field without a title', ['prescription', 'rx_bin'], 'Prescription: RxBIN'],
  ['an item of a list by its place', ['drugs', 1, 'daysSupply'], 'Drugs: 2 days that it lasts'],
  ['nothing of where the contract keeps what it does not name', ['extra', 'npi'], 'NPI'],
  ['the request as a whole', [], 'The request'],
])('a place of the body in words is %s', (_, path, words) => {
  expect(targetLabel(Request, path)).toBe(words);
});

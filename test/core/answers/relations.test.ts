import { expect, test } from 'vitest';
import { sheetFor, statement } from './support.ts';

test.each([
  ['tretinoin 0.05% cream', 'adapalene 0.1% gel', 'same class', 'topical retinoids'],
  ['lurasidone 40 mg tablet', 'quetiapine 50 mg tablet', 'same class', 'second-generation antipsychotics'],
  ['lurasidone 40 mg tablet', 'haloperidol 5 mg tablet', 'same group', 'antipsychotics'],
  ['rivaroxaban 20 mg tablet', 'warfarin 5 mg tablet', 'same group', 'anticoagulants'],
  ['rivaroxaban 20 mg tablet', 'enoxaparin 100 mg injection', 'same group', 'anticoagulants'],
  ['apixaban 5 mg tablet', 'rivaroxaban 20 mg tablet', 'same class', 'direct factor Xa inhibitors'],
  ['atorvastatin 40 mg tablet', 'rosuvastatin 10 mg tablet', 'same class', 'statins'],
])('%s: %s is of the %s', (ordered, other, relation, name) => {
  expect(sheetFor(ordered, [statement('s1', other)]).trials).toMatchObject([{ relation, class: name }]);
});

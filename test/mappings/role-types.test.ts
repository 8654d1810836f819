import { expect, test } from 'vitest';
import { roles } from '../../mappings/roles.ts';
import { typesOfPath } from '../../src/core/roles/check-paths.ts';

// By these the lint judges a path of a site's overlay.
test.each([
  ['%daysSupply', ['integer']],
  ['%order', ['MedicationRequest']],
  ['%order.dispenseRequest.quantity', ['Quantity']],
])('a path that reads %s finds %j', (path, types) => {
  expect(typesOfPath(path, roles.types)).toEqual(types);
});

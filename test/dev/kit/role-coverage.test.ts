import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { loadFixture } from '../../../src/dev/kit/fixture.ts';
import { coverageCases, roleCoverageOf } from '../../../src/dev/kit/fixture-coverage.ts';
import { formatRoleCoverage, hasRoleHoles, type RoleCoverage } from '../../../src/dev/kit/role-coverage.ts';

const root = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'charts');

function coverageBy(...names: readonly string[]): Promise<RoleCoverage> {
  return roleCoverageOf(
    names.map((name) => loadFixture(join(root, name))),
    mappings.roles,
  );
}

test('a role that no chart fills is named, and no longer when one does', async () => {
  expect((await coverageBy('story-complete')).unfilled).toContain('card');
  expect((await coverageBy('story-complete', 'story-card-image')).unfilled).not.toContain('card');
});

test('a clause that no candidate meets is named with role, words and test, and no longer when one does', async () => {
  const selfPay = { role: 'coverage', words: 'it is self-pay', test: '`type` has the code pay or 81 or 82 or SELFPAY' };
  expect((await coverageBy('story-complete')).idleClauses).toContainEqual(selfPay);
  expect((await coverageBy('coverage-self-pay-is-out')).idleClauses).not.toContainEqual(selfPay);
});

test('each alternative of a clause counts by itself', async () => {
  const { idleClauses } = await coverageBy('coverage-self-pay-is-out');
  expect(idleClauses).toContainEqual({
    role: 'coverage',
    words: 'it is self-pay',
    test: 'every `payor` points to a Patient',
  });
});

test('a preference that puts nothing first is named', async () => {
  const byName = { role: 'name', words: 'half of it is missing', test: 'no text at `given`' };
  expect((await coverageBy('story-complete')).idleClauses).toContainEqual(byName);
});

test('a path that finds nothing is named with its role', async () => {
  const initialFill = { role: 'supply', expression: '%order.dispenseRequest.initialFill' };
  expect((await coverageBy('story-complete')).idlePaths).toContainEqual(initialFill);
  expect((await coverageBy('quantity-only-in-the-initial-fill')).idlePaths).not.toContainEqual(initialFill);
});

test('a question that nobody is asked is named, and a question of another role does not count for it', async () => {
  const { unasked } = await coverageBy('rx-bin-stated-twice-is-asked');
  const twice = unasked.filter(({ message }) => message.includes('twice')).map(({ role }) => role);
  expect(twice).toEqual(['rxPcn', 'rxGroup', 'group', 'plan']);
});

test('elements that filling the roles reads are noted, those that nobody looks at are not', async () => {
  const [one] = await coverageCases([loadFixture(join(root, 'coverage-none-is-a-gap'))], mappings.roles);
  expect(one?.read).toContain('MedicationRequest.status');
  expect(one?.read).not.toContain('Patient.maritalStatus');
});

test('what never came up is told in words, and is a hole', () => {
  const found: RoleCoverage = {
    roles: 2,
    unfilled: ['card'],
    idlePaths: [{ role: 'payer', expression: '%coverage.payor' }],
    idleClauses: [{ role: 'order', words: 'it is not to be given', test: '`doNotPerform = true`' }],
    unasked: [{ role: 'rxBin', message: 'Which one is on the card?' }],
  };
  expect(formatRoleCoverage(found)).toBe(
    [
      '',
      'Roles: 2, 1 of them filled',
      '  %card is filled in no case',
      '  %payer: %coverage.payor finds nothing in any case',
      '  %order: no case meets “it is not to be given”, `doNotPerform = true`',
      '  %rxBin: no case brings up “Which one is on the card?”',
      '',
    ].join('\n'),
  );
  expect(hasRoleHoles(found)).toBe(true);
  expect(hasRoleHoles({ roles: 2, unfilled: [], idlePaths: [], idleClauses: [], unasked: [] })).toBe(false);
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { chartOfFixture, loadFixture } from '../../src/proof/fixture.ts';
import { coverageOfRoles, formatRoleCoverage } from '../../src/proof/role-coverage.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

async function coverageBy(...names: readonly string[]) {
  const charts = await Promise.all(names.map((name) => chartOfFixture(loadFixture(join(root, name)), mappings.roles)));
  return coverageOfRoles(
    mappings.roles,
    charts.filter((chart) => chart !== undefined),
  );
}

test('a role that no chart fills is named, and no longer when one does', async () => {
  expect((await coverageBy('story-complete')).unfilled).toContain('card');
  expect((await coverageBy('story-complete', 'story-card-image')).unfilled).not.toContain('card');
});

test('a refusal that no chart brings up is named with its role, and no longer when one does', async () => {
  const words = async (...names: readonly string[]) =>
    (await coverageBy(...names)).unsaid.map((one) => `${one.role}: ${one.words}`);
  const [without, withOne] = [await words('story-complete'), await words('story-complete', 'coverage-self-pay-is-out')];
  const gone = without.filter((one) => !withOne.includes(one));
  expect(gone.some((one) => /^coverage: .*self-pay/.test(one))).toBe(true);
});

test('what never came up is told in words', () => {
  const told = formatRoleCoverage({
    roles: 2,
    unfilled: ['card'],
    unsaid: [{ role: 'order', words: 'its status is {status}' }],
  });
  expect(told).toBe(
    '\nRoles: 2, 1 of them filled\n  %card is filled in no fixture\n  %order: no fixture brings up “its status is {status}”\n',
  );
});

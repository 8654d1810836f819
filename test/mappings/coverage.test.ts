import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerRoles, mappings } from '../../mappings/index.ts';
import { unread, unreadByBenefits, unreadByEnrollment, unreadReasons } from '../../mappings/unread.ts';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { coverageCases, roleCoverageOf } from '../../src/dev/kit/fixture-coverage.ts';
import { coverageOf, hasHoles } from '../../src/dev/kit/mapping-coverage.ts';
import { hasRoleHoles } from '../../src/dev/kit/role-coverage.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

const isPartOf = (element: string, key: string) => element === key || element.startsWith(`${key}.`);

describe('the fixtures reach', async () => {
  const fixtures = listFixtures(root).map(loadFixture);
  const cases = await coverageCases(fixtures, mappings.roles);
  const priorAuth = coverageOf(
    mappings['prior-auth']['prior-auth@valley'] ?? mappings['prior-auth']['prior-auth']!,
    cases,
    Object.keys(unread),
  );
  const enrollment = coverageOf(mappings.enrollment.enrollment!, cases);
  const benefits = coverageOf(
    mappings['benefit-verification']['benefit-verification']!,
    cases,
    Object.keys(unreadByBenefits),
  );

  const answers = coverageOf(mappings.answers.answers!, await coverageCases(fixtures, answerRoles));

  test('every source of every rule', () => {
    expect(answers.idleSources).toEqual([]);
    expect(priorAuth.idleSources).toEqual([]);
    expect(enrollment.idleSources).toEqual([]);
    expect(benefits.idleSources).toEqual([]);
  });

  test('every field of the bodies that is not omitted', () => {
    expect(priorAuth.unproduced).toEqual([]);
    expect(enrollment.unproduced).toEqual([]);
    expect(benefits.unproduced).toEqual([]);
    expect(answers.unproduced).toEqual([]);
  });

  test('every value of every closed list', () => {
    expect(priorAuth.unusedEnums).toEqual([]);
  });

  test('fields of which every closed-list value has a row, or a reason in its table', () => {
    expect(priorAuth.lists.map(({ to, withoutRow }) => ({ to, withoutRow }))).toEqual([
      { to: 'patient.gender', withoutRow: [] },
      { to: 'prescription.dose_form', withoutRow: [] },
      { to: 'prescription.route_of_administration', withoutRow: [] },
      { to: 'prescription.dispense_unit', withoutRow: [] },
    ]);
    expect(enrollment.lists).toEqual([]);
    expect(benefits.lists.map(({ to, withoutRow }) => ({ to, withoutRow }))).toEqual([
      { to: 'patient.gender', withoutRow: [] },
    ]);
  });

  test('every overlay entry, and each of them changes something', () => {
    expect(priorAuth.idleOverlays).toEqual([]);
  });

  test('every element of their resources, or a reason stands in mappings/unread.ts', () => {
    expect(priorAuth.unread).toEqual([]);
    const reasons = Object.keys(unreadByEnrollment);
    expect(enrollment.unread.filter(({ element }) => !reasons.some((key) => isPartOf(element, key)))).toEqual([]);
    expect(benefits.unread).toEqual([]);
  });

  test('nothing that mappings/unread.ts gives a reason for is read after all', () => {
    const { unread: leftByPriorAuth } = coverageOf(mappings['prior-auth']['prior-auth']!, cases);
    const left = [...leftByPriorAuth, ...enrollment.unread].map(({ element }) => element);
    const isLeft = (key: string) => left.some((element) => isPartOf(element, key));
    expect(Object.keys({ ...unread, ...unreadByEnrollment }).filter((key) => !isLeft(key))).toEqual([]);
  });

  test('nothing that the service has no field for is read to fill a role', () => {
    const read = new Set(cases.flatMap(({ read = [] }) => [...read]));
    const isRead = (key: string) => [...read].some((element) => isPartOf(element, key));
    const keys = Object.keys(unread).filter((key) => unread[key] === unreadReasons);
    expect(keys.filter(isRead)).toEqual([]);
  });

  test('every role, and every path, clause and question of each', async () => {
    const roles = await roleCoverageOf(fixtures, mappings.roles);
    const { unfilled, idlePaths, idleClauses, unasked } = roles;
    expect({ unfilled, idlePaths, idleClauses, unasked }).toEqual({
      unfilled: [],
      idlePaths: [],
      idleClauses: [],
      unasked: [],
    });
    expect(hasRoleHoles(roles)).toBe(false);
    expect(hasHoles(priorAuth)).toBe(false);
  });
});

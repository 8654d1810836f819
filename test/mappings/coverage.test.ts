import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { unread, unreadByEnrollment } from '../../mappings/unread.ts';
import { type CoverageCase, coverageOf } from '../../src/proof/coverage.ts';
import { chartOfFixture, listFixtures, loadFixture } from '../../src/proof/fixture.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

async function casesOf(): Promise<CoverageCase[]> {
  const cases: CoverageCase[] = [];
  for (const fixture of listFixtures(root).map(loadFixture)) {
    const input = await chartOfFixture(fixture, mappings.roles);
    if (input !== undefined) cases.push({ input, edits: fixture.request.edits });
  }
  return cases;
}

describe('the fixtures reach', async () => {
  const cases = await casesOf();
  const priorAuth = coverageOf(
    mappings['prior-auth']['prior-auth@valley'] ?? mappings['prior-auth']['prior-auth']!,
    cases,
    Object.keys(unread),
  );
  const enrollment = coverageOf(mappings.enrollment.enrollment!, cases, Object.keys(unreadByEnrollment));

  test('every source of every rule', () => {
    expect(priorAuth.idleSources).toEqual([]);
    expect(enrollment.idleSources).toEqual([]);
  });

  test('every field of the bodies that is not omitted', () => {
    expect(priorAuth.unproduced).toEqual([]);
    expect(enrollment.unproduced).toEqual([]);
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
  });

  test('every overlay entry, and each of them changes something', () => {
    expect(priorAuth.idleOverlays).toEqual([]);
  });

  test('every element of their resources, or a reason stands in mappings/unread.ts', () => {
    expect(priorAuth.unread).toEqual([]);
    expect(enrollment.unread).toEqual([]);
  });
});

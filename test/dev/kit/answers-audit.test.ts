import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerRoles, answers } from '../../../mappings/index.ts';
import { todayAt } from '../../../src/core/fhir/time/today.ts';
import type { MappingResult } from '../../../src/core/mapping/result.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { auditTablesOf } from '../../../src/dev/commands/audit-tables.ts';
import { type AuditFinding, auditResult } from '../../../src/dev/kit/audit/audit.ts';
import { chartOfFixture, type FixtureInput, listFixtures, loadFixture } from '../../../src/dev/kit/fixture.ts';

const root = join(import.meta.dirname, '../../../fixtures/charts');
const tables = auditTablesOf(answers.tree);
const inGap = 'answers-of-fills-of-unknown-length-a-gap-and-a-place';

interface Case {
  readonly fixture: FixtureInput;
  readonly result: MappingResult<unknown>;
  readonly patient: string;
  readonly order: string;
}

async function caseOf(folder: string): Promise<Case | undefined> {
  const fixture = loadFixture(folder);
  const chart = await chartOfFixture(fixture, answerRoles);
  if (chart === undefined) return undefined;
  return { fixture, result: runMapping(answers, chart), patient: chart.patient, order: chart.order };
}

function findingsOf({ fixture, patient, order }: Case, result: MappingResult<unknown>): AuditFinding[] {
  const { site, now } = fixture.request;
  const { day: sheetDay } = todayAt(new Date(now), `${site.timeZone}`);
  return auditResult(result, { entries: fixture.entries, patient, order, tables, site, sheetDay });
}

describe('the sheet of every mapping case, read again by the audit', async () => {
  const cases = (await Promise.all(listFixtures(root).map(caseOf))).filter((one) => one !== undefined);

  test('says nothing that does not follow from the elements that it cites', () => {
    const values = cases.reduce((sum, { result }) => sum + result.provenance.length, 0);
    expect(values).toBeGreaterThan(15_000);
    const wrong = cases.flatMap((one) =>
      findingsOf(one, one.result).map((found) => ({ in: one.fixture.name, ...found })),
    );
    expect(wrong).toEqual([]);
  });

  test.each<[string, RegExp, (value: unknown) => unknown, string?]>([
    ['a day too many', /^trials\[7\]\.days_covered$/, (value) => Number(value) + 1],
    ['a day ahead too many', /^trials\[8\]\.days_ahead$/, (value) => Number(value) + 1],
    ['a day told too many', /^trials\[0\]\.about_days$/, (value) => Number(value) + 1],
    ['a dose that was not given', /^trials\[5\]\.times_given$/, () => 3],
    ['another last day', /^trials\[7\]\.last$/, () => '2024-04-14'],
    ['another reason', /^trials\[7\]\.reasons\[0\]$/, () => 'Nausea'],
    ['another fill', /^trials\[7\]\.fills\[0\]\.days$/, () => 30],
    ['another source', /^trials\[7\]\.sources\[0\]$/, () => 'MedicationDispense/other'],
    ['more days of the drug', /^therapy\.days_covered$/, (value) => Number(value) + 1],
    ['another gap', /^therapy\.gaps\[0\]\.days$/, (value) => Number(value) - 1],
    ['another age', /^patient\.age_years$/, () => 43],
    ['another value', /^tests\.results\[2\]\.number$/, () => 4.3],
    ['another unit', /^patient\.weight\.unit$/, () => 'lb'],
    ['an older result', /^tests\.results\[0\]\.age_days$/, () => 179],
    ['a wrong window', /^tests\.results\[3\]\.in_window$/, () => true],
    ['another specialty', /^specialty\.nucc$/, () => '207R00000X'],
    ['another time without supply', /^response\[0\]\.without_supply\.to$/, () => '2026-08-30', inGap],
    ['another place', /^place\.stated\[0\]$/, () => 'Given at home', inGap],
  ])('%s is found', (_what, target, changed, name = 'answers-of-a-drug-after-trials-of-others') => {
    const one = cases.find(({ fixture }) => fixture.name === name)!;
    const found = one.result.provenance.find((entry) => target.test(entry.target))!;
    const body = structuredClone(one.result.status === 'complete' ? one.result.body : one.result.draft);
    const keys = found.target.split(/\.|(?=\[)/).map((key) => key.replace(/[[\]]/g, ''));
    const holder = keys.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(at as object, key), body) as object;
    Reflect.set(holder, keys.at(-1)!, changed(Reflect.get(holder, keys.at(-1)!)));
    const findings = findingsOf(one, { status: 'complete', body, provenance: one.result.provenance, gaps: [] });
    expect(findings.map((finding) => finding.target)).toContain(found.target);
  });
});

import type { RoleTable } from '../../core/roles/define.ts';
import { candidateOrders } from '../../core/roles/select.ts';
import { chartOfFixture, choosingOf, type Fixture } from './fixture.ts';
import type { CoverageCase } from './mapping-coverage.ts';
import { coverageOfRoles, type RoleCoverage } from './role-coverage.ts';
import { fillRoles, watchResources } from './watch-resources.ts';
import { watchRoles } from './watch-roles.ts';

/**
 * Returns the charts of mapping cases, each with the elements that its roles read. Cases without candidate orders are
 * left out.
 */
export async function coverageCases(fixtures: readonly Fixture[], roles: RoleTable): Promise<CoverageCase[]> {
  const cases: CoverageCase[] = [];
  for (const fixture of fixtures) {
    const input = await chartOfFixture(fixture, roles);
    if (input === undefined) continue;
    cases.push({ input, edits: fixture.request.edits, read: await readByRoles(fixture, roles) });
  }
  return cases;
}

// Selecting the order reads the resources too, so only the reads after that are returned.
async function readByRoles(fixture: Fixture, roles: RoleTable): Promise<ReadonlySet<string>> {
  const watched = watchResources(fixture.entries);
  const chart = await chartOfFixture(fixture, roles, watched.graph);
  watched.forget();
  if (chart !== undefined) fillRoles(chart, roles.names);
  return watched.read;
}

/**
 * Returns which parts of a role table mapping cases prove. The orders of each case are listed too, since listing
 * evaluates the rules for candidates.
 */
export async function roleCoverageOf(fixtures: readonly Fixture[], roles: RoleTable): Promise<RoleCoverage> {
  const watched = watchRoles(roles);
  const charts = [];
  for (const fixture of fixtures) {
    candidateOrders(fixture.entries, choosingOf(fixture.request, watched.table));
    const chart = await chartOfFixture(fixture, watched.table);
    if (chart !== undefined) charts.push(chart);
  }
  return coverageOfRoles(watched, charts);
}

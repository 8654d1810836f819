import { Argument } from 'commander';
import { unread, unreadByEnrollment } from '../../mappings/unread.ts';
import { candidateOrders } from '../chart/select.ts';
import { BridgeError } from '../errors.ts';
import type { Edits } from '../mapping/result.ts';
import type { Mapping } from '../mapping/words/define.ts';
import { type Coverage, type CoverageCase, coverageOf, hasHoles } from '../proof/coverage.ts';
import { formatCoverage } from '../proof/coverage-text.ts';
import { chartOfFixture, listFixtures, loadFixture } from '../proof/fixture.ts';
import { coverageOfRoles, formatRoleCoverage } from '../proof/role-coverage.ts';
import type { Chart } from '../roles/chart.ts';
import type { RoleTable } from '../roles/define.ts';
import { rolesFor } from '../roles/roles-for.ts';
import { type AddCommand, type ExitCode, exit, type Io } from './io.ts';
import { addSiteOptions, mappingNames, mappingsOf, namedMapping, type SiteOptions } from './mappings.ts';
import { packageRoot } from './package.ts';

interface CoverageOptions extends SiteOptions {
  readonly fixtures: string;
  readonly rows?: true;
  readonly json?: true;
}

const help = `
Names sources of rules that no fixture got a value from, fields no fixture produced, elements of the fixtures that nothing reads
(those with a reason in mappings/unread.ts left out), overlay entries that change nothing, closed-list values that no fixture produced,
and for the tables in mappings/tables the closed-list values that no row leads to (those with a reason in the table only counted)
and how many rows a fixture uses; last the roles that no fixture fills, and the refusals and questions of roles that none brings up.
Ends with 1 when a rule, a field or an overlay entry is dead, or a closed-list value has neither a row nor a reason.

Examples
  prior-auth-bridge coverage
  prior-auth-bridge coverage --rows
  prior-auth-bridge coverage prior-auth@valley --json
  prior-auth-bridge coverage --site lakeside       the rules of a site of the sites file, with its overlay`;

export const addCoverage: AddCommand = (program, io, end) => {
  addSiteOptions(
    program
      .command('coverage')
      .description('Tell what the fixtures prove about a mapping, and what they do not.')
      .addArgument(
        new Argument('[mapping]', 'the mapping, or its kind at the site').choices(mappingNames()).default('prior-auth'),
      ),
    'the mapping as this site of the sites file uses it',
  )
    .option('--fixtures <folder>', 'the folder with the cases', `${packageRoot}/fixtures/charts`)
    .option('--rows', 'name each row of a table that no fixture uses, and each value without a row with its reason')
    .option('--json', 'print all of it as JSON')
    .addHelpText('after', help)
    .action(async (named: string, options: CoverageOptions) => end(await coverage(named, options, io)));
};

async function coverage(named: string, options: CoverageOptions, io: Io): Promise<ExitCode> {
  const chosen = mappingsOf(options, io);
  const { name, kind } = namedMapping(chosen, named);
  const table = rolesFor(chosen.registry, name);
  const { fixtures, rows, json } = options;
  const charts = await chartsOf(fixtures, table);
  const cases: CoverageCase[] = charts.map(({ chart, edits }) => ({ input: chart, edits }));
  const roles = coverageOfRoles(
    table,
    charts.map(({ chart }) => chart),
    refusalsOf(fixtures, table),
  );
  const mapping: Mapping<never> = chosen.registry[kind][name] as never; // namedMapping found it there; coverage reads no body
  const found: Coverage = coverageOf(mapping, cases, Object.keys(kind === 'prior-auth' ? unread : unreadByEnrollment));
  io.stdout.write(
    json
      ? `${JSON.stringify({ mapping: name, ...found, roles }, undefined, 2)}\n`
      : `${formatCoverage(name, found, { rows: rows === true })}${formatRoleCoverage(roles)}`,
  );
  return hasHoles(found) ? exit.incomplete : exit.ok;
}

interface FixtureChart {
  readonly chart: Chart;
  readonly edits: Edits;
}

async function chartsOf(folder: string, roles: RoleTable): Promise<FixtureChart[]> {
  const charts: FixtureChart[] = [];
  for (const fixture of foldersOf(folder).map(loadFixture)) {
    const chart = await chartOfFixture(fixture, roles);
    if (chart !== undefined) charts.push({ chart, edits: fixture.request.edits });
  }
  return charts;
}

/** Why orders of the fixtures are no candidates. */
function refusalsOf(folder: string, roles: RoleTable): string[] {
  return foldersOf(folder)
    .map(loadFixture)
    .flatMap(({ entries, request: { now, site } }) =>
      candidateOrders(entries, { roles, now: new Date(now), site }).map(({ reason }) => reason),
    );
}

function foldersOf(root: string): string[] {
  try {
    return listFixtures(root);
  } catch (cause) {
    throw new BridgeError('input_unreadable', { fixtures: root }, { cause });
  }
}

import { Argument } from 'commander';
import { mappingNames } from '../../../mappings/names.ts';
import { unreadBy } from '../../../mappings/unread.ts';
import { packageRoot } from '../../base/package.ts';
import { writeAll } from '../../base/writing.ts';
import { type ExitCode, exit } from '../../cli/exit.ts';
import type { AddCommand, Io } from '../../cli/io.ts';
import { addSiteOptions, type SiteOptions } from '../../cli/mapping-options.ts';
import { mappingsOf, namedMapping } from '../../cli/mappings.ts';
import { paintFor } from '../../cli/paint.ts';
import { BridgeError } from '../../core/errors.ts';
import type { Mapping } from '../../core/mapping/words/define.ts';
import { rolesFor } from '../../core/roles/roles-for.ts';
import { formatCoverage } from '../kit/coverage-text.ts';
import { listFixtures, loadFixture } from '../kit/fixture.ts';
import { coverageCases, roleCoverageOf } from '../kit/fixture-coverage.ts';
import { type Coverage, coverageOf, hasHoles } from '../kit/mapping-coverage.ts';
import { formatRoleCoverage, hasRoleHoles } from '../kit/role-coverage.ts';

interface CoverageOptions extends SiteOptions {
  readonly fixtures: string;
  readonly rows?: true;
  readonly report?: string;
  readonly json?: true;
}

const help = `
Names sources of rules that no case got a value from, fields no case produced, elements of the cases
that nothing reads (those with a reason in mappings/unread.ts left out), overlay entries that change nothing,
closed-list values that no case produced, and for the tables in mappings/tables the closed-list values that
no row leads to (those with a reason in the table only counted) and how many rows a case uses; last the
roles that no case fills, and their paths, clauses and questions that none brings up. Ends with 1 when a
rule, a field or an overlay entry is dead, a closed-list value has neither a row nor a reason, or a part of a
role is unproven.

Examples
  prior-auth-bridge coverage
  prior-auth-bridge coverage --rows
  prior-auth-bridge coverage --report coverage.html
  prior-auth-bridge coverage prior-auth@valley --json
  prior-auth-bridge coverage --site lakeside       the rules of a site of the sites file, with its overlay`;

export const addCoverage: AddCommand = (program, io, end) => {
  addSiteOptions(
    program
      .command('coverage')
      .description('Tell what the mapping cases prove about a mapping, and what they do not.')
      .addArgument(
        new Argument('[mapping]', 'the mapping, or its kind at the site').choices(mappingNames).default('prior-auth'),
      ),
    'the mapping as this site of the sites file uses it',
  )
    .option('--fixtures <folder>', 'the folder with the cases', `${packageRoot}/fixtures/charts`)
    .option('--rows', 'name each row of a table that no case uses, and each value without a row with its reason')
    .option('--report <file>', 'also write it as a page with pictures to this file (.html)')
    .option('--json', 'print all of it as JSON')
    .addHelpText('after', help)
    .action(async (named: string, options: CoverageOptions) => end(await coverage(named, options, io)));
};

async function coverage(named: string, options: CoverageOptions, io: Io): Promise<ExitCode> {
  const chosen = mappingsOf(options, io);
  const { name, kind } = namedMapping(chosen, named);
  const table = rolesFor(chosen.registry, name);
  const fixtures = foldersOf(options.fixtures).map(loadFixture);
  const cases = await coverageCases(fixtures, table);
  const roles = await roleCoverageOf(fixtures, table);
  const { rows, json } = options;
  const paint = paintFor(io);
  const title = (text: string) => paint('title', text);
  // `namedMapping` has found this name; coverage reads no request, so the request type does not matter
  const mapping: Mapping<never> = chosen.registry[kind][name] as never;
  const found: Coverage = coverageOf(mapping, cases, Object.keys(unreadBy[kind]));
  if (options.report !== undefined) {
    const { coveragePage } = await import('./coverage-page.tsx');
    writeAll(options.report, coveragePage({ mapping: name, coverage: found, roles }));
  }
  io.stdout.write(
    json
      ? `${JSON.stringify({ mapping: name, ...found, roles }, undefined, 2)}\n`
      : `${formatCoverage(name, found, { rows: rows === true, title })}${formatRoleCoverage(roles)}`,
  );
  return hasHoles(found) || hasRoleHoles(roles) ? exit.incomplete : exit.ok;
}

function foldersOf(root: string): string[] {
  try {
    return listFixtures(root);
  } catch (cause) {
    throw new BridgeError('input_unreadable', { fixtures: root }, { cause });
  }
}

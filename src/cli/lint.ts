import { mappings } from '../../mappings/index.ts';
import { describeOverlays } from '../mapping/review/describe.ts';
import { checkPaths, checkRolePaths, type PathIssue } from '../proof/check.ts';
import { type AddCommand, type ExitCode, exit, type Io } from './io.ts';

interface LintOptions {
  readonly json?: true;
}

interface Finding {
  readonly mapping: string;
  /** `diagnoses[].code` */
  readonly to: string;
  readonly message: string;
  readonly expression?: string;
  readonly position?: number;
}

const help = `
Checks every step of every path of every mapping and overlay against FHIR R4: misspelt elements, types an element cannot have,
comparisons that are never true; and overlay entries that write a rule exactly as it was.
That every field of the target is stated and typed is checked by the compiler: npm run typecheck.

Examples
  prior-auth-bridge lint
  prior-auth-bridge lint --json`;

export const addLint: AddCommand = (program, io, end) => {
  program
    .command('lint')
    .description('Check the paths of all mappings against FHIR R4.')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', help)
    .action(async (options: LintOptions) => end(await lint(options, io)));
};

async function lint({ json }: LintOptions, io: Io): Promise<ExitCode> {
  const all = [...Object.values(mappings['prior-auth']), ...Object.values(mappings.enrollment)];
  const paths = Object.values(mappings['prior-auth'])
    .flatMap((mapping) => checkPaths(mapping, mappings.roles.types).map((issue) => asFinding(mapping.name, issue)))
    .concat(
      Object.values(mappings.enrollment).flatMap((mapping) =>
        checkPaths(mapping, mappings.roles.types).map((issue) => asFinding(mapping.name, issue)),
      ),
    );
  const idle = all.flatMap((mapping) => idleEntries(mapping));
  const roles = checkRolePaths(mappings.roles).map((issue) => asFinding(mappings.roles.name, issue));
  const findings = [...roles, ...paths, ...idle];
  if (json) io.stdout.write(`${JSON.stringify({ mappings: all.map(({ name }) => name), findings }, undefined, 2)}\n`);
  else
    io.stdout.write(
      `${findings.map(findingText).join('')}${all.length} mappings checked, ${findings.length === 0 ? 'nothing found' : `${findings.length} found`}.\n`,
    );
  return findings.length > 0 ? exit.incomplete : exit.ok;
}

function asFinding(mapping: string, { to, expression, position, message }: PathIssue): Finding {
  return { mapping, to, expression, position, message };
}

function idleEntries(mapping: Parameters<typeof describeOverlays>[0]): Finding[] {
  return describeOverlays(mapping).flatMap(({ name, changes, written }) => {
    const changed = new Set(changes.map((change) => change.to));
    return written
      .filter((to) => !changed.has(to))
      .map((to) => ({ mapping: name, to, message: 'the overlay writes the rule as it was' }));
  });
}

function findingText({ mapping, to, message, expression, position }: Finding): string {
  const where =
    expression === undefined
      ? ''
      : `\n    ${expression}${position === undefined ? '' : `\n    ${' '.repeat(position)}^`}`;
  return `${mapping}  ${to}: ${message}${where}\n`;
}

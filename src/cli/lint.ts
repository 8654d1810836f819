import { questionRows } from '../../mappings/question-rows.ts';
import { lintQuestions } from '../core/answers/cells-for.ts';
import { contractsOf, type MappingKind, mappingKinds } from '../core/contract/kinds.ts';
import { mappingIn } from '../core/contract/mappings-by-kind.ts';
import { describeOverlays } from '../core/mapping/review/describe-mapping.ts';
import type { Mapping } from '../core/mapping/words/define.ts';
import type { Registry } from '../core/overlay/registry.ts';
import { checkPaths, checkRolePaths, type PathIssue } from '../core/roles/check-paths.ts';
import { rolesFor } from '../core/roles/roles-for.ts';
import { type ExitCode, exit } from './exit.ts';
import type { AddCommand, Io } from './io.ts';
import { type LintedFile, lintFile } from './lint-file.ts';
import { addSiteOptions, type SiteOptions } from './mapping-options.ts';
import { mappingsOf } from './mappings.ts';
import { type Paint, paintFor } from './paint.ts';

interface LintOptions extends SiteOptions {
  readonly json?: true;
}

interface Finding {
  readonly mapping: string;
  /** Example: `diagnoses[].code`. */
  readonly to: string;
  readonly message: string;
  readonly expression?: string;
  readonly position?: number;
}

const help = `
Checks every step of every path of every mapping and overlay against FHIR R4: misspelt elements, types an
element cannot have, comparisons that are never true; and overlay entries that write a rule exactly as it was.
That every field of the target is stated and typed is checked by the compiler: npm run typecheck.

With a file, or with --site, an overlay is checked as at the start of the bridge: its keys, its paths, and
that it loosens nothing. A file is laid over the mappings of each profile of the service, and one that fits
some of them is told for which, and why not for the others; with --site the one of the site counts.

Examples
  prior-auth-bridge lint
  prior-auth-bridge lint overlays/lakeside.json
  prior-auth-bridge lint --site lakeside
  prior-auth-bridge lint --json`;

export const addLint: AddCommand = (program, io, end) => {
  addSiteOptions(
    program
      .command('lint')
      .description('Check the paths of all mappings, or an overlay, against FHIR R4.')
      .argument('[file]', 'an overlay, for a site that uses the mappings of the package'),
    'check the overlay of this site of the sites file too',
  )
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', help)
    .action(async (file: string | undefined, options: LintOptions) => end(lint(file, options, io)));
};

function lint(file: string | undefined, options: LintOptions, io: Io): ExitCode {
  const { registry } = mappingsOf(options, io);
  const overlay = file === undefined ? undefined : lintFile(file, registry);
  const byKind = mappingKinds.flatMap((kind) =>
    Object.keys(registry[kind]).flatMap((name) => {
      const mapping = mappingIn(registry, kind, name);
      return mapping === undefined ? [] : [{ kind, mapping }];
    }),
  );
  const all = byKind.map(({ mapping }) => mapping);
  const tables = [registry.roles, ...new Set(Object.values(registry.siteRoles ?? {}))];
  const roles = tables.flatMap((table) => checkRolePaths(table).map((issue) => asFinding(table.name, issue)));
  const findings = [
    ...(overlay === undefined ? [] : overlayFindings(overlay)),
    ...lintQuestions(questionRows).map((message) => ({ mapping: 'questions', to: '', message })),
    ...byKind.flatMap(({ kind, mapping }) => unplaced(kind, mapping)),
    ...unique([...roles, ...all.flatMap((mapping) => findingsOf(mapping, registry))]),
  ];
  const names = [...all.map(({ name }) => name), ...(overlay === undefined ? [] : namesOf(overlay))];
  const paint = paintFor(io);
  const profiles = overlay === undefined ? {} : { fits: overlay.fits.map(({ profile }) => profile) };
  if (options.json) io.stdout.write(`${JSON.stringify({ mappings: names, ...profiles, findings }, undefined, 2)}\n`);
  else
    io.stdout.write(
      `${findings.map((one) => findingText(one, paint)).join('')}${overlay === undefined ? '' : fitText(overlay)}` +
        `${names.length} mappings and their roles checked, ` +
        `${findings.length === 0 ? paint('good', 'nothing found') : paint('bad', `${findings.length} found`)}.\n`,
    );
  return findings.length > 0 ? exit.incomplete : exit.ok;
}

function overlayFindings({ fits, others }: LintedFile): Finding[] {
  if (fits.length === 0) return unfitFindings(others);
  const idle = fits.map(
    // only the rules are read, so the request type does not matter
    ({ rules }) => mappingKinds.flatMap((kind) => idleEntries(rules[kind] as Mapping<never>)),
  );
  // An overlay entry that changes nothing in one profile's mappings may change another's.
  const [first = [], ...rest] = idle;
  return first.filter(({ mapping, to }) =>
    rest.every((one) => one.some((each) => each.mapping === mapping && each.to === to)),
  );
}

// A problem that is the same for every profile is in the file itself, so it is listed once.
function unfitFindings(others: LintedFile['others']): Finding[] {
  const [first] = others;
  const isSame = others.every(({ problems }) => problems.join() === first?.problems.join());
  const shown = isSame ? others.slice(0, 1) : others;
  return shown.flatMap(({ profile, problems }) =>
    problems.map((message) => ({ mapping: isSame ? 'overlay' : `overlay for ${profile}`, to: '', message })),
  );
}

function namesOf({ fits }: LintedFile): string[] {
  const [first] = fits;
  return first === undefined ? [] : mappingKinds.map((kind) => first.rules[kind].name);
}

/** Lists the profiles that an overlay can be used with, and for every other profile the first reason against it. */
function fitText({ fits, others }: LintedFile): string {
  if (fits.length === 0 || others.length === 0) return '';
  const not = others.map(({ profile, problems }) => `  not for ${profile}: ${problems[0]}\n`);
  return `The overlay is for ${fits.map(({ profile }) => profile).join(' and ')}.\n${not.join('')}`;
}

/** Reports a prior authorization mapping whose schema is no profile's contract. */
function unplaced(kind: MappingKind, { name, schema }: Mapping<unknown>): Finding[] {
  if (kind !== 'prior-auth' || contractsOf[kind].includes(schema)) return [];
  return [{ mapping: name, to: '', message: 'its requests are of no profile of the service' }];
}

function findingsOf<T>(mapping: Mapping<T>, registry: Registry): Finding[] {
  const { types } = rolesFor(registry, mapping.name);
  return [...checkPaths(mapping, types).map((issue) => asFinding(mapping.name, issue)), ...idleEntries(mapping)];
}

// A site's table repeats the base table's findings. Each finding is listed once.
function unique(findings: readonly Finding[]): Finding[] {
  const key = ({ to, expression, message }: Finding) => `${to} ${expression} ${message}`;
  return findings.filter((one, index) => findings.findIndex((other) => key(other) === key(one)) === index);
}

function asFinding(mapping: string, { to, expression, position, message }: PathIssue): Finding {
  return { mapping, to, expression, position, message };
}

function idleEntries<T>(mapping: Mapping<T>): Finding[] {
  return describeOverlays(mapping).flatMap(({ name, changes, written }) => {
    const changed = new Set(changes.map((change) => change.to));
    // An overlay that replaces a list must repeat the entries that it keeps, so those are not reported.
    const anew = written.filter((to) => to.endsWith('[]') && changes.some((change) => change.to.startsWith(to)));
    return written
      .filter((to) => !changed.has(to) && !anew.some((list) => to.startsWith(list)))
      .map((to) => ({ mapping: name, to, message: 'the overlay writes the rule as it was' }));
  });
}

function findingText({ mapping, to, message, expression, position }: Finding, paint: Paint): string {
  const where =
    expression === undefined
      ? ''
      : `\n    ${expression}${position === undefined ? '' : `\n    ${' '.repeat(position)}^`}`;
  return `${paint('title', `${mapping}${to === '' ? '' : `  ${to}`}`)}: ${message}${where}\n`;
}

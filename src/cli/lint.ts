import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BridgeError } from '../errors.ts';
import { describeOverlays } from '../mapping/review/describe-mapping.ts';
import type { Mapping } from '../mapping/words/define.ts';
import { readSiteOverlay } from '../overlay/load-overlays.ts';
import type { Registry } from '../overlay/registry.ts';
import { checkPaths, checkRolePaths, type PathIssue } from '../proof/check.ts';
import { rolesFor } from '../roles/roles-for.ts';
import { type AddCommand, type ExitCode, exit, type Io } from './io.ts';
import { addSiteOptions, mappingsOf, type SiteOptions } from './mappings.ts';

interface LintOptions extends SiteOptions {
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
Checks every step of every path of every mapping and overlay against FHIR R4: misspelt elements, types an
element cannot have, comparisons that are never true; and overlay entries that write a rule exactly as it was.
That every field of the target is stated and typed is checked by the compiler: npm run typecheck.

With a file, or with --site, an overlay is checked as at the start of the bridge: its keys, its paths, and
that it loosens nothing.

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
      .argument('[file]', 'an overlay, for a site that uses the mappings prior-auth and enrollment'),
    'check the overlay of this site of the sites file too',
  )
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', help)
    .action(async (file: string | undefined, options: LintOptions) => end(lint(file, options, io)));
};

function lint(file: string | undefined, options: LintOptions, io: Io): ExitCode {
  const { registry } = mappingsOf(options, io);
  const overlay = file === undefined ? undefined : lintedFile(file, registry);
  const all = [...Object.values(registry['prior-auth']), ...Object.values(registry.enrollment)];
  const priorAuth = Object.values(registry['prior-auth']).flatMap((mapping) => findingsOf(mapping, registry));
  const enrollment = Object.values(registry.enrollment).flatMap((mapping) => findingsOf(mapping, registry));
  const tables = [registry.roles, ...new Set(Object.values(registry.siteRoles ?? {}))];
  const roles = tables.flatMap((table) => checkRolePaths(table).map((issue) => asFinding(table.name, issue)));
  const findings = [...(overlay?.findings ?? []), ...unique([...roles, ...priorAuth, ...enrollment])];
  const names = [...all.map(({ name }) => name), ...(overlay?.names ?? [])];
  if (options.json) io.stdout.write(`${JSON.stringify({ mappings: names, findings }, undefined, 2)}\n`);
  else
    io.stdout.write(
      `${findings.map(findingText).join('')}${names.length} mappings and their roles checked, ` +
        `${findings.length === 0 ? 'nothing found' : `${findings.length} found`}.\n`,
    );
  return findings.length > 0 ? exit.incomplete : exit.ok;
}

interface LintedFile {
  readonly names: readonly string[];
  readonly findings: readonly Finding[];
}

function lintedFile(file: string, registry: Registry): LintedFile {
  const path = resolve(file);
  if (!existsSync(path)) throw new BridgeError('input_unreadable', { file });
  const read = readSiteOverlay(path, registry, baseNames);
  if ('problems' in read) {
    const findings = read.problems.map((message) => ({
      mapping: 'overlay',
      to: '',
      message: message.replace(path, file),
    }));
    return { names: [], findings };
  }
  const rules = [read['prior-auth'].name, read.enrollment.name];
  return { names: rules, findings: [...idleEntries(read['prior-auth']), ...idleEntries(read.enrollment)] };
}

const baseNames = { 'prior-auth': 'prior-auth', enrollment: 'enrollment' } as const;

function findingsOf<T>(mapping: Mapping<T>, registry: Registry): Finding[] {
  const { types } = rolesFor(registry, mapping.name);
  return [...checkPaths(mapping, types).map((issue) => asFinding(mapping.name, issue)), ...idleEntries(mapping)];
}

// What a site's table has from the base is found there already.
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
  return `${mapping}${to === '' ? '' : `  ${to}`}: ${message}${where}\n`;
}

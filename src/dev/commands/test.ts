import { join } from 'node:path';
import { mappings } from '../../../mappings/index.ts';
import { packageRoot } from '../../base/package.ts';
import { verifiesBenefits } from '../../cases/offered.ts';
import { type ExitCode, exit } from '../../cli/exit.ts';
import type { AddCommand, Io } from '../../cli/io.ts';
import { addSiteOptions, checkTimeZone, type SiteOptions } from '../../cli/mapping-options.ts';
import { mappingsOf, type SiteMappings } from '../../cli/mappings.ts';
import { watchAndRun } from '../../cli/watch.ts';
import type { Site } from '../../config/config.ts';
import { type MappingKind, mappingKinds } from '../../core/contract/kinds.ts';
import { asBridgeError, BridgeError } from '../../core/errors.ts';
import type { CaseExpectation, ExpectedGap } from '../../core/mapping/compare-case.ts';
import { type Difference, type DiffWords, diffJson, formatDiff } from '../../core/mapping/diff.ts';
import {
  type CaseOutcome,
  type Fixture,
  type FixtureDiff,
  listFixtures,
  loadFixture,
  loadFixtureInZone,
  runFixture,
} from '../kit/fixture.ts';
import { updateFixture } from '../kit/update-fixture.ts';

interface TestOptions extends SiteOptions {
  readonly fixtures: string;
  readonly json?: true;
  readonly update?: true;
  readonly watch?: true;
  readonly timeZone?: string;
}

/** The result of one mapping case. `problem` says why it could not be compared. */
interface Case {
  readonly name: string;
  readonly ok: boolean;
  readonly diffs: readonly FixtureDiff[];
  readonly problem?: string;
  readonly updated?: readonly string[];
  /** Differences caused by the site's overlay: `expected` without it, `actual` with it. */
  readonly byOverlay?: readonly Difference[];
}

const help = `
A case is a folder: its chart (bundle.json, or change.json: another case's chart with some places changed), what is
asked of it (request.json: order, now, site with its timeZone, answers, edits; all optional), what must come out
(expected.json, worked out by hand), what else came out when it was recorded (recorded.json: what expected.json
does not state of both mappings, their messages and options, the warnings and choices) and why.md for people.
expected.json has for "prior-auth", "enrollment" and "benefit-verification" the "body" (or the draft), or "change":
the steps that make it of the body of the case that change.json names; "gaps" and "sources"; beside them
"candidates" and "chart". Only what is stated is compared.

With --site the cases run under the rules and the overlay of that site, and each case that comes out otherwise
because of the overlay says what. A case of the package that does is told and fails nothing: it expects what comes
out without overlays. A site's own cases (--fixtures) expect what comes out under its own.

Examples
  prior-auth-bridge test                      all cases
  prior-auth-bridge test coverage             cases with "coverage" in their name
  prior-auth-bridge test --site lakeside      all cases under the overlay of a site of the sites file
  prior-auth-bridge test coverage --watch     run again after each change of a fixture or a mapping
  prior-auth-bridge test npi-missing --update record what comes out; read the change before you keep it.
                                              What was worked out by hand stays as it is, and so does a
                                              file that says the same`;

const packageCases = join(packageRoot, 'fixtures/charts');

export const addTest: AddCommand = (program, io, end) => {
  addSiteOptions(
    program
      .command('test')
      .description('Run the mapping cases and print differences by path.')
      .argument('[filter]', 'only cases whose name contains this'),
    'run the cases under the rules of this site of the sites file, and tell what its overlay changes',
  )
    .option('--fixtures <folder>', 'the folder with the cases', packageCases)
    .option('--json', 'print the result as JSON')
    .option('--time-zone <name>', 'the zone of cases that name none (default: UTC)', checkTimeZone)
    .option('--watch', 'run again after each change, until Ctrl+C')
    .option('--update', 'write what comes out otherwise than recorded; never into what was worked out by hand')
    .addHelpText('after', help)
    .action(async (filter: string | undefined, options: TestOptions) =>
      end(options.watch ? await watchMappings(filter, options, io) : await testMappings(filter ?? '', options, io)),
    );
};

async function watchMappings(
  filter: string | undefined,
  { fixtures, json, timeZone, site, sites }: TestOptions,
  io: Io,
): Promise<ExitCode> {
  foldersOf(fixtures);
  const given = { '--time-zone': timeZone, '--site': site, '--sites': sites };
  const further = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  await watchAndRun(
    {
      argv: [
        'test',
        ...(filter === undefined ? [] : [filter]),
        '--fixtures',
        fixtures,
        ...(json ? ['--json'] : []),
        ...further,
      ],
      fixtures,
    },
    io,
  );
  return exit.ok;
}

async function testMappings(filter: string, options: TestOptions, io: Io): Promise<ExitCode> {
  const folders = foldersOf(options.fixtures).filter((folder) =>
    folder.slice(options.fixtures.length).includes(filter),
  );
  if (folders.length === 0) throw new BridgeError('fixture_not_found', { fixtures: options.fixtures, filter });
  const rules = mappingsOf(options, io);
  const cases: Case[] = [];
  for (const folder of folders) cases.push(await runCase(folder, options, rules));
  const failed = cases.filter((one) => !one.ok).length;
  if (options.json)
    io.stdout.write(`${JSON.stringify({ passed: cases.length - failed, failed, cases }, undefined, 2)}\n`);
  else
    io.stdout.write(
      `${cases.map(caseText).join('')}\n${cases.length - failed} passed, ${failed} failed${siteText(cases, rules)}\n`,
    );
  return failed > 0 ? exit.incomplete : exit.ok;
}

function foldersOf(root: string): string[] {
  try {
    return listFixtures(root);
  } catch (cause) {
    throw new BridgeError('input_unreadable', { fixtures: root }, { cause });
  }
}

/** A case that cannot be run fails alone; the others run. */
async function runCase(
  folder: string,
  { update, timeZone, fixtures }: TestOptions,
  rules: SiteMappings,
): Promise<Case> {
  const name = folder.split(/[\\/]/).at(-1) ?? folder;
  try {
    const fixture = timeZone === undefined ? loadFixture(folder) : loadFixtureInZone(folder, timeZone);
    const { ok, diffs, actual } = await runFixture(fixture, rules.registry, rules.names);
    if (rules.site !== undefined && !update) {
      const without = await runFixture(withoutOverlay(fixture), mappings);
      return underSite(
        { name, ok, diffs, byOverlay: changesBetween(without.actual, offeredAt(rules.site, actual)) },
        without.ok && fixtures === packageCases,
      );
    }
    if (update) return updated(fixture, actual);
    return { name, ok, diffs, ...(ok || diffs.length > 0 ? {} : { problem: 'it has no expectation file' }) };
  } catch (thrown) {
    return { name, ok: false, diffs: [], problem: asBridgeError(thrown).message };
  }
}

// A case recorded at a site names the site's mapping, which does not exist without the overlay.
function withoutOverlay(fixture: Fixture): Fixture {
  const named = Object.entries(fixture.request.mapping) as [MappingKind, string][]; // the schema allows only kinds
  const known = named.filter(([kind, name]) => Object.hasOwn(mappings[kind], name));
  return { ...fixture, request: { ...fixture.request, mapping: Object.fromEntries(known) } };
}

/** A case of the package has not failed if only the site's overlay changes its result. */
function underSite(one: Case, isOfPackage: boolean): Case {
  return isOfPackage && !one.ok ? { ...one, ok: true, diffs: [] } : one;
}

// A site that does not verify benefits has no benefit verification for its overlay to change.
function offeredAt(site: Site, { 'benefit-verification': benefits, ...others }: CaseOutcome): CaseOutcome {
  return verifiesBenefits(site) && benefits !== undefined ? { 'benefit-verification': benefits, ...others } : others;
}

function changesBetween(without: CaseOutcome, under: CaseOutcome): Difference[] {
  const results = mappingKinds.flatMap((kind) => (under[kind] ? resultChanges(kind, without[kind], under[kind]) : []));
  return [
    ...diffJson(without.candidates, under.candidates, 'candidates'),
    ...diffJson(without.chart, under.chart, 'chart'),
    ...results,
  ];
}

function resultChanges(kind: MappingKind, without: CaseExpectation = {}, under: CaseExpectation): Difference[] {
  const sources = diffJson(without.sources, under.sources, `${kind}.sources`);
  return [
    ...diffJson(without.body, under.body, `${kind}.body`),
    ...diffJson(byTarget(without.gaps), byTarget(under.gaps), `${kind}.gaps`),
    // Where a value appears or disappears, that difference is listed already. So the difference of its source is left
    // out.
    ...sources.filter(({ expected, actual }) => expected !== undefined && actual !== undefined),
  ];
}

// Keyed by target: in a list, one removed gap would make all later gaps differ.
function byTarget(gaps: readonly ExpectedGap[] = []): Record<string, unknown> {
  return Object.fromEntries(gaps.map(({ target, reason, message }) => [`${target} (${reason})`, message]));
}

function siteText(cases: readonly Case[], { site }: SiteMappings): string {
  if (site === undefined) return '';
  const changed = cases.filter(({ byOverlay = [] }) => byOverlay.length > 0).length;
  return `; the overlay of ${site.id} changes ${changed === 1 ? '1 case' : `${changed} cases`}`;
}

/** `left`: the differences from results worked out by hand, which an update never overwrites. */
function updated(fixture: Fixture, actual: CaseOutcome): Case {
  const { name } = fixture;
  const { files, left } = updateFixture(fixture, actual);
  return left.length === 0 ? { name, ok: true, diffs: [], updated: files } : { name, ok: false, diffs: left };
}

function caseText({ name, ok, diffs, problem, updated, byOverlay = [] }: Case): string {
  if (updated !== undefined)
    return updated.length === 0 ? `unchanged  ${name}\n` : `updated    ${name}: ${updated.join(', ')}\n`;
  const changes = byOverlay.map((diff) => textOf(diff, underOverlay));
  if (ok) return byOverlay.length === 0 ? `ok      ${name}\n` : `CHANGED ${name}\n${changes.join('\n')}\n`;
  const found = diffs.map(({ file, path, ...diff }) => textOf({ ...diff, path: `${file}: ${path}` }));
  const lines = [...(problem === undefined ? [] : [`    ${problem}`]), ...found];
  return `FAILED  ${name}\n${lines.join('\n')}\n`;
}

const underOverlay: DiffWords = {
  before: 'without the overlay',
  after: 'under it',
  none: 'is added',
  gone: 'is gone',
};

function textOf(difference: Difference, words?: DiffWords): string {
  return formatDiff([difference], words).replace(/^/gm, '  ');
}

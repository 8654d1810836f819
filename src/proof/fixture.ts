import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type Choosing, candidateOrders, selectChart } from '../chart/select.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { BridgeError } from '../errors.ts';
import { type Entry, readBundle } from '../fhir/bundle.ts';
import { type Graph, indexChart } from '../fhir/graph.ts';
import { isTimeZone } from '../fhir/time/time-zone.ts';
import { type CaseDifference, type CaseExpectation, caseOf, compareCase } from '../mapping/compare-case.ts';
import { type Difference, diffJson } from '../mapping/diff.ts';
import type { Edits, MappingResult } from '../mapping/result.ts';
import { runMapping } from '../mapping/run/run.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { Chart } from '../roles/chart.ts';
import type { RoleTable } from '../roles/define.ts';
import { type RoleTables, rolesFor } from '../roles/roles-for.ts';
import { baseNames, type Kind, kinds, type NamesByKind } from '../service/kinds.ts';
import { hasChart, readFixtureChart, readJson } from './fixture-chart.ts';
import { recordingOf } from './recorded.ts';

/**
 * A mapping case is a folder: its chart, `bundle.json` or `change.json` (another case's chart with some places
 * changed); what is asked of it in `request.json` (all keys optional); and what must come out, each file checked when
 * it is there: `prior-auth.json` and the like by kind (the body, or the draft when it is not complete),
 * `<kind>.gaps.json` (target, severity and reason of every gap; message and options where they are stated),
 * `<kind>.sources.json` (kind, resource and path of the leaves it names), `candidates.json` (which orders are
 * candidates), `chart.json` (chosen resources by role, warnings). These are worked out by hand, unless `expectation` of
 * request.json says `recorded`. `recorded.json` holds the mappings, all messages, options, warnings and choices as
 * they came out: it only guards sameness.
 */
const FixtureRequest = z.strictObject({
  order: z.string().optional(),
  patient: z.string().optional(),
  now: z.iso.datetime().default('2026-11-21T15:00:00Z'),
  site: z
    .record(z.string(), z.unknown())
    .refine(({ timeZone }) => timeZone === undefined || isTimeZone(`${timeZone}`), { path: ['timeZone'] })
    .default({ country: 'USA', diagnoses: 'ask' }),
  answers: z
    .strictObject({
      coverage: z.string().optional(),
      diagnoses: z.array(z.string()).optional(),
      evidence: z.array(z.string()).optional(),
    })
    .default({}),
  edits: z.record(z.string(), z.unknown()).default({}),
  submission: z.string().optional(),
  programId: z.string().optional(),
  /** Orders that a CDS Hooks request names while they are being written. */
  drafts: z.array(z.string()).default([]),
  /** How the expectation files came to be. `recorded.json` is always recorded. */
  expectation: z.enum(['by hand', 'recorded']).default('by hand'),
  /** Mapping or overlay by kind, when it is not the base one. */
  mapping: z.partialRecord(z.enum(kinds), z.string()).default({}),
});
export type FixtureRequest = z.infer<typeof FixtureRequest>;

export interface Fixture {
  readonly name: string;
  readonly folder: string;
  readonly entries: readonly Entry[];
  readonly request: FixtureRequest;
  /** Parsed expectations by file name. */
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Mappings by kind and name, as mappings/index.ts exports them. */
export interface FixtureRegistry extends RoleTables {
  readonly 'prior-auth': Readonly<Record<string, unknown>>;
  readonly enrollment: Readonly<Record<string, unknown>>;
  readonly 'benefit-verification': Readonly<Record<string, unknown>>;
}

/** One place where the outcome is not the expected one. */
export interface FixtureDiff extends Difference {
  readonly file: string;
}

export interface FixtureResult {
  readonly name: string;
  readonly ok: boolean;
  readonly diffs: readonly FixtureDiff[];
  /** What each expectation file would have to say; for an update on purpose. */
  readonly actual: Readonly<Record<string, unknown>>;
}

const chartFiles = ['candidates.json', 'chart.json', 'recorded.json'] as const;
const partsOfCase = ['body', 'gaps', 'sources'] as const satisfies readonly (keyof CaseExpectation)[];
const expectationFiles = [
  ...kinds.flatMap((kind) => partsOfCase.map((part) => fileOf(kind, part))),
  ...chartFiles,
] as const;

function fileOf(kind: Kind, part: keyof CaseExpectation): string {
  return part === 'body' ? `${kind}.json` : `${kind}.${part}.json`;
}

/** The folders under `root` that hold a chart, by name. */
export function listFixtures(root: string): string[] {
  return readdirSync(root)
    .filter((name) => hasChart(join(root, name)))
    .sort()
    .map((name) => join(root, name));
}

/**
 * Reads a case. One that names no `site.timeZone` is judged by the days of UTC, so that it says the same on every
 * machine. Throws `input_unreadable` naming the file that cannot be read.
 */
export function loadFixture(folder: string): Fixture {
  return loadFixtureInZone(folder, 'UTC');
}

/** The same with another zone for the cases that name none. */
export function loadFixtureInZone(folder: string, timeZone: string): Fixture {
  const request = FixtureRequest.safeParse(
    existsSync(join(folder, 'request.json')) ? readJson(join(folder, 'request.json')) : {},
  );
  if (!request.success)
    throw new BridgeError('input_unreadable', {
      file: join(folder, 'request.json'),
      keys: request.error.issues.map((issue) => issue.path.join('.')),
    });
  const found = expectationFiles.filter((file) => existsSync(join(folder, file)));
  return {
    name: basename(folder),
    folder,
    entries: readBundle(readFixtureChart(folder)).entries,
    request: { ...request.data, site: { timeZone, ...request.data.site } },
    expected: Object.fromEntries(found.map((file) => [file, readJson(join(folder, file))])),
  };
}

/**
 * Selects and maps as launch and batch do, and compares with every expectation file of the folder. `names` are the
 * mappings under which a case runs that names none: those of a site.
 */
export async function runFixture(
  fixture: Fixture,
  registry: FixtureRegistry,
  names: NamesByKind = baseNames,
): Promise<FixtureResult> {
  const under = { ...names, ...withoutUndefined(fixture.request.mapping) };
  const roles = rolesFor(registry, under['prior-auth']);
  const chart = await chartOfFixture(fixture, roles);
  const { actual, results } = outcomeOf(fixture, { registry, roles, under }, chart);
  const diffs = [
    ...kinds.flatMap((kind) => caseDiffs(kind, fixture, results[kind])),
    ...chartFiles.flatMap((file) => fileDiffs(file, fixture, actual[file])),
  ];
  return { name: fixture.name, ok: diffs.length === 0 && Object.keys(fixture.expected).length > 0, diffs, actual };
}

/** What of one mapping is not as the files of its case say; without an order to map, all that they say is missing. */
function caseDiffs(kind: Kind, fixture: Fixture, result: MappingResult<unknown> | undefined): FixtureDiff[] {
  if (result === undefined) return partsOfCase.flatMap((part) => fileDiffs(fileOf(kind, part), fixture, undefined));
  const stated = partsOfCase.map((part) => [part, fixture.expected[fileOf(kind, part)]]);
  // a file may say anything: what is no expectation differs
  return compareCase(result, Object.fromEntries(stated) as CaseExpectation).map(
    ({ of, ...difference }: CaseDifference) => ({
      file: fileOf(kind, of),
      ...difference,
    }),
  );
}

function fileDiffs(file: string, { expected }: Fixture, actual: unknown): FixtureDiff[] {
  if (expected[file] === undefined) return [];
  return diffJson(expected[file], actual).map((difference) => ({ file, ...difference }));
}

/** The chart of the order that the fixture asks for, else of its first candidate; undefined when it has none. */
export async function chartOfFixture(
  { entries, request }: Fixture,
  roles: RoleTable,
  graph: Graph = indexChart(entries),
): Promise<Chart | undefined> {
  const order = request.order ?? candidateOrders(graph, choosingOf(request, roles)).find(({ fits }) => fits)?.order;
  if (order === undefined) return undefined;
  const { patient, submission, programId, answers } = request;
  const readings = await readDocuments(graph, { ticked: answers.evidence ?? [] });
  const known = withoutUndefined({ patient, submission, programId });
  return selectChart(graph, {
    ...choosingOf(request, roles),
    order,
    answers: withoutUndefined(answers),
    readings,
    ...known,
  });
}

/** What listing the orders of a mapping case needs. */
export function choosingOf({ now, site, drafts }: FixtureRequest, roles: RoleTable): Choosing {
  return { roles, now: new Date(now), site, drafts: new Set(drafts) };
}

interface Rules {
  readonly registry: FixtureRegistry;
  readonly roles: RoleTable;
  readonly under: NamesByKind;
}

interface FixtureOutcome {
  /** By expectation file. */
  readonly actual: Readonly<Record<string, unknown>>;
  /** By kind; none where the case has no order to map. */
  readonly results: Readonly<Partial<Record<Kind, MappingResult<unknown>>>>;
}

function outcomeOf(fixture: Fixture, rules: Rules, chart: Chart | undefined): FixtureOutcome {
  const candidates = candidateOrders(fixture.entries, choosingOf(fixture.request, rules.roles)).map(
    ({ order, fits, reason }) => ({ order, fits, reason }),
  );
  const actual: Record<string, unknown> = { 'candidates.json': candidates };
  if (chart === undefined) return { actual, results: {} };
  actual['chart.json'] = {
    chosen: Object.fromEntries(
      chart.choices.flatMap(({ role, chosen }) => (chosen === undefined ? [] : [[role, chosen]])),
    ),
    warnings: chart.warnings,
  };
  const results = kinds.map((kind) => [kind, map(rules, kind, fixture, chart)] as const);
  actual['recorded.json'] = recordingOf(chart, Object.fromEntries(results.filter(([kind]) => isAsked(kind, fixture))));
  for (const [kind, result] of results) {
    const found = caseOf(result);
    for (const part of partsOfCase) actual[fileOf(kind, part)] = found[part];
  }
  return { actual, results: Object.fromEntries(results) };
}

// Every recording has the first two; a benefit verification only where its case states something of it.
function isAsked(kind: Kind, { expected }: Fixture): boolean {
  return kind !== 'benefit-verification' || Object.keys(expected).some((file) => file.startsWith(`${kind}.`));
}

function map({ registry, under }: Rules, kind: Kind, fixture: Fixture, chart: Chart): MappingResult<unknown> {
  const name = under[kind];
  const mapping = registry[kind][name];
  if (mapping === undefined)
    throw new BridgeError('input_unreadable', { file: join(fixture.folder, 'request.json'), mapping: name });
  // the registry holds mappings only; their targets differ
  return runMapping(mapping as Mapping<unknown>, chart, { edits: fixture.request.edits as Edits });
}

function withoutUndefined<T extends object>(value: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { hasChart, readFixtureChart, readJsonFile } from '../../base/fixture-chart.ts';
import { baseNames, kinds, type MappingKind, mappingKinds, type NamesByKind } from '../../core/contract/kinds.ts';
import { BridgeError } from '../../core/errors.ts';
import { type Entry, readBundle } from '../../core/fhir/bundle.ts';
import { type Graph, indexChart } from '../../core/fhir/references/graph.ts';
import { isTimeZone } from '../../core/fhir/time/time-zone.ts';
import { caseOfResult } from '../../core/mapping/compare-case.ts';
import { type Difference, diffJson } from '../../core/mapping/diff.ts';
import type { Edits, MappingResult } from '../../core/mapping/result.ts';
import { runMapping } from '../../core/mapping/run/run.ts';
import type { Mapping } from '../../core/mapping/words/define.ts';
import type { Chart } from '../../core/roles/chart.ts';
import type { RoleTable } from '../../core/roles/define.ts';
import { type RoleTables, rolesFor } from '../../core/roles/roles-for.ts';
import { type Choosing, candidateOrders, selectChart } from '../../core/roles/select.ts';
import { readDocuments } from '../../ehr/documents/read-documents.ts';
import { type Expected, outcomeAsStated, readExpected } from './expected.ts';
import { type Recording, recordingOf, unstated } from './recorded.ts';

/**
 * A mapping case is a folder of at most five files:
 * - its chart: `bundle.json`, or `change.json` with changes to another case's chart;
 * - `request.json`: its parameters, all of them optional;
 * - `expected.json`: the expected result, worked out by hand (see StatedFile);
 * - `recorded.json`: other recorded results (see Recording);
 * - why.md: the reason for the case, for people.
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
  /** Draft orders that a CDS Hooks request contains. */
  drafts: z.array(z.string()).default([]),
  /** How `expected.json` was made. `recorded.json` is always recorded. */
  expectation: z.enum(['by hand', 'recorded']).default('by hand'),
  /** The mapping or overlay of each kind, where it is not the base mapping. */
  mapping: z.partialRecord(z.enum(mappingKinds), z.string()).default({}),
});
export type FixtureRequest = z.infer<typeof FixtureRequest>;

export interface Fixture {
  readonly name: string;
  readonly folder: string;
  readonly entries: readonly Entry[];
  readonly request: FixtureRequest;
  readonly expected: Expected;
  readonly recorded?: unknown;
}

/** Mappings by kind and name, in the form of mappings/index.ts. */
export interface FixtureRegistry extends RoleTables {
  readonly 'prior-auth': Readonly<Record<string, unknown>>;
  readonly enrollment: Readonly<Record<string, unknown>>;
  readonly 'benefit-verification': Readonly<Record<string, unknown>>;
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The complete outcome. Only the parts that a case states are compared. */
export interface CaseOutcome extends Expected {
  readonly recorded?: Recording;
}

/** A place where the outcome differs from the expectation. */
export interface FixtureDiff extends Difference {
  readonly file: 'expected.json' | 'recorded.json';
}

export interface FixtureResult {
  readonly name: string;
  readonly ok: boolean;
  readonly diffs: readonly FixtureDiff[];
  readonly actual: CaseOutcome;
}

const files: string[] = ['bundle.json', 'change.json', 'request.json', 'expected.json', 'recorded.json'];

/** Returns the folders under `root` that have a chart, sorted by name. */
export function listFixtures(root: string): string[] {
  return readdirSync(root)
    .filter((name) => hasChart(join(root, name)))
    .sort()
    .map((name) => join(root, name));
}

/** The parts of a case that a mapping reads. */
export type FixtureInput = Pick<Fixture, 'name' | 'folder' | 'entries' | 'request'>;

/**
 * Reads a case. Without `site.timeZone`, days are in UTC, so that the result is the same on every machine. Throws
 * `input_unreadable` for a file that cannot be read or that has an unknown name.
 */
export function loadFixture(folder: string): Fixture {
  return loadFixtureInZone(folder, 'UTC');
}

/** Reads a case; `timeZone` is for cases that state none. */
export function loadFixtureInZone(folder: string, timeZone: string): Fixture {
  refuseOthers(folder);
  const recorded = join(folder, 'recorded.json');
  return {
    ...loadInput(folder, timeZone),
    expected: readExpected(folder),
    ...(existsSync(recorded) ? { recorded: readJsonFile(recorded) } : {}),
  };
}

export function loadInput(folder: string, timeZone = 'UTC'): FixtureInput {
  const file = join(folder, 'request.json');
  const request = FixtureRequest.safeParse(existsSync(file) ? readJsonFile(file) : {});
  if (!request.success)
    throw new BridgeError('input_unreadable', { file, keys: request.error.issues.map(({ path }) => path.join('.')) });
  return {
    name: basename(folder),
    folder,
    entries: readBundle(readFixtureChart(folder)).entries,
    request: { ...request.data, site: { timeZone, ...request.data.site } },
  };
}

// A file of expectations with a wrong name would be ignored and prove nothing.
function refuseOthers(folder: string): void {
  const other = readdirSync(folder).find((name) => name.endsWith('.json') && !files.includes(name));
  if (other !== undefined) throw new BridgeError('input_unreadable', { file: join(folder, other), known: files });
}

/**
 * Selects and maps as launch and batch do, and compares the outcome with the expected and recorded results. `names`:
 * the mappings for cases that state none.
 */
export async function runFixture(
  fixture: Fixture,
  registry: FixtureRegistry,
  names: NamesByKind = baseNames,
): Promise<FixtureResult> {
  const under = { ...names, ...withoutUndefined(fixture.request.mapping) };
  const roles = rolesFor(registry, under['prior-auth']);
  const chart = await chartOfFixture(fixture, roles);
  const sheet = fixture.expected.answers === undefined ? {} : await sheetOf(fixture, { registry, roles, under });
  const actual = { ...outcomeOf(fixture, { registry, roles, under }, chart), ...sheet };
  const diffs = diffsOf(fixture, actual);
  return { name: fixture.name, ok: diffs.length === 0 && expectsAnything(fixture), diffs, actual };
}

// The answers sheet has roles of its own, and is computed only if the case states a part of the sheet.
async function sheetOf(fixture: Fixture, rules: Rules): Promise<Pick<CaseOutcome, 'answers'>> {
  const chart = await chartOfFixture(fixture, rolesFor(rules.registry, rules.under.answers));
  return chart === undefined ? {} : { answers: caseOfResult(map(rules, 'answers', fixture, chart)) };
}

function expectsAnything({ expected, recorded }: Fixture): boolean {
  return recorded !== undefined || Object.keys(expected).length > 0;
}

/** Returns the differences from expected.json, then those from recorded.json. */
export function diffsOf({ expected, recorded }: Fixture, actual: CaseOutcome): FixtureDiff[] {
  const stated = diffJson(expected, outcomeAsStated(actual, expected));
  const left = actual.recorded && unstated(actual.recorded, expected);
  const besides = recorded === undefined ? [] : diffJson(recorded, left);
  return [
    ...stated.map((difference) => ({ file: 'expected.json' as const, ...difference })),
    ...besides.map((difference) => ({ file: 'recorded.json' as const, ...difference })),
  ];
}

/** Returns the chart of the order that the case names, else of its first candidate; undefined if there is none. */
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

/** The parameters for listing the orders of a mapping case. */
export function choosingOf({ now, site, drafts }: FixtureRequest, roles: RoleTable): Choosing {
  return { roles, now: new Date(now), site, drafts: new Set(drafts) };
}

interface Rules {
  readonly registry: FixtureRegistry;
  readonly roles: RoleTable;
  readonly under: NamesByKind;
}

function outcomeOf(fixture: Fixture, rules: Rules, chart: Chart | undefined): CaseOutcome {
  const candidates = candidateOrders(fixture.entries, choosingOf(fixture.request, rules.roles)).map(
    ({ order, fits, reason }) => ({ order, fits, reason }),
  );
  if (chart === undefined) return { candidates };
  const results = kinds.map((kind) => [kind, map(rules, kind, fixture, chart)] as const);
  const asked = results.filter(([kind]) => isAsked(kind, fixture));
  return {
    candidates,
    chart: { chosen: chosenOf(chart), warnings: chart.warnings },
    ...Object.fromEntries(results.map(([kind, result]) => [kind, caseOfResult(result)])),
    recorded: recordingOf(chart, Object.fromEntries(asked)),
  };
}

function chosenOf({ choices }: Chart): Record<string, string> {
  return Object.fromEntries(choices.flatMap(({ role, chosen }) => (chosen === undefined ? [] : [[role, chosen]])));
}

// Every recording has prior authorization and enrollment. A benefit verification is mapped only if the case states a
// part of it.
function isAsked(kind: MappingKind, { expected }: Fixture): boolean {
  return kind !== 'benefit-verification' || expected[kind] !== undefined;
}

function map({ registry, under }: Rules, kind: MappingKind, fixture: Fixture, chart: Chart): MappingResult<unknown> {
  const name = under[kind];
  const mapping = registry[kind][name];
  if (mapping === undefined)
    throw new BridgeError('input_unreadable', { file: join(fixture.folder, 'request.json'), mapping: name });
  // the registry has only mappings; their targets differ
  return runMapping(mapping as Mapping<unknown>, chart, { edits: fixture.request.edits as Edits });
}

function withoutUndefined<T extends object>(value: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}

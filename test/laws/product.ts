import { Readable } from 'node:stream';
import { enrollment } from '../../mappings/enrollment.ts';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { roles } from '../../mappings/roles.ts';
import { listInputs } from '../../src/batch/list-inputs.ts';
import { mapInputs } from '../../src/batch/map.ts';
import { placeWords } from '../../src/batch/report/order-outcome.ts';
import { kinds } from '../../src/core/contract/kinds.ts';
import type { Entry } from '../../src/core/fhir/bundle.ts';
import type { Readings } from '../../src/core/fhir/documents/readings.ts';
import type { Edits, MappingResult } from '../../src/core/mapping/result.ts';
import { runMapping, runMappings } from '../../src/core/mapping/run/run.ts';
import type { Mapping } from '../../src/core/mapping/words/define.ts';
import type { Candidate, Chart } from '../../src/core/roles/chart.ts';
import type { SitePolicy } from '../../src/core/roles/policy.ts';
import { rolesFor } from '../../src/core/roles/roles-for.ts';
import { selectChart } from '../../src/core/roles/select.ts';
import { chartOfFixture, type Fixture } from '../../src/dev/kit/fixture.ts';
import { recordingOf } from '../../src/dev/kit/recorded.ts';
import { readDocuments } from '../../src/ehr/documents/read-documents.ts';
import type { Draft } from './draft.ts';

/** What the product makes of one chart: both requests, and what a reader is told beside them. */
export interface Outcome {
  readonly patient: string;
  readonly order: string;
  readonly priorAuth: MappingResult<unknown>;
  readonly enrollment: MappingResult<unknown>;
  readonly warnings: readonly string[];
}

export const now = new Date('2026-11-21T15:00:00Z');

/** The one place where the laws call the product. */
export function mapChart(
  entries: Draft['entries'],
  { order, site, readings }: { readonly order: string; readonly site: object; readonly readings: Readings },
): Outcome {
  // the laws write a site's policy as plain data
  return outcomeOf(selectChart(entries, { roles, order, now, site: site as SitePolicy, readings }));
}

/** Both requests of a chart that was selected elsewhere. */
export function outcomeOf(chart: Chart, edits: Edits = {}): Outcome {
  return {
    patient: chart.patient,
    order: chart.order,
    priorAuth: runMapping(priorAuth, chart, { edits }),
    enrollment: runMapping(enrollment, chart, { edits: withoutForeign(edits) }),
    warnings: chart.warnings,
  };
}

// An edit of one request may speak of a field that the other does not have.
function withoutForeign(edits: Edits): Edits {
  return Object.fromEntries(
    Object.entries(edits).filter(([target]) => /^(patient\.|prescription\.(drug_name|directions))/.test(target)),
  );
}

/** A mapping case as the `test` command runs it; undefined when it has no order to map. */
export async function mapFixture(fixture: Fixture): Promise<Outcome | undefined> {
  const chart = await chartOfFixture(fixture, roles);
  return chart === undefined ? undefined : outcomeOf(chart, fixture.request.edits);
}

/** What one mapping makes of a mapping case. */
export interface ResultOf {
  readonly mapping: string;
  readonly result: MappingResult<unknown>;
}

/** What every mapping makes of a case, none of whose fields a person changed; nothing where it has no order to map. */
export async function mapFixtureByEach(fixture: Fixture): Promise<readonly ResultOf[]> {
  const chart = await chartOfFixture(fixture, roles);
  if (chart === undefined) return [];
  // the registry holds mappings only; their targets differ
  const all = kinds.flatMap((kind) => Object.entries(mappings[kind])) as [string, Mapping<unknown>][];
  return all.map(([mapping, rules]) => ({ mapping, result: runMapping(rules, chart) }));
}

/** What may support a request, and what of it goes. */
export interface OfferedEvidence {
  readonly candidates: readonly Candidate[];
  /** The evidence of the request, as JSON. */
  readonly sent: string;
}

export function evidenceOf(
  entries: Draft['entries'],
  { order, site, readings }: { readonly order: string; readonly site: object; readonly readings: Readings },
): OfferedEvidence {
  const chart = selectChart(entries, { roles, order, now, site: site as SitePolicy, readings });
  return { candidates: chart.choice('evidence')?.candidates ?? [], sent: sentOf(runMapping(priorAuth, chart)) };
}

/** The evidence of a request, as JSON. */
export function sentOf(result: MappingResult<unknown>): string {
  const { evidence = [] } = (result.status === 'complete' ? result.body : result.draft) as { evidence?: unknown[] };
  return JSON.stringify(evidence);
}

/** The outcomes of every order of a folder, as a batch maps them. */
export async function* mapFolder(
  path: string,
  site: SitePolicy = { country: 'USA', diagnoses: 'ask' },
): AsyncGenerator<{ readonly outcome: Outcome; readonly entries: readonly Entry[]; readonly file: string }> {
  let latest: { readonly chart: Chart; readonly entries: readonly Entry[] } | undefined;
  const onChart = (chart: Chart, entries: readonly Entry[]) => {
    latest = { chart, entries };
  };
  const map = (charts: readonly Chart[]) => runMappings(priorAuth, charts);
  for await (const event of mapInputs({
    roles,
    map,
    site,
    now,
    onChart,
    inputs: await listInputs([path]),
    stdin: Readable.from([]),
  })) {
    if (event.kind === 'order' && 'result' in event.outcome && latest !== undefined)
      yield { outcome: outcomeOf(latest.chart), entries: latest.entries, file: event.outcome.place.file };
  }
}

/** What is said of one order of a folder. */
export interface Told {
  readonly order: string;
  /** The file and the place in it. */
  readonly place: string;
  /** As JSON: what became of it, each request, what was chosen from what, and the warnings. */
  readonly outcome: string;
}

/** What is said of every order of a folder that is mapped as a batch, with the policy and edits of a mapping case. */
export async function tellFolder(path: string, { request }: Fixture): Promise<readonly Told[]> {
  const { site, edits, now } = request;
  const results = (chart: Chart) =>
    kinds.map((kind) => {
      // the registry holds mappings only; their targets differ
      const mapping = mappings[kind][request.mapping[kind] ?? kind] as Mapping<unknown>;
      return [kind, runMapping(mapping, chart, { edits: edits as Edits })] as const;
    });
  const map = (chart: Chart): MappingResult<unknown> => {
    const all = Object.fromEntries(results(chart));
    const provenance = Object.values(all).map((result) => result.provenance);
    return { status: 'complete', body: { ...recordingOf(chart, all), provenance }, provenance: [], gaps: [] };
  };
  const told: Told[] = [];
  for await (const event of mapInputs({
    roles: rolesFor(mappings, request.mapping['prior-auth'] ?? 'prior-auth'),
    map: (charts) => charts.map(map),
    site: site as SitePolicy,
    now: new Date(now),
    inputs: await listInputs([path]),
    stdin: Readable.from([]),
  })) {
    if (event.kind !== 'order') continue;
    const { place, order, patient, state, ...said } = event.outcome;
    const content = 'content' in said ? said.content : said.reason.replaceAll(placeIn(path), 'a place');
    told.push({ order, place: placeWords(place), outcome: JSON.stringify({ patient, state, content }) });
  }
  return told;
}

function placeIn(path: string): RegExp {
  return new RegExp(`${path}/[^)]*`, 'g');
}

/** What the documents of a chart hold; no change touches them. */
export function readingsOf(entries: Draft['entries']): Promise<Readings> {
  return readDocuments(entries);
}

import { type CandidateOrder, candidateOrders, selectChart } from '../chart/select.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { noReadings, type Readings } from '../documents/readings.ts';
import { BridgeError } from '../errors.ts';
import type { Entry } from '../fhir/bundle.ts';
import { type Graph, indexChart } from '../fhir/graph.ts';
import type { MappingResult } from '../mapping/result.ts';
import type { Chart } from '../roles/chart.ts';
import type { SitePolicy } from '../roles/policy.ts';
import { createDuplicates, type Duplicates } from './duplicates.ts';
import type { InputFile, Inputs } from './input.ts';
import { type FileLedger, openLedger } from './ledger.ts';
import type { FileOutcome, OrderOutcome, Place } from './outcome.ts';
import { createPool, loadGroup, loadOrders, type PatientGroup, type Pool, type PoolFacts } from './pool.ts';
import { type ChartBundle, scanFolder } from './scan.ts';
import type { Slot } from './slot.ts';

export interface MapRequest {
  readonly inputs: Inputs;
  /** The mapping to run, e.g. `(chart) => runMapping(priorAuth, chart)`. */
  readonly map: (chart: Chart) => MappingResult<unknown>;
  readonly site: SitePolicy;
  /** The day that coverage periods and the like are compared with. */
  readonly now: Date;
  readonly stdin: AsyncIterable<Buffer>;
  /** Handed what an order was mapped from: its patient's resources and those they lead to. */
  readonly onChart?: (chart: Chart, entries: readonly Entry[]) => void;
  /** Told before each file is read and after each order is mapped. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly files: number;
  readonly orders: number;
  readonly of: number;
}

export type MapEvent =
  | { readonly kind: 'order'; readonly outcome: OrderOutcome }
  | { readonly kind: 'file'; readonly outcome: FileOutcome }
  | { readonly kind: 'patients'; readonly count: number };

/**
 * Maps every medication order of the input, folder by folder, as events in a stable order: the orders of a folder, then its files.
 * What cannot be read or mapped becomes an outcome with its reason and stops nothing else. No network, nothing written.
 */
export async function* mapInputs(request: MapRequest): AsyncGenerator<MapEvent> {
  const work = startWork(request);
  for (const { path, reason } of request.inputs.problems) {
    const ledger = openLedger(path);
    ledger.unreadable({ reason });
    yield { kind: 'file', outcome: ledger.outcome() };
  }
  for (const files of Map.groupBy(request.inputs.files, (file) => file.pool).values()) yield* mapFolder(files, work);
}

interface Work extends MapRequest {
  readonly duplicates: Duplicates;
  readonly fileStarted: () => void;
  readonly orderDone: () => void;
}

function startWork(request: MapRequest): Work {
  let files = 0;
  let orders = 0;
  const of = request.inputs.files.length;
  const tell = () => request.onProgress?.({ files, orders, of });
  return {
    ...request,
    duplicates: createDuplicates(),
    fileStarted: () => {
      files += 1;
      tell();
    },
    orderDone: () => {
      orders += 1;
      tell();
    },
  };
}

async function* mapFolder(files: readonly InputFile[], work: Work): AsyncGenerator<MapEvent> {
  const { bundles, pool, ledgers, close } = await scanFolder(files, work.stdin, work.fileStarted);
  const byFile = new Map(ledgers.map((ledger) => [ledger.file, ledger]));
  try {
    for (const bundle of bundles) yield* mapPool(openBundle(bundle, pool), byFile, work);
    yield* mapPool(pool, byFile, work);
  } finally {
    close();
  }
  for (const ledger of ledgers) yield { kind: 'file', outcome: ledger.outcome() };
}

function openBundle({ ledger, line, items }: ChartBundle, shared: Pool): Pool {
  const pool = createPool(shared);
  const at = { file: ledger.file, ...(line === undefined ? {} : { line }) };
  for (const located of items()) pool.add(located, { ...at, path: located.path }, () => located);
  return pool;
}

async function* mapPool(pool: Pool, ledgers: ReadonlyMap<string, FileLedger>, work: Work): AsyncGenerator<MapEvent> {
  const facts = pool.close();
  yield { kind: 'patients', count: facts.patients };
  for (const outcome of repeats(facts, pool.groups().length > 0 ? ledgers : new Map()))
    yield settle(outcome, ledgers, work);
  for (const group of pool.groups()) {
    for await (const outcome of mapGroup(pool, group, work)) yield settle(outcome, ledgers, work);
  }
}

function settle(outcome: OrderOutcome, ledgers: ReadonlyMap<string, FileLedger>, work: Work): MapEvent {
  ledgers.get(outcome.place.file)?.order(outcome.state);
  work.orderDone();
  return { kind: 'order', outcome };
}

/** Types whose loss a reader must know of: a chart may lack something by it. */
const chartTypes = new Set(
  'AllergyIntolerance Binary Condition Coverage DiagnosticReport DocumentReference Encounter Location Medication MedicationDispense MedicationStatement Observation Organization Patient Practitioner PractitionerRole'.split(
    ' ',
  ),
);

/** Orders that stand twice are outcomes; of other resources only those whose contents differ are worth a word. */
function repeats(facts: PoolFacts, ledgers: ReadonlyMap<string, FileLedger>): OrderOutcome[] {
  const isOrder = ({ slot }: { slot: Slot }) => slot.type === 'MedicationRequest';
  for (const { slot, other } of facts.conflicts.filter(({ slot }) => chartTypes.has(slot.type))) {
    ledgers
      .get(slot.place.file)
      ?.conflict({ ...spot(slot.place), reason: `${slot.name} ${disputed(other)}: neither was used` });
  }
  return [
    ...facts.repeated.filter(isOrder).map(({ slot, first }) => repeated(slot, `the same order as ${words(first)}`)),
    ...facts.replaced
      .filter((slot) => isOrder({ slot }))
      .map((slot) => repeated(slot, 'an older version of an order that the input holds in a newer one')),
    ...facts.conflicts.filter(isOrder).map(
      ({ slot, other }): OrderOutcome => ({
        place: slot.place,
        order: slot.name,
        state: 'cannot_map',
        reason: disputed(other),
      }),
    ),
  ];
}

function disputed(other: Place): string {
  return `stands twice with different content and nothing tells which is newer (the other: ${words(other)})`;
}

function repeated(slot: Slot, reason: string): OrderOutcome {
  return { place: slot.place, order: slot.name, state: 'duplicate', reason };
}

function spot({ line, path }: Place): { line?: number; path?: string } {
  return { ...(line === undefined ? {} : { line }), ...(path === undefined ? {} : { path }) };
}

function words({ file, line, path }: Place): string {
  return [
    file,
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(path === undefined || path === '' ? [] : [path]),
  ].join(', ');
}

async function* mapGroup(pool: Pool, group: PatientGroup, work: Work): AsyncGenerator<OrderOutcome> {
  const { patient } = group;
  if (patient === undefined) {
    for (const order of group.orders)
      yield { place: order.place, order: order.name, state: 'cannot_map', reason: 'the order names no patient' };
    return;
  }
  const places = new Map(group.orders.map((slot) => [slot.name, slot.place]));
  let candidates: readonly CandidateOrder[];
  let entries: readonly Entry[] = [];
  let graph = indexChart([]);
  let readings = noReadings;
  try {
    const loaded = loadOrders(group);
    candidates = candidateOrders([...loaded.values()]);
    // Most orders of an export are past ones: the rest of a chart is read only when there is something to map.
    if (group.lost === undefined && candidates.some((candidate) => candidate.fits))
      entries = loadGroup(pool, group, loaded);
    graph = indexChart(entries);
    // Nobody ticks evidence here, so no note is sent and none needs reading.
    readings = await readDocuments(graph, { patient, newest: 0 });
  } catch (error) {
    for (const order of group.orders)
      yield { place: order.place, order: order.name, patient, state: 'cannot_map', reason: failure(error) };
    return;
  }
  for (const candidate of candidates) {
    const at = { place: places.get(candidate.order) ?? group.orders[0]!.place, order: candidate.order, patient };
    if (!candidate.fits) yield { ...at, state: 'not_candidate', reason: candidate.reason };
    else if (group.lost !== undefined) yield { ...at, state: 'cannot_map', reason: group.lost };
    else yield mapOrder({ entries, graph, readings }, at, work);
    places.delete(candidate.order);
  }
  for (const [order, place] of places)
    yield {
      place,
      order,
      patient,
      state: 'cannot_map',
      reason: 'the bridge did not recognise it as an order of this patient: report it',
    };
}

/** The same three calls as in the clinic and in the mapping tests: choose, map, and tell what became of it. */
function mapOrder(
  {
    entries,
    graph,
    readings,
  }: { readonly entries: readonly Entry[]; readonly graph: Graph; readonly readings: Readings },
  at: { readonly place: Place; readonly order: string; readonly patient: string },
  { map, site, now, duplicates, onChart }: Work,
): OrderOutcome {
  try {
    const chart = selectChart(graph, { patient: at.patient, order: at.order, now, site, readings });
    onChart?.(chart, entries);
    const result = map(chart);
    const about = entries
      .map(({ resource }) => resource)
      .filter((resource) => [at.order, at.patient].includes(`${resource.resourceType}/${resource.id}`));
    const earlier = duplicates.seen(result, about, { order: at.order, place: at.place });
    if (earlier !== undefined)
      return { ...at, state: 'duplicate', reason: `the same request as ${earlier.order} (${words(earlier.place)})` };
    return {
      ...at,
      state: result.status === 'complete' ? 'ready' : 'needs_information',
      result,
      choices: chart.choices,
      warnings: chart.warnings,
    };
  } catch (error) {
    return { ...at, state: 'cannot_map', reason: failure(error) };
  }
}

/** One order that the bridge stumbles over must not cost the others; its outcome says so. A defect is named by its kind: its message may quote the chart. */
function failure(error: unknown): string {
  return error instanceof BridgeError
    ? error.message
    : `the bridge failed on this order (${error instanceof Error ? error.name : 'unknown'}): report it`;
}

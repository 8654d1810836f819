import type { Resource } from 'fhir/r4.js';
import { BridgeError } from '../core/errors.ts';
import type { Entry, PlacedEntry } from '../core/fhir/bundle.ts';
import { noReadings } from '../core/fhir/documents/readings.ts';
import { type Graph, indexChart } from '../core/fhir/graph.ts';
import type { MappingResult } from '../core/mapping/result.ts';
import type { Chart, Choice } from '../core/roles/chart.ts';
import type { RoleTable } from '../core/roles/define.ts';
import { fillTogether } from '../core/roles/fill-together.ts';
import type { SitePolicy } from '../core/roles/policy.ts';
import { ordersIn } from '../core/roles/select.ts';
import { readDocuments } from '../ehr/documents/read-documents.ts';
import { digestOf, jsonOfResult } from './duplicates.ts';
import type { PatientGroup } from './groups.ts';
import { hasEnded } from './has-ended.ts';
import { type LoadedGroup, loadGroup, loadOrders } from './load.ts';
import { isAskedFor, leftOutReason, type Only } from './only.ts';
import { factsOf, type OrderFacts } from './order-facts.ts';
import type { OrderOutcome, Place } from './outcome.ts';
import type { Pool } from './pool.ts';
import type { Slot } from './slot.ts';

/** What mapping one patient's orders needs of a run. */
export interface GroupWork {
  /** Maps several charts, in their order; what throws for one throws for all. */
  readonly map: (charts: readonly Chart[]) => readonly MappingResult<unknown>[];
  readonly roles: RoleTable;
  /** The roles that the mapping reads: those that are named are filled for several charts at a time. */
  readonly reads?: readonly string[];
  readonly site: SitePolicy;
  readonly now: Date;
  /** Conditions of `--only`: other orders are left out. */
  readonly only?: readonly Only[];
  /** What goes along with a request beside its mapping: `--answers`. */
  readonly along?: (result: MappingResult<unknown>, chart: Chart) => MappingResult<unknown>;
  readonly onChart?: (chart: Chart, entries: readonly Entry[]) => void;
}

/** An order whose chart was chosen, and what is said of its outcome. */
export interface OrderToMap {
  readonly place: Place;
  readonly order: string;
  readonly patient: string;
  readonly chart: Chart;
  readonly graph: Graph;
  readonly entries: readonly Entry[];
}

/** Of each order of a patient the chart that it is mapped from, or what became of it. */
export async function chartsOfGroup(
  pool: Pool,
  group: PatientGroup,
  work: GroupWork,
): Promise<readonly (OrderToMap | OrderOutcome)[]> {
  const { patient, lost, orders } = group;
  const everyOrder = (reason: string) => orders.map((slot) => cannotMap(slot.place, slot.name, patient, reason));
  if (patient === undefined) return everyOrder('the order names no patient');
  let opened: OpenedGroup;
  try {
    opened = await openGroup(pool, group, patient, work);
  } catch (error) {
    return everyOrder(failure(error));
  }
  const { entries, graph } = opened;
  const places = new Map(orders.map((slot) => [slot.name, slot.place]));
  const found: (OrderToMap | OrderOutcome)[] = [];
  for (const judged of opened.orders) {
    const { fits, chart } = judged;
    const { order } = chart;
    const place = places.get(order);
    if (place === undefined) continue;
    if (!fits) found.push({ place, order, patient, state: 'not_candidate', reason: judged.candidate.reason });
    else if (lost !== undefined) found.push(cannotMap(place, order, patient, lost));
    else if (chart.patient !== patient) found.push(cannotMap(place, order, patient, notTheirs(order)));
    else found.push({ place, order, patient, chart, graph, entries });
    places.delete(order);
  }
  for (const [order, place] of places)
    found.push(
      cannotMap(place, order, patient, 'the bridge did not recognise it as an order of this patient: report it'),
    );
  return found;
}

function notTheirs(order: string): string {
  return new BridgeError('patient_mismatch', { order }).message;
}

interface OpenedGroup {
  readonly orders: ReturnType<typeof ordersIn>;
  readonly entries: readonly Entry[];
  readonly graph: Graph;
}

/** The same two calls as in the clinic: what documents say, and which orders there are. */
async function openGroup(
  pool: Pool,
  group: PatientGroup,
  patient: string,
  { roles, now, site }: GroupWork,
): Promise<OpenedGroup> {
  const { drafts, own } = pool;
  const loaded = loadOrders(group);
  // Most orders of an export are past ones: the rest of a chart is read only when there is something to map.
  const isNeeded = group.lost === undefined && [...loaded.values()].some(({ resource }) => mayFit(resource));
  const { entries, passedOver } = isNeeded ? loadGroup(pool, group, loaded) : onlyOrders(loaded);
  const graph = indexChart(entries, own);
  // Nobody ticks evidence here: only a policy sends notes, and none that was not read.
  const unread = site.evidence === 'suggested' ? {} : { newest: 0 };
  const readings = isNeeded ? await readDocuments(graph, { patient, ...unread }) : noReadings;
  return { orders: ordersIn(graph, { roles, now, site, readings, drafts, passedOver }), entries, graph };
}

function onlyOrders(loaded: ReadonlyMap<Slot, PlacedEntry>): LoadedGroup {
  return { entries: [...loaded.values()], passedOver: [] };
}

/** Whether it may be an order that can be mapped. Nothing is sent for one that has ended. */
function mayFit(resource: Resource): boolean {
  return resource.resourceType === 'MedicationRequest' && !hasEnded(resource);
}

/**
 * Maps orders as they come, some at a time: the roles of their charts are filled role by role, which costs about half
 * of filling them chart by chart, since the code of a role is used again before other code displaces it from the
 * processor's caches. Their outcomes come in the same order.
 */
export async function* mapTogether(
  found: AsyncIterable<readonly (OrderToMap | OrderOutcome)[]>,
  work: GroupWork,
): AsyncGenerator<Iterable<OrderOutcome>> {
  let together: (OrderToMap | OrderOutcome)[] = [];
  let charts = new Set<Graph>();
  let resources = 0;
  for await (const some of found)
    for (const one of some) {
      together.push(one);
      if ('graph' in one && !charts.has(one.graph)) {
        charts.add(one.graph);
        resources += one.entries.length;
      }
      if (together.length < mostTogether && resources < mostResources) continue;
      yield mapAll(together, work);
      [together, charts, resources] = [[], new Set(), 0];
    }
  if (together.length > 0) yield mapAll(together, work);
}

const nothingNamed: readonly string[] = [];
/** Orders that are mapped in one go. */
export const mostTogether = 64;
/** Parsed resources of several large charts take much memory. */
const mostResources = 500;

// An outcome comes as soon as `onChart` was handed its chart.
function* mapAll(all: readonly (OrderToMap | OrderOutcome)[], work: GroupWork): Generator<OrderOutcome> {
  const asked = all.map((one) => ('chart' in one ? orderAskedFor(one, work) : one));
  const charts = asked.flatMap((one) => ('chart' in one ? [one.chart] : []));
  fillTogether(charts, work.roles.closureOf(work.reads ?? nothingNamed));
  const results = resultsOf(charts, work);
  for (const one of asked) yield 'chart' in one ? mapOrder(one, results, work) : one;
}

/** By chart; of none where mapping one of them throws: they are mapped one by one then. */
function resultsOf(charts: readonly Chart[], { map }: GroupWork): ReadonlyMap<Chart, MappingResult<unknown>> {
  if (charts.length < 2) return new Map();
  try {
    const results = map(charts);
    return new Map(charts.flatMap((chart, at) => (results[at] === undefined ? [] : [[chart, results[at]] as const])));
  } catch {
    return new Map(); // thrown again by the chart that it is about
  }
}

function orderAskedFor(one: OrderToMap, { only = [] }: GroupWork): OrderToMap | OrderOutcome {
  const { place, order, patient, chart } = one;
  try {
    if (only.length === 0 || isAskedFor(only, factsOf(chart), place)) return one;
    return { place, order, patient, state: 'left_out', reason: leftOutReason(only) };
  } catch (error) {
    return cannotMap(place, order, patient, failure(error));
  }
}

function mapOrder(
  { place, order, patient, chart, graph, entries }: OrderToMap,
  results: ReadonlyMap<Chart, MappingResult<unknown>>,
  work: GroupWork,
): OrderOutcome {
  try {
    work.onChart?.(chart, entries);
    const result = results.get(chart) ?? mapAlone(chart, work);
    const about = [graph.find(order), graph.find(patient)].flatMap((located) => located?.resource ?? []);
    const state = result.status === 'complete' ? 'ready' : 'needs_information';
    const json = jsonOfResult(result);
    // Of the request alone: answers have ages in days, and would be others on another day.
    const digest = digestOf(result, json, about);
    const whole = work.along?.(result, chart) ?? result;
    const content = whole === result ? json : jsonOfResult(whole);
    return new MappedOrder({ place, order, patient }, state, { result: whole, content, digest }, chart);
  } catch (error) {
    return cannotMap(place, order, patient, failure(error));
  }
}

function mapAlone(chart: Chart, { map }: GroupWork): MappingResult<unknown> {
  const [result] = map([chart]);
  if (result === undefined) throw new BridgeError('internal', { reason: 'every chart has a result' });
  return result;
}

/** Choices and warnings look at the whole chart: they are worked out when they are read. */
class MappedOrder {
  readonly place: Place;
  readonly order: string;
  readonly patient: string;
  readonly result: MappingResult<unknown>;
  readonly content: string;
  readonly digest: string;
  readonly #chart: Chart;

  constructor(
    at: { readonly place: Place; readonly order: string; readonly patient: string },
    readonly state: 'ready' | 'needs_information',
    made: { readonly result: MappingResult<unknown>; readonly content: string; readonly digest: string },
    chart: Chart,
  ) {
    this.place = at.place;
    this.order = at.order;
    this.patient = at.patient;
    this.result = made.result;
    this.content = made.content;
    this.digest = made.digest;
    this.#chart = chart;
  }

  get facts(): OrderFacts {
    return factsOf(this.#chart);
  }

  get choices(): readonly Choice[] {
    return this.#chart.choices;
  }

  get warnings(): readonly string[] {
    return this.#chart.warnings;
  }
}

function cannotMap(place: Place, order: string, patient: string | undefined, reason: string): OrderOutcome {
  const whose = patient === undefined ? {} : { patient };
  return { place, order, ...whose, state: 'cannot_map', reason };
}

/**
 * One order that the bridge stumbles over must not cost the others; its outcome says so. A defect is named by its kind:
 * its message may quote the chart.
 */
function failure(error: unknown): string {
  return error instanceof BridgeError
    ? error.message
    : `the bridge failed on this order (${error instanceof Error ? error.name : 'unknown'}): report it`;
}

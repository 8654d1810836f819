import { hash } from 'node:crypto';
import { BridgeError } from '../core/errors.ts';
import { textAlone } from '../core/fhir/address.ts';
import type { Entry } from '../core/fhir/bundle.ts';
import { type Graph, indexChart } from '../core/fhir/references/graph.ts';
import { passedOverText } from '../core/fhir/references/passed-over.ts';
import { jsonOfResult, requestIdentity } from '../core/mapping/request-identity.ts';
import type { MappingResult } from '../core/mapping/result.ts';
import type { Chart } from '../core/roles/chart.ts';
import type { RoleTable } from '../core/roles/define.ts';
import { fillTogether } from '../core/roles/fill-together.ts';
import type { SitePolicy } from '../core/roles/policy.ts';
import { ordersIn } from '../core/roles/select.ts';
import { readDocuments } from '../ehr/documents/read-documents.ts';
import type { PatientGroup } from './groups.ts';
import type { Pool } from './pool.ts';
import { isAskedFor, leftOutReason, type Only, orderFactsOf } from './report/order-facts.ts';
import type { InputPlace, OrderOutcome } from './report/order-outcome.ts';
import type { Slot } from './slot.ts';

export interface GroupWork {
  /** Maps several charts, in their order. Throws if any of them throws. */
  readonly map: (charts: readonly Chart[]) => readonly MappingResult<unknown>[];
  readonly roles: RoleTable;
  /** The roles that the mapping reads. They are filled for several charts at a time. */
  readonly reads?: readonly string[];
  readonly site: SitePolicy;
  readonly now: Date;
  /** Conditions of `--only`: orders that do not match are left out. */
  readonly only?: readonly Only[];
  /** For `--answers`: adds to a result what the mapping itself does not give. */
  readonly along?: (result: MappingResult<unknown>, chart: Chart) => MappingResult<unknown>;
  readonly onChart?: (chart: Chart, entries: readonly Entry[]) => void;
}

/** An order with its chart, its place in the input and its patient. */
export interface OrderToMap {
  readonly place: InputPlace;
  readonly order: string;
  readonly patient: string;
  readonly chart: Chart;
  readonly graph: Graph;
  readonly entries: readonly Entry[];
}

/** Returns for each order of a patient the chart to map, or an outcome. */
export async function chartsOfGroup(
  pool: Pool,
  group: PatientGroup,
  work: GroupWork,
): Promise<readonly (OrderToMap | OrderOutcome)[]> {
  const { patient, lost, orders } = group;
  const everyOrder = (reason: string) => orders.map((slot) => cannotMap(slot.place, slot.name, patient, reason));
  if (patient === undefined) return everyOrder('the order names no patient');
  const refused = orders.flatMap(({ place, name: order, refusal: reason }) =>
    reason === undefined ? [] : [{ place, order, patient, state: 'not_eligible' as const, reason }],
  );
  // in the order of `ordersIn`
  if (refused.length === orders.length && new Set(orders.map(({ name }) => name)).size === orders.length)
    return refused.sort((one, other) => (one.order < other.order ? -1 : 1));
  let opened: Awaited<ReturnType<typeof openGroup>>;
  try {
    opened = await openGroup(pool, group, patient, work);
  } catch (error) {
    return everyOrder(failure(error));
  }
  const { judged, entries, graph } = opened;
  const places = new Map(orders.map((slot) => [slot.name, slot.place]));
  const found: (OrderToMap | OrderOutcome)[] = [];
  for (const { fits, chart, candidate } of judged) {
    const { order } = chart;
    const place = places.get(order);
    if (place === undefined) continue;
    if (!fits) found.push({ place, order, patient, state: 'not_eligible', reason: candidate.reason });
    else if (lost !== undefined) found.push(cannotMap(place, order, patient, lost));
    else if (chart.patient !== patient)
      found.push(cannotMap(place, order, patient, new BridgeError('patient_mismatch', { order }).message));
    else found.push({ place, order, patient, chart, graph, entries });
    places.delete(order);
  }
  const reason = 'the bridge did not recognise it as an order of this patient: report it';
  return [...found, ...[...places].map(([order, place]) => cannotMap(place, order, patient, reason))];
}

/** Calls the same two functions as a launch: reads the documents, lists the orders. */
async function openGroup(pool: Pool, group: PatientGroup, patient: string, { roles, now, site }: GroupWork) {
  const { entries, passedOver } = loadGroup(pool, group);
  const graph = indexChart(entries, pool.own);
  // In a batch nobody selects evidence, so notes are read only if the site's policy sends them.
  const unread = site.evidence === 'suggested' ? {} : { newest: 0 };
  const readings = await readDocuments(graph, { patient, ...unread });
  const judged = ordersIn(graph, { roles, now, site, readings, drafts: pool.drafts, passedOver });
  return { judged, entries, graph };
}

/**
 * Loads all resources that mapping a group may read: the patient's own and the supporting resources that they refer to.
 * Also returns sentences about resources that were left out because of their server.
 */
function loadGroup(pool: Pool, { slots, passedOver }: PatientGroup) {
  const needed = new Set(slots);
  const asked = new Set<string>();
  const notUsed: string[] = [];
  // Slots that are added to the Set during the loop are visited too.
  for (const slot of needed) {
    for (const reference of slot.references) {
      // Nearly every resource refers to its patient, so the same reference is looked up only once.
      const text = textAlone(reference);
      const key = text === undefined ? undefined : `${slot.base ?? ''} ${text}`;
      if (key !== undefined && asked.has(key)) continue;
      if (key !== undefined) asked.add(key);
      const found = pool.supporting(reference, slot.base);
      if (found.length === 0) notUsed.push(...notUsedText(slot, reference, pool));
      for (const one of found) needed.add(one);
    }
    if (slot.type === 'Practitioner') for (const role of pool.rolesOf(slot)) needed.add(role);
  }
  const entries = [...needed].map((slot) => slot.load());
  return { entries, passedOver: [...passedOver, ...notUsed.sort()] };
}

function notUsedText(holder: Slot, reference: unknown, pool: Pool): string[] {
  const namesake = pool.namesake(reference);
  if (namesake === undefined) return [];
  return [passedOverText(holder, textAlone(reference) ?? '', namesake.slot, namesake.own)];
}

const none: readonly string[] = [];

/**
 * Maps orders as they arrive, several at a time, and fills their charts role by role. Chart by chart would take twice
 * as long, since the code of a role would leave the processor's caches before its next use. Outcomes stay in order.
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

export const mostTogether = 64;
/** The parsed resources of several large charts take much memory. */
const mostResources = 500;

// A generator, so that each outcome is yielded right after `onChart` gets its chart.
function* mapAll(all: readonly (OrderToMap | OrderOutcome)[], work: GroupWork): Generator<OrderOutcome> {
  const asked = all.map((one) => ('graph' in one ? orderAskedFor(one, work) : one));
  const charts = asked.flatMap((one) => ('graph' in one ? [one.chart] : []));
  fillTogether(charts, work.roles.closureOf(work.reads ?? none));
  const results = resultsOf(charts, work);
  let at = 0;
  for (const one of asked) {
    if ('graph' in one) yield mapOrder(one, results[at++], work);
    else yield one;
  }
}

/** Returns an empty list if mapping one of the charts throws. They are then mapped one by one. */
function resultsOf(charts: readonly Chart[], { map }: GroupWork): readonly MappingResult<unknown>[] {
  if (charts.length < 2) return [];
  try {
    return map(charts);
  } catch {
    return []; // mapping one by one, the faulty chart throws again
  }
}

function orderAskedFor(one: OrderToMap, { only = [] }: GroupWork): OrderToMap | OrderOutcome {
  const { place, order, patient, chart } = one;
  try {
    if (only.length === 0 || isAskedFor(only, orderFactsOf(chart), place.file)) return one;
    return { place, order, patient, state: 'left_out', reason: leftOutReason(only) };
  } catch (error) {
    return cannotMap(place, order, patient, failure(error));
  }
}

function mapOrder(
  { place, order, patient, chart, graph, entries }: OrderToMap,
  made: MappingResult<unknown> | undefined,
  work: GroupWork,
): OrderOutcome {
  try {
    work.onChart?.(chart, entries);
    const [result = made] = made === undefined ? work.map([chart]) : [];
    if (result === undefined) throw new BridgeError('internal', { reason: 'every chart has a result' });
    const about = [graph.find(order), graph.find(patient)].flatMap((located) => located?.resource ?? []);
    const state = result.status === 'complete' ? 'ready' : 'incomplete';
    const json = jsonOfResult(result);
    // A digest of the request alone: the answers sheet has ages in days, which change every day.
    const digest = hash('sha256', requestIdentity(result, json, about), 'hex').slice(0, 32);
    const whole = work.along?.(result, chart) ?? result;
    const content = whole === result ? json : jsonOfResult(whole);
    return { place, order, patient, state, result: whole, content, digest, chart };
  } catch (error) {
    return cannotMap(place, order, patient, failure(error));
  }
}

function cannotMap(place: InputPlace, order: string, patient: string | undefined, reason: string): OrderOutcome {
  const whose = patient === undefined ? {} : { patient };
  return { place, order, ...whose, state: 'cannot_map', reason };
}

/**
 * An order that fails must not affect others, so the error goes into the order's outcome. Of an unexpected error only
 * the name is shown, since its message may quote the chart.
 */
function failure(error: unknown): string {
  return error instanceof BridgeError
    ? error.message
    : `the bridge failed on this order (${error instanceof Error ? error.name : 'unknown'}): report it`;
}

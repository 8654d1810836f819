import { type CandidateOrder, candidateOrders, selectChart } from '../chart/select.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { noReadings, type Readings } from '../documents/readings.ts';
import { BridgeError } from '../errors.ts';
import type { Entry } from '../fhir/bundle.ts';
import { type Graph, indexChart } from '../fhir/graph.ts';
import type { MappingResult } from '../mapping/result.ts';
import type { Chart } from '../roles/chart.ts';
import type { RoleTable } from '../roles/define.ts';
import type { SitePolicy } from '../roles/policy.ts';
import type { Duplicates } from './duplicates.ts';
import type { PatientGroup } from './groups.ts';
import { loadGroup, loadOrders } from './load.ts';
import { type OrderOutcome, type Place, placeWords } from './outcome.ts';
import type { Pool } from './pool.ts';

/** What mapping one patient's orders needs of a run. */
export interface GroupWork {
  readonly map: (chart: Chart) => MappingResult<unknown>;
  readonly roles: RoleTable;
  readonly site: SitePolicy;
  readonly now: Date;
  readonly onChart?: (chart: Chart, entries: readonly Entry[]) => void;
  readonly duplicates: Duplicates;
}

/** One outcome per order of a patient. */
export async function* mapGroup(pool: Pool, group: PatientGroup, work: GroupWork): AsyncGenerator<OrderOutcome> {
  const { patient, lost, orders } = group;
  const everyOrder = (reason: string) => orders.map((slot) => cannotMap(slot.place, slot.name, patient, reason));
  if (patient === undefined) return yield* everyOrder('the order names no patient');
  let opened: OpenedGroup;
  try {
    opened = await openGroup(pool, group, patient, work);
  } catch (error) {
    return yield* everyOrder(failure(error));
  }
  const places = new Map(orders.map((slot) => [slot.name, slot.place]));
  for (const candidate of opened.candidates) {
    const place = places.get(candidate.order);
    if (place === undefined) continue;
    const { order, fits, reason } = candidate;
    if (!fits) yield { place, order, patient, state: 'not_candidate', reason };
    else if (lost !== undefined) yield cannotMap(place, order, patient, lost);
    else yield mapOrder(opened, { place, order, patient }, work);
    places.delete(order);
  }
  for (const [order, place] of places)
    yield cannotMap(place, order, patient, 'the bridge did not recognise it as an order of this patient: report it');
}

interface OpenedGroup {
  readonly candidates: readonly CandidateOrder[];
  readonly entries: readonly Entry[];
  readonly graph: Graph;
  readonly readings: Readings;
  readonly drafts: ReadonlySet<string>;
}

async function openGroup(
  pool: Pool,
  group: PatientGroup,
  patient: string,
  { roles, now, site }: GroupWork,
): Promise<OpenedGroup> {
  const { drafts } = pool;
  const loaded = loadOrders(group);
  const candidates = candidateOrders([...loaded.values()], { roles, now, site, drafts });
  // Most orders of an export are past ones: the rest of a chart is read only when there is something to map.
  const isNeeded = group.lost === undefined && candidates.some((candidate) => candidate.fits);
  const entries = isNeeded ? loadGroup(pool, group, loaded) : [];
  const graph = indexChart(entries);
  // Nobody ticks evidence here, so no note is sent and none needs reading.
  const readings = isNeeded ? await readDocuments(graph, { patient, newest: 0 }) : noReadings;
  return { candidates, entries, graph, readings, drafts };
}

/** The same three calls as in the clinic and in the mapping tests: choose, map, and say what became of it. */
function mapOrder(
  { entries, graph, readings, drafts }: OpenedGroup,
  at: { readonly place: Place; readonly order: string; readonly patient: string },
  { map, roles, site, now, duplicates, onChart }: GroupWork,
): OrderOutcome {
  const { order, patient } = at;
  try {
    const chart = selectChart(graph, { patient, order, roles, now, site, readings, drafts });
    onChart?.(chart, entries);
    const result = map(chart);
    const about = [graph.find(order), graph.find(patient)].flatMap((located) => located?.resource ?? []);
    const earlier = duplicates.seen(result, about, at);
    if (earlier !== undefined)
      return {
        ...at,
        state: 'duplicate',
        reason: `the same request as ${earlier.order} (${placeWords(earlier.place)})`,
      };
    const state = result.status === 'complete' ? 'ready' : 'needs_information';
    return { ...at, state, result, choices: chart.choices, warnings: chart.warnings };
  } catch (error) {
    return cannotMap(at.place, order, patient, failure(error));
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

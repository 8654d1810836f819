import { BridgeError } from '../errors.ts';
import { type BundleIssue, readBundle, withoutDeleted } from '../fhir/bundle.ts';
import { indexChart } from '../fhir/references/graph.ts';
import type { MappingResult } from '../mapping/result.ts';
import { type RunOptions, runMapping } from '../mapping/run/run.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { Chart } from './chart.ts';
import type { SitePolicy } from './policy.ts';
import { type CandidateOrder, type ChartRequest, candidateOrders, selectChart } from './select.ts';

/**
 * The options for mapping a bundle: the mapping, its roles, and the options of chart selection. The answers and edits
 * of a person belong to one order, so `order` must be set with them.
 *
 * @example
 * const options: MapOptions<unknown> = {
 *   mapping: enrollment,
 *   roles,
 *   now: new Date('2026-11-21T15:00:00Z'),
 *   site: { country: 'USA', timeZone: 'America/Chicago' },
 * };
 */
export interface MapOptions<T> extends Omit<ChartRequest, 'order' | 'site'>, RunOptions {
  readonly mapping: Mapping<T>;
  /** The site's policy. By default nothing is set. */
  readonly site?: SitePolicy;
  /** Maps only this order, such as `MedicationRequest/9`, even if it is not a candidate. */
  readonly order?: string;
}

/** The result of mapping a bundle. */
export interface MappedBundle<T> {
  /** Candidates come first, and then orders are sorted by reference. */
  readonly orders: readonly MappedOrder<T>[];
  /** The parts of the bundle that could not be read. */
  readonly issues: readonly BundleIssue[];
}

/** An order of the bundle. If no request can be made for it, it has no chart and no result. */
export type MappedOrder<T> = CandidateOrder &
  (
    | { readonly chart: Chart; readonly result: MappingResult<T> }
    | { readonly chart?: undefined; readonly result?: undefined }
  );

/**
 * Maps a bundle: reads its resources, lists its orders, selects the chart of each candidate (or of `order`) and maps
 * each chart. Has no side effects and reads no documents; it uses the texts and images in `readings`. Throws
 * `bad_request` for an unknown `order`, and `order_not_candidate` for an order that cannot be read.
 *
 * @example
 * const { orders } = mapChart(bundle, { mapping: priorAuth, roles, now: new Date(), site: { country: 'USA' } });
 * for (const { order, result } of orders) console.log(order, result?.status ?? 'no candidate');
 */
export function mapChart<T>(bundle: unknown, options: MapOptions<T>): MappedBundle<T> {
  const { mapping, edits = {}, site = {}, order: named, ...request } = options;
  const read = readBundle(bundle);
  const graph = indexChart(withoutDeleted(read));
  const mapOrder = (candidate: CandidateOrder): MappedOrder<T> => {
    const chart = selectChart(graph, { ...request, site, order: candidate.order });
    return { ...candidate, chart, result: runMapping(mapping, chart, { edits }) };
  };
  const candidates = candidateOrders(graph, { ...request, site });
  if (named === undefined)
    return { orders: candidates.map((each) => (each.fits ? mapOrder(each) : each)), issues: read.issues };
  const candidate = candidates.find(({ order }) => order === named);
  if (candidate === undefined) throw new BridgeError('bad_request', { missing: named });
  return { orders: [mapOrder(candidate)], issues: read.issues };
}

import type { MedicationRequest } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import { noReadings, type Readings } from '../fhir/documents/readings.ts';
import { type ChartResources, disputedReason, type Graph, indexChart, type Located } from '../fhir/references/graph.ts';
import { shapeWarnings, unusableText } from '../fhir/shape/shape-warnings.ts';
import type { Answers, Chart } from './chart.ts';
import type { RoleTable } from './define.ts';
import type { SitePolicy } from './policy.ts';
import { RoleRun } from './role-run.ts';

/** The options of chart selection. */
export interface ChartRequest {
  /** The table from `mappings/roles.ts`, or a site's overlay of it. */
  readonly roles: RoleTable;
  /**
   * A reference such as `Patient/123`. Resources of other patients are dropped with a warning. By default, the order's
   * subject.
   */
  readonly patient?: string;
  /** A reference such as `MedicationRequest/9`. */
  readonly order: string;
  readonly now: Date;
  readonly site: SitePolicy;
  readonly answers?: Answers;
  /** The results of `readDocuments` for the same resources. Without them, no card image and no note is sent. */
  readonly readings?: Readings;
  /** The bridge's id of the case, if the request is about to be sent. */
  readonly submission?: string;
  /** The support program of an enrollment, if the site has several. */
  readonly programId?: string;
  /**
   * Orders that a CDS Hooks request names while they are being written. Their requests are prepared, but not sent
   * before the orders are signed.
   */
  readonly drafts?: ReadonlySet<string>;
  /** Resource types that were not fully read from the EHR. */
  readonly unread?: readonly string[];
  /** Sentences about references that were not followed because of their address. */
  readonly passedOver?: readonly string[];
}

/** The part of a request that is needed to list orders. */
export type Choosing = Pick<ChartRequest, 'roles' | 'now' | 'site' | 'drafts'>;

/** An order of a chart and whether a prior authorization can be requested for it. */
export interface CandidateOrder {
  /** A reference such as `MedicationRequest/9`. */
  readonly order: string;
  /** A reference such as `Patient/123`. Empty when the order names no patient. */
  readonly patient: string;
  readonly label: string;
  readonly fits: boolean;
  /** Why the order is a candidate, or why not. */
  readonly reason: string;
  /** The order is not signed yet. */
  readonly isDraft?: true;
}

/**
 * Selects the resources of one request, each with its reason. The result does not depend on the order of the resources.
 * To select charts for several orders, pass the graph that `indexChart` built. Throws `bad_request` when the order is
 * not among the resources, `order_not_candidate` when its form cannot be read, and `patient_mismatch` when it belongs
 * to another patient.
 *
 * @example
 * const { entries } = readBundle(bundle);
 * const selected = selectChart(entries, { roles, order: 'MedicationRequest/9', now: new Date(), site: {} });
 * const result = runMapping(priorAuth, selected);
 */
export function selectChart(resources: ChartResources, request: ChartRequest): Chart {
  const graph = indexChart(resources);
  const order = graph.find(request.order);
  const unread = unreadReason(graph, request.order);
  if (unread !== undefined) throw new BridgeError('order_not_candidate', { order: request.order, reason: unread });
  if (order === undefined || !isOrder(order)) throw new BridgeError('bad_request', { missing: request.order });
  const patient = request.patient ?? patientOf(graph, order);
  if (graph.ownerOf(order.resource) !== patient) throw new BridgeError('patient_mismatch', { order: request.order });
  return runOf(graph, request, request.order, patient);
}

function runOf(graph: Graph, request: Choosing & Partial<ChartRequest>, order: string, patient: string): RoleRun {
  const { roles, answers = {}, readings = noReadings, passedOver = [] } = request;
  const found = () => [
    ...graph.warnings,
    ...misshapen(graph, patient),
    ...ofOthers(graph, patient),
    ...new Set([...graph.passedOver(patient), ...passedOver]),
  ];
  return new RoleRun(roles, graph, { ...request, order, patient, answers, readings }, found);
}

/**
 * The same request and resources with the roles of another table, as the answers sheet needs. Throws `internal` for a
 * chart that `selectChart` did not make.
 *
 * @example const sheet = answersSheet(answers, chartUnder(chart, answerRoles));
 */
export function chartUnder(chart: Chart, roles: RoleTable): Chart {
  if (!(chart instanceof RoleRun)) throw new BridgeError('internal', { reason: 'a chart is made by selectChart' });
  return chart.under(roles);
}

/** The chart of a patient before an order is chosen. */
export function patientChart(
  resources: ChartResources,
  request: Omit<ChartRequest, 'order' | 'patient'> & { readonly patient: string },
): Chart {
  return runOf(indexChart(resources), request, '', request.patient);
}

/**
 * Every MedicationRequest with its patient, its label, and whether it is a candidate. Candidates come first, and then
 * orders are sorted by reference.
 *
 * @example
 * const orders = candidateOrders(readBundle(bundle).entries, { roles, now: new Date(), site: {} });
 * for (const { order, fits, reason } of orders) console.log(order, fits, reason);
 */
export function candidateOrders(
  resources: ChartResources,
  request: Choosing & { readonly patient?: string },
): CandidateOrder[] {
  return ordersIn(indexChart(resources), request).map(({ candidate }) => candidate);
}

/** An order with the chart that judged it. Only the roles that judging needs are filled. */
export class JudgedOrder {
  readonly fits: boolean;
  private readonly refusal: string | undefined;

  constructor(
    private readonly order: Located<MedicationRequest>,
    readonly chart: Chart,
    private readonly unread: string | undefined,
  ) {
    const isOfSomebody = order.resource.subject !== undefined;
    this.refusal = unread ?? (isOfSomebody ? chart.refusal('order') : 'it names no patient');
    this.fits = this.refusal === undefined;
  }

  /** The result in words. Mapping many orders does not need it. */
  get candidate(): CandidateOrder {
    const { order: located, chart, unread, fits, refusal } = this;
    const order = located.reference;
    const { patient } = chart;
    if (unread !== undefined) return { order, patient, label: unreadLabel, fits, reason: unread };
    const label = chart.choice('order')?.candidates[0]?.label ?? '';
    if (!fits) return { order, patient, label, fits, reason: refusal ?? '' };
    if (located.resource.status !== 'draft') return { order, patient, label, fits, reason: 'an active order' };
    return { order, patient, label, fits, reason: 'a draft that is not signed', isDraft: true };
  }
}

/** The same orders as `candidateOrders`, each with its chart. */
export function ordersIn(graph: Graph, request: Choosing & Partial<ChartRequest>): JudgedOrder[] {
  const mine = [...graph.ofType('MedicationRequest'), ...graph.unusableOf('MedicationRequest')]
    .filter(isOrder)
    .filter(({ resource }) => request.patient === undefined || graph.ownerOf(resource) === request.patient);
  return mine
    .map((order) => {
      const patient = patientOf(graph, order);
      const chart = runOf(graph, request, order.reference, patient);
      return new JudgedOrder(order, chart, unreadReason(graph, order.reference));
    })
    .sort((left, right) => Number(right.fits) - Number(left.fits));
}

function patientOf(graph: Graph, order: Located<MedicationRequest>): string {
  return graph.ownerOf(order.resource) ?? '';
}

const unreadLabel = 'An order that cannot be read';

function unreadReason(graph: Graph, order: string): string | undefined {
  if (graph.disputed.has(order)) return disputedReason;
  const shape = graph.shapeOf(order);
  return shape === undefined ? undefined : unusableText(shape);
}

// a type predicate, so that `filter` narrows the type
function isOrder(located: Located): located is Located<MedicationRequest> {
  return located.resource.resourceType === 'MedicationRequest';
}

const personal = [
  'Coverage',
  'MedicationRequest',
  'Condition',
  'DocumentReference',
  'Observation',
  'AllergyIntolerance',
  'MedicationStatement',
  'MedicationDispense',
  'Encounter',
  'DiagnosticReport',
  'Procedure',
];

function misshapen(graph: Graph, patient: string): string[] {
  return [...graph.shapes].flatMap(([{ resource, reference }, shape]) =>
    graph.isOpenTo(resource, patient) ? shapeWarnings(reference, shape) : [],
  );
}

// A resource of another patient is suspicious only in the chart of one patient, not in an export of several.
function ofOthers(graph: Graph, patient: string): string[] {
  if (graph.ofType('Patient').length > 1) return [];
  const others = personal
    .flatMap((type) => graph.ofType(type))
    .filter(({ resource }) => graph.ownerOf(resource) !== patient);
  return [...Map.groupBy(others, ({ resource }) => resource.resourceType)].map(
    ([type, { length }]) =>
      `${length} ${type} ${length === 1 ? 'is' : 'are'} not this patient’s and ${length === 1 ? 'was' : 'were'} ` +
      'left out.',
  );
}

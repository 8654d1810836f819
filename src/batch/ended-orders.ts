import type { Resource } from 'fhir/r4.js';
import { byReference } from '../core/fhir/chart-item.ts';
import { indexChart } from '../core/fhir/graph.ts';
import { isInShape } from '../core/fhir/shape/is-in-shape.ts';
import { isRuledOutByStatus } from '../core/roles/by-status.ts';
import { ordersIn } from '../core/roles/select.ts';
import type { GroupWork } from './map-group.ts';
import type { OrderOutcome, Place } from './outcome.ts';

/** An order that has ended, in a line of its own, of a patient whom it names as `Patient/1`. */
export interface EndedOrder {
  readonly resource: Resource;
  readonly patient: string;
  readonly place: Place;
}

/**
 * What becomes of orders that have ended, where their status alone decides: four of five orders of an export are past
 * ones, and most of what a chart is made for is not asked of them.
 */
export class EndedOrders {
  private readonly reasons = new Map<string, string>();

  constructor(private readonly work: Pick<GroupWork, 'roles' | 'now' | 'site'>) {}

  /** Of all orders of one patient, as they come from a chart; undefined where one of them takes a chart to tell. */
  outcomesOf(orders: readonly EndedOrder[]): readonly OrderOutcome[] | undefined {
    const found: { readonly reference: string; readonly outcome: OrderOutcome }[] = [];
    for (const { resource, patient, place } of orders) {
      const reason = typeof resource.id === 'string' ? this.reasonOf(resource) : undefined;
      if (reason === undefined) return undefined;
      const reference = `MedicationRequest/${resource.id}`;
      found.push({ reference, outcome: { place, order: reference, patient, state: 'not_candidate', reason } });
    }
    return found.sort(byReference).map(({ outcome }) => outcome);
  }

  private reasonOf(resource: Resource): string | undefined {
    const status: unknown = Reflect.get(resource, 'status');
    if (typeof status !== 'string' || !isInShape(resource)) return undefined;
    const known = this.reasons.get(status);
    if (known !== undefined) return known;
    const reason = isRuledOutByStatus(this.work.roles, 'order', status) ? this.refusalOf(resource) : undefined;
    if (reason !== undefined) this.reasons.set(status, reason);
    return reason;
  }

  private refusalOf(resource: Resource): string | undefined {
    try {
      const [judged] = ordersIn(indexChart([resource]), this.work);
      return judged === undefined || judged.fits ? undefined : judged.candidate.reason;
    } catch {
      return undefined; // thrown again, and told, where its chart is made
    }
  }
}

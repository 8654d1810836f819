import type { Resource } from 'fhir/r4.js';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import { byReference } from '../core/fhir/chart-item.ts';
import { indexChart } from '../core/fhir/graph.ts';
import { isInShape } from '../core/fhir/shape/is-in-shape.ts';
import { isRuledOutByStatus } from '../core/roles/by-status.ts';
import type { SitePolicy } from '../core/roles/policy.ts';
import { ordersIn } from '../core/roles/select.ts';
import type { PatientGroup } from './groups.ts';
import { type GroupWork, hasEnded } from './map-group.ts';
import type { OrderOutcome } from './order-outcome.ts';

/**
 * Why an order that has ended is no candidate, where its status alone decides: four of five orders of an export are
 * past ones, and nothing more of them is read. Undefined where it takes a chart to tell.
 */
export function createRefusals(
  work: Pick<GroupWork, 'roles' | 'now' | 'site'>,
): (entry: PlacedEntry) => string | undefined {
  const reasons = new Map<string, string | undefined>();
  const reasonOf = (resource: Resource): string | undefined => {
    try {
      const [judged] = ordersIn(indexChart([resource]), work);
      return judged === undefined || judged.fits ? undefined : judged.candidate.reason;
    } catch {
      return undefined; // thrown again, and told, where its chart is made
    }
  };
  return ({ resource, fullUrl }) => {
    const status: unknown = Reflect.get(resource, 'status');
    const isPlain = fullUrl === undefined && typeof resource.id === 'string' && typeof status === 'string';
    if (!isPlain || !hasEnded(resource) || !isInShape(resource)) return undefined;
    if (!reasons.has(status) && isRuledOutByStatus(work.roles, 'order', status))
      reasons.set(status, reasonOf(resource));
    return reasons.get(status);
  };
}

/** The outcomes of a patient whose orders have all ended; undefined where it takes a chart to tell. */
export function endedOutcomes({ patient, orders }: PatientGroup): readonly OrderOutcome[] | undefined {
  if (patient === undefined || orders.some(({ refusal }) => refusal === undefined)) return undefined;
  const ended = orders.map(({ name, place, refusal = '' }) => {
    const outcome: OrderOutcome = { place, order: name, patient, state: 'not_candidate', reason: refusal };
    return { reference: name, outcome };
  });
  return ended.sort(byReference).map(({ outcome }) => outcome);
}

/**
 * Types that no role, no leaf and no warning of a request reads, and that no reference of a type that is read leads to.
 * They are most of an export. A test maps every mapping case with and without them.
 */
const neverRead = new Set(
  (
    'Account Appointment AppointmentResponse AuditEvent CarePlan CareTeam ChargeItem Claim ClaimResponse ' +
    'Communication ' +
    'CoverageEligibilityResponse Device DeviceUseStatement ExplanationOfBenefit Flag Goal Group ' +
    'ImagingStudy Immunization ImmunizationRecommendation InsurancePlan Invoice NutritionOrder PaymentNotice ' +
    'PaymentReconciliation Provenance Schedule Slot Specimen Subscription SupplyDelivery ' +
    'SupplyRequest VisionPrescription'
  ).split(' '),
);

/**
 * Types that only evidence, choices and warnings read: what may support a request is offered to people, or taken by a
 * site's policy, and what it belongs to tells whether it is private.
 */
const readForEvidence = new Set(
  (
    'AllergyIntolerance Composition DiagnosticReport EpisodeOfCare List MedicationAdministration MedicationDispense ' +
    'MedicationStatement Observation Procedure ServiceRequest'
  ).split(' '),
);

/**
 * The types that a run leaves aside; `choices`: whether what was chosen and why is told of each order. A site whose
 * policy takes evidence reads what it is found in either way.
 */
export function unreadTypes({
  choices,
  site,
}: {
  readonly choices: boolean;
  readonly site?: Pick<SitePolicy, 'evidence'>;
}): ReadonlySet<string> {
  return choices || site?.evidence === 'suggested' ? neverRead : new Set([...neverRead, ...readForEvidence]);
}

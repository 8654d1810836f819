import type { SitePolicy } from '../core/roles/policy.ts';

/**
 * Types that no role, field or warning of a request reads, and to which no resource that is read refers. Most resources
 * of an export have these types. A test maps every mapping case with and without them.
 */
const neverRead = new Set(
  (
    'Account Appointment AppointmentResponse AuditEvent CarePlan CareTeam ChargeItem Claim ClaimResponse ' +
    'Communication CoverageEligibilityResponse Device DeviceUseStatement ExplanationOfBenefit Flag Goal Group ' +
    'ImagingStudy Immunization ImmunizationRecommendation InsurancePlan Invoice NutritionOrder PaymentNotice ' +
    'PaymentReconciliation Provenance Schedule Slot Specimen Subscription SupplyDelivery SupplyRequest ' +
    'VisionPrescription'
  ).split(' '),
);

/**
 * Types that only evidence, choices and warnings read. Evidence is offered to people or taken by a site's policy, and
 * resources of some of these types decide whether it is private.
 */
const readForEvidence = new Set(
  (
    'AllergyIntolerance Composition DiagnosticReport EpisodeOfCare List MedicationAdministration MedicationDispense ' +
    'MedicationStatement Observation Procedure ServiceRequest'
  ).split(' '),
);

/**
 * Returns the types that a run skips. `choices`: whether choices with their reasons are reported. Types for evidence
 * are always read for the answers sheet, and at sites whose policy takes evidence.
 */
export function unreadTypes({
  choices,
  along,
  site,
}: {
  readonly choices: boolean;
  readonly along?: unknown;
  readonly site?: Pick<SitePolicy, 'evidence'>;
}): ReadonlySet<string> {
  const readsEvidence = choices || along !== undefined || site?.evidence === 'suggested';
  return readsEvidence ? neverRead : new Set([...neverRead, ...readForEvidence]);
}

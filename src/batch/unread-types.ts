import type { SitePolicy } from '../core/roles/policy.ts';

/**
 * Types that no role, field or warning of a request reads, and that no reference of a type that is read leads to. They
 * are most of an export. A test maps every mapping case with and without them.
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
 * Types that only evidence, choices and warnings read. Supporting evidence is offered to people or taken by a site's
 * policy, and the resources that it belongs to determine whether it is private.
 */
const readForEvidence = new Set(
  (
    'AllergyIntolerance Composition DiagnosticReport EpisodeOfCare List MedicationAdministration MedicationDispense ' +
    'MedicationStatement Observation Procedure ServiceRequest'
  ).split(' '),
);

/**
 * The types that a run skips; `choices`: whether choices with their reasons are reported for each order. The
 * attachments of a request (such as the answers sheet) and a site whose policy takes evidence read evidence types in
 * either case.
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

/**
 * Types that no role, no leaf and no warning of a request reads, and that no reference of a type that is read leads to.
 * They are most of an export. A test maps every mapping case with and without them.
 */
const neverRead = new Set(
  (
    'Account Appointment AppointmentResponse AuditEvent CarePlan CareTeam ChargeItem Claim ClaimResponse ' +
    'Communication ' +
    'CoverageEligibilityResponse Device DeviceUseStatement EpisodeOfCare ExplanationOfBenefit Flag Goal Group ' +
    'ImagingStudy Immunization ImmunizationRecommendation InsurancePlan Invoice List NutritionOrder PaymentNotice ' +
    'PaymentReconciliation Provenance Schedule ServiceRequest Slot Specimen Subscription SupplyDelivery ' +
    'SupplyRequest VisionPrescription'
  ).split(' '),
);

/**
 * Types that only choices and warnings read: what may support a request is offered to people, and nothing of it is in a
 * body that nobody looked at.
 */
const readForChoices = new Set(
  (
    'AllergyIntolerance DiagnosticReport MedicationAdministration MedicationDispense MedicationStatement Observation ' +
    'Procedure'
  ).split(' '),
);

/** The types that a run leaves aside; `choices`: whether what was chosen and why is told of each order. */
export function unreadTypes({ choices }: { readonly choices: boolean }): ReadonlySet<string> {
  return choices ? neverRead : new Set([...neverRead, ...readForChoices]);
}

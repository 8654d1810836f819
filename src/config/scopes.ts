/** Who signs in, and from which chart. */
export const signInScopes: readonly string[] = ['launch', 'openid', 'fhirUser', 'profile'];

/** What a request is filled from. */
export const readScopes: readonly string[] = [
  'patient/Patient.r',
  'patient/Coverage.rs',
  'patient/MedicationRequest.rs',
  'patient/Condition.rs',
  'patient/Encounter.r',
  'patient/DocumentReference.rs',
  'patient/DiagnosticReport.rs',
  'patient/AllergyIntolerance.rs',
  'patient/Observation.rs',
  'patient/MedicationStatement.rs',
  'patient/MedicationDispense.rs',
  'user/Practitioner.rs',
  'user/PractitionerRole.rs',
  'user/Medication.rs',
  'user/Organization.r',
  'user/Location.r',
  'user/Binary.r',
];

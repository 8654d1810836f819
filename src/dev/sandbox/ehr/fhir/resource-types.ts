export const resourceTypes = [
  'AllergyIntolerance',
  'Binary',
  'CarePlan',
  'Communication',
  'Condition',
  'Consent',
  'Coverage',
  'DiagnosticReport',
  'DocumentReference',
  'Encounter',
  'Immunization',
  'Location',
  'Medication',
  'MedicationDispense',
  'MedicationRequest',
  'MedicationStatement',
  'Observation',
  'Organization',
  'Patient',
  'Practitioner',
  'PractitionerRole',
  'Procedure',
  'Provenance',
  'Questionnaire',
  'QuestionnaireResponse',
  'RelatedPerson',
  'ServiceRequest',
  'Task',
] as const;
export type ResourceTypeHere = (typeof resourceTypes)[number];

export function isTypeHere(type: string): type is ResourceTypeHere {
  return (resourceTypes as readonly string[]).includes(type);
}

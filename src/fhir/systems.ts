/**
 * The one place for long URIs: FHIRPath `%name` variables for code and identifier systems. Role names of chart/ never
 * collide with them (a test compares).
 */
export const systems = {
  npi: 'http://hl7.org/fhir/sid/us-npi',
  ssn: 'http://hl7.org/fhir/sid/us-ssn',
  icd10: 'http://hl7.org/fhir/sid/icd-10-cm',
  icd10who: 'http://hl7.org/fhir/sid/icd-10',
  icd9: 'http://hl7.org/fhir/sid/icd-9-cm',
  ndc: 'http://hl7.org/fhir/sid/ndc',
  cvx: 'http://hl7.org/fhir/sid/cvx',
  rxnorm: 'http://www.nlm.nih.gov/research/umls/rxnorm',
  sct: 'http://snomed.info/sct',
  loinc: 'http://loinc.org',
  ucum: 'http://unitsofmeasure.org',
  unii: 'http://fdasis.nlm.nih.gov',
  ncit: 'http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl',
  edqm: 'http://standardterms.edqm.eu',
  cpt: 'http://www.ama-assn.org/go/cpt',
  v2identifier: 'http://terminology.hl7.org/CodeSystem/v2-0203',
  v3actcode: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
  v3orderableDrugForm: 'http://terminology.hl7.org/CodeSystem/v3-orderableDrugForm',
  v3routeOfAdministration: 'http://terminology.hl7.org/CodeSystem/v3-RouteOfAdministration',
  coverageClass: 'http://terminology.hl7.org/CodeSystem/coverage-class',
  coverageSelfPay: 'http://terminology.hl7.org/CodeSystem/coverage-selfpay',
  conditionClinical: 'http://terminology.hl7.org/CodeSystem/condition-clinical',
  conditionVerification: 'http://terminology.hl7.org/CodeSystem/condition-ver-status',
  conditionCategory: 'http://terminology.hl7.org/CodeSystem/condition-category',
  dataAbsentReason: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  dataAbsentReasonCode: 'http://terminology.hl7.org/CodeSystem/data-absent-reason',
} as const satisfies Record<string, string>;

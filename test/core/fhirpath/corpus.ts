import type {
  ClinicalImpression,
  Condition,
  Coverage,
  FhirResource,
  Immunization,
  MedicationRequest,
  Observation,
  Patient,
  PractitionerRole,
  Resource,
} from 'fhir/r4.js';

const patient: Omit<Patient, 'name'> & { name: unknown } = {
  resourceType: 'Patient',
  id: 'p1',
  meta: { versionId: '4', lastUpdated: '2026-05-01T10:00:00.250+02:00', tag: [{ system: 'urn:tag', code: 'a' }] },
  extension: [
    {
      url: 'urn:x:race',
      extension: [
        { url: 'text', valueString: 'not asked' },
        { url: 'ombCategory', valueCoding: { system: 'urn:oid:1.2', code: '9' } },
      ],
    },
    { url: 'urn:x:sex', valueCode: 'X' },
  ],
  identifier: [
    {
      use: 'usual',
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }], text: 'MRN' },
      system: 'urn:mrn',
      value: '0007',
    },
    { system: 'urn:other', value: 'A-1', period: { start: '2020-01-01', end: '2021-06-30' } },
  ],
  active: true,
  name: [
    { use: 'old', family: 'Alder', given: ['Ina'], period: { end: '2019-03-04' } },
    {
      use: 'official',
      family: 'Birke',
      given: ['Ina', 'Mo'],
      _given: [null, { extension: [{ url: 'urn:x:nick', valueBoolean: true }] }],
      prefix: ['Dr.'],
    },
    {
      use: 'usual',
      _family: {
        extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'masked' }],
      },
      given: ['Ini'],
    },
  ],
  telecom: [
    { system: 'phone', value: '555-0100', use: 'home', rank: 2 },
    { system: 'phone', value: '555-0101', use: 'mobile', rank: 1 },
    { system: 'email', value: 'ina@example.test' },
  ],
  gender: 'female',
  birthDate: '1971-02-03',
  _birthDate: {
    extension: [
      { url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime', valueDateTime: '1971-02-03T04:05:00-05:00' },
    ],
  },
  deceasedBoolean: false,
  multipleBirthInteger: 2,
  address: [
    {
      use: 'home',
      line: ['1 Elm Row', 'Unit 2'],
      city: 'Lakeside',
      state: 'MN',
      postalCode: '55001',
      country: 'US',
      period: { start: '2021-01-01' },
    },
    { use: 'old', line: ['9 Oak Way'], city: 'Hilltop', state: 'MN', postalCode: '55002' },
  ],
  contact: [{ relationship: [{ text: 'mother' }], name: { text: 'Ada' } }],
  communication: [{ language: { coding: [{ system: 'urn:ietf:bcp:47', code: 'en' }] }, preferred: true }],
  generalPractitioner: [{ reference: 'Practitioner/d1', display: 'Dr. Roe' }],
};

const order: Omit<MedicationRequest, 'contained'> & { contained: FhirResource[] } = {
  resourceType: 'MedicationRequest',
  id: 'r1',
  contained: [
    {
      resourceType: 'Medication',
      id: 'm1',
      code: {
        coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '1', display: 'one' }],
        text: 'one',
      },
      ingredient: [
        {
          itemCodeableConcept: { text: 'in' },
          strength: { numerator: { value: 50, unit: 'mg' }, denominator: { value: 1 } },
        },
      ],
    },
    { resourceType: 'Organization', id: 'o1', name: 'Maker' },
  ],
  status: 'active',
  intent: 'order',
  doNotPerform: false,
  reportedBoolean: false,
  medicationReference: { reference: '#m1', display: 'one' },
  subject: { reference: 'Patient/p1' },
  authoredOn: '2026-10-05',
  requester: { reference: 'PractitionerRole/pr1' },
  reasonCode: [
    {
      coding: [
        { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M05.79' },
        { system: 'http://snomed.info/sct', code: '69896004' },
      ],
      text: 'RA',
    },
    { text: 'other' },
  ],
  note: [{ text: 'a' }, { text: 'b', time: '2026-10-05T10:00:00Z' }],
  dosageInstruction: [
    {
      sequence: 1,
      text: 'two now',
      timing: {
        repeat: { frequency: 1, period: 1, periodUnit: 'd', boundsPeriod: { start: '2026-10-05' } },
        code: { text: 'once' },
      },
      asNeededBoolean: false,
      route: { coding: [{ system: 'http://snomed.info/sct', code: '26643006' }] },
      doseAndRate: [
        {
          type: { text: 'ordered' },
          doseQuantity: { value: 2, unit: 'tablet', system: 'http://unitsofmeasure.org', code: '{tablet}' },
        },
      ],
    },
    {
      sequence: 2,
      text: 'one daily',
      timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } },
      asNeededCodeableConcept: { text: 'pain' },
      doseAndRate: [
        { doseRange: { low: { value: 1 }, high: { value: 2 } } },
        { doseQuantity: { value: 0.5, unit: 'tablet' } },
      ],
    },
  ],
  dispenseRequest: {
    initialFill: { quantity: { value: 4 }, duration: { value: 2, unit: 'd' } },
    validityPeriod: { start: '2026-10-05', end: '2027-10-05' },
    numberOfRepeatsAllowed: 3,
    quantity: { value: 30.0, unit: 'tablet' },
    expectedSupplyDuration: { value: 30, unit: 'days', code: 'd' },
  },
};

const coverage: Coverage = {
  resourceType: 'Coverage',
  id: 'c1',
  extension: [{ url: 'urn:x:rx-bin', valueString: '610014' }],
  status: 'active',
  type: {
    coding: [
      { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'DRUGPOL' },
      { system: 'urn:local', code: 'RX' },
    ],
  },
  subscriberId: '0012',
  beneficiary: { reference: 'Patient/p1/_history/1' },
  period: { start: '2026-01-01', end: '2026-12-31' },
  payor: [{ reference: 'Organization/y1' }, { display: 'Second' }],
  order: 1,
  class: [
    {
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/coverage-class', code: 'group' }] },
      value: 'G1',
      name: 'Group One',
    },
    {
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/coverage-class', code: 'rxbin' }] },
      value: '610014',
    },
    {
      type: {
        coding: [
          { system: 'http://terminology.hl7.org/CodeSystem/coverage-class', code: 'rxpcn' },
          { system: 'urn:local', code: 'PCN' },
        ],
      },
      value: 'ADV',
    },
    { type: { text: 'rxgroup' }, value: 'G1' },
  ],
};

const condition: Condition = {
  resourceType: 'Condition',
  id: 'k1',
  clinicalStatus: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }] },
  code: {
    coding: [
      { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'K50.90', display: 'Crohn' },
      { system: 'http://snomed.info/sct', code: '34000006' },
    ],
  },
  subject: { reference: 'Patient/p1' },
  onsetDateTime: '2019-05',
  abatementString: 'never',
  recordedDate: '2026-01-02T08:00:00Z',
  stage: [{ summary: { text: 'II' }, assessment: [{ reference: 'Observation/b1' }] }],
};

const quantity: Observation = {
  resourceType: 'Observation',
  id: 'b1',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '4548-4' }], text: 'A1c' },
  effectiveDateTime: '2026-03-04T09:00:00+01:00',
  issued: '2026-03-04T08:00:00.000Z',
  valueQuantity: { value: 8.25, comparator: '<', unit: '%', system: 'http://unitsofmeasure.org', code: '%' },
  component: [
    { code: { text: 'systolic' }, valueQuantity: { value: 120, unit: 'mm[Hg]' } },
    { code: { text: 'note' }, valueString: 'high' },
    { code: { text: 'coded' }, valueCodeableConcept: { text: 'yes', coding: [{ code: 'Y' }] } },
    { code: { text: 'when' }, valueDateTime: '2026-03-04T08:00:00Z' },
    { code: { text: 'none' }, dataAbsentReason: { text: 'unknown' } },
  ],
  referenceRange: [{ low: { value: 4 }, high: { value: 5.6 }, age: { low: { value: 18 } } }],
};

const role: PractitionerRole = {
  resourceType: 'PractitionerRole',
  id: 'pr1',
  active: true,
  period: { start: '2020', end: '2030-01' },
  practitioner: {
    reference: 'Practitioner/d1',
    identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: '1000000004' },
  },
  specialty: [{ coding: [{ system: 'http://nucc.org/provider-taxonomy', code: '207RR0500X' }] }],
  telecom: [{ system: 'fax', value: '555-0199' }],
  availableTime: [{ daysOfWeek: ['mon', 'tue'], allDay: false, availableStartTime: '08:30:00' }],
};

const immunization: Immunization = {
  resourceType: 'Immunization',
  id: 'i1',
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '207' }] },
  patient: { reference: 'Patient/p1' },
  occurrenceDateTime: '2026-02-03',
  doseQuantity: { value: 0.5, unit: 'mL', system: 'http://unitsofmeasure.org', code: 'mL' },
  protocolApplied: [{ doseNumberPositiveInt: 2 }],
};

const impression: ClinicalImpression = {
  resourceType: 'ClinicalImpression',
  id: 'l1',
  status: 'completed',
  subject: { reference: 'Patient/p1' },
  effectivePeriod: { start: '2026-02-03' },
  finding: [
    { itemCodeableConcept: { coding: [{ code: 'a' }], text: 'swollen joints' } },
    { itemReference: { reference: 'Condition/k1' } },
  ],
};

/**
 * Resources of invented people and things that hold the shapes where FHIRPath is easily got wrong: choices, primitives
 * with extensions, contained resources, lists in lists, dates of every precision.
 */
export const corpus: readonly Resource[] = [
  patient,
  order,
  coverage,
  condition,
  quantity,
  role,
  immunization,
  impression,
];

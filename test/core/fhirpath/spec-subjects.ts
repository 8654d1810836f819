import type { Observation, Parameters, Patient, Resource } from 'fhir/r4.js';

const patient: Patient = {
  resourceType: 'Patient',
  id: 'spec',
  active: true,
  identifier: [{ use: 'usual', system: 'urn:oid:1.2.36.99', value: 'S-1' }],
  name: [
    { use: 'official', family: 'Amsel', given: ['Nora', 'Lee'] },
    { use: 'usual', given: ['Nono'] },
    { use: 'maiden', family: 'Birk', given: ['Nora', 'Lee'], period: { end: '2009' } },
  ],
  telecom: [
    { use: 'home' },
    { system: 'phone', value: '555-0142', use: 'work', rank: 1 },
    { system: 'phone', value: '555-0143', use: 'mobile', rank: 2 },
    { system: 'phone', value: '555-0144', use: 'old', period: { end: '2014' } },
  ],
  gender: 'female',
  birthDate: '1981-07-19',
  _birthDate: {
    extension: [
      { url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime', valueDateTime: '1981-07-19T14:35:45-05:00' },
    ],
  },
  deceasedBoolean: false,
  managingOrganization: { reference: 'Organization/1' },
};

const periods: Patient = {
  resourceType: 'Patient',
  id: 'spec-periods',
  identifier: [
    { value: 'a', period: { start: '2001-05-06' } },
    { value: 'b', period: { start: '2001-05-06T10:00:00Z', end: '2001-05-06' } },
  ],
};

const container: Patient = {
  resourceType: 'Patient',
  id: 'spec-container',
  contained: [{ resourceType: 'Patient', id: '1' }],
};

const observation: Observation = {
  resourceType: 'Observation',
  id: 'spec',
  extension: [
    { url: 'http://ehr.example/age', valueAge: { value: 45, system: 'http://unitsofmeasure.org', code: 'a' } },
  ],
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }] },
  ],
  code: { coding: [{ system: 'http://loinc.org', code: '29463-7' }] },
  valueQuantity: { value: 182, unit: 'lbs', system: 'http://unitsofmeasure.org', code: '[lb_av]' },
};

const parameters: Parameters = {
  resourceType: 'Parameters',
  parameter: [
    { name: 'text', valueString: 'a text' },
    { name: 'number', valueInteger: 12 },
    { name: 'uuid', valueUuid: 'urn:uuid:7c2f1f0e-52d4-4a38-a2f8-0e8dbb7a3c01' },
    { name: 'decimal', valueDecimal: 1.5 },
  ],
};

export const subjects = { patient, periods, container, observation, parameters } satisfies Record<string, Resource>;

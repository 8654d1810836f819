import type { Resource } from 'fhir/r4.js';
import type { BenchBundle } from './bundles.ts';

/**
 * Charts in the shape that Synthea gives its exports: a transaction with `urn:uuid:` names, search-style references to
 * practitioners, US Core
 * extensions, narratives, a claim and an explanation of benefit a visit, a contained coverage alone, no resource that
 * pays. Made here, not
 * copied; the same at every run.
 */
export function syntheaBundles({ size, count }: { readonly size: number; readonly count: number }): BenchBundle[] {
  return Array.from({ length: count }, (_, at) => ({ name: `synthea-${at}`, bytes: bundleOf(at, size) }));
}

function bundleOf(seed: number, size: number): Buffer {
  const resources: Resource[] = [patient(seed), encounter(seed, 0), condition(seed), order(seed)];
  let length = lengthOf(resources);
  for (let visit = 0; length < size; visit += 1) {
    const more = [claim(seed, visit), benefit(seed, visit), ...observations(seed, visit), encounter(seed, visit + 1)];
    for (const resource of more) {
      if (length >= size) break;
      resources.push(resource);
      length += lengthOf([resource]);
    }
  }
  const entry = resources.map((resource) => ({
    fullUrl: `urn:uuid:${resource.id}`,
    resource,
    request: { method: 'POST', url: resource.resourceType },
  }));
  return Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry }));
}

function lengthOf(resources: readonly Resource[]): number {
  return resources.reduce((sum, resource) => sum + JSON.stringify(resource).length + 130, 0);
}

const drugs = [
  ['314076', 'lisinopril 10 MG Oral Tablet'],
  ['860975', '24 HR Metformin hydrochloride 500 MG Extended Release Oral Tablet'],
  ['197361', 'Amlodipine 5 MG Oral Tablet'],
  ['106892', 'insulin isophane, human 70 UNT/ML / insulin, regular, human 30 UNT/ML Injectable Suspension [Humulin]'],
] as const;

const findings = [
  ['59621000', 'Essential hypertension (disorder)'],
  ['44054006', 'Diabetes mellitus type 2 (disorder)'],
  ['195662009', 'Acute viral pharyngitis (disorder)'],
  ['15777000', 'Prediabetes (finding)'],
] as const;

const measures = [
  ['8302-2', 'Body Height', 'cm', 171.2],
  ['72514-3', 'Pain severity - 0-10 verbal numeric rating [Score] - Reported', '{score}', 2],
  ['29463-7', 'Body Weight', 'kg', 82.4],
  ['4548-4', 'Hemoglobin A1c/Hemoglobin.total in Blood', '%', 6.1],
  ['2339-0', 'Glucose [Mass/volume] in Blood', 'mg/dL', 104.5],
  ['38483-4', 'Creatinine [Mass/volume] in Blood', 'mg/dL', 1.1],
] as const;

function idOf(seed: number, kind: number, at = 0): string {
  const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
  const [first, last] = [hex(seed * 7919 + kind, 8), hex(seed * 104729 + at, 12)];
  return `${first}-${hex(at, 4)}-4${hex(kind, 3)}-8${hex(seed % 4096, 3)}-${last}`;
}

const subject = (seed: number) => ({ reference: `urn:uuid:${idOf(seed, 1)}`, display: 'Mr. Testa404 Tester907' });
const visitOf = (seed: number, visit: number) => ({ reference: `urn:uuid:${idOf(seed, 2, visit)}` });
const doctor = {
  reference: 'Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|9999912345',
  display: 'Dr. Exempla12 Doctor34',
};
const clinic = {
  reference: 'Organization?identifier=https://github.com/synthetichealth/synthea|12f1a2b3-0000-3000-8000-00000000abcd',
  display: 'EXAMPLE PRIMARY CARE',
};
const profile = (name: string) => ({ profile: [`http://hl7.org/fhir/us/core/StructureDefinition/us-core-${name}`] });
const dayOf = (seed: number, visit: number) => {
  const [month, day] = [1 + (seed % 12), 1 + ((seed + visit) % 28)].map((number) => String(number).padStart(2, '0'));
  return `${2025 - (visit % 8)}-${month}-${day}`;
};
const money = (value: number) => ({ value, currency: 'USD' });
const concept = (system: string, code: string, display: string) => ({
  coding: [{ system, code, display }],
  text: display,
});
const snomed = 'http://snomed.info/sct';
const v2 = (table: string) => `http://terminology.hl7.org/CodeSystem/v2-${table}`;

function raceExtension(kind: 'race' | 'ethnicity', code: string, display: string): object {
  return {
    url: `http://hl7.org/fhir/us/core/StructureDefinition/us-core-${kind}`,
    extension: [
      { url: 'ombCategory', valueCoding: { system: 'urn:oid:2.16.840.1.113883.6.238', code, display } },
      { url: 'text', valueString: display },
    ],
  };
}

function patient(seed: number): Resource {
  const identifier = (system: string, value: string, code: string, display: string) => ({
    type: { coding: [{ system: v2('0203'), code, display }], text: display },
    system,
    value,
  });
  const resource = {
    resourceType: 'Patient',
    id: idOf(seed, 1),
    meta: profile('patient'),
    text: {
      status: 'generated',
      div: '<div xmlns="http://www.w3.org/1999/xhtml">Generated for a speed test. No person is meant.</div>',
    },
    extension: [
      raceExtension('race', '2106-3', 'White'),
      raceExtension('ethnicity', '2186-5', 'Not Hispanic or Latino'),
      { url: 'http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName', valueString: 'Motha11 Tester22' },
      { url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex', valueCode: 'M' },
      {
        url: 'http://hl7.org/fhir/StructureDefinition/patient-birthPlace',
        valueAddress: { city: 'Boston', state: 'Massachusetts', country: 'US' },
      },
      { url: 'http://synthetichealth.github.io/synthea/disability-adjusted-life-years', valueDecimal: 1.37 },
    ],
    identifier: [
      { system: 'https://github.com/synthetichealth/synthea', value: idOf(seed, 1) },
      identifier('http://hospital.smarthealthit.org', idOf(seed, 1), 'MR', 'Medical Record Number'),
      identifier('http://hl7.org/fhir/sid/us-ssn', '999-00-0000', 'SS', 'Social Security Number'),
      identifier('urn:oid:2.16.840.1.113883.4.3.25', 'S99900000', 'DL', "Driver's license number"),
    ],
    name: [{ use: 'official', family: 'Tester907', given: ['Testa404', 'Toma5'], prefix: ['Mr.'] }],
    telecom: [{ system: 'phone', value: '555-555-0123', use: 'home' }],
    gender: 'male',
    birthDate: `19${50 + (seed % 40)}-04-09`,
    address: [
      {
        extension: [
          {
            url: 'http://hl7.org/fhir/StructureDefinition/geolocation',
            extension: [
              { url: 'latitude', valueDecimal: 42.35 },
              { url: 'longitude', valueDecimal: -71.06 },
            ],
          },
        ],
        line: ['1 Example Street'],
        city: 'Boston',
        state: 'MA',
        postalCode: '02108',
        country: 'US',
      },
    ],
    maritalStatus: concept('http://terminology.hl7.org/CodeSystem/v3-MaritalStatus', 'M', 'Married'),
    multipleBirthBoolean: false,
    communication: [{ language: concept('urn:ietf:bcp:47', 'en-US', 'English (United States)') }],
  };
  return resource as Resource;
}

function encounter(seed: number, visit: number): Resource {
  const period = { start: `${dayOf(seed, visit)}T08:14:33-05:00`, end: `${dayOf(seed, visit)}T08:29:33-05:00` };
  const resource = {
    resourceType: 'Encounter',
    id: idOf(seed, 2, visit),
    meta: profile('encounter'),
    status: 'finished',
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
    type: [concept(snomed, '162673000', 'General examination of patient (procedure)')],
    subject: subject(seed),
    participant: [{ individual: doctor, period }],
    period,
    serviceProvider: clinic,
  };
  return resource as Resource;
}

function condition(seed: number): Resource {
  const [code, display] = findings[seed % findings.length] ?? findings[0];
  const status = (system: string, value: string) => ({
    coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code: value }],
  });
  const resource = {
    resourceType: 'Condition',
    id: idOf(seed, 3),
    meta: profile('condition-encounter-diagnosis'),
    clinicalStatus: status('condition-clinical', 'active'),
    verificationStatus: status('condition-ver-status', 'confirmed'),
    category: [status('condition-category', 'encounter-diagnosis')],
    code: concept(snomed, code, display),
    subject: subject(seed),
    encounter: visitOf(seed, 0),
    onsetDateTime: `${dayOf(seed, 0)}T08:14:33-05:00`,
    recordedDate: `${dayOf(seed, 0)}T08:14:33-05:00`,
  };
  return resource as Resource;
}

function order(seed: number): Resource {
  const [code, display] = drugs[seed % drugs.length] ?? drugs[0];
  const resource = {
    resourceType: 'MedicationRequest',
    id: idOf(seed, 4),
    meta: profile('medicationrequest'),
    status: 'active',
    intent: 'order',
    category: [concept('http://terminology.hl7.org/CodeSystem/medicationrequest-category', 'community', 'Community')],
    medicationCodeableConcept: concept('http://www.nlm.nih.gov/research/umls/rxnorm', code, display),
    subject: subject(seed),
    encounter: visitOf(seed, 0),
    authoredOn: `${dayOf(seed, 0)}T08:14:33-05:00`,
    requester: doctor,
    reasonReference: [{ reference: `urn:uuid:${idOf(seed, 3)}` }],
    dosageInstruction: [
      {
        sequence: 1,
        timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } },
        asNeededBoolean: false,
        doseAndRate: [
          {
            type: concept('http://terminology.hl7.org/CodeSystem/dose-rate-type', 'ordered', 'Ordered'),
            doseQuantity: { value: 1 },
          },
        ],
      },
    ],
  };
  return resource as Resource;
}

function claim(seed: number, visit: number): Resource {
  const resource = {
    resourceType: 'Claim',
    id: idOf(seed, 5, visit),
    status: 'active',
    type: {
      coding: [
        { system: 'http://terminology.hl7.org/CodeSystem/claim-type', code: visit === 0 ? 'pharmacy' : 'professional' },
      ],
    },
    use: 'claim',
    patient: subject(seed),
    billablePeriod: { start: `${dayOf(seed, visit)}T08:14:33-05:00`, end: `${dayOf(seed, visit)}T08:29:33-05:00` },
    created: `${dayOf(seed, visit)}T08:29:33-05:00`,
    provider: clinic,
    priority: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/processpriority', code: 'normal' }] },
    insurance: [{ sequence: 1, focal: true, coverage: { display: 'Example Health' } }],
    item: [
      {
        sequence: 1,
        productOrService: concept(snomed, '162673000', 'General examination of patient (procedure)'),
        encounter: [visitOf(seed, visit)],
      },
    ],
    total: money(704.2 + visit),
  };
  return resource as Resource;
}

function benefit(seed: number, visit: number): Resource {
  const adjudication = ['eligible', 'deductible', 'coinsurance', 'submitted'].map((code, at) => ({
    category: concept(
      'https://bluebutton.cms.gov/resources/codesystem/adjudication',
      `line_${code}_amt`,
      `Line ${code} amount`,
    ),
    amount: money(120.5 * (at + 1)),
  }));
  const resource = {
    resourceType: 'ExplanationOfBenefit',
    id: idOf(seed, 6, visit),
    contained: [
      {
        resourceType: 'ServiceRequest',
        id: 'referral',
        status: 'completed',
        intent: 'order',
        subject: subject(seed),
        requester: doctor,
        performer: [doctor],
      },
      {
        resourceType: 'Coverage',
        id: 'coverage',
        status: 'active',
        type: { text: 'Example Health' },
        beneficiary: subject(seed),
        payor: [{ display: 'Example Health' }],
      },
    ],
    identifier: [{ system: 'https://bluebutton.cms.gov/resources/variables/clm_id', value: idOf(seed, 5, visit) }],
    status: 'active',
    type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/claim-type', code: 'professional' }] },
    use: 'claim',
    patient: subject(seed),
    created: `${dayOf(seed, visit)}T08:29:33-05:00`,
    insurer: { display: 'Example Health' },
    provider: doctor,
    referral: { reference: '#referral' },
    claim: { reference: `urn:uuid:${idOf(seed, 5, visit)}` },
    outcome: 'complete',
    insurance: [{ focal: true, coverage: { reference: '#coverage', display: 'Example Health' } }],
    item: [
      {
        sequence: 1,
        productOrService: concept(snomed, '162673000', 'General examination of patient (procedure)'),
        servicedPeriod: { start: `${dayOf(seed, visit)}T08:14:33-05:00`, end: `${dayOf(seed, visit)}T08:29:33-05:00` },
        encounter: [visitOf(seed, visit)],
        adjudication,
      },
    ],
    total: [
      {
        category: concept('http://terminology.hl7.org/CodeSystem/adjudication', 'submitted', 'Submitted Amount'),
        amount: money(704.2 + visit),
      },
    ],
    payment: { amount: money(563.4) },
  };
  return resource as unknown as Resource;
}

function observations(seed: number, visit: number): Resource[] {
  return measures.map(([code, display, unit, value], at) => {
    const resource = {
      resourceType: 'Observation',
      id: idOf(seed, 16 + at, visit),
      meta: profile('observation-lab'),
      status: 'final',
      category: [
        concept(
          'http://terminology.hl7.org/CodeSystem/observation-category',
          at < 3 ? 'vital-signs' : 'laboratory',
          at < 3 ? 'Vital signs' : 'Laboratory',
        ),
      ],
      code: concept('http://loinc.org', code, display),
      subject: subject(seed),
      encounter: visitOf(seed, visit),
      effectiveDateTime: `${dayOf(seed, visit)}T08:14:33-05:00`,
      issued: `${dayOf(seed, visit)}T08:14:33.482-05:00`,
      valueQuantity: { value: value + visit / 10, unit, system: 'http://unitsofmeasure.org', code: unit },
    };
    return resource as Resource;
  });
}

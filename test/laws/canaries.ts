import type { FhirResource } from 'fhir/r4.js';
import type { Draft } from './draft.ts';

/**
 * A word that no request may hold: it stands only in resources of another patient, or where no reference of this one
 * leads.
 */
export const canary = 'CANARY';

const subject = { reference: 'Patient/canary-patient' };
const concept = {
  coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'Z99.9', display: canary }],
  text: canary,
};

const resources: readonly FhirResource[] = [
  {
    resourceType: 'Patient',
    id: 'canary-patient',
    name: [{ family: canary, given: [canary] }],
    birthDate: '1990-01-01',
    address: [{ city: canary }],
  },
  { resourceType: 'Condition', id: 'canary-condition', subject, code: concept },
  {
    resourceType: 'Coverage',
    id: 'canary-coverage',
    status: 'active',
    beneficiary: subject,
    payor: [{ display: canary }],
    subscriberId: canary,
    type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'DRUGPOL' }] },
  },
  {
    resourceType: 'MedicationRequest',
    id: 'canary-order',
    status: 'active',
    intent: 'order',
    subject,
    medicationCodeableConcept: { text: canary },
    dosageInstruction: [{ text: canary }],
  },
  { resourceType: 'AllergyIntolerance', id: 'canary-allergy', patient: subject, code: { text: canary } },
  { resourceType: 'Encounter', id: 'canary-encounter', status: 'finished', class: { code: canary }, subject },
];

/** The resources of another patient, to stand among those of the chart. */
export function canaryEntries(): Draft['entries'] {
  return structuredClone(resources).map((resource) => ({ resource }));
}

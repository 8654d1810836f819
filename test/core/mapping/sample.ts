import { z } from 'zod';
import type { MappingInput, Node, Question, Root } from '../../../src/core/mapping/input.ts';
import { defineMapping } from '../../../src/core/mapping/words/define.ts';
import { constant, each, from, omit, type Transform } from '../../../src/core/mapping/words/rules.ts';

/**
 * A small target with every kind of place a mapping has: required and optional leaves, parts, lists, an enum, a
 * free-form part.
 */
export const Request = z.strictObject({
  patient: z.strictObject({
    last_name: z.string().min(1),
    birth_date: z.iso.date(),
    gender: z.enum(['male', 'female', 'not_specified']).optional(),
    address: z.strictObject({ city: z.string(), country: z.string() }),
  }),
  quantity: z.number().positive(),
  diagnoses: z
    .array(z.strictObject({ code: z.string().regex(/^[A-Z]\d/, 'an ICD-10-CM code'), rank: z.int().optional() }))
    .min(1),
  pharmacy: z.strictObject({ name: z.string(), country: z.string() }).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
  is_test: z.boolean().optional(),
  phone: z.string().optional(),
});
export type Request = z.infer<typeof Request>;

export const number: Transform<number> = {
  name: 'number',
  apply: (value) => (typeof value === 'number' ? { value } : { refused: 'not_positive' }),
};
export const gender: Transform<'male' | 'female' | 'not_specified'> = {
  name: 'gender',
  apply: (value) =>
    value === 'male' || value === 'female'
      ? { value }
      : value === 'unknown'
        ? { value: 'not_specified', derived: true, note: 'unknown in the chart' }
        : { refused: 'unknown_word' },
};

export const sample = defineMapping(
  'sample',
  Request,
  {
    patient: {
      last_name: from('%name.family', '%patient.name.text'),
      birth_date: from('%patient.birthDate'),
      gender: from(gender, '%patient.gender'),
      address: { city: from('%patient.address.city'), country: from('%patient.address.country', '%site.country') },
    },
    quantity: from(
      number,
      '%order.dispenseRequest.quantity.value',
      '%order.dispenseRequest.initialFill.quantity.value',
    ),
    diagnoses: each('%diagnosis', {
      code: from('coding.where(system = %icd10).code'),
      rank: omit('the order of the list says it'),
    }),
    pharmacy: {
      name: from('%order.dispenseRequest.performer.resolve().name'),
      country: from('%order.dispenseRequest.performer.resolve().address.country', '%site.country'),
    },
    extra: {
      rxnorm: from('%order.medication.ofType(CodeableConcept).coding.where(system = %rxnorm).code'),
      channel: constant('bridge', 'tells who sends'),
    },
    is_test: omit('only for the sandbox'),
    phone: from("%patient.telecom.where(system = 'phone').value"),
  },
  { advise: (body) => (body.phone === undefined ? [{ target: 'phone', message: 'No phone number.' }] : []) },
);

export const patient = {
  resourceType: 'Patient',
  id: 'p1',
  meta: { versionId: '2' },
  name: [{ family: 'Birke' }],
  birthDate: '1971-02-03',
  gender: 'unknown',
  telecom: [
    { system: 'phone', value: ' 555-0100 ' },
    { system: 'phone', value: '555-0101' },
  ],
  address: [{ city: 'Lakeside' }],
};
export const order = {
  resourceType: 'MedicationRequest',
  id: 'r1',
  medicationCodeableConcept: { coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '1' }] },
  dispenseRequest: { quantity: { value: 30 }, performer: { reference: 'Organization/o1' } },
};
export const organization = { resourceType: 'Organization', id: 'o1', name: 'Corner Pharmacy' };
const crohn = { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'K50.90' }] };
const snomedOnly = { coding: [{ system: 'http://snomed.info/sct', code: '34000006' }] };

export const diagnoses = { crohn, snomedOnly };

export interface SampleParts {
  readonly patient?: object;
  readonly order?: object;
  readonly organization?: object | null;
  readonly diagnosis?: Root;
  readonly name?: Root;
  readonly site?: object;
  readonly questions?: readonly Question[];
}

/** A chart that fills the whole target, with single resources replaced. */
export function sampleInput(parts: SampleParts = {}): MappingInput {
  const person = parts.patient ?? patient;
  const pharmacy = parts.organization === undefined ? organization : parts.organization;
  const roots: Readonly<Record<string, Root>> = {
    patient: { nodes: [{ value: person, source: { resource: 'Patient/p1', version: '2', path: 'Patient' } }] },
    name: parts.name ?? {
      nodes: [
        { value: { family: 'Birke' }, source: { resource: 'Patient/p1', version: '2', path: 'Patient.name[0]' } },
      ],
      note: 'the current name',
    },
    order: {
      nodes: [{ value: parts.order ?? order, source: { resource: 'MedicationRequest/r1', path: 'MedicationRequest' } }],
    },
    diagnosis: parts.diagnosis ?? { nodes: [diagnosisNode(crohn)] },
    site: { nodes: [{ value: parts.site ?? { country: 'US' } }], kind: 'site' },
  };
  return {
    root: (role) => roots[role],
    questions: () => parts.questions ?? [],
    resolve: () =>
      pharmacy === null
        ? undefined
        : { value: pharmacy, source: { resource: 'Organization/o1', path: 'Organization' } },
  };
}

export function diagnosisNode(value: object, id = 'k1'): Node {
  return { value, source: { resource: `Condition/${id}`, path: 'Condition.code' } };
}

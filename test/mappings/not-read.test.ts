import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { indexChart } from '../../src/core/fhir/references/graph.ts';
import type { Gap } from '../../src/core/mapping/result.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { ordersIn } from '../../src/core/roles/select.ts';

const base = join(import.meta.dirname, '../../fixtures/charts/everything-in-the-chart-is-complete/bundle.json');
const icd10 = 'http://hl7.org/fhir/sid/icd-10-cm';

type Json = Record<string, unknown>;
type Change = Readonly<Record<string, (resource: Json) => Json>>;

const problem = (id: string, more: object = {}): Json => ({
  resourceType: 'Condition',
  id,
  clinicalStatus: { coding: [{ code: 'active' }] },
  code: { coding: [{ system: icd10, code: 'L40.50', display: 'Arthropathic psoriasis, unspecified' }] },
  subject: { reference: 'Patient/p1' },
  ...more,
});

/** The request of a chart in which resources are changed by their type, and others added. */
function mapped(change: Change, added: readonly Json[] = []) {
  return runMapping(priorAuth, judged(change, added).chart);
}

function judged(change: Change, added: readonly Json[] = []) {
  const bundle = JSON.parse(readFileSync(base, 'utf8')) as { entry: { fullUrl: string; resource: Json }[] };
  const entry = bundle.entry.map(({ fullUrl, resource }) => {
    return { fullUrl, resource: change[String(resource.resourceType)]?.(resource) ?? resource };
  });
  const more = added.map((resource) => ({
    fullUrl: `https://ehr.example.org/fhir/${resource.resourceType}/${resource.id}`,
    resource,
  }));
  const { entries } = readBundle({ ...bundle, entry: [...entry, ...more] });
  const site = { country: 'USA', diagnoses: 'accept-single' } as const;
  const now = new Date('2026-11-20T12:00:00Z');
  const [order] = ordersIn(indexChart(entries), { roles: mappings.roles, now, site });
  if (order === undefined) throw new Error('the chart has an order');
  return order;
}

const without = (resource: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => !names.includes(name)));
const renamed = (from: string, to: string, wrap: (value: unknown) => unknown) => (resource: Json) => ({
  ...without(resource, from),
  [to]: wrap(resource[from]),
});
const at = (gaps: readonly Gap[], target: string) => gaps.find((gap) => gap.target === target);

describe('[K15] an order that has ended is no candidate, whatever else of it was not read', () => {
  test.each<[string, Json]>([
    ['an element of R5', { reported: true }],
    ['a misshapen list', { note: 'Invented' }],
    ['a misshapen reason', { reasonCode: { text: 'Invented' } }],
    ['misshapen directions', { dosageInstruction: 'Invented' }],
  ])('%s', (_, more) => {
    const { fits, candidate } = judged({ MedicationRequest: (order) => ({ ...order, ...more, status: 'completed' }) });
    expect({ fits, reason: candidate.reason }).toEqual({ fits: false, reason: 'it is completed' });
    expect(judged({ MedicationRequest: (order) => ({ ...order, ...more }) }).fits).toBe(true);
  });
});

describe('[K6] a code in what was not read is offered in every spelling of its system', () => {
  test.each([
    ['http://hl7.org/fhir/sid/icd-10-cm'],
    ['urn:oid:2.16.840.1.113883.6.90'],
    ['2.16.840.1.113883.6.90'],
    ['https://hl7.org/fhir/sid/icd-10-cm/'],
  ])('%s', (system) => {
    const reason = [{ concept: { coding: [{ system, code: 'L40.0' }] } }];
    const { gaps } = mapped({ MedicationRequest: (order) => ({ ...without(order, 'reasonCode'), reason }) });
    expect(at(gaps, 'diagnoses')?.options?.map(({ value }) => value)).toEqual(['L40.0']);
  });
});

describe('[K15] a reason that was not read is not "none"', () => {
  const psoriasis = problem('x1');
  test.each<[string, (order: Json) => Json]>([
    ['of R5 (reason)', renamed('reasonCode', 'reason', (codes) => (codes as Json[]).map((concept) => ({ concept })))],
    ['as an object, not a list', (order) => ({ ...order, reasonCode: (order.reasonCode as Json[])[0] })],
    [
      'as a reference that is a text',
      (order) => ({ ...without(order, 'reasonCode'), reasonReference: 'Condition/x1' }),
    ],
    [
      'of DSTU2 (reasonCodeableConcept)',
      renamed('reasonCode', 'reasonCodeableConcept', (codes) => (codes as Json[])[0]),
    ],
  ])('%s: no problem of the patient takes its place', (_, change) => {
    const result = mapped({ MedicationRequest: change }, [psoriasis]);
    expect(JSON.stringify(result.status === 'complete' ? result.body : result.draft)).not.toContain('L40.50');
    const gap = at(result.gaps, 'diagnoses');
    expect(gap).toMatchObject({ severity: 'blocks' });
    expect(gap?.message).toMatch(/^The order’s reason could not be read: it is not in the form of FHIR R4/);
  });

  test('its own words are in the question, and its codes can be chosen', () => {
    const change = renamed('reasonCode', 'reason', (codes) => (codes as Json[]).map((concept) => ({ concept })));
    const gap = at(mapped({ MedicationRequest: change }, [psoriasis]).gaps, 'diagnoses');
    expect(gap?.message).toContain('“Rheumatoid arthritis with rheumatoid factor of multiple sites”');
    expect(gap?.options?.map(({ value }) => value)).toEqual(['M05.79']);
  });

  test('an order that states none is still told so', () => {
    const { gaps } = mapped({ MedicationRequest: (order) => without(order, 'reasonCode') }, [
      psoriasis,
      problem('x2', { code: { coding: [{ system: icd10, code: 'M05.79' }] } }),
    ]);
    expect(at(gaps, 'diagnoses')?.message).toMatch(/^The order states no reason/);
  });

  test('a problem is not proposed where what says that it is over was not read (STU3 abatementBoolean)', () => {
    const result = mapped({ MedicationRequest: (order) => without(order, 'reasonCode') }, [
      problem('x1', { abatementBoolean: true }),
    ]);
    expect(JSON.stringify(result)).not.toContain('"code":"L40.50"');
  });
});

describe('[K15] nothing else of the chart takes the place of what was not read', () => {
  const changeDispense = (change: (dispense: Json) => Json) => (order: Json) => ({
    ...order,
    dispenseRequest: change(order.dispenseRequest as Json),
  });

  test('an initial fill not that of the quantity', () => {
    const { gaps } = mapped({
      MedicationRequest: changeDispense((dispense) => ({
        ...dispense,
        quantity: [dispense.quantity],
        initialFill: { quantity: { value: 7, unit: 'tablet' } },
      })),
    });
    expect(at(gaps, 'prescription.quantity')).toMatchObject({ severity: 'blocks' });
  });

  test('days that were worked out not that of the stated ones', () => {
    const result = mapped({
      MedicationRequest: changeDispense((dispense) => ({ ...dispense, expectedSupplyDuration: '30 days' })),
    });
    expect(JSON.stringify(result.status === 'complete' ? result.body : result.draft)).not.toContain('days_supply');
    expect(at(result.gaps, 'prescription.days_supply')).toMatchObject({ reason: 'missing' });
  });

  test('an old name not that of the present one', () => {
    const result = mapped({
      Patient: (patient) => ({
        ...patient,
        name: [
          { use: 'official', family: ['Fenwick'], given: 'Odalys' },
          { use: 'nickname', family: 'Maiden', given: ['Oda'] },
        ],
      }),
    });
    expect(JSON.stringify(result.status === 'complete' ? result.body : result.draft)).not.toContain('Maiden');
    expect(at(result.gaps, 'patient.last_name')).toMatchObject({ severity: 'blocks' });
  });

  test('a coverage whose end was not read is not taken for one without an end', () => {
    const { gaps } = mapped({ Coverage: (coverage) => ({ ...coverage, period: { end: ['2020-12-31'] } }) });
    expect(gaps.filter(({ severity }) => severity === 'blocks').map(({ target }) => target)).toEqual([
      'insurance_content.member_number',
    ]);
  });
});

describe('[K15] a gap says that the chart has it and that it was not read, with its words', () => {
  test.each<[string, Change, string, string | undefined]>([
    [
      'a drug of R5',
      { MedicationRequest: renamed('medicationCodeableConcept', 'medication', (concept) => ({ concept })) },
      'prescription.drug_name',
      'tofacitinib 5 MG Oral Tablet [Xeljanz]',
    ],
    [
      'a requester of STU3',
      { MedicationRequest: renamed('requester', 'requester', (agent) => ({ agent })) },
      'provider.npi',
      'Practitioner/dr1',
    ],
    [
      'a family name in a list',
      { Patient: (patient) => ({ ...patient, name: [{ family: ['Fenwick'], given: ['Odalys'] }] }) },
      'patient.last_name',
      'Fenwick',
    ],
    [
      'addresses as an object',
      { Patient: (patient) => ({ ...patient, address: (patient.address as Json[])[0] }) },
      'patient.address.street',
      '12 Quillback Lane, Marlow Falls',
    ],
    [
      'a birth date as a number',
      { Patient: (patient) => ({ ...patient, birthDate: 19840309 }) },
      'patient.date_of_birth',
      '19840309',
    ],
  ])('%s', (_, change, target, words) => {
    const gap = at(mapped(change).gaps, target);
    expect(gap).toMatchObject({ severity: 'blocks', reason: 'uncertain' });
    const unread = gap?.looks.flatMap(({ refused = [] }) => refused).filter(({ why }) => why === 'not_read');
    expect(unread?.map(({ value }) => value).join()).toContain(words);
  });

  test('an element that nothing reads asks nothing', () => {
    const { status } = mapped({
      MedicationRequest: (order) => ({ ...order, effectiveDosePeriod: { start: '2026-11-12' } }),
      Patient: (patient) => ({ ...patient, maritalStatus: 'M' }),
    });
    expect(status).toBe('complete');
  });
});

import type { Coverage, MedicationRequest, Patient, Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { BridgeError, type ErrorCode } from '../../../src/core/errors.ts';
import { type ChartRequest, candidateOrders, selectChart } from '../../../src/core/roles/select.ts';
import { chartsOf } from '../../support/charts-of.ts';

const now = new Date('2026-11-21T15:00:00Z');

function patient(id: string): Patient {
  return { resourceType: 'Patient', id, name: [{ family: `Family-${id}`, given: ['Given'] }] };
}

function order(id: string, subject: string, more: Partial<MedicationRequest> = {}): MedicationRequest {
  return {
    resourceType: 'MedicationRequest',
    id,
    status: 'active',
    intent: 'order',
    subject: { reference: `Patient/${subject}` },
    medicationCodeableConcept: { text: `drug ${id}` },
    ...more,
  };
}

function coverage(id: string, beneficiary: string): Coverage {
  return {
    resourceType: 'Coverage',
    id,
    status: 'active',
    beneficiary: { reference: `Patient/${beneficiary}` },
    payor: [{ display: 'Payer' }],
    subscriberId: `member-${id}`,
  };
}

function select(resources: readonly Resource[], request: Partial<ChartRequest> = {}) {
  return selectChart(resources, { roles: mappings.roles, order: 'MedicationRequest/o1', now, site: {}, ...request });
}

function codeOf(run: () => unknown): ErrorCode | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof BridgeError ? error.code : undefined;
  }
  return undefined;
}

describe('selectChart', () => {
  test('gives every role a root, also those that nothing was chosen for', () => {
    const chart = select([patient('p1'), order('o1', 'p1')]);
    for (const role of mappings.roles.names) expect(chart.root(role).nodes, role).toBeInstanceOf(Array);
    expect(chart.patient).toBe('Patient/p1');
    expect(chart.order).toBe('MedicationRequest/o1');
    expect(chart.root('coverage').nodes).toEqual([]);
    expect(chart.root('coverage').looks).not.toEqual([]);
  });

  test('refuses an order of another patient', () => {
    expect(codeOf(() => select([patient('p1'), patient('p2'), order('o1', 'p2')], { patient: 'Patient/p1' }))).toBe(
      'patient_mismatch',
    );
  });

  test('refuses an order that is not there', () => {
    expect(codeOf(() => select([patient('p1')]))).toBe('bad_request');
  });

  test('an order whose status cannot be read is listed with the reason, and refused by it', () => {
    const resources = [patient('p1'), order('o1', 'p1', { status: ['active'] as unknown as 'active' })];
    const reason = 'its status is not of the form of FHIR R4 and could change what it means';
    const request = { roles: mappings.roles, now, site: {} };
    expect(candidateOrders(resources, request)).toEqual([
      {
        order: 'MedicationRequest/o1',
        patient: 'Patient/p1',
        label: 'An order that cannot be read',
        fits: false,
        reason,
      },
    ]);
    expect(codeOf(() => select(resources))).toBe('order_not_candidate');
  });

  test('takes nothing of another patient, whoever refers to it', () => {
    const mine = order('o1', 'p1', {
      insurance: [{ reference: 'Coverage/c2' }],
      reasonReference: [{ reference: 'Condition/k2' }],
    });
    const foreign: Resource[] = [coverage('c2', 'p2'), condition('k2', 'p2')];
    const chart = select([patient('p1'), patient('p2'), mine, ...foreign]);
    expect(chart.root('coverage').nodes).toEqual([]);
    expect(chart.root('diagnosis').nodes).toEqual([]);
    const reference = {
      value: { reference: 'Condition/k2' },
      source: { resource: 'MedicationRequest/o1', path: 'MedicationRequest.reasonReference[0]' },
    };
    expect(chart.resolve(reference.value, reference)).toBeUndefined();
  });

  test('says what it left out when it looks at one patient only', () => {
    const chart = select([patient('p1'), order('o1', 'p1'), coverage('c2', 'p2'), coverage('c3', 'p3')]);
    expect(chart.warnings).toEqual(['2 Coverage are not this patient’s and were left out.']);
  });

  test('gives each wrong coverage a reason why not', () => {
    const over: Coverage = { ...coverage('c1', 'p1'), period: { end: '2025-12-31' } };
    const cancelled: Coverage = { ...coverage('c2', 'p1'), status: 'cancelled' };
    const chart = select([patient('p1'), order('o1', 'p1'), over, cancelled, coverage('c3', 'p1')]);
    const choice = chart.choices.find(({ role }) => role === 'coverage');
    expect(choice?.chosen).toBe('Coverage/c3');
    expect(choice?.candidates.map(({ reference, fits, reason }) => ({ reference, fits, reason }))).toEqual([
      { reference: 'Coverage/c1', fits: false, reason: 'it ended on Dec 31, 2025' },
      { reference: 'Coverage/c2', fits: false, reason: 'it is cancelled' },
      { reference: 'Coverage/c3', fits: true, reason: 'pharmacy benefit not confirmed: check the card' },
    ]);
  });

  test('offers the coverages that fit equally well, with their reasons', () => {
    const chart = select([
      patient('p1'),
      order('o1', 'p1'),
      coverage('c1', 'p1'),
      { ...coverage('c2', 'p1'), subscriberId: 'B2' } as Resource,
    ]);
    const [question] = chart.questions(['coverage']);
    expect(question?.options?.map(({ value }) => value)).toEqual(['Coverage/c1', 'Coverage/c2']);
    expect(question?.reason).toBe('choice');
  });

  test('ignores an answer that names another patient’s coverage, and says so', () => {
    const chart = select(
      [patient('p1'), patient('p2'), order('o1', 'p1'), coverage('c1', 'p1'), coverage('c2', 'p2')],
      { answers: { coverage: 'Coverage/c2' } },
    );
    expect(chart.choices.find(({ role }) => role === 'coverage')?.chosen).toBe('Coverage/c1');
    expect(chart.warnings).toEqual(['The chosen coverage is not among this patient’s coverages.']);
  });

  test('takes the newest version of a resource that came twice', () => {
    const older: Patient = {
      ...patient('p1'),
      gender: 'male',
      meta: { versionId: '1', lastUpdated: '2026-01-01T00:00:00Z' },
    };
    const newer: Patient = {
      ...patient('p1'),
      gender: 'female',
      meta: { versionId: '2', lastUpdated: '2026-06-01T00:00:00Z' },
    };
    for (const twice of [
      [older, newer],
      [newer, older],
    ]) {
      const chart = select([...twice, order('o1', 'p1')]);
      expect(chart.root('patient').nodes[0]?.value).toMatchObject({ gender: 'female' });
      expect(chart.warnings).toEqual(['1 resources came more than once; the newest version was used.']);
    }
  });

  test('never mixes two servers that use the same ids', () => {
    const at = (base: string, ...resources: Resource[]) =>
      resources.map((resource) => ({ fullUrl: `${base}/${resource.resourceType}/${resource.id}`, resource }));
    const here = at('https://one.example.org/fhir', patient('p1'), order('o1', 'p1'), coverage('c1', 'p1'));
    const there = at(
      'https://two.example.org/fhir',
      { ...patient('p1'), gender: 'male' } as Patient,
      coverage('c9', 'p1'),
    );
    const chart = selectChart([...here, ...there], {
      roles: mappings.roles,
      order: 'MedicationRequest/o1',
      now,
      site: {},
    });
    expect(chart.patient).toBe('https://one.example.org/fhir/Patient/p1');
    expect(chart.root('patient').nodes[0]?.value).not.toHaveProperty('gender');
    expect(chart.choices.find(({ role }) => role === 'coverage')?.candidates.map(({ reference }) => reference)).toEqual(
      ['Coverage/c1'],
    );
    const foreign: Coverage = {
      ...coverage('c3', 'p1'),
      beneficiary: { reference: 'https://two.example.org/fhir/Patient/p1' },
    };
    const alone = selectChart([...here, foreign], {
      roles: mappings.roles,
      order: 'MedicationRequest/o1',
      now,
      site: {},
    });
    expect(alone.choices.find(({ role }) => role === 'coverage')?.chosen).toBe('Coverage/c1');
    expect(alone.warnings).toEqual(['1 Coverage is not this patient’s and was left out.']);
  });

  test('survives keys that would reach into the prototype', () => {
    const poisoned = JSON.parse(
      '{"resourceType":"Patient","id":"p1","__proto__":{"polluted":true},' +
        '"constructor":{"prototype":{"polluted":true}},"name":[{"family":"A","given":["B"]}]}',
    );
    select([poisoned, order('o1', 'p1')]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

const choosing = { roles: mappings.roles, now, site: {} };

describe('candidateOrders', () => {
  test('lists every order with a reason, those that fit first', () => {
    const listed = candidateOrders(
      [
        patient('p1'),
        order('a', 'p1', { status: 'stopped' }),
        order('b', 'p1', { reportedBoolean: true }),
        order('c', 'p1', { doNotPerform: true }),
        order('d', 'p1', { intent: 'proposal' }),
        order('e', 'p1', { category: [{ coding: [{ code: 'inpatient' }] }] }),
        order('f', 'p1'),
      ],
      choosing,
    );
    expect(listed.map(({ order: id, reason }) => `${id}: ${reason}`)).toEqual([
      'MedicationRequest/f: an active order',
      'MedicationRequest/a: it is stopped',
      'MedicationRequest/b: it is reported, not ordered here',
      'MedicationRequest/c: it says not to give the drug',
      'MedicationRequest/d: its intent is proposal, not an order',
      'MedicationRequest/e: it is given in the hospital',
    ]);
  });

  test('lists one patient’s orders only, when asked for a patient', () => {
    const listed = candidateOrders([patient('p1'), patient('p2'), order('a', 'p1'), order('b', 'p2')], {
      ...choosing,
      patient: 'Patient/p2',
    });
    expect(listed.map(({ order: id }) => id)).toEqual(['MedicationRequest/b']);
  });

  test('sees resources that were added to the list afterwards', () => {
    const resources: Resource[] = [patient('p1'), order('a', 'p1')];
    expect(candidateOrders(resources, choosing)).toHaveLength(1);
    resources.push(order('b', 'p1'));
    expect(candidateOrders(resources, choosing)).toHaveLength(2);
  });
});

test('chartsOf keeps the patients of one export apart', () => {
  const charts = chartsOf(
    [
      patient('p1'),
      patient('p2'),
      order('o1', 'p1'),
      order('o2', 'p2'),
      coverage('c1', 'p1'),
      coverage('c2', 'p2'),
      order('o3', 'p2', { status: 'draft' }),
    ],
    choosing,
  );
  expect(
    charts.map(({ order: id, patient: whose, fits, chart }) => [
      id,
      whose,
      fits,
      chart?.choices.find(({ role }) => role === 'coverage')?.chosen,
    ]),
  ).toEqual([
    ['MedicationRequest/o1', 'Patient/p1', true, 'Coverage/c1'],
    ['MedicationRequest/o2', 'Patient/p2', true, 'Coverage/c2'],
    ['MedicationRequest/o3', 'Patient/p2', false, undefined],
  ]);
});

function condition(id: string, subject: string): Resource {
  return {
    resourceType: 'Condition',
    id,
    subject: { reference: `Patient/${subject}` },
    code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M05.79' }] },
  } as Resource;
}

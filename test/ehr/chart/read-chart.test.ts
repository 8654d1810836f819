import type { CapabilityStatement, Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { BridgeError, type ErrorCode, type ErrorFacts } from '../../../src/core/errors.ts';
import type { FhirApi, SearchAnswer } from '../../../src/core/fhir/api.ts';
import type { Entry } from '../../../src/core/fhir/bundle.ts';
import { EhrSays } from '../../../src/core/fhir/ehr-says.ts';
import { selectChart } from '../../../src/core/roles/select.ts';
import { readChart } from '../../../src/ehr/chart/read-chart.ts';
import { readDocuments } from '../../../src/ehr/documents/read-documents.ts';

const base = 'https://ehr.valley.example/fhir';
const scopes = (
  'patient/*.rs user/Practitioner.rs user/PractitionerRole.rs user/Organization.r user/Location.r ' +
  'user/Medication.r user/Binary.r'
).split(' ');

type Any = Resource & Record<string, unknown>;

const patient: Any = { resourceType: 'Patient', id: 'p1' };
const subject = { subject: { reference: 'Patient/p1' } };
const order: Any = {
  resourceType: 'MedicationRequest',
  id: 'm1',
  ...subject,
  medicationReference: { reference: 'Medication/drug1' },
  requester: { reference: 'Practitioner/doc1' },
};
const drug: Any = { resourceType: 'Medication', id: 'drug1' };
const doctor: Any = {
  resourceType: 'Practitioner',
  id: 'doc1',
  identifier: [{ system: 'urn:oid:2.16.840.1.113883.4.6', value: '1234567893' }],
  address: [{ city: 'Springfield' }],
  telecom: [
    { system: 'phone', value: '555-0100' },
    { system: 'fax', value: '555-0101' },
  ],
};
const coverage: Any = {
  resourceType: 'Coverage',
  id: 'c1',
  beneficiary: { reference: 'Patient/p1' },
  payor: [{ reference: 'Organization/payer1' }],
};
const payer: Any = { resourceType: 'Organization', id: 'payer1' };

interface Server {
  readonly resources: readonly Any[];
  /** searchInclude by type. */
  readonly offers?: Readonly<Partial<Record<'MedicationRequest' | 'Coverage', readonly string[]>>>;
  readonly batch?: boolean;
  readonly scopes?: readonly string[];
  readonly fails?: Readonly<Record<string, { code: ErrorCode; facts?: ErrorFacts }>>;
  readonly truncated?: boolean;
  readonly notes?: readonly string[];
}

/** An EHR in memory: searches by patient, plain includes, reads; and what it was asked. */
function fakeEhr(server: Server): { api: FhirApi; asked: string[] } {
  const asked: string[] = [];
  const byReference = new Map(
    server.resources.map((resource) => [`${resource.resourceType}/${resource.id}`, resource]),
  );
  const fail = (type: string) => {
    const failure = server.fails?.[type];
    if (failure !== undefined) throw new BridgeError(failure.code, failure.facts ?? {});
  };
  const statement: CapabilityStatement = {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: '2026-01-01',
    kind: 'instance',
    fhirVersion: '4.0.1',
    format: ['json'],
    rest: [
      {
        mode: 'server',
        resource: (['MedicationRequest', 'Coverage'] as const).map((type) => ({
          type,
          searchInclude: [...(server.offers?.[type] ?? [])],
        })),
        ...(server.batch === true ? { interaction: [{ code: 'batch' as const }] } : {}),
      },
    ],
  };
  const api: FhirApi = {
    base,
    scopes: server.scopes ?? scopes,
    capabilities: async () => statement,
    read: async <T extends Resource>(type: T['resourceType'], id: string) => {
      asked.push(`${type}/${id}`);
      fail(type);
      return byReference.get(`${type}/${id}`) as T | undefined;
    },
    search: async (type, params) => {
      const query = params.map(([name, value]) => `${name}=${value}`).join('&');
      asked.push(`${type}?${query}`);
      fail(type);
      const practitioner = params.find(([name]) => name === 'practitioner')?.[1];
      const token = params.find(([name]) => name === 'identifier')?.[1];
      const found = server.resources.filter(
        (resource) =>
          resource.resourceType === type &&
          (practitioner === undefined ||
            JSON.stringify(resource.practitioner) === JSON.stringify({ reference: `Practitioner/${practitioner}` })) &&
          (token === undefined || hasIdentifier(resource, token)),
      );
      const included =
        params.filter(([name]) => name.startsWith('_include')).length > 0 ? referenced(found, byReference) : [];
      return { resources: [...found, ...included], truncated: server.truncated === true, warnings: server.notes ?? [] };
    },
    batch: async (urls) => {
      asked.push(`batch of ${urls.length}`);
      fail('Bundle');
      return urls.map((url) => byReference.get(url) ?? { status: 404 });
    },
    create: () => Promise.reject(new Error('reading only')),
    readVersion: () => Promise.reject(new Error('reading only')),
    update: () => Promise.reject(new Error('reading only')),
    patch: () => Promise.reject(new Error('reading only')),
    delete: () => Promise.reject(new Error('reading only')),
  };
  return { api, asked };
}

function hasIdentifier({ identifier = [] }: Any, token: string): boolean {
  return (identifier as { system: string; value: string }[]).some(
    ({ system, value }) => `${system}|${value}` === token,
  );
}

function referenced(resources: readonly Any[], all: ReadonlyMap<string, Any>): Any[] {
  return resources.flatMap((resource) =>
    [...JSON.stringify(resource).matchAll(/"reference":"([^"]+)"/g)].flatMap(([, reference]) =>
      reference === 'Patient/p1' ? [] : (all.get(reference!) ?? []),
    ),
  );
}

const names = (entries: readonly Entry[]) =>
  entries.map(({ resource }) => `${resource.resourceType}/${resource.id}`).sort();
const withoutOptional = scopes
  .filter((scope) => scope !== 'patient/*.rs')
  .concat(
    ['Patient', 'MedicationRequest', 'Coverage', 'Condition', 'DocumentReference', 'Encounter'].map(
      (type) => `patient/${type}.rs`,
    ),
  );

describe('readChart counts its rounds', () => {
  test('one round where the EHR includes what orders and coverages refer to', async () => {
    const offers = {
      MedicationRequest: ['MedicationRequest:medication', 'MedicationRequest:requester'],
      Coverage: ['Coverage:payor'],
    };
    const { api } = fakeEhr({
      resources: [patient, order, drug, doctor, coverage, payer],
      offers,
      scopes: withoutOptional,
    });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(chart.rounds).toBe(1);
    expect(names(chart.entries)).toEqual([
      'Coverage/c1',
      'Medication/drug1',
      'MedicationRequest/m1',
      'Organization/payer1',
      'Patient/p1',
      'Practitioner/doc1',
    ]);
    expect(chart).toMatchObject({ warnings: [], forbidden: [] });
  });

  test('two rounds where it does not', async () => {
    const { api, asked } = fakeEhr({
      resources: [patient, order, drug, doctor, coverage, payer],
      scopes: withoutOptional,
    });
    const chart = await readChart(api, { patient: 'Patient/p1', order: 'MedicationRequest/m1' });
    expect(chart.rounds).toBe(2);
    expect(names(chart.entries)).toContain('Medication/drug1');
    expect(asked.filter((url) => url.includes('_include'))).toEqual([]);
  });

  test('three at most, through a role to its practice', async () => {
    const role: Any = {
      resourceType: 'PractitionerRole',
      id: 'r1',
      practitioner: { reference: 'Practitioner/doc2' },
      organization: { reference: 'Organization/clinic' },
      location: [{ reference: 'Location/room' }],
    };
    const chain: Any = { ...order, requester: { reference: 'PractitionerRole/r1' } };
    const resources = [
      patient,
      chain,
      drug,
      role,
      { resourceType: 'Practitioner', id: 'doc2' },
      { resourceType: 'Organization', id: 'clinic' },
      { resourceType: 'Location', id: 'room' },
    ];
    const { api } = fakeEhr({ resources, scopes: withoutOptional });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(chart.rounds).toBe(3);
    expect(names(chart.entries)).toEqual(
      expect.arrayContaining(['Location/room', 'Organization/clinic', 'Practitioner/doc2', 'PractitionerRole/r1']),
    );
  });

  test('a prescriber without address or fax is looked up through PractitionerRole', async () => {
    const role: Any = { resourceType: 'PractitionerRole', id: 'r1', practitioner: { reference: 'Practitioner/doc1' } };
    const { api, asked } = fakeEhr({
      resources: [patient, order, drug, { resourceType: 'Practitioner', id: 'doc1' }, role],
      scopes: withoutOptional,
    });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(asked).toContain('PractitionerRole?practitioner=doc1');
    expect(names(chart.entries)).toContain('PractitionerRole/r1');
  });

  test('[K14] a prescriber who can be reached and has no NPI is looked up through PractitionerRole', async () => {
    const { identifier: _, ...unnumbered } = doctor as Any & { identifier: unknown };
    const numbers = [
      [],
      [{ system: 'https://ehr.example.org/staff', value: '1234567893' }],
      [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567890' }],
    ];
    for (const identifier of numbers) {
      const resources = [patient, order, drug, { ...unnumbered, identifier }];
      const { api, asked } = fakeEhr({ resources, scopes: withoutOptional });
      await readChart(api, { patient: 'p1', order: 'm1' });
      expect(asked).toContain('PractitionerRole?practitioner=doc1');
    }
  });

  const npi = 'http://hl7.org/fhir/sid/us-npi';
  const numbered: Any = { ...doctor, identifier: [{ system: npi, value: '1234567893' }] };
  const other: Any = { ...doctor, id: 'doc3', identifier: [{ system: npi, value: '1679576722' }] };

  test.each([
    ['a conditional reference', { reference: `Practitioner?identifier=${npi}|1234567893` }],
    [
      'a conditional reference with an escaped bar',
      { reference: `Practitioner?identifier=${encodeURIComponent(`${npi}|1234567893`)}` },
    ],
    ['a logical reference of a type', { type: 'Practitioner', identifier: { system: npi, value: '1234567893' } }],
  ])('a prescriber named by %s is searched for by that identifier, and is the prescriber', async (_, requester) => {
    const { api, asked } = fakeEhr({
      resources: [patient, { ...order, requester }, drug, numbered, other],
      scopes: withoutOptional,
    });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(asked).toContain(`Practitioner?identifier=${npi}|1234567893`);
    expect(names(chart.entries)).toContain('Practitioner/doc1');
    expect(names(chart.entries)).not.toContain('Practitioner/doc3');
    expect(chart.warnings).toEqual([]);
    const selected = selectChart(chart.entries, {
      roles: mappings.roles,
      order: 'MedicationRequest/m1',
      now: new Date('2026-11-21T15:00:00Z'),
      site: {},
    });
    expect(selected.root('prescriber').nodes.map(({ source }) => source?.resource)).toEqual(['Practitioner/doc1']);
  });

  test('an identifier that the EHR does not know is said; it is not put into the sentence', async () => {
    const requester = { reference: `Practitioner?identifier=${npi}|1234567893` };
    const { api } = fakeEhr({ resources: [patient, { ...order, requester }, drug, other], scopes: withoutOptional });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(chart.warnings).toEqual(['Practitioner is named by an identifier that the EHR does not know.']);
  });

  test.each([
    ['of a type that the EHR does not know', { type: 'Practitioner' }, withoutOptional],
    ['of a type that must not be searched for', { type: 'Practitioner' }, ['patient/*.rs']],
    ['without a type', {}, withoutOptional],
  ])('a requester named with NPI and name %s stays as the order has it, without a word', async (_, type, granted) => {
    const requester = { ...type, identifier: { system: npi, value: '1234567893' }, display: 'Ada Invented, MD' };
    const { medicationReference: _drug, ...named }: Any = { ...order, requester };
    const { api } = fakeEhr({ resources: [patient, named], scopes: granted });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(chart.entries.map(({ resource }) => resource)).toContainEqual(expect.objectContaining({ requester }));
    expect(chart.warnings).toEqual([]);
  });

  test('a conditional reference to a Patient is never searched for', async () => {
    const requester = { reference: 'Patient?identifier=http://hospital.example/mrn|77' };
    const { api, asked } = fakeEhr({ resources: [patient, { ...order, requester }, drug], scopes: withoutOptional });
    await readChart(api, { patient: 'p1', order: 'm1' });
    expect(asked.filter((url) => url.startsWith('Patient?'))).toEqual([]);
  });

  test('an EHR without PractitionerRole is no news', async () => {
    const fails = { PractitionerRole: { code: 'ehr_error' as const, facts: { http: 404 } } };
    const { api } = fakeEhr({
      resources: [patient, order, drug, { resourceType: 'Practitioner', id: 'doc1' }],
      fails,
      scopes: withoutOptional,
    });
    expect((await readChart(api, { patient: 'p1', order: 'm1' })).warnings).toEqual([]);
  });

  test('many references go as one batch where the EHR offers it, and singly when the batch fails', async () => {
    const payors = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ reference: `Organization/${id}` }));
    const resources = [
      patient,
      { ...order, requester: undefined, medicationReference: undefined },
      { ...coverage, payor: payors },
      ...['a', 'b', 'c', 'd', 'e'].map((id) => ({ resourceType: 'Organization' as const, id })),
    ];
    const good = fakeEhr({ resources, batch: true, scopes: withoutOptional });
    expect(names((await readChart(good.api, { patient: 'p1', order: 'm1' })).entries)).toContain('Organization/e');
    expect(good.asked).toContain('batch of 5');
    expect(good.asked).not.toContain('Organization/e');
    const bad = fakeEhr({ resources, batch: true, scopes: withoutOptional, fails: { Bundle: { code: 'ehr_error' } } });
    expect(names((await readChart(bad.api, { patient: 'p1', order: 'm1' })).entries)).toContain('Organization/e');
  });

  test('V14: of 200 orders the focal order’s own references are read first, and the rest is told', async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    const others = numbers.map(
      (number): Any => ({
        ...order,
        id: `other${number}`,
        medicationReference: { reference: `Medication/other${number}` },
      }),
    );
    const role: Any = {
      resourceType: 'PractitionerRole',
      id: 'role1',
      practitioner: { reference: 'Practitioner/doc1' },
      organization: { reference: 'Organization/clinic' },
    };
    const resources: Any[] = [
      patient,
      ...others,
      { ...order, requester: { reference: 'PractitionerRole/role1' } },
      ...numbers.map((number): Any => ({ resourceType: 'Medication', id: `other${number}` })),
      drug,
      role,
      doctor,
      { resourceType: 'Organization', id: 'clinic' },
    ];
    const { api } = fakeEhr({ resources: resources.filter(({ resourceType }) => resourceType !== 'Coverage') });
    const hidden: FhirApi = {
      ...api,
      search: async (type, params, options) =>
        ['MedicationRequest', 'Coverage'].includes(type)
          ? api.search(type, params, options)
          : { resources: [], truncated: false, warnings: [] },
    };
    const chart = await readChart(hidden, { patient: 'p1', order: 'm1' });
    expect(names(chart.entries)).toEqual(
      expect.arrayContaining([
        'Medication/drug1',
        'PractitionerRole/role1',
        'Practitioner/doc1',
        'Organization/clinic',
      ]),
    );
    // Two rounds of 60: the order's two and 58 of the others, then the role's two and 58 more.
    expect(chart.warnings).toEqual(['The chart refers to more than was read. Not read: 84 Medication.']);
  });

  test('an order outside the first pages is read by its id', async () => {
    const { api } = fakeEhr({ resources: [patient, order, drug, doctor], scopes: withoutOptional });
    const search: FhirApi['search'] = async (type, params, options) =>
      type === 'MedicationRequest'
        ? { resources: [], truncated: true, warnings: [] }
        : api.search(type, params, options);
    const chart = await readChart({ ...api, search }, { patient: 'p1', order: 'm1' });
    expect(names(chart.entries)).toEqual(expect.arrayContaining(['MedicationRequest/m1', 'Medication/drug1']));
    expect(chart.rounds).toBe(3);
    expect(chart.warnings).toEqual(['MedicationRequest: the EHR has more than was read.']);
  });
});

describe('readChart never mixes patients [C06 C08]', () => {
  const foreign = { reference: 'Patient/p2' };

  test('a focal order that the EHR keeps from this launch is not in this chart', async () => {
    const { api } = fakeEhr({ resources: [patient, order, drug, doctor], scopes: withoutOptional });
    const read: FhirApi['read'] = async (type, id) => {
      if (id === 'of-another-patient') throw new BridgeError('ehr_forbidden', { resource: type });
      return api.read(type, id);
    };
    const chart = await readChart({ ...api, read }, { patient: 'p1', order: 'of-another-patient' });
    expect(names(chart.entries)).not.toContain('MedicationRequest/of-another-patient');
    expect(chart.warnings).toEqual(['MedicationRequest/of-another-patient is not in the EHR.']);
  });

  test('a focal order of another patient stops it', async () => {
    const { api } = fakeEhr({ resources: [patient, { ...order, subject: foreign }] });
    await expect(readChart(api, { patient: 'p1', order: 'm1' })).rejects.toMatchObject({ code: 'patient_mismatch' });
  });

  test.each([
    ['MedicationRequest', { ...order, id: 'x', subject: foreign }],
    ['Coverage', { ...coverage, id: 'x', beneficiary: foreign }],
    ['Condition', { resourceType: 'Condition' as const, id: 'x', subject: { reference: `${base}/Patient/p2` } }],
    [
      'AllergyIntolerance',
      { resourceType: 'AllergyIntolerance' as const, id: 'x', patient: { reference: 'Patient/p2/_history/1' } },
    ],
  ])('a %s of another patient is dropped and said', async (type, resource) => {
    const { api } = fakeEhr({ resources: [patient, order, drug, doctor, resource] });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(names(chart.entries)).not.toContain(`${type}/x`);
    expect(chart.warnings).toEqual([`${type}/x belongs to another patient and was dropped.`]);
  });

  test('resources without an id stand beside each other, and none of another patient is named [E2]', async () => {
    const condition = (text: string, reference = 'Patient/p1') => ({
      resourceType: 'Condition' as const,
      subject: { reference },
      code: { text },
    });
    const found = [condition('asthma'), condition('eczema'), condition('asthma'), condition('canary', 'Patient/p2')];
    const { api } = fakeEhr({ resources: [patient, order, drug, doctor, ...(found as Any[])] });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    const conditions = chart.entries.filter(({ resource }) => resource.resourceType === 'Condition');
    expect(conditions).toEqual([{ resource: condition('asthma') }, { resource: condition('eczema') }]);
    expect(chart.warnings).toEqual(['Condition without an id belongs to another patient and was dropped.']);
  });

  test.each(['Patient/p1', 'Patient/p1/_history/3', `${base}/Patient/p1`])(
    '%s is the same patient',
    async (reference) => {
      const { api } = fakeEhr({ resources: [patient, { ...coverage, beneficiary: { reference } }] });
      expect(names((await readChart(api, { patient: 'p1', order: 'm1' })).entries)).toContain('Coverage/c1');
    },
  );

  test.each([
    ['https://other.example/fhir/Patient/p1', 'another server'],
    ['https://ehr.valley.example/fhir/other/Patient/p1', 'another tenant of the same server'],
    ['http://ehr.valley.example/fhir/Patient/p1', 'another scheme'],
    ['#p1', 'a contained patient'],
    ['urn:uuid:p1', 'a name that means nothing here'],
  ])('%s is not the same patient: %s [C02]', async (reference) => {
    const { api } = fakeEhr({ resources: [patient, order, drug, doctor, { ...coverage, beneficiary: { reference } }] });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(names(chart.entries)).not.toContain('Coverage/c1');
    expect(chart.warnings).toEqual(['Coverage/c1 belongs to another patient and was dropped.']);
  });

  test('a focal order of a patient with the same id on another server stops it [C02]', async () => {
    const { api } = fakeEhr({
      resources: [patient, { ...order, subject: { reference: 'https://other.example/fhir/Patient/p1' } }],
    });
    await expect(readChart(api, { patient: 'p1', order: 'm1' })).rejects.toMatchObject({ code: 'patient_mismatch' });
  });

  test('every resource has its address at this EHR: references to another server mean none of them [C02]', async () => {
    const abroad = { ...order, requester: { reference: 'https://other.example/fhir/Practitioner/doc1' } };
    const { api } = fakeEhr({
      resources: [
        patient,
        abroad,
        drug,
        doctor,
        coverage,
        payer,
        { ...abroad, id: 'm2', requester: { reference: `${base}/Practitioner/doc1` } },
      ],
    });
    const { entries } = await readChart(api, { patient: 'p1', order: 'm2' });
    expect(entries.map(({ fullUrl }) => fullUrl)).toEqual(
      expect.arrayContaining([`${base}/Patient/p1`, `${base}/Practitioner/doc1`]),
    );
    const prescriberOf = (id: string) =>
      selectChart(entries, {
        roles: mappings.roles,
        patient: 'Patient/p1',
        order: `MedicationRequest/${id}`,
        now: new Date('2026-11-21'),
        site: {},
      }).root('prescriber').nodes;
    expect(prescriberOf('m1')).toEqual([]);
    expect(prescriberOf('m2').map(({ source }) => source?.resource)).toEqual(['Practitioner/doc1']);
  });

  test('a Patient that the EHR does not find ends it', async () => {
    const { api } = fakeEhr({ resources: [order] });
    await expect(readChart(api, { patient: 'p1' })).rejects.toMatchObject({ code: 'ehr_error', facts: { http: 404 } });
  });
});

describe('readChart says what it could not read', () => {
  test('a refused Coverage is named and the rest goes on [D09]', async () => {
    const { api } = fakeEhr({
      resources: [patient, order, drug, doctor, coverage],
      fails: { Coverage: { code: 'ehr_forbidden', facts: { http: 403 } } },
    });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(chart.forbidden).toEqual(['Coverage']);
    expect(names(chart.entries)).toContain('MedicationRequest/m1');
  });

  test('a scope that was not granted is not even asked for [B14]', async () => {
    const granted = withoutOptional.filter((scope) => !/Coverage|Medication\./.test(scope));
    const { api, asked } = fakeEhr({ resources: [patient, order, drug, doctor, coverage], scopes: granted });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(chart.forbidden).toEqual(['Coverage', 'Medication']);
    expect(asked.filter((url) => /^(Coverage|Medication\/|Allergy|Observation)/.test(url))).toEqual([]);
  });

  test('without access to orders there is nothing to show', async () => {
    const { api } = fakeEhr({ resources: [patient], scopes: ['patient/Patient.r'] });
    await expect(readChart(api, { patient: 'p1' })).rejects.toMatchObject({
      code: 'ehr_forbidden',
      facts: { scope: 'MedicationRequest.s' },
    });
  });

  describe('[E4] only the patient and the order are needed', () => {
    const failures: [string, { code: ErrorCode; facts?: ErrorFacts }][] = [
      ...[404, 405, 410, 500, 501, 504].map((http): [string, { code: ErrorCode; facts: ErrorFacts }] => {
        return [String(http), { code: 'ehr_error', facts: { http } }];
      }),
      ['something else than FHIR', { code: 'ehr_not_fhir' }],
      ['nothing', { code: 'ehr_unreachable' }],
      ['an address elsewhere', { code: 'ehr_foreign_address' }],
    ];
    const others = ['Coverage', 'Condition', 'DocumentReference', 'Medication', 'Practitioner', 'PractitionerRole'];
    const all = [patient, order, drug, { ...doctor, identifier: [] }, coverage, payer];
    const chartOf = (fails: Server['fails']) =>
      readChart(fakeEhr({ resources: all, scopes: withoutOptional, fails: fails ?? {} }).api, {
        patient: 'p1',
        order: 'm1',
      });

    test.each(failures)(
      '%s on anything else: the rest is read, and the type is among what was not',
      async (_, failure) => {
        for (const type of others) {
          const { entries, unread } = await chartOf({ [type]: failure });
          expect(names(entries)).toContain('MedicationRequest/m1');
          expect(unread).toEqual([type]);
        }
      },
    );

    test('403 on anything else', async () => {
      for (const type of others) {
        const { entries, unread } = await chartOf({ [type]: { code: 'ehr_forbidden', facts: { http: 403 } } });
        expect(names(entries)).toContain('MedicationRequest/m1');
        expect(unread).toEqual([type]);
      }
    });

    test('a search of orders that fails: the order of the launch is read by its id', async () => {
      const { api, asked } = fakeEhr({ resources: all, scopes: withoutOptional });
      const search: FhirApi['search'] = async (type, params, options) => {
        if (type === 'MedicationRequest') throw new BridgeError('ehr_error', { http: 501 });
        return api.search(type, params, options);
      };
      const chart = await readChart({ ...api, search }, { patient: 'p1', order: 'm1' });
      expect(asked).toContain('MedicationRequest/m1');
      expect(names(chart.entries)).toContain('MedicationRequest/m1');
      expect(chart.unread).toEqual(['MedicationRequest']);
      await expect(readChart({ ...api, search }, { patient: 'p1' })).rejects.toMatchObject({ code: 'ehr_error' });
    });

    test.each(['Patient', 'MedicationRequest'])('a %s that cannot be read ends it', async (type) => {
      await expect(chartOf({ [type]: { code: 'ehr_error', facts: { http: 500 } } })).rejects.toMatchObject({
        code: 'ehr_error',
      });
    });

    test('a resource that is not there, one of a batch that failed, and a scope that was not granted', async () => {
      const gone = await readChart(fakeEhr({ resources: [patient, order, doctor], scopes: withoutOptional }).api, {
        patient: 'p1',
        order: 'm1',
      });
      expect(gone.unread).toEqual(['Medication']);
      const granted = withoutOptional.filter((scope) => !scope.includes('Coverage'));
      const refused = await readChart(fakeEhr({ resources: all, scopes: granted }).api, { patient: 'p1', order: 'm1' });
      expect(refused.unread).toEqual(['Coverage']);
    });

    test('nothing is unread where everything was answered', async () => {
      expect((await chartOf({})).unread).toEqual([]);
    });
  });

  describe('[E3] [E5] what was not read is told in the words of the EHR', () => {
    const all = [patient, order, drug, doctor, coverage, payer];
    const answered = async (change: (answer: SearchAnswer) => SearchAnswer) => {
      const { api } = fakeEhr({ resources: all, scopes: withoutOptional });
      const search: FhirApi['search'] = async (type, params, options) => {
        const answer = await api.search(type, params, options);
        return type === 'Coverage' ? change(answer) : answer;
      };
      return readChart({ ...api, search }, { patient: 'p1', order: 'm1' });
    };

    test('a search that failed', async () => {
      const chart = await answered(() => {
        throw new BridgeError('ehr_error', { http: 200 }, { cause: new EhrSays(['The search timed out']) });
      });
      expect(chart.unread).toEqual(['Coverage']);
      expect(chart.warnings).toEqual([
        'Coverage could not be read (ehr_error 200). The EHR says: “The search timed out”.',
      ]);
    });

    test('a note with words', async () => {
      const chart = await answered((answer) => {
        return { ...answer, warnings: ['4119'], texts: { 4119: 'Some plans are hidden' } };
      });
      expect(chart.unread).toEqual([]);
      expect(chart.warnings).toEqual(['Coverage: the EHR says “Some plans are hidden” (note 4119).']);
    });

    test.each([
      ['an entry', { unread: 1 }, '1 entry of the EHR’s answer could not be read.'],
      ['several entries', { unread: 2 }, '2 entries of the EHR’s answer could not be read.'],
      [
        'a page elsewhere',
        { isOutside: true },
        'the EHR’s next page is at an address outside of its FHIR server and was not asked for.',
      ],
      ['a page too many', {}, 'the EHR has more than was read.'],
    ])('%s', async (_, more, text) => {
      const chart = await answered((answer) => ({ ...answer, truncated: true, ...more }));
      expect(chart.unread).toEqual(['Coverage']);
      expect(chart.warnings).toEqual([`Coverage: ${text}`]);
    });
  });

  test('a Medication that the EHR fails to give is a warning about that, not about its absence', async () => {
    const { api } = fakeEhr({
      resources: [patient, order, drug, doctor],
      scopes: withoutOptional,
      fails: { Medication: { code: 'ehr_error', facts: { http: 500 } } },
    });
    expect((await readChart(api, { patient: 'p1', order: 'm1' })).warnings).toEqual([
      'Medication could not be read (ehr_error 500).',
    ]);
  });

  test('documents whose turn did not come are told apart from what the EHR does not give [E8]', async () => {
    const { api } = fakeEhr({
      resources: [patient, order, drug, doctor],
      scopes: ['patient/*.rs'],
      fails: { DocumentReference: { code: 'ehr_unreachable', facts: { reason: 'busy' } } },
    });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(chart.warnings).toEqual([
      'DocumentReference was not read: too many charts with large documents are open. Read the chart again.',
    ]);
    expect(chart.unread).toEqual(['DocumentReference']);
  });

  test.each(['relaunch_required', 'token_failed', 'store_unavailable'] as const)(
    '%s ends it, wherever it happens',
    async (code) => {
      const { api } = fakeEhr({
        resources: [patient, order, drug, doctor],
        scopes: withoutOptional,
        fails: { Medication: { code } },
      });
      await expect(readChart(api, { patient: 'p1', order: 'm1' })).rejects.toMatchObject({ code });
    },
  );

  test('a Medication that is gone, a note of the EHR and a cut search are warnings [D05 D06]', async () => {
    const { api } = fakeEhr({
      resources: [patient, order, doctor],
      scopes: withoutOptional,
      notes: ['4119'],
      truncated: true,
    });
    const { warnings } = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(warnings).toEqual(
      expect.arrayContaining([
        'Medication/drug1 is not in the EHR.',
        'Condition, Coverage, DocumentReference, MedicationRequest: the EHR added the note 4119.',
        'Condition: the EHR has more than was read.',
      ]),
    );
  });

  test('references to other servers and contained ones are not asked for [D03 D04]', async () => {
    const odd: Any = {
      ...order,
      medicationReference: { reference: '#drug' },
      requester: { reference: 'https://evil.example/fhir/Practitioner/1' },
    };
    const { api, asked } = fakeEhr({ resources: [patient, odd], scopes: withoutOptional });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(chart).toMatchObject({ rounds: 1, warnings: [] });
    expect(asked.join()).not.toMatch(/evil|drug/);
  });

  test('a card image is read from its Binary', async () => {
    const card: Any = {
      resourceType: 'DocumentReference',
      id: 'd1',
      type: { coding: [{ system: 'http://loinc.org', code: '64290-0' }] },
      ...subject,
      content: [{ attachment: { url: `${base}/Binary/b1` } }, { attachment: { url: 'https://evil.example/card.png' } }],
    };
    const { api, asked } = fakeEhr({ resources: [patient, card, { resourceType: 'Binary', id: 'b1' }] });
    const chart = await readChart(api, { patient: 'p1', order: 'm1' });
    expect(names(chart.entries)).toContain('Binary/b1');
    expect(asked).toContain(
      'DocumentReference?patient=p1&_count=100&type=http://loinc.org|64290-0,http://loinc.org|52037-9',
    );
    expect(asked.join()).not.toContain('evil');
  });

  test('notes are asked for by category, newest first; their bytes wait until a person ticks one', async () => {
    const written: Any = {
      resourceType: 'DocumentReference',
      id: 'n1',
      status: 'current',
      ...subject,
      content: [{ attachment: { url: `${base}/Binary/b1` } }],
    };
    const { api, asked } = fakeEhr({ resources: [patient, written, { resourceType: 'Binary', id: 'b1' }] });
    await readChart(api, { patient: 'p1', order: 'm1' });
    expect(asked).toContain('DocumentReference?patient=p1&_count=20&category=clinical-note&_sort=-date');
    expect(asked.join()).not.toContain('Binary');
  });

  test('an EHR that refuses the includes it advertises is asked again without', async () => {
    const { api, asked } = fakeEhr({
      resources: [patient, order, drug, doctor],
      offers: { MedicationRequest: ['*'] },
      scopes: withoutOptional,
    });
    const search: FhirApi['search'] = async (type, params, options) => {
      if (params.some(([name]) => name === '_include')) throw new BridgeError('ehr_error', { http: 400 });
      return api.search(type, params, options);
    };
    const chart = await readChart({ ...api, search }, { patient: 'p1', order: 'm1' });
    expect(names(chart.entries)).toEqual([
      'Medication/drug1',
      'MedicationRequest/m1',
      'Patient/p1',
      'Practitioner/doc1',
    ]);
    expect(asked).toContain('MedicationRequest?patient=p1&_count=100');
  });
});

describe('an EHR that is slow with what is optional [S24]', () => {
  const report: Any = { resourceType: 'DiagnosticReport', id: 'r1', ...subject };
  const lab: Any = { resourceType: 'Observation', id: 'o1', ...subject, status: 'final' };
  const takenDrug: Any = {
    resourceType: 'MedicationStatement',
    id: 's1',
    ...subject,
    medicationReference: { reference: 'Medication/drug1' },
  };
  const resources = [patient, order, drug, doctor, coverage, payer, report, lab];

  /** An EHR that answers the searches of these types when the test says so. */
  function slowEhr(types: readonly string[], server: Server = { resources }) {
    const { api, asked } = fakeEhr(server);
    const gates: (() => void)[] = [];
    const search: FhirApi['search'] = async (type, ...rest) => {
      if (types.includes(type)) await new Promise<void>((open) => gates.push(open));
      return api.search(type, ...rest);
    };
    return { api: { ...api, search }, asked, answer: () => gates.splice(0).map((open) => open()) };
  }

  test('the list of orders asks for the orders and their drugs alone', async () => {
    const { api, asked } = slowEhr([], { resources });
    const { entries } = await readChart(api, { patient: 'p1' });
    expect(asked.map((address) => address.replace(/\?.*/, '')).sort()).toEqual([
      'Medication/drug1',
      'MedicationRequest',
      'Patient/p1',
    ]);
    expect(names(entries)).toEqual(['Medication/drug1', 'MedicationRequest/m1', 'Patient/p1']);
  });

  test('the chart of an order is there without it, says what is late, and is whole once it has answered', async () => {
    const { api, answer } = slowEhr(['Observation']);
    const chart = await readChart(api, { patient: 'p1', order: 'm1', patience: 0 });
    expect(chart.late?.types).toEqual(['Observation']);
    expect(names(chart.entries)).toEqual(expect.arrayContaining(['Coverage/c1', 'Organization/payer1']));
    expect(names(chart.entries)).not.toContain('Observation/o1');
    answer();
    const whole = await chart.late!.whole;
    expect(names(whole.entries)).toContain('Observation/o1');
    expect(whole.late).toBeUndefined();
  });

  test('what a late search refers to is read too', async () => {
    const reads: Any[] = [patient, { ...order, medicationReference: undefined }, drug, takenDrug];
    const { api, answer } = slowEhr(['MedicationStatement'], { resources: reads });
    const chart = await readChart(api, { patient: 'p1', order: 'm1', patience: 0 });
    answer();
    expect(names((await chart.late!.whole).entries)).toEqual(expect.arrayContaining(['MedicationStatement/s1']));
  });

  test.each(['MedicationRequest', 'Coverage', 'Condition'])('what is needed is waited for: %s', async (type) => {
    const { api, answer, asked } = slowEhr([type]);
    const reading = readChart(api, { patient: 'p1', order: 'm1', patience: 0 });
    const first = await Promise.race([reading, new Promise((resolve) => setImmediate(() => resolve('waiting')))]);
    expect(first).toBe('waiting');
    answer();
    expect((await reading).late).toBeUndefined();
    expect(asked.some((address) => address.startsWith(`${type}?`))).toBe(true);
  });

  test('a late search that fails is a warning of the whole chart', async () => {
    const fails = { Observation: { code: 'ehr_unreachable' as const } };
    const { api, answer } = slowEhr(['Observation'], { resources, fails });
    const chart = await readChart(api, { patient: 'p1', order: 'm1', patience: 0 });
    expect(chart.warnings).toEqual([]);
    answer();
    expect((await chart.late!.whole).warnings).toEqual(['Observation could not be read (ehr_unreachable).']);
  });

  test('a CapabilityStatement that does not come is not waited for: the searches go without includes', async () => {
    const offers = { MedicationRequest: ['MedicationRequest:requester'] };
    const { api, asked } = fakeEhr({ resources, offers });
    const silent = { ...api, capabilities: () => new Promise<CapabilityStatement>(() => undefined) };
    const { entries } = await readChart(silent, { patient: 'p1', order: 'm1', patience: 0 });
    expect(names(entries)).toContain('Practitioner/doc1');
    expect(asked.join()).not.toContain('_include');
  });

  test('an EHR that answers in time is not called late', async () => {
    const { api } = slowEhr([]);
    expect(await readChart(api, { patient: 'p1', order: 'm1' })).not.toHaveProperty('late');
  });
});

describe('a card image that is kept outside of the EHR [S25]', () => {
  const address = 'https://storage.example/cards/1.png?X-Signature=abc';
  const card: Any = {
    resourceType: 'DocumentReference',
    id: 'd1',
    status: 'current',
    type: { coding: [{ system: 'http://loinc.org', code: '64290-0' }] },
    ...subject,
    content: [{ attachment: { contentType: 'image/png', url: address } }],
  };
  const carin: Any = {
    ...coverage,
    extension: [
      {
        url: 'http://hl7.org/fhir/us/insurance-card/StructureDefinition/C4DIC-SupportingImage-extension',
        extension: [{ url: 'image', valueAttachment: { contentType: 'image/png', url: address } }],
      },
    ],
  };

  async function readWith(resources: readonly Any[], outsideFile?: FhirApi['outsideFile']) {
    const { api, asked } = fakeEhr({ resources: [patient, order, drug, doctor, payer, ...resources] });
    const chart = await readChart(
      { ...api, ...(outsideFile === undefined ? {} : { outsideFile }) },
      { patient: 'p1', order: 'm1' },
    );
    const of = (id: string) => chart.entries.find(({ resource }) => resource.id === id)?.resource;
    return { ...chart, asked, of };
  }

  test('is read where the site allows its origin, and stands in the attachment', async () => {
    const { of, warnings } = await readWith([card, carin], async (url) =>
      url === address
        ? { bytes: Buffer.from('PNG bytes'), contentType: 'binary/octet-stream' }
        : { refused: 'address', origin: url },
    );
    const data = Buffer.from('PNG bytes').toString('base64');
    expect(of('d1')).toMatchObject({ content: [{ attachment: { contentType: 'image/png', url: address, data } }] });
    expect(of('c1')).toMatchObject({ extension: [{ extension: [{ valueAttachment: { data } }] }] });
    expect(warnings).toEqual([]);
  });

  test.each([
    [
      { refused: 'origin' as const, origin: 'https://storage.example' },
      'An insurance card image is kept outside of the EHR (https://storage.example), from where this site does not ' +
        'read files. It was not read.',
    ],
    [
      { refused: 'status' as const, origin: 'https://storage.example', http: 403 },
      'An insurance card image is kept outside of the EHR (https://storage.example) and could not be read: ' +
        'the answer was 403.',
    ],
  ])('is told when it was not read: %j', async (file, sentence) => {
    const { warnings, of } = await readWith([card], async () => file);
    expect(warnings).toEqual([sentence]);
    expect(of('d1')).toEqual(card);
  });

  test('is told, and the token goes nowhere, where nothing outside is read', async () => {
    const { warnings, asked } = await readWith([card]);
    expect(warnings.join()).toContain('https://storage.example');
    expect(warnings.join()).not.toContain('X-Signature');
    expect(asked.join()).not.toContain('storage');
  });

  test.each([`${base}/DocumentReference/d1/$binary`, 'files/1.png', 'data:image/png;base64,AAAA', 'urn:uuid:1'])(
    'is told when its address leads to no Binary and to no other server: %s',
    async (url) => {
      const asked: string[] = [];
      const elsewhere = { ...card, content: [{ attachment: { contentType: 'image/png', url } }] };
      const { warnings } = await readWith([elsewhere], async (address) => {
        asked.push(address);
        return { refused: 'no-answer', origin: address };
      });
      expect(warnings).toEqual(['An insurance card image stands at an address that cannot be read. It was not read.']);
      expect(asked).toEqual([]);
    },
  );

  test('that is slow holds no page: it is late, and there later', async () => {
    const { api } = fakeEhr({ resources: [patient, order, drug, doctor, card] });
    const answer = Promise.withResolvers<{ bytes: Uint8Array; contentType: string }>();
    const slow = { ...api, outsideFile: () => answer.promise };
    const chart = await readChart(slow, { patient: 'p1', order: 'm1', patience: 0 });
    expect(chart.late?.types).toEqual(['DocumentReference']);
    answer.resolve({ bytes: Buffer.from('x'), contentType: 'image/png' });
    expect(JSON.stringify((await chart.late!.whole).entries)).toContain('"data":"eA=="');
  });
});

test.each([
  ['Coverage.extension is no list', [patient, order, { ...coverage, extension: { url: 'x' } }]],
  ['Coverage.extension holds nothing', [patient, order, { ...coverage, extension: [null] }]],
  ['Patient.link names nobody', [{ ...patient, link: [{ type: 'refer' }] }, order, coverage]],
])('a chart in which %s is read and chosen from all the same [S19]', async (_what, resources) => {
  const { api } = fakeEhr({ resources: resources as Any[] });
  const { entries } = await readChart(api, { patient: 'p1', order: 'm1' });
  const readings = await readDocuments(entries, { patient: 'Patient/p1' });
  const chart = selectChart(entries, {
    roles: mappings.roles,
    readings,
    patient: 'Patient/p1',
    order: 'MedicationRequest/m1',
    now: new Date('2026-11-21T15:00:00Z'),
    site: { country: 'USA', timeZone: 'America/New_York' },
  });
  expect(names(entries)).toEqual(expect.arrayContaining(['Coverage/c1', 'MedicationRequest/m1', 'Patient/p1']));
  expect(chart.root('order')?.nodes).toHaveLength(1);
});

test('an EHR without a CapabilityStatement is no news for staff [S30]', async () => {
  const { api } = fakeEhr({ resources: [patient, order, drug, doctor] });
  const silent = { ...api, capabilities: () => Promise.reject(new BridgeError('ehr_error', { http: 404 })) };
  expect((await readChart(silent, { patient: 'p1', order: 'm1' })).warnings).toEqual([]);
});

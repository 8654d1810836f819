import type { FhirResource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import type { Source } from '../../src/core/mapping/result.ts';
import { describeMapping } from '../../src/core/mapping/review/describe-mapping.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { defineMapping } from '../../src/core/mapping/words/define.ts';
import { from, type Transform } from '../../src/core/mapping/words/rules.ts';
import { checkPaths } from '../../src/core/roles/check-paths.ts';
import { selectChart } from '../../src/core/roles/select.ts';
import { chartFor, loinc, mapped, observed, select, subject } from '../core/evidence/support.ts';

/**
 * Where each leaf of the only item's content was read: `results[0].value` > `Observation/o1 Observation.valueQuantity`.
 */
function sourcesOf(resources: readonly FhirResource[], ticked: string): Readonly<Record<string, string>> {
  const chart = select([...chartFor('adalimumab'), ...resources], { answers: { evidence: [ticked] } });
  const { provenance } = mapped(chart);
  return Object.fromEntries(
    provenance.map(({ target, source }) => [target.replace('evidence[0].', '').replace('content.', ''), words(source)]),
  );
}

function words(source: Source | undefined): string {
  return source === undefined ? 'nowhere' : `${source.resource} ${source.path}`;
}

describe('each leaf of an item cites the element it was read from', () => {
  test('of a test with a component', () => {
    const result = observed('o1', '4548-4', {
      valueQuantity: { value: 8.2, unit: '%' },
      interpretation: [{ text: 'High' }],
      referenceRange: [{ high: { value: 5.6, unit: '%' } }],
      component: [{ code: { text: 'no value' } }, { code: { text: 'Variant' }, valueString: 'wild type' }],
    });
    expect(sourcesOf([result], 'Observation/o1')).toEqual({
      title: 'Observation/o1 Observation',
      type: 'Observation/o1 Observation',
      date_created: 'Observation/o1 Observation.effectiveDateTime',
      test: 'Observation/o1 Observation.code',
      'results[0].date': 'Observation/o1 Observation.effectiveDateTime',
      'results[0].test': 'Observation/o1 Observation.code',
      'results[0].loinc': 'Observation/o1 Observation.code.coding[0].code',
      'results[0].value': 'Observation/o1 Observation.valueQuantity',
      'results[0].components[0].test': 'Observation/o1 Observation.component[1].code',
      'results[0].components[0].value': 'Observation/o1 Observation.component[1].valueString',
      'results[0].interpretation': 'Observation/o1 Observation',
      'results[0].referenceRange': 'Observation/o1 Observation.referenceRange[0]',
      'results[0].source': 'Observation/o1 Observation',
    });
  });

  test('of the second result of a test, which is another resource', () => {
    const results = [
      observed('o1', '4548-4', { effectiveDateTime: '2026-10-01', valueString: 'older' }),
      observed('o2', '17856-6', { effectiveDateTime: '2026-10-20', valueString: 'newer' }),
    ];
    expect(sourcesOf(results, 'Observation/o1')).toMatchObject({
      date_created: 'Observation/o2 Observation.effectiveDateTime',
      'results[0].value': 'Observation/o2 Observation.valueString',
      'results[1].value': 'Observation/o1 Observation.valueString',
    });
  });

  test('of a drug that was ordered, stated and dispensed', () => {
    const methotrexate = { medicationCodeableConcept: { text: 'methotrexate 2.5 MG Oral Tablet' } };
    const resources: FhirResource[] = [
      {
        resourceType: 'MedicationRequest',
        id: 'r1',
        status: 'stopped',
        intent: 'order',
        subject,
        authoredOn: '2025-03-01',
        statusReason: { text: 'Nausea' },
        dispenseRequest: { quantity: { value: 24, unit: 'tablet' } },
        ...methotrexate,
      },
      {
        resourceType: 'MedicationStatement',
        id: 's1',
        status: 'completed',
        subject,
        effectivePeriod: { start: '2025-03-03', end: '2025-06-30' },
        ...methotrexate,
      },
      {
        resourceType: 'MedicationDispense',
        id: 'd1',
        status: 'completed',
        subject,
        whenHandedOver: '2025-03-04',
        daysSupply: { value: 28, code: 'd' },
        ...methotrexate,
      },
    ];
    expect(sourcesOf(resources, 'MedicationRequest/r1')).toMatchObject({
      title: 'MedicationRequest/r1 MedicationRequest',
      date_created: 'MedicationDispense/d1 MedicationDispense.whenHandedOver',
      drug: 'MedicationRequest/r1 MedicationRequest.medicationCodeableConcept',
      start: 'MedicationStatement/s1 MedicationStatement.effectivePeriod.start',
      firstOrdered: 'MedicationRequest/r1 MedicationRequest.authoredOn',
      stop: 'MedicationStatement/s1 MedicationStatement.effectivePeriod.end',
      'stopReasons[0]': 'MedicationRequest/r1 MedicationRequest.statusReason',
      'entries[0].kind': 'MedicationRequest/r1 MedicationRequest',
      'entries[0].status': 'MedicationRequest/r1 MedicationRequest.status',
      'entries[0].reasons[0]': 'MedicationRequest/r1 MedicationRequest.statusReason',
      'entries[0].quantity': 'MedicationRequest/r1 MedicationRequest.dispenseRequest.quantity',
      'entries[1].start': 'MedicationStatement/s1 MedicationStatement.effectivePeriod.start',
      'entries[2].handedOver': 'MedicationDispense/d1 MedicationDispense.whenHandedOver',
      'entries[2].daysSupply': 'MedicationDispense/d1 MedicationDispense.daysSupply',
      'entries[2].source': 'MedicationDispense/d1 MedicationDispense',
    });
  });

  test('of an allergy with two reactions', () => {
    const allergy: FhirResource = {
      resourceType: 'AllergyIntolerance',
      id: 'a1',
      patient: subject,
      meta: { versionId: '7' },
      code: { text: 'Sulfasalazine' },
      recordedDate: '2024-02-03',
      reaction: [
        { manifestation: [{ text: 'Rash' }, { text: 'Itching' }] },
        { manifestation: [{ text: 'Fever' }], severity: 'mild' },
      ],
    };
    expect(sourcesOf([allergy], 'AllergyIntolerance/a1')).toMatchObject({
      substance: 'AllergyIntolerance/a1 AllergyIntolerance.code',
      'reactions[1]': 'AllergyIntolerance/a1 AllergyIntolerance.reaction[0].manifestation[1]',
      'reactions[2]': 'AllergyIntolerance/a1 AllergyIntolerance.reaction[1]',
    });
  });

  test('of a note, whose text stands in another resource', () => {
    const resources: FhirResource[] = [
      {
        resourceType: 'DocumentReference',
        id: 'n1',
        status: 'current',
        subject,
        date: '2026-11-01T09:00:00Z',
        type: { text: 'Progress note' },
        author: [{ reference: 'Practitioner/x' }, { display: 'Dr. Invented' }],
        content: [{ attachment: { contentType: 'text/plain', url: 'Binary/b1' } }],
      },
      { resourceType: 'Binary', id: 'b1', contentType: 'text/plain', data: 'Zm9v' },
    ];
    const chart = select([...chartFor('adalimumab'), ...resources], {
      answers: { evidence: ['DocumentReference/n1'] },
      readings: { texts: { 'Binary/b1': { text: 'foo' } }, images: {} },
    });
    const places = mapped(chart).provenance.map(({ target, source }) => [target, words(source)]);
    expect(Object.fromEntries(places)).toMatchObject({
      'evidence[0].content.kind': 'DocumentReference/n1 DocumentReference.type',
      'evidence[0].content.authors[0]': 'DocumentReference/n1 DocumentReference.author[1].display',
      'evidence[0].content.text': 'Binary/b1 Binary',
    });
  });

  test('of a resource that two servers have under one id, by the address of each', () => {
    const entries = ['https://one.example', 'https://two.example'].map((base) => ({
      fullUrl: `${base}/Observation/o1`,
      resource: observed('o1', '4548-4', {
        valueString: base,
        code: { coding: [{ system: loinc, code: '4548-4' }] },
        subject: { reference: 'https://one.example/Patient/p1' },
      }),
    }));
    const own = chartFor('adalimumab').map((resource) => ({
      fullUrl: `https://one.example/${resource.resourceType}/${resource.id}`,
      resource,
    }));
    const chart = selectChart([...own, ...entries], {
      order: 'MedicationRequest/focal',
      now: new Date('2026-11-21T15:00:00Z'),
      site: {},
      roles: mappings.roles,
      answers: { evidence: ['https://one.example/Observation/o1'] },
    });
    const [item] = mapped(chart).items;
    expect(item?.content.results).toMatchObject([
      { value: 'https://one.example', source: 'https://one.example/Observation/o1' },
      { value: 'https://two.example', source: 'https://two.example/Observation/o1' },
    ]);
    const cited = mapped(chart).provenance.filter(({ target }) => target.endsWith('.value'));
    expect(cited.map(({ source }) => source?.resource)).toEqual([
      'https://one.example/Observation/o1',
      'https://two.example/Observation/o1',
    ]);
  });
});

// What the resources in an `%evidence` node are; `component` is the context of the lines below `components[]`.
const members = {
  condition: ['Condition'],
  order: ['MedicationRequest'],
  statement: ['MedicationStatement'],
  dispense: ['MedicationDispense'],
  allergy: ['AllergyIntolerance'],
  observation: ['Observation'],
  document: ['DocumentReference'],
  report: ['DiagnosticReport'],
  component: ['Observation.component'],
};

test('every path into a resource is one that FHIR R4 has', () => {
  const rows = describeMapping(priorAuth).filter(({ to }) => to.startsWith('evidence[].content'));
  const paths = rows.flatMap(({ to, from: sources }) =>
    sources.flatMap(({ expression }) => {
      if (to.includes('.components[].') && !expression.startsWith("'")) return [`%component.${expression}`];
      const [first = ''] = /^\w+/.exec(expression) ?? [];
      return Object.hasOwn(members, first) && expression !== first ? [`%${expression}`] : [];
    }),
  );
  expect(paths).toContain('%condition.code.coding.where(code.exists())');
  expect(paths.length).toBeGreaterThan(60);
  const wrong = paths.flatMap((path) => {
    const asIs: Transform<string> = { name: 'as it is', apply: () => ({ value: '' }) };
    const one = defineMapping('one', z.object({ leaf: z.string() }), { leaf: from(asIs, path) });
    return checkPaths(one, members).map(({ expression, message }) => `${expression}: ${message}`);
  });
  expect(wrong).toEqual([]);
});

describe('evidence is worked out when it is asked for', () => {
  const chartCounting = (answers: { readonly evidence?: readonly string[] }) => {
    let reads = 0;
    const result = observed('o1', '4548-4', { valueString: 'x' });
    const counting = new Proxy(result, {
      get: (target, key, receiver) => {
        if (key === 'valueString') reads += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    const chart = select([...chartFor('adalimumab'), counting], { answers });
    const before = reads;
    return { chart, readsSince: () => reads - before };
  };

  test('a mapping reads no result when nobody ticked any', () => {
    const { chart, readsSince } = chartCounting({});
    runMapping(priorAuth, chart);
    expect(readsSince()).toBe(0);
  });

  test('a mapping without evidence reads none even when some is ticked', () => {
    const { chart, readsSince } = chartCounting({ evidence: ['Observation/o1'] });
    expect(chart.root('patient').nodes).toHaveLength(1);
    expect(readsSince()).toBe(0);
    runMapping(priorAuth, chart);
    expect(readsSince()).toBeGreaterThan(0);
  });

  test('listing the candidates reads them', () => {
    const { chart, readsSince } = chartCounting({});
    expect(chart.choices.find(({ role }) => role === 'evidence')?.candidates).toHaveLength(1);
    expect(readsSince()).toBeGreaterThan(0);
  });
});

test('V13: results are newest first by the instant, whatever zone each was written in', () => {
  const results = [
    observed('london', '4548-4', { effectiveDateTime: '2026-10-02T01:00:00Z', valueString: 'older' }),
    observed('newYork', '4548-4', { effectiveDateTime: '2026-10-01T23:30:00-04:00', valueString: 'newer' }),
  ];
  const chart = select([...chartFor('adalimumab'), ...results], { answers: { evidence: ['Observation/london'] } });
  expect(mapped(chart).items[0]?.content.results).toMatchObject([{ value: 'newer' }, { value: 'older' }]);
});

describe('V8: a diagnosis under any security label is not accepted unseen', () => {
  const proposed = (code: string) => {
    const condition: FhirResource = {
      resourceType: 'Condition',
      id: 'c1',
      subject,
      meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code }] },
      clinicalStatus: { coding: [{ code: 'active' }] },
      code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'L40.50' }] },
    };
    return select([...chartFor('adalimumab'), condition], { site: { diagnoses: 'accept-single' } }).root('diagnosis')
      .nodes;
  };

  // BH, COGN, DVD and SCA stand in HL7's ActCode; the last is a label of a hospital's own
  test.each(['BH', 'COGN', 'DVD', 'SCA', 'PSY', 'HOSPITAL-VIP'])('%s', (label) => {
    expect(proposed(label)).toEqual([]);
  });

  test('N is an ordinary label', () => {
    expect(proposed('N')).toHaveLength(1);
  });
});

import type {
  AllergyIntolerance,
  Condition,
  DiagnosticReport,
  DocumentReference,
  FhirResource,
  MedicationRequest,
  Observation,
} from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import type { Readings } from '../../../src/core/fhir/documents/readings.ts';
import { chartFor, loinc, mapped, observed, offered, select, subject } from './support.ts';

const adalimumab = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';
const actCode = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';

function order(id: string, text: string, more: Partial<MedicationRequest> = {}): MedicationRequest {
  return {
    resourceType: 'MedicationRequest',
    id,
    status: 'stopped',
    intent: 'order',
    subject,
    authoredOn: '2025-03-01',
    medicationCodeableConcept: { text },
    ...more,
  };
}

function lab(id: string, code: string, more: Partial<Observation> = {}): Observation {
  return observed(id, code, { valueString: 'Negative', ...more });
}

function condition(id: string, code: string, display: string, more: Partial<Condition> = {}): Condition {
  const coding = [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code, display }];
  return {
    resourceType: 'Condition',
    id,
    subject,
    code: { coding },
    recordedDate: '2025-01-01',
    clinicalStatus: { coding: [{ code: 'active' }] },
    ...more,
  };
}

function note(id: string, more: Partial<DocumentReference> = {}): DocumentReference {
  return {
    resourceType: 'DocumentReference',
    id,
    status: 'current',
    subject,
    date: '2026-11-01T09:00:00Z',
    type: { text: 'Progress note' },
    content: [{ attachment: { contentType: 'text/plain', data: 'Zm9v' } }],
    ...more,
  };
}

/** Notes that were read, and say nothing out of the ordinary. */
function readOf(...ids: readonly string[]): Readings {
  const texts = ids.map((id) => [`DocumentReference/${id} content[0].attachment`, { text: `Seen today: ${id}.` }]);
  return { texts: Object.fromEntries(texts), images: {} };
}

const suggested = (drug: string, resources: readonly FhirResource[]) =>
  offered(drug, resources).filter((each) => each.suggested === true);

describe('suggestions follow the ordered drug', () => {
  test.each<readonly [string, FhirResource]>([
    [adalimumab, order('r1', 'methotrexate 2.5 MG Oral Tablet')],
    [adalimumab, lab('o1', '71773-6')],
    [adalimumab, lab('o1', '5195-3')],
    ['semaglutide 1.34 MG/ML Pen Injector', order('r1', 'metformin hydrochloride 500 MG Oral Tablet')],
    ['semaglutide 1.34 MG/ML Pen Injector', lab('o1', '4548-4')],
    ['evolocumab 140 MG/ML Auto-Injector', order('r1', 'rosuvastatin 20 MG Oral Tablet')],
    ['evolocumab 140 MG/ML Auto-Injector', lab('o1', '13457-7')],
    ['erenumab 70 MG/ML Auto-Injector', order('r1', 'topiramate 50 MG Oral Tablet')],
    ['dupilumab 150 MG/ML Prefilled Syringe', lab('o1', '711-2')],
  ])('for %s', (drug, resource) => {
    expect(suggested(drug, [resource])).toMatchObject([{ fits: true, reason: expect.stringMatching(/^suggested: /) }]);
  });

  test.each<readonly [string, FhirResource]>([
    [adalimumab, order('r1', 'lisinopril 10 MG Oral Tablet')],
    [adalimumab, lab('o1', '4548-4')],
    ['lisinopril 10 MG Oral Tablet', lab('o1', '71773-6')],
  ])('and of nothing else for %s', (drug, resource) => {
    expect(suggested(drug, [resource])).toEqual([]);
  });

  test('an allergy to a treatment that usually comes first', () => {
    const allergy: AllergyIntolerance = {
      resourceType: 'AllergyIntolerance',
      id: 'a1',
      patient: subject,
      code: { text: 'Sulfasalazine' },
      recordedDate: '2024-02-03',
    };
    expect(suggested(adalimumab, [allergy])).toMatchObject([{ reference: 'AllergyIntolerance/a1' }]);
    expect(suggested(adalimumab, [{ ...allergy, code: { text: 'Peanut' } }])).toEqual([]);
  });

  test('a diagnosis that the order names, by reference or by code', () => {
    const chart = chartFor(adalimumab, {
      reasonReference: [{ reference: 'Condition/c1' }],
      reasonCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'L40.50' }] }],
    });
    const all = [
      ...chart,
      condition('c1', 'M06.9', 'Rheumatoid arthritis'),
      condition('c2', 'L40.50', 'Psoriatic arthritis'),
      condition('c3', 'I10', 'Hypertension'),
    ];
    const candidates = select(all).choices.find(({ role }) => role === 'evidence')?.candidates ?? [];
    expect(
      candidates
        .filter((each) => each.suggested)
        .map(({ reference }) => reference)
        .sort(),
    ).toEqual(['Condition/c1', 'Condition/c2']);
  });

  test('the note of the visit at which the drug was ordered, and no other', () => {
    const encounter = { reference: 'Encounter/e1' };
    const all = [
      ...chartFor(adalimumab, { encounter }),
      note('n1', { context: { encounter: [encounter] } }),
      note('n2'),
    ];
    const candidates = select(all, { readings: readOf('n1', 'n2') }).choice('evidence')?.candidates ?? [];
    expect(candidates.filter((each) => each.suggested).map(({ reference }) => reference)).toEqual([
      'DocumentReference/n1',
    ]);
  });
});

test.each([
  ['by the type of a payer letter', { type: { coding: [{ system: 'http://loinc.org', code: '52034-6' }] } }],
  ['by the type of an administrative note', { type: { coding: [{ system: 'http://loinc.org', code: '51851-4' }] } }],
])('a letter about an earlier request, told %s, is offered and never suggested', (_, more) => {
  const encounter = { reference: 'Encounter/e1' };
  const all = [
    ...chartFor(adalimumab, { encounter }),
    note('own', { context: { encounter: [encounter] }, ...more }),
    note('visit', { context: { encounter: [encounter] } }),
  ];
  const candidates = select(all, { readings: readOf('own', 'visit') }).choice('evidence')?.candidates ?? [];
  expect(candidates.map(({ reference, suggested }) => [reference, suggested])).toEqual([
    ['DocumentReference/own', false],
    ['DocumentReference/visit', true],
  ]);
});

describe('nothing goes by itself', () => {
  const chart = [
    ...chartFor(adalimumab),
    order('r1', 'methotrexate 2.5 MG Oral Tablet'),
    order('r2', 'buprenorphine 2 MG Sublingual Tablet'),
    lab('o1', '4548-4'),
  ];
  const taken = (request: Parameters<typeof select>[1]) =>
    select(chart, request)
      .root('evidence')
      .nodes.map(({ source }) => source?.resource);

  test('unless a person ticks it', () => {
    expect(taken({})).toEqual([]);
    expect(taken({ answers: { evidence: ['Observation/o1', 'MedicationRequest/r2'] } })).toEqual([
      'MedicationRequest/r2',
      'Observation/o1',
    ]);
  });

  test('or the site’s policy takes what is suggested, until a person chooses', () => {
    expect(taken({ site: { evidence: 'suggested' } })).toEqual(['MedicationRequest/r1']);
    expect(taken({ site: { evidence: 'suggested' }, answers: { evidence: [] } })).toEqual([]);
    expect(taken({ site: { evidence: 'suggested' }, answers: { evidence: ['Observation/o1'] } })).toEqual([
      'Observation/o1',
    ]);
  });
});

describe('what is sensitive is labelled and never suggested', () => {
  const label = (code: string) => ({ meta: { security: [{ system: actCode, code }] } });

  test.each(['R', 'V', 'ETH', 'PSY', 'HIV', 'SUD', '42CFRPart2', 'PHY', 'PRS', 'SDV', 'STD', 'UNKNOWN-LABEL'])(
    'by the security label %s',
    (code) => {
      const [only] = offered(adalimumab, [order('r1', 'methotrexate 2.5 MG Oral Tablet', label(code))]);
      expect(only).toMatchObject({
        suggested: false,
        sensitive: expect.any(String),
        reason: expect.stringMatching(/^sensitive .*only when you tick it$/),
      });
    },
  );

  test.each(['N', 'L', 'U', 'HTEST'])('the label %s is ordinary', (code) => {
    expect(suggested(adalimumab, [order('r1', 'methotrexate 2.5 MG Oral Tablet', label(code))])).toHaveLength(1);
  });

  test('one labelled mention makes the whole drug sensitive', () => {
    const chart = [
      order('r1', 'methotrexate 2.5 MG Oral Tablet'),
      order('r2', 'methotrexate 2.5 MG Oral Tablet', { ...label('R'), authoredOn: '2024-01-01' }),
    ];
    expect(suggested(adalimumab, chart)).toEqual([]);
  });

  test('a document’s own security label counts', () => {
    const marked = note('n1', {
      securityLabel: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code: 'R' }] }],
      context: { encounter: [{ reference: 'Encounter/e1' }] },
    });
    const all = [...chartFor(adalimumab, { encounter: { reference: 'Encounter/e1' } }), marked];
    expect(select(all).choices.find(({ role }) => role === 'evidence')?.candidates).toMatchObject([
      { sensitive: 'restricted', suggested: false },
    ]);
  });

  test.each([
    ['B20', 'HIV'],
    ['Z21', 'HIV'],
    ['F11.20', 'substance use'],
    ['F32.1', 'mental health'],
    ['F20.9', 'mental health'],
    ['A51.0', 'sexually transmitted disease'],
    ['O09.90', 'reproductive health'],
    ['Z33.1', 'reproductive health'],
    ['T74.11XA', 'violence and abuse'],
  ])('a diagnosis %s is %s, even as the reason of the order', (code, category) => {
    const all = [
      ...chartFor(adalimumab, { reasonReference: [{ reference: 'Condition/c1' }] }),
      condition('c1', code, 'Condition'),
    ];
    expect(select(all).choices.find(({ role }) => role === 'evidence')?.candidates).toMatchObject([
      { sensitive: category, suggested: false },
    ]);
  });

  test.each([
    ['56888-1', 'HIV'],
    ['44261-6', 'mental health'],
    ['2106-3', 'reproductive health'],
    ['24111-7', 'sexually transmitted disease'],
  ])('a result of LOINC %s is %s', (code, category) => {
    expect(offered(adalimumab, [lab('o1', code, { category: [{ coding: [{ code: 'laboratory' }] }] })])).toMatchObject([
      { sensitive: category, suggested: false },
    ]);
  });

  test.each([
    ['bictegravir 50 MG / emtricitabine 200 MG / tenofovir alafenamide 25 MG Oral Tablet', 'HIV'],
    ['buprenorphine 2 MG Sublingual Tablet', 'substance use'],
    ['quetiapine 25 MG Oral Tablet', 'mental health'],
  ])('the drug %s is %s', (name, category) => {
    expect(offered(adalimumab, [order('r1', name)])).toMatchObject([{ sensitive: category }]);
  });

  test.each([
    ['Continues Biktarvy without missed doses.', 'HIV'],
    ['On SUBOXONE since spring.', 'substance use'],
    ['Doing well on Latuda.', 'mental health'],
    ['Nexplanon placed today.', 'reproductive health'],
  ])('a note of the visit that says %s is %s and not suggested, but its beginning is shown', (text, category) => {
    const [only] = offered(adalimumab, [note('n1', { type: { text: 'Progress note' } })], {
      readings: { texts: { 'DocumentReference/n1 content[0].attachment': { text } }, images: {} },
    });
    expect(only).toMatchObject({ sensitive: category, suggested: false, detail: text });
  });

  test.each([
    ['Psychiatry progress note', 'mental health'],
    ['Substance use counseling note', 'substance use'],
    ['Prenatal visit', 'reproductive health'],
  ])('a note called %s is %s, and its text is not shown beside the tick', (text, category) => {
    const [only] = offered(adalimumab, [note('n1', { type: { text } })], {
      readings: { texts: { 'DocumentReference/n1 content[0].attachment': { text: 'what was said' } }, images: {} },
    });
    expect(only).toMatchObject({ sensitive: category });
    expect(JSON.stringify(only)).not.toContain('what was said');
  });

  test.each(['Latex (substance)', 'Rheumatology progress note', 'Respiratory infection'])('%s is not', (text) => {
    expect(offered(adalimumab, [note('n1', { type: { text } })])[0]?.sensitive).toBeUndefined();
  });
});

describe('notes', () => {
  const key = 'DocumentReference/n1 content[0].attachment';
  const read = (text: string) => ({ texts: { [key]: { text } }, images: {} });

  test('go as text with kind, author and source', () => {
    const chart = [...chartFor(adalimumab), note('n1', { author: [{ display: 'Dr. Invented' }] })];
    const request = { answers: { evidence: ['DocumentReference/n1'] }, readings: read('Joint pain for six months.') };
    expect(mapped(select(chart, request)).items[0]).toEqual({
      title: 'Note: Progress note',
      type: 'Note',
      date_created: '2026-11-01T09:00:00Z',
      content: {
        source: 'DocumentReference/n1',
        kind: 'Progress note',
        date: '2026-11-01T09:00:00Z',
        authors: ['Dr. Invented'],
        text: 'Joint pain for six months.',
      },
    });
  });

  test('that cannot be read say why, and are not sent', () => {
    const readings = { texts: { [key]: { unreadable: 'the PDF is damaged' } }, images: {} };
    expect(offered(adalimumab, [note('n1')], { readings })).toMatchObject([
      { fits: false, reason: 'the PDF is damaged' },
    ]);
  });

  test('that nobody read yet are offered, and read once they are ticked', () => {
    expect(offered(adalimumab, [note('n1')])).toMatchObject([
      { fits: true, detail: 'not read yet; it is read when it is ticked' },
    ]);
    expect(offered(adalimumab, [note('n1')], { answers: { evidence: ['DocumentReference/n1'] } })).toMatchObject([
      { fits: false, reason: 'its text was not read' },
    ]);
  });

  test('kept twice in two formats are told once', () => {
    const twice = note('n1', {
      content: [
        { attachment: { contentType: 'text/rtf', data: 'Zm9v' } },
        { attachment: { contentType: 'text/html', data: 'Zm9v' } },
      ],
    });
    const readings = {
      texts: { [key]: { text: 'Same  text.' }, 'DocumentReference/n1 content[1].attachment': { text: 'Same text.' } },
      images: {},
    };
    const chart = select([...chartFor(adalimumab), twice], {
      answers: { evidence: ['DocumentReference/n1'] },
      readings,
    });
    expect(mapped(chart).items).toMatchObject([{ content: { text: 'Same text.' } }]);
  });

  test.each<readonly [string, Partial<DocumentReference>]>([
    ['superseded', { status: 'superseded' }],
    ['entered in error', { status: 'entered-in-error' }],
    ['a draft', { docStatus: 'preliminary' }],
    ['an insurance card', { type: { coding: [{ system: loinc, code: '64290-0' }] } }],
  ])('that are %s are not offered', (_what, more) => {
    expect(offered(adalimumab, [note('n1', more)])).toEqual([]);
  });

  test('a report’s conclusion goes; a report that only gathers results is no item', () => {
    const report: DiagnosticReport = {
      resourceType: 'DiagnosticReport',
      id: 'd1',
      status: 'final',
      subject,
      code: { text: 'X-ray of the hands' },
      effectiveDateTime: '2026-10-02',
      conclusion: 'Erosions of two joints.',
    };
    const { conclusion: _none, ...gathering } = report;
    expect(offered(adalimumab, [report])).toMatchObject([
      { label: 'Report: X-ray of the hands, Oct 2, 2026', fits: true, detail: 'Erosions of two joints.' },
    ]);
    expect(offered(adalimumab, [gathering])).toEqual([]);
  });
});

describe('a test that is asked for some diseases of a class', () => {
  const factor = observed('rf', '11572-5', { valueQuantity: { value: 60, unit: 'IU/mL' } });
  const suggestedFor = (reason: FhirResource | undefined, focal: object) =>
    offered(adalimumab, reason === undefined ? [factor] : [factor, reason], {}, focal)
      .filter(({ reference, suggested: is }) => is === true && reference === 'Observation/rf')
      .map(({ reference }) => reference);
  const icd10 = (code: string) => ({ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }] });

  test('is suggested for those, and where the order names no disease', () => {
    expect(suggestedFor(undefined, { reasonCode: [icd10('M06.9')] })).toEqual(['Observation/rf']);
    expect(suggestedFor(undefined, {})).toEqual(['Observation/rf']);
    expect(suggestedFor(undefined, { reasonCode: [icd10('L40.0')] })).toEqual([]);
  });

  test('by the condition that the order names, too', () => {
    const reasonReference = [{ reference: 'Condition/c1' }];
    expect(suggestedFor(condition('c1', 'K50.90', 'Crohn disease'), { reasonReference })).toEqual([]);
    expect(suggestedFor(condition('c1', 'M05.79', 'Rheumatoid arthritis'), { reasonReference })).toEqual([
      'Observation/rf',
    ]);
  });
});

describe('a condition in doubt by its words', () => {
  const offeredOf = (display: string, more: Partial<Condition> = {}) =>
    offered(adalimumab, [condition('c1', 'L40.0', display, more)]).map(({ reference }) => reference);

  test.each(['Possible psoriasis', 'Rule out psoriasis', 'Psoriasis vs eczema', 'Psoriasis?'])(
    'is no diagnosis: %s',
    (display) => {
      expect(offeredOf(display)).toEqual([]);
    },
  );

  test.each(['differential', 'Ruled out', 'refuted'])('is none by a status without a code: %s', (text) => {
    expect(offeredOf('Psoriasis', { verificationStatus: { text } })).toEqual([]);
  });

  test('is one where its words are certain', () => {
    expect(offeredOf('Psoriasis')).toEqual(['Condition/c1']);
    expect(offeredOf('Chronic graft-versus-host disease')).toEqual(['Condition/c1']);
  });
});

import type {
  Composition,
  Condition,
  DiagnosticReport,
  DocumentReference,
  Encounter,
  FhirResource,
  MedicationRequest,
  Observation,
} from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { sensitivity } from '../../../mappings/knowledge/sensitivity.ts';
import { systems } from '../../../src/core/fhir/codes/systems.ts';
import type { Readings } from '../../../src/core/fhir/documents/readings.ts';
import type { Candidate } from '../../../src/core/roles/chart.ts';
import { chartFor, loinc, mapped, observed, select, subject } from './support.ts';

const adalimumab = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';
const visit = { reference: 'Encounter/e1' };
const plain = 'Follow-up visit. Morning stiffness of two hours.';

function note(more: Partial<DocumentReference> = {}): DocumentReference {
  return {
    resourceType: 'DocumentReference',
    id: 'n1',
    status: 'current',
    subject,
    date: '2026-11-01T09:00:00Z',
    type: { text: 'Progress note' },
    content: [{ attachment: { contentType: 'text/plain', data: 'Zm9v' } }],
    context: { encounter: [visit] },
    ...more,
  };
}

function methotrexate(more: Partial<MedicationRequest> = {}): MedicationRequest {
  return {
    resourceType: 'MedicationRequest',
    id: 'r1',
    status: 'stopped',
    intent: 'order',
    subject,
    authoredOn: '2025-03-01',
    medicationCodeableConcept: { text: 'methotrexate 2.5 MG Oral Tablet' },
    ...more,
  };
}

function screen(more: Partial<Observation> = {}): Observation {
  return observed('o1', '71773-6', { valueString: 'Negative', ...more });
}

function arthritis(more: Partial<Condition> = {}): Condition {
  return {
    resourceType: 'Condition',
    id: 'c1',
    subject,
    code: { coding: [{ system: systems.icd10, code: 'M06.9', display: 'Rheumatoid arthritis' }] },
    recordedDate: '2025-01-01',
    clinicalStatus: { coding: [{ code: 'active' }] },
    ...more,
  };
}

function readingsOf(text = plain, more: { shortened?: true } = {}): Readings {
  return { texts: { 'DocumentReference/n1 content[0].attachment': { text, ...more } }, images: {} };
}

/**
 * The candidate of one item in the chart of an order that names the visit and the condition, and what a policy sends.
 */
function judged(
  resources: readonly FhirResource[],
  reference: string,
  readings = readingsOf(),
): Candidate & { sent: boolean } {
  const chart = [
    ...chartFor(adalimumab, { encounter: visit, reasonReference: [{ reference: 'Condition/c1' }] }),
    ...resources,
  ];
  const candidate = select(chart, { readings })
    .choice('evidence')
    ?.candidates.find((one) => one.reference === reference);
  if (candidate === undefined) throw new Error(`${reference} is not offered`);
  const policy = mapped(select(chart, { readings, site: { evidence: 'suggested' } }));
  return { ...candidate, sent: JSON.stringify(policy.items).includes(`"${reference}"`) };
}

const ordinary = { suggested: true, sent: true };
const withheld = { fits: true, suggested: false, sent: false };

describe('what is ordinary stays suggested', () => {
  test.each<readonly [string, FhirResource, string]>([
    ['a progress note', note(), 'DocumentReference/n1'],
    ['a cardiology note by its words', note({ type: { text: 'Cardiology consult' } }), 'DocumentReference/n1'],
    [
      'a progress note by its LOINC code alone',
      note({ type: { coding: [{ system: loinc, code: '11506-3' }] } }),
      'DocumentReference/n1',
    ],
    ['a prior therapy', methotrexate(), 'MedicationRequest/r1'],
    ['a screen by its LOINC code alone', screen(), 'Observation/o1'],
    ['the reason of the order', arthritis(), 'Condition/c1'],
    [
      'a reason whose ICD-10-CM code comes without words',
      arthritis({ code: { coding: [{ system: systems.icd10, code: 'M05.79' }] } }),
      'Condition/c1',
    ],
    [
      'a reason with a SNOMED CT code beside its text',
      arthritis({ code: { text: 'Rheumatoid arthritis', coding: [{ system: systems.sct, code: '69896004' }] } }),
      'Condition/c1',
    ],
    [
      'what carries the label normal, in small letters',
      screen({ meta: { security: [{ code: 'n' }] } }),
      'Observation/o1',
    ],
  ])('%s', (_what, resource, reference) => {
    expect(judged([resource], reference)).toMatchObject(ordinary);
  });

  test('a liver that no alcohol harmed is no substance use', () => {
    const text = 'Nonalcoholic steatohepatitis, F2. Skin cleaned with an alcohol swab.';
    expect(judged([note()], 'DocumentReference/n1', readingsOf(text))).toMatchObject(ordinary);
  });

  test('a result of a visit to the rheumatology clinic', () => {
    const clinic: Encounter = {
      resourceType: 'Encounter',
      id: 'e1',
      status: 'finished',
      class: { code: 'AMB' },
      subject,
      serviceType: { text: 'Rheumatology' },
      location: [{ location: { display: 'Rheumatology clinic' } }],
    };
    expect(judged([note(), clinic], 'DocumentReference/n1')).toMatchObject(ordinary);
  });
});

describe('[K6] a sensitive code alone, without words', () => {
  test.each(
    sensitivity.codes
      .filter(({ system }) => system === systems.loinc)
      .flatMap(({ category, codes }) => Object.keys(codes).map((code) => [code, category] as const)),
  )('of LOINC as the type of a note: %s is %s', (code, category) => {
    expect(judged([note({ type: { coding: [{ system: loinc, code }] } })], 'DocumentReference/n1')).toMatchObject({
      ...withheld,
      sensitive: category,
    });
  });

  test.each([
    ['78306-8', 'History and physical note', 'mental health'],
    ['78263-1', 'Discharge summary', 'mental health'],
    ['78472-8', 'Procedure note', 'mental health'],
    ['100483-7', 'Outpatient Progress note', 'mental health'],
    ['100661-8', 'Progress note', 'mental health'],
    ['100469-6', 'Outpatient Progress note', 'reproductive health'],
    ['57058-0', 'Discharge summary', 'reproductive health'],
    ['74155-3', 'Action plan', 'mental health'],
    ['84215-3', 'Telehealth note', 'mental health'],
    ['87254-9', 'Consult note', 'substance use'],
    ['86664-0', 'Referral note', 'HIV'],
    ['85858-9', 'Outpatient note', 'reproductive health'],
  ])('of LOINC under words that tell nothing: %s, “%s”', (code, display, category) => {
    const type = { coding: [{ system: loinc, code, display }] };
    expect(judged([note({ type })], 'DocumentReference/n1')).toMatchObject({ ...withheld, sensitive: category });
  });

  test.each(
    sensitivity.codes
      .filter(({ system }) => system === systems.sct)
      .flatMap(({ category, codes }) => Object.keys(codes).map((code) => [code, category] as const)),
  )('of SNOMED CT beside a harmless ICD-10-CM code: %s is %s', (code, category) => {
    const coding = [
      { system: systems.sct, code },
      { system: systems.icd10, code: 'Z79.899' },
    ];
    expect(judged([arthritis({ code: { coding } })], 'Condition/c1')).toMatchObject({
      ...withheld,
      sensitive: category,
    });
  });

  test.each([
    ['K70.30', 'substance use'],
    ['Z86.59', 'mental health'],
    ['T39.1X2A', 'mental health'],
    ['T58.02XA', 'mental health'],
    ['Z20.6', 'HIV'],
    ['Z3A.12', 'reproductive health'],
    ['Z98.51', 'reproductive health'],
    ['Z62.810', 'violence and abuse'],
    ['f11.20', 'substance use'],
  ])('of ICD-10-CM: %s is %s', (code, category) => {
    const condition = arthritis({ code: { coding: [{ system: systems.icd10, code }] } });
    expect(judged([condition], 'Condition/c1')).toMatchObject({ ...withheld, sensitive: category });
  });

  test.each([
    ['urn:oid:2.16.840.1.113883.6.1', '34788-0', 'mental health'],
    ['2.16.840.1.113883.6.1', '34857-3', 'substance use'],
    ['https://loinc.org', '28635-1', 'mental health'],
    ['http://www.loinc.org/', '52027-0', 'reproductive health'],
    ['urn:oid:2.16.840.1.113883.6.96', '394587001', 'mental health'],
    ['http://snomed.info/sct/', '86406008', 'HIV'],
    ['http://hl7.org/fhir/sid/icd-10-cm/', 'F11.20', 'substance use'],
    ['urn:oid:2.16.840.1.113883.6.90', 'B20', 'HIV'],
  ])('of a system in another spelling: %s %s is %s', (system, code, category) => {
    expect(judged([note({ type: { coding: [{ system, code }] } })], 'DocumentReference/n1')).toMatchObject({
      ...withheld,
      sensitive: category,
    });
  });

  test.each<readonly [string, FhirResource, string]>([
    [
      'a SNOMED CT code that no table knows',
      arthritis({ code: { coding: [{ system: systems.sct, code: '69896004' }] } }),
      'Condition/c1',
    ],
    [
      'one beside a harmless ICD-10-CM code',
      arthritis({
        code: {
          coding: [
            { system: systems.sct, code: '69896004' },
            { system: systems.icd10, code: 'M06.9', display: 'Rheumatoid arthritis' },
          ],
        },
      }),
      'Condition/c1',
    ],
    [
      'a code of a system that nobody knows',
      note({ type: { coding: [{ system: 'urn:oid:1.2.3.4', code: '77' }] } }),
      'DocumentReference/n1',
    ],
    ['a code without a system', note({ type: { coding: [{ code: 'PN-7' }] } }), 'DocumentReference/n1'],
    [
      'a code that stands for its own name',
      note({ type: { text: '34788', coding: [{ system: 'urn:x', code: '34788' }] } }),
      'DocumentReference/n1',
    ],
    [
      'a component of a result',
      screen({ component: [{ code: { coding: [{ system: loinc, code: '99999-9' }] }, valueString: 'Positive' }] }),
      'Observation/o1',
    ],
  ])('that nobody can judge is never taken unasked: %s', (_what, resource, reference) => {
    expect(judged([resource], reference)).toMatchObject({
      ...withheld,
      unjudged: 'a code of it comes without words',
      reason: 'a code of it comes without words: sent only when you tick it',
    });
  });

  test('a person can tick it', () => {
    const chart = [
      ...chartFor(adalimumab),
      arthritis({ code: { coding: [{ system: systems.sct, code: '86406008' }] } }),
    ];
    const answers = { evidence: ['Condition/c1'] };
    expect(mapped(select(chart, { answers })).items).toHaveLength(1);
  });
});

describe('[K7] the legal notice of 42 CFR Part 2 is the strongest mark of a text', () => {
  const category = 'substance use (42 CFR Part 2)';

  // 42 CFR 2.32(a): statement 1 of 2024, of 2020 and of 2018 as they begin, statement 2 of both, and words for them
  test.each([
    'This record which has been disclosed to you is protected by Federal confidentiality rules (42 CFR part 2).',
    'This record which has been disclosed to you is protected by federal\nconfidentiality  rules.',
    'This information has been disclosed to you from records protected by federal confidentiality rules.',
    '42 CFR part 2 prohibits unauthorized use or disclosure of these records.',
    '42 CFR PART 2 PROHIBITS UNAUTHORIZED DISCLOSURE OF THESE RECORDS',
    'Released under 42 C.F.R. § 2.31 only.',
    'See 42CFRPart2.',
    'The clinic is a Part 2 program.',
    'Part 2-protected record',
    'Title 42 of the Code of Federal Regulations, Part 2',
    'Protected by 42 U.S.C. 290dd-2',
  ])('%s', (text) => {
    const found = judged([note()], 'DocumentReference/n1', readingsOf(`${plain} ${text}`));
    expect(found).toMatchObject({ ...withheld, sensitive: category });
    // not even its beginning is shown beside the tick
    expect(found.detail).toBeUndefined();
  });

  test.each([
    'The general prohibition: you are prohibited from making any further disclosure of it.',
    'PROHIBITION ON REDISCLOSURE',
    'Redisclosure is prohibited.',
  ])('a notice without the name of the law: %s', (text) => {
    expect(judged([note()], 'DocumentReference/n1', readingsOf(`${plain} ${text}`))).toMatchObject({
      ...withheld,
      sensitive: 'a notice against disclosure',
    });
  });

  test.each(['42 CFR Part 200', '42 CFR 482.24', '42 CFR part 438', 'Part 2 of the questionnaire', 'part 21 program'])(
    'no such notice: %s',
    (text) => {
      expect(judged([note()], 'DocumentReference/n1', readingsOf(`${plain} ${text}`))).toMatchObject(ordinary);
    },
  );

  const notice = '42 CFR part 2 prohibits unauthorized use or disclosure of these records.';

  test.each<readonly [string, FhirResource, string]>([
    ['in the description of a document', note({ description: notice }), 'DocumentReference/n1'],
    ['in a note on a result', screen({ note: [{ text: notice }] }), 'Observation/o1'],
    [
      'in the narrative of a diagnosis',
      arthritis({
        text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml"><b>42&#160;CFR</b> part 2</div>` },
      }),
      'Condition/c1',
    ],
    ['in a note on an order', methotrexate({ note: [{ text: notice }] }), 'MedicationRequest/r1'],
    [
      'in what a document contains',
      note({
        contained: [{ resourceType: 'Organization', id: 'o', name: 'Harbor, a Part 2 program' } as FhirResource],
      }),
      'DocumentReference/n1',
    ],
  ])('%s', (_where, resource, reference) => {
    expect(judged([resource], reference)).toMatchObject({ ...withheld, sensitive: category });
  });

  test.each([
    ['r', 'restricted'],
    ['v', 'very restricted'],
    ['psy', 'mental health'],
    ['42 CFR Part 2', 'substance use (42 CFR Part 2)'],
    ['Restricted', 'restricted'],
    ['HIV', 'HIV'],
  ])('a label in any spelling: %s is %s', (code, sensitive) => {
    expect(judged([screen({ meta: { security: [{ code }] } })], 'Observation/o1')).toMatchObject({
      ...withheld,
      sensitive,
    });
  });

  test.each([
    ['by its display alone', { display: 'Very Restricted' }, 'very restricted'],
    ['of a system of its own', { system: 'https://clinic.example/labels', code: 'N' }, 'a security label'],
    ['of HL7 v2', { system: 'http://terminology.hl7.org/CodeSystem/v2-0177', code: 'AID' }, 'HIV'],
  ])('a label %s', (_how, label, sensitive) => {
    expect(judged([screen({ meta: { security: [label] } })], 'Observation/o1')).toMatchObject({
      ...withheld,
      sensitive,
    });
  });
});

describe('[K8] what was not read', () => {
  const unread: Readings = { texts: {}, images: {} };

  test('is listed with the reason, and neither suggested nor taken by a policy', () => {
    expect(judged([note()], 'DocumentReference/n1', unread)).toMatchObject({
      ...withheld,
      unjudged: 'not read',
      reason: 'not read: sent only when you tick it',
      detail: 'not read yet; it is read when it is ticked',
    });
  });

  test.each<readonly [string, DocumentReference['content'][number]]>([
    ['at an address of another server', { attachment: { contentType: 'text/plain', url: 'https://files.example/n1' } }],
    ['in a Binary that the EHR did not give', { attachment: { contentType: 'text/plain', url: 'Binary/b1' } }],
    ['of a kind that has not been tried', { attachment: { contentType: 'application/pdf', data: 'JVBERi0=' } }],
  ])('a note %s', (_where, content) => {
    expect(judged([note({ content: [content] })], 'DocumentReference/n1', unread)).toMatchObject({
      ...withheld,
      unjudged: 'not read',
    });
  });

  test('a note of which only one of two parts was read', () => {
    const content = [{ attachment: { data: 'Zm9v' } }, { attachment: { data: 'YmFy' } }];
    expect(judged([note({ content })], 'DocumentReference/n1')).toMatchObject({ ...withheld, unjudged: 'not read' });
  });

  test('a note longer than what is read of it', () => {
    expect(judged([note()], 'DocumentReference/n1', readingsOf(plain, { shortened: true }))).toMatchObject({
      ...withheld,
      unjudged: 'only its beginning was read',
    });
  });

  test('an item without content is no item', () => {
    const readings = {
      texts: { 'DocumentReference/n1 content[0].attachment': { unreadable: 'the PDF is damaged' } },
      images: {},
    };
    expect(judged([note()], 'DocumentReference/n1', readings)).toMatchObject({
      fits: false,
      reason: 'the PDF is damaged',
      sent: false,
    });
    const { code: _, ...unnamed } = arthritis();
    expect(judged([unnamed], 'Condition/c1')).toMatchObject({
      fits: false,
      reason: 'it names no condition',
      sent: false,
    });
    const { medicationCodeableConcept: __, ...bare } = methotrexate();
    expect(judged([bare as MedicationRequest], 'MedicationRequest/r1')).toMatchObject({
      fits: false,
      reason: 'it names no drug',
    });
  });

  test('is judged once a person has ticked it, and still goes', () => {
    const chart = [...chartFor(adalimumab), note()];
    const request = { answers: { evidence: ['DocumentReference/n1'] }, readings: readingsOf('Continues Biktarvy.') };
    const chosen = select(chart, request);
    expect(chosen.choice('evidence')?.candidates).toMatchObject([{ sensitive: 'HIV', taken: true }]);
    expect(mapped(chosen).items).toHaveLength(1);
  });
});

describe('what belongs to something sensitive', () => {
  const encounter = (more: Partial<Encounter>): Encounter => ({
    resourceType: 'Encounter',
    id: 'e1',
    status: 'finished',
    class: { code: 'AMB' },
    subject,
    ...more,
  });

  test.each<readonly [string, readonly FhirResource[]]>([
    ['its kind of service', [encounter({ serviceType: { text: 'Behavioral health' } })]],
    [
      'the code of its kind of service',
      [encounter({ serviceType: { coding: [{ system: systems.sct, code: '394587001' }] } })],
    ],
    ['its department', [encounter({ location: [{ location: { display: 'Women’s Health Clinic' } }] })]],
    [
      'the code of its department',
      [
        encounter({ location: [{ location: { reference: 'Location/l1' } }] }),
        {
          resourceType: 'Location',
          id: 'l1',
          type: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-RoleCode', code: 'SURF' }] }],
        },
      ],
    ],
    ['its reason', [encounter({ reasonCode: [{ coding: [{ system: systems.icd10, code: 'F32.1' }] }] })]],
    ['its label', [encounter({ meta: { security: [{ code: 'R' }] } })]],
  ])('a note of a visit that tells it by %s', (_how, resources) => {
    expect(judged([note(), ...resources], 'DocumentReference/n1')).toMatchObject({
      ...withheld,
      sensitive: expect.any(String),
    });
  });

  const member = (id: string, code: string): Observation => observed(id, code, { valueString: 'Negative' });
  const report: DiagnosticReport = {
    resourceType: 'DiagnosticReport',
    id: 'd1',
    status: 'final',
    subject,
    code: { text: 'Screening panel' },
    effectiveDateTime: '2026-10-02',
    conclusion: 'All negative.',
    encounter: visit,
    result: [{ reference: 'Observation/h1' }],
  };

  test('a report with a sensitive member, which marks no other member', () => {
    const chart = [report, screen(), member('h1', '75622-1')].map((one) =>
      one.id === 'd1' ? { ...report, result: [{ reference: 'Observation/h1' }, { reference: 'Observation/o1' }] } : one,
    );
    expect(judged(chart, 'DiagnosticReport/d1')).toMatchObject({ ...withheld, sensitive: 'HIV' });
    expect(judged(chart, 'Observation/o1')).toMatchObject(ordinary);
  });

  test('a report whose member is a panel with a sensitive member', () => {
    const panel = observed('p1', '24323-8', { hasMember: [{ reference: 'Observation/h1' }] });
    const chart = [{ ...report, result: [{ reference: 'Observation/p1' }] }, panel, member('h1', '75622-1')];
    expect(judged(chart, 'DiagnosticReport/d1')).toMatchObject({ ...withheld, sensitive: 'HIV' });
  });

  test('a result that was worked out from a sensitive one', () => {
    const chart = [screen({ derivedFrom: [{ reference: 'Observation/h1' }] }), member('h1', '56888-1')];
    expect(judged(chart, 'Observation/o1')).toMatchObject({ ...withheld, sensitive: 'HIV' });
  });

  test.each<readonly [string, Partial<DiagnosticReport>]>([
    ['by its label', { meta: { security: [{ code: 'V' }] } }],
    ['by its name', { code: { text: 'HIV panel' } }],
    ['by the code of its kind', { category: [{ coding: [{ system: systems.sct, code: '394587001' }] }] }],
  ])('a member of a report that is sensitive %s', (_how, more) => {
    const chart = [screen(), { ...report, result: [{ reference: 'Observation/o1' }], ...more }];
    expect(judged(chart, 'Observation/o1')).toMatchObject({ ...withheld, sensitive: expect.any(String) });
  });

  test.each<readonly [string, Partial<Composition>]>([
    ['that is confidential', { confidentiality: 'R' }],
    ['of a psychiatry clinic', { type: { coding: [{ system: loinc, code: '34788-0' }] } }],
  ])('an entry of a document %s', (_how, more) => {
    const document: Composition = {
      resourceType: 'Composition',
      id: 'd1',
      status: 'final',
      type: { text: 'Summary' },
      subject,
      date: '2026-10-01',
      author: [{ display: 'Clinic' }],
      title: 'Summary',
      section: [{ title: 'Results', entry: [{ reference: 'Observation/o1' }] }],
      ...more,
    };
    expect(judged([screen(), document], 'Observation/o1')).toMatchObject({
      ...withheld,
      sensitive: expect.any(String),
    });
  });

  test.each<readonly [string, Partial<MedicationRequest>, readonly FhirResource[]]>([
    ['by its code', { reasonCode: [{ coding: [{ system: systems.icd10, code: 'O00.1' }] }] }, []],
    [
      'by a condition of the chart',
      { reasonReference: [{ reference: 'Condition/c2' }] },
      [arthritis({ id: 'c2', code: { coding: [{ system: systems.sct, code: '79586000' }] } })],
    ],
    ['by the name of a condition that is not here', { reasonReference: [{ display: 'Ectopic pregnancy' }] }, []],
  ])('a therapy whose reason is sensitive %s', (_how, more, others) => {
    expect(judged([methotrexate(more), ...others], 'MedicationRequest/r1')).toMatchObject({
      ...withheld,
      sensitive: 'reproductive health',
    });
  });

  test('a note by an author of a psychiatry team', () => {
    expect(
      judged([note({ author: [{ display: 'Consultation-liaison psychiatry' }] })], 'DocumentReference/n1'),
    ).toMatchObject({
      ...withheld,
      sensitive: 'mental health',
    });
  });
});

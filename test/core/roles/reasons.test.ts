import { describe, expect, test } from 'vitest';
import { coded, follow, labelled, reasons, says, sensitive } from '../../../src/core/roles/index.ts';
import type { SitePolicy } from '../../../src/core/roles/policy.ts';
import { runOf, saidOf } from './filled.ts';

// Why a drug is ordered: stated reasons, what a person answers, and what is proposed where the order states none.

const icd10 = 'http://hl7.org/fhir/sid/icd-10-cm';
const sct = 'http://snomed.info/sct';
const code = (value: string, display?: string) => ({
  coding: [{ system: icd10, code: value, ...(display === undefined ? {} : { display }) }],
});
const psoriasis = code('L40.0', 'Psoriasis vulgaris');
const arthritis = code('L40.50', 'Psoriatic arthritis');
const uncoded = { text: 'Plaques', coding: [{ system: sct, code: '9014002' }] };
const several = { text: 'Skin and joints', coding: [...psoriasis.coding, ...arthritis.coding] };

const condition = (id: string, concept: object, more: object = {}) => ({
  resourceType: 'Condition',
  id,
  subject: { reference: 'Patient/p' },
  clinicalStatus: { coding: [{ code: 'active' }] },
  code: concept,
  ...more,
});

interface Situation {
  readonly order?: object;
  readonly conditions?: readonly object[];
  readonly others?: readonly object[];
  readonly diagnoses?: readonly string[];
  readonly site?: SitePolicy;
  readonly unread?: readonly string[];
}

function reasonsOf({ order = {}, conditions = [], others = [], diagnoses, site = {}, unread = [] }: Situation) {
  const rules = {
    encounter: follow('%order.encounter', ['Encounter']),
    diagnosis: reasons({
      stated: { concepts: '%order.reasonCode', references: '%order.reasonReference' },
      unless: [coded('verificationStatus', ['refuted'], 'it is refuted')],
      unlessConcept: [says('text', /^rule out\b/i, 'its words say that it is not certain')],
      encounter: 'encounter',
      proposeUnless: {
        always: [labelled('it carries a label'), coded('clinicalStatus', ['resolved'], 'it is not active')],
        ofEncounter: [coded('category', ['visit-only'], 'it is of no visit')],
        elsewhere: [coded('category', ['elsewhere'], 'it is of another visit')],
      },
      acceptUnless: [sensitive('it is sensitive')],
    }),
  };
  const ordered = {
    resourceType: 'MedicationRequest',
    id: 'o',
    status: 'active',
    intent: 'order',
    subject: { reference: 'Patient/p' },
    medicationCodeableConcept: { text: 'adalimumab' },
    ...order,
  };
  const answers = diagnoses === undefined ? {} : { diagnoses };
  return saidOf(runOf(rules, [ordered, ...conditions, ...others], { answers, site, unread }), 'diagnosis');
}

const refers = (...ids: readonly string[]) => ({
  reasonReference: ids.map((id) => ({ reference: `Condition/${id}` })),
});
const optionsIn = ({ questions }: ReturnType<typeof reasonsOf>) =>
  questions.map((one) => one.options?.map(({ value }) => value));

describe('a stated reason', () => {
  test('is taken by its one code, of a concept and of a Condition, each code once', () => {
    const order = { reasonCode: [psoriasis, psoriasis], ...refers('k') };
    const said = reasonsOf({ order, conditions: [condition('k', arthritis), condition('x', code('K50.90'))] });
    expect(said).toMatchObject({
      nodes: ['MedicationRequest/o MedicationRequest.reasonCode[0]', 'Condition/k Condition.code'],
      looks: [],
      note: 'stated as the reason of the order',
      kind: undefined,
      reason: 'stated as the reason of the order',
      questions: [],
    });
    expect(said.chosen).toBe('MedicationRequest/o, Condition/k');
    expect(said.uncoded).toEqual([]);
    expect(said.candidates).toEqual([
      ...[0, 1].map(() => [
        'MedicationRequest/o',
        'Psoriasis vulgaris (L40.0)',
        true,
        'stated as the reason of the order; L40.0',
      ]),
      ['Condition/k', 'Psoriatic arthritis (L40.50)', true, 'stated as the reason of the order; L40.50'],
      ['Condition/x', 'K50.90 (K50.90)', true, 'active, with one ICD-10-CM code'],
    ]);
  });

  test('without a code is asked in its words, and no problem takes its place', () => {
    const said = reasonsOf({ order: { reasonCode: [uncoded] }, conditions: [condition('k', psoriasis)] });
    expect(said.uncoded).toEqual(['MedicationRequest/o MedicationRequest.reasonCode[0]']);
    expect(said).toMatchObject({
      nodes: [],
      note: undefined,
      reason: 'the order’s stated reason must be coded by a person; other problems do not replace it',
      questions: [
        {
          role: 'diagnosis',
          severity: 'blocks',
          message: 'The order says “Plaques” (SNOMED CT only). Find its ICD-10-CM code.',
        },
      ],
    });
    expect(said.looks).toEqual(['reason (1) > coding.where(system = %icd10) (0): SNOMED CT only']);
    expect(said.questions[0]?.looks).toMatchObject([
      {
        expression: 'MedicationRequest/o MedicationRequest.reasonCode[0]',
        refused: [
          {
            why: 'no_code',
            value: 'Plaques',
            source: { resource: 'MedicationRequest/o', path: 'MedicationRequest.reasonCode[0]' },
          },
        ],
      },
    ]);
    expect(said.candidates).toEqual([
      [
        'MedicationRequest/o',
        'Plaques (SNOMED CT only, no ICD-10-CM code)',
        false,
        'stated as the reason of the order; SNOMED CT only, no ICD-10-CM code',
      ],
      ['Condition/k', 'Psoriasis vulgaris (L40.0)', true, 'active, with one ICD-10-CM code'],
    ]);
  });

  test('is offered the code of an active problem with its very words', () => {
    const named = (id: string, words: string, more: object = {}) =>
      condition(id, { text: words, coding: [{ system: icd10, code: `L40.${id}` }] }, more);
    const said = reasonsOf({
      order: { reasonCode: [uncoded] },
      conditions: [
        named('0', 'plaques'),
        named('1', 'Plaques', { clinicalStatus: { coding: [{ code: 'resolved' }] } }),
        named('2', 'Plaques of the arm'),
        condition('3', { ...several, text: 'Plaques' }),
      ],
    });
    expect(optionsIn(said)).toEqual([['L40.0']]);
  });

  test('with several codes is asked, with each', () => {
    const said = reasonsOf({ order: { reasonCode: [several, uncoded] } });
    expect(said.questions[0]?.message).toBe('The order’s reason has several ICD-10-CM codes. Choose those that apply.');
    expect(said.questions[0]?.options).toEqual([
      { value: 'L40.0', label: 'L40.0 Psoriasis vulgaris', reason: 'MedicationRequest/o' },
      { value: 'L40.50', label: 'L40.50 Psoriatic arthritis', reason: 'MedicationRequest/o' },
    ]);
    expect(said.looks).toEqual([
      'reason (1) > coding.where(system = %icd10) (2): several codes',
      'reason (1) > coding.where(system = %icd10) (0): SNOMED CT only',
    ]);
  });

  test('that is ruled out is named in the question, and its code is not offered', () => {
    const refuted = { verificationStatus: { coding: [{ code: 'refuted' }] } };
    const said = reasonsOf({
      order: { reasonCode: [{ ...arthritis, text: 'Rule out arthritis' }], ...refers('k') },
      conditions: [condition('k', psoriasis, refuted)],
    });
    expect(said.nodes).toEqual([]);
    expect(said.questions[0]?.message).toBe(
      'The order’s stated reason cannot be used: “Rule out arthritis” (its words say that it is not certain), ' +
        '“Psoriasis vulgaris” (it is refuted). Enter the code for it.',
    );
    expect(optionsIn(said)).toEqual([undefined]);
    expect(said.candidates.map(([, label, fits, why]) => [label, fits, why])).toEqual([
      ['Rule out arthritis', false, 'its words say that it is not certain'],
      ['Psoriasis vulgaris', false, 'it is refuted'],
    ]);
  });

  test('beside one that is sent is told, and blocks nothing', () => {
    const said = reasonsOf({ order: { reasonCode: [psoriasis, uncoded] } });
    expect(said.uncoded).toEqual(['MedicationRequest/o MedicationRequest.reasonCode[1]']);
    expect(said.nodes).toHaveLength(1);
    expect(said.questions).toMatchObject([
      {
        severity: 'warns',
        reason: 'uncertain',
        message: 'Another stated reason has no single ICD-10-CM code and is not sent: “Plaques” (SNOMED CT only).',
      },
    ]);
  });

  test('whose Condition is not here is asked in the words of the reference', () => {
    const reasonReference = [{ reference: 'Condition/gone', display: 'Scaly skin' }];
    expect(reasonsOf({ order: { reasonReference } }).questions[0]?.message).toBe(
      'The order says “Scaly skin” (text only). Find its ICD-10-CM code.',
    );
    expect(reasonsOf({ order: { reasonReference: [{ reference: 'Condition/gone' }] } }).questions).toHaveLength(1);
  });
});

describe('a person’s answer', () => {
  const conditions = [condition('k', several, { meta: { versionId: '4' } }), condition('x', uncoded)];

  test('is cited from the problem that holds the code, with the other codes left out', () => {
    const said = reasonsOf({ conditions, diagnoses: ['L40.50'] });
    expect(said).toMatchObject({
      nodes: ['Condition/k Condition.code'],
      note: 'chosen by a person',
      kind: undefined,
      reason: 'chosen by a person',
      questions: [],
    });
  });

  test('that no problem holds is entered', () => {
    expect(reasonsOf({ conditions, diagnoses: ['K50.90'] })).toMatchObject({
      nodes: [{ coding: [{ system: icd10, code: 'K50.90' }] }],
      note: 'entered by a person',
      kind: 'entered',
      questions: [],
    });
  });

  test('that names a problem with one code takes it', () => {
    const chosen = reasonsOf({ conditions: [condition('k', psoriasis)], diagnoses: ['Condition/k'] });
    expect(chosen).toMatchObject({ nodes: ['Condition/k Condition.code'], kind: undefined, questions: [] });
  });

  test.each([
    [['Condition/x'], ['A chosen diagnosis has no ICD-10-CM code. Enter the code.']],
    [['rash'], ['Not an ICD-10-CM code: rash. Correct the entry, or clear the field.']],
    [
      ['rash', 'itch', 'Condition/x'],
      [
        'Not ICD-10-CM codes: rash, itch. Correct the entry, or clear the field.',
        'A chosen diagnosis has no ICD-10-CM code. Enter the code.',
      ],
    ],
    [['L40.0', 'rash'], ['Not an ICD-10-CM code: rash. Correct the entry, or clear the field.']],
  ])('%j is asked in its own words', (diagnoses, messages) => {
    expect(reasonsOf({ conditions, diagnoses }).questions.map(({ message }) => message)).toEqual(messages);
  });

  test('before what the order states', () => {
    const said = reasonsOf({ order: { reasonCode: [psoriasis] }, diagnoses: ['K50.90'] });
    expect(said.nodes).toEqual([{ coding: [{ system: icd10, code: 'K50.90' }] }]);
    expect(reasonsOf({ order: { reasonCode: [psoriasis] }, diagnoses: [] }).note).toBe(
      'stated as the reason of the order',
    );
    expect(reasonsOf({ order: { reasonCode: [psoriasis] }, diagnoses: ['L40.0'] }).nodes).toEqual([
      'MedicationRequest/o MedicationRequest.reasonCode[0]',
    ]);
  });
});

describe('where the order states no reason', () => {
  const message = 'The order states no reason. Choose the diagnoses that this drug is for.';

  test('active problems are proposed, each code once, and a person confirms', () => {
    const said = reasonsOf({
      conditions: [condition('a', psoriasis), condition('b', psoriasis), condition('c', arthritis)],
    });
    expect(said).toMatchObject({
      nodes: ['Condition/a Condition.code', 'Condition/c Condition.code'],
      kind: 'proposed',
      note: 'the order states no reason; proposed because it is an active problem of the patient',
      questions: [{ severity: 'blocks', reason: 'unconfirmed', message }],
    });
    expect(optionsIn(said)).toEqual([['L40.0', 'L40.50']]);
  });

  test('what is ruled out is not proposed, and says why', () => {
    const resolved = { clinicalStatus: { coding: [{ code: 'resolved' }] } };
    const category = (value: string) => ({ category: [{ coding: [{ code: value }] }] });
    const conditions = [
      condition('a', psoriasis, resolved),
      condition('b', arthritis, category('elsewhere')),
      condition('c', code('K50.90'), category('visit-only')),
    ];
    const said = reasonsOf({ conditions });
    expect(said.nodes).toEqual(['Condition/c Condition.code']);
    expect(said.candidates.map(([reference, , fits, why]) => [reference, fits, why])).toEqual([
      ['Condition/a', false, 'it is not active'],
      ['Condition/b', false, 'it is of another visit'],
      ['Condition/c', true, expect.any(String)],
    ]);
  });

  test('diagnoses of the order’s encounter come alone, in the order of their ranks', () => {
    const encounter = {
      resourceType: 'Encounter',
      id: 'e',
      status: 'finished',
      class: { code: 'AMB' },
      subject: { reference: 'Patient/p' },
      diagnosis: [
        { condition: { reference: 'Condition/a' }, rank: 2 },
        { condition: { reference: 'Condition/b' }, rank: 1 },
      ],
    };
    const conditions = [
      condition('a', psoriasis),
      condition('b', arthritis),
      condition('c', code('K50.90')),
      condition('d', code('K51.90'), { encounter: { reference: 'Encounter/e' } }),
    ];
    const order = { encounter: { reference: 'Encounter/e' } };
    const said = reasonsOf({ order, conditions, others: [encounter] });
    expect(said).toMatchObject({
      nodes: ['Condition/b Condition.code', 'Condition/a Condition.code', 'Condition/d Condition.code'],
      note: 'the order states no reason; proposed because it is a diagnosis of the order’s encounter',
    });
    const unranked = { ...encounter, diagnosis: encounter.diagnosis.map(({ condition: one }) => ({ condition: one })) };
    expect(reasonsOf({ order, conditions, others: [unranked] }).nodes.slice(0, 2)).toEqual([
      'Condition/a Condition.code',
      'Condition/b Condition.code',
    ]);
    // Without the Encounter, by what the Conditions say of it.
    expect(reasonsOf({ order, conditions }).nodes).toEqual(['Condition/d Condition.code']);
    const uncodedVisit = [condition('a', psoriasis), condition('d', uncoded, { encounter: order.encounter })];
    expect(reasonsOf({ order, conditions: uncodedVisit }).nodes).toEqual(['Condition/a Condition.code']);
  });

  test('the only one stands by itself where the site accepts it', () => {
    const site = { diagnoses: 'accept-single' } as const;
    const only = [condition('a', psoriasis)];
    expect(reasonsOf({ conditions: only, site })).toMatchObject({
      nodes: ['Condition/a Condition.code'],
      kind: undefined,
      note:
        'the order states no reason; an active problem of the patient, the only one, ' +
        'accepted by the site’s policy',
      questions: [],
    });
    const asked = (more: Situation) => reasonsOf({ conditions: only, site, ...more }).questions.length;
    expect(asked({ site: { diagnoses: 'ask' } })).toBe(1);
    expect(asked({ conditions: [...only, condition('b', arthritis)] })).toBe(1);
    expect(asked({ conditions: [...only, condition('b', several)] })).toBe(1);
    expect(asked({ conditions: [...only, condition('b', uncoded)] })).toBe(0);
    expect(asked({ unread: ['Condition'] })).toBe(1);
  });

  test.each([
    ['no problem is active', [], [], 'The order states no reason and the chart has no active problem. Enter the'],
    ['none has a code', [condition('a', uncoded)], [], 'The order states no reason and no active problem has one ICD'],
    ['problems were not read', [], ['Condition'], 'The order states no reason, and the patient’s problems could not'],
  ])('the code is asked where %s', (_, conditions, unread, words) => {
    const said = reasonsOf({ conditions, unread });
    expect(said.questions.map((one) => one.message.startsWith(words))).toEqual([true]);
    expect(said.reason).toBe('the order states no reason, and no problem can be proposed');
    expect(said.looks.at(-1)).toBe(
      `Condition (${conditions.length}) > active (${conditions.length}) > where(code.coding.system = %icd10) (0)`,
    );
  });

  test('problems with several codes are offered, none is proposed', () => {
    const said = reasonsOf({ conditions: [condition('a', several)] });
    expect(said.nodes).toEqual([]);
    expect(optionsIn(said)).toEqual([['L40.0', 'L40.50']]);
    expect(said.candidates).toEqual([['Condition/a', 'Skin and joints (L40.0, L40.50)', false, 'L40.0, L40.50']]);
  });

  test('what the site’s maps do not decide is offered once, behind what has the code itself', () => {
    const target = (value: string) => ({ code: value, equivalence: 'wider' });
    const conceptMaps = [
      {
        resourceType: 'ConceptMap' as const,
        title: 'Clinic terms',
        status: 'active' as const,
        group: [
          { source: sct, target: icd10, element: [{ code: '9014002', target: [target('L40.0'), target('L40.9')] }] },
        ],
      },
    ];
    const said = reasonsOf({
      conditions: [condition('a', psoriasis), condition('b', uncoded)],
      site: { conceptMaps },
    });
    expect(said.questions[0]?.options).toEqual([
      { value: 'L40.0', label: 'L40.0 Psoriasis vulgaris', reason: 'Condition/a' },
      { value: 'L40.9', label: 'L40.9 for Plaques', reason: 'wider in the site’s Clinic terms' },
    ]);
  });
});

describe('a reason that could not be read', () => {
  const unreadOf = (reasonCode: unknown, more: object = {}) =>
    reasonsOf({ order: { reasonCode, ...more }, conditions: [condition('a', arthritis)] });

  test('is asked with its words, once, and the codes in it, and no problem takes its place', () => {
    const reason = { concept: { text: 'Plaques', coding: [{ system: `${icd10}/`, code: 'L40.0', display: 'Skin' }] } };
    const said = unreadOf(undefined, { reason: [reason] });
    expect(said).toMatchObject({
      nodes: [],
      reason: 'the order’s stated reason could not be read; other problems do not replace it',
      candidates: [],
    });
    expect(said.questions).toMatchObject([
      {
        severity: 'blocks',
        message:
          'The order’s reason could not be read: it is not in the form of FHIR R4 (“Plaques, Skin”). ' +
          'Enter its ICD-10-CM code.',
        options: [{ value: 'L40.0', label: 'L40.0 Skin', reason: 'stands in what could not be read' }],
      },
    ]);
    expect(said.looks).toEqual(
      said.questions[0]?.looks.map(() => expect.stringContaining('of the form of FHIR R4 (0)')),
    );
  });

  test('without words and codes is asked as it is', () => {
    const said = unreadOf({ coding: { system: icd10 } });
    expect(said.questions[0]?.message).toBe(
      'The order’s reason could not be read: it is not in the form of FHIR R4. Enter its ICD-10-CM code.',
    );
    expect(said.questions[0]).not.toHaveProperty('options');
  });

  test('offers each code once, and of a code without a name the code', () => {
    const coding = [{ system: icd10, code: 'L40.0' }, { system: icd10, code: 'L40.0' }, { code: 'L40.1' }];
    expect(unreadOf({ coding }).questions[0]?.options).toEqual([
      { value: 'L40.0', label: 'L40.0', reason: 'stands in what could not be read' },
    ]);
  });

  test('beside one that was read is asked too', () => {
    const said = reasonsOf({ order: { reasonCode: [psoriasis], reasonReference: { display: 'Plaques' } } });
    expect(said.nodes).toHaveLength(1);
    expect(said.questions.map(({ message }) => message)).toEqual([
      'The order’s reason could not be read: it is not in the form of FHIR R4 (“Plaques”). Enter its ICD-10-CM code.',
    ]);
  });
});

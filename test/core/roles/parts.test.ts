import { describe, expect, test } from 'vitest';
import {
  advises,
  computed,
  derive,
  every,
  first,
  given,
  joined,
  latest,
  lowest,
  not,
  oneOf,
  together,
  when,
} from '../../../src/core/roles/index.ts';
import type { RoleRule } from '../../../src/core/roles/words.ts';
import { runOf, saidOf } from './filled.ts';

// Parts of a resource that fill a role as they are: the first, all of them, one for several leaves, their texts as one.

const ordered = (more: object) => ({
  resourceType: 'MedicationRequest',
  id: 'o',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p' },
  medicationCodeableConcept: { text: 'adalimumab' },
  ...more,
});

/** What fills a role of this rule over an order with these elements. */
function filled(rule: RoleRule, more: object) {
  return saidOf(runOf({ role: rule }, [ordered(more)]), 'role');
}

const isEmpty = { nodes: [], chosen: undefined, reason: undefined, questions: [] };
const at = (path: string) => `MedicationRequest/o MedicationRequest.${path}`;

describe('the first path that finds anything', () => {
  const asks = [advises(when("text = 'Skin'"), 'Is it {text}?', 'text')];
  const rule = first(['CodeableConcept'], ['%order.reasonCode', '%order.category'], { asks });

  test('gives all that it finds, and is asked about the first of it', () => {
    const said = filled(rule, { reasonCode: [{ text: 'Skin' }, { text: 'Joints' }], category: [{ text: 'Skin' }] });
    expect(said.nodes).toEqual([at('reasonCode[0]'), at('reasonCode[1]')]);
    expect(said.questions).toMatchObject([{ severity: 'warns', part: 'text', message: 'Is it Skin?' }]);
    expect(filled(rule, { reasonCode: [{ text: 'Joints' }, { text: 'Skin' }] }).questions).toEqual([]);
  });

  test('is the second where the first finds nothing', () => {
    expect(filled(rule, { category: [{ text: 'Skin' }] })).toMatchObject({
      nodes: [at('category[0]')],
      questions: [{ message: 'Is it Skin?' }],
    });
  });

  test('is none where none does, with how far each led', () => {
    expect(filled(rule, {})).toMatchObject({
      ...isEmpty,
      looks: ['MedicationRequest (1) > reasonCode (0)', 'MedicationRequest (1) > category (0)'],
    });
  });
});

describe('every part', () => {
  const paths = ['%order.dosageInstruction', '%patient.contact'];
  const dose = (sequence: number, text: string, more: object = {}) => ({ sequence, text, ...more });
  const nodesOf = (options: object, dosageInstruction: readonly object[], contact: readonly object[] = []) => {
    const patient = { resourceType: 'Patient', id: 'p', contact };
    const roles = { patient: given('Patient'), role: every(['Dosage'], paths, options) };
    const run = runOf(roles, [ordered({ dosageInstruction }), patient]);
    return run.root('role').nodes.map(({ source }) => source?.path.replace(/^[^.]+\./, ''));
  };

  test('is kept in the order of the paths, and of what one path finds in the preferred order', () => {
    const doses = [dose(2, 'b'), dose(1, 'a')];
    const contacts = [{ gender: 'female' }];
    expect(nodesOf({}, doses, contacts)).toEqual(['dosageInstruction[0]', 'dosageInstruction[1]', 'contact[0]']);
    expect(nodesOf({ prefer: [lowest('sequence')] }, doses, contacts)).toEqual([
      'dosageInstruction[1]',
      'dosageInstruction[0]',
      'contact[0]',
    ]);
  });

  test('goes without what is ruled out, of one and of several', () => {
    const unless = [oneOf('text', ['a'], 'it is not a')];
    expect(nodesOf({ unless }, [dose(1, 'a'), dose(2, 'b'), dose(3, 'a')])).toEqual([
      'dosageInstruction[0]',
      'dosageInstruction[2]',
    ]);
    expect(nodesOf({ unless }, [dose(1, 'b')])).toEqual([]);
    expect(nodesOf({ unless }, [dose(1, 'a')])).toEqual(['dosageInstruction[0]']);
  });

  test('counts once where it is repeated under another id or sequence', () => {
    const doses = [dose(1, 'a'), { ...dose(2, 'a'), id: 'x' }, dose(3, 'b')];
    expect(nodesOf({ distinct: true }, doses)).toEqual(['dosageInstruction[0]', 'dosageInstruction[2]']);
    expect(nodesOf({}, doses)).toHaveLength(3);
    expect(nodesOf({ distinct: true }, doses.slice(0, 1))).toEqual(['dosageInstruction[0]']);
  });

  test('is none where none is left', () => {
    expect(filled(every(['Dosage'], paths), {})).toMatchObject({
      ...isEmpty,
      looks: ['MedicationRequest (1) > dosageInstruction (0)', 'Patient (1) > contact (0)'],
    });
  });

  test('by the latest date, those without one last', () => {
    const since = (start?: string) => ({ text: start ?? 'none', ...(start && { timing: { event: [start] } }) });
    expect(nodesOf({ prefer: [latest('timing.event')] }, [since(), since('2020-01-01'), since('2024-01-01')])).toEqual([
      'dosageInstruction[2]',
      'dosageInstruction[1]',
      'dosageInstruction[0]',
    ]);
  });

  test('by the lowest number, those without one last or as the number that none counts as', () => {
    const doses = [{ text: 'none' }, dose(3, 'c'), dose(1, 'a')];
    expect(nodesOf({ prefer: [lowest('sequence')] }, doses)).toEqual([
      'dosageInstruction[2]',
      'dosageInstruction[1]',
      'dosageInstruction[0]',
    ]);
    expect(nodesOf({ prefer: [lowest('sequence', undefined, { none: 2 })] }, doses)).toEqual([
      'dosageInstruction[2]',
      'dosageInstruction[0]',
      'dosageInstruction[1]',
    ]);
  });
});

describe('one element that gives several leaves', () => {
  const asks = [advises(not(when('quantity.exists()')), 'It has no quantity.')];
  const paths = ['%order.dispenseRequest', '%order.dispenseRequest.initialFill'];
  const rule = together(['MedicationRequest.dispenseRequest'], paths, 'quantity.exists()', { asks });

  test.each([
    ['is the first that has what is needed', { quantity: { value: 1 }, initialFill: { quantity: { value: 2 } } }, ''],
    ['is a later one, where the first has it not', { initialFill: { quantity: { value: 2 } } }, '.initialFill'],
  ])('%s', (_, dispenseRequest, element) => {
    expect(filled(rule, { dispenseRequest })).toMatchObject({
      nodes: [at(`dispenseRequest${element}`)],
      questions: [],
    });
  });

  test('is the first that is there, where none has it, and is asked about', () => {
    expect(filled(rule, { dispenseRequest: { numberOfRepeatsAllowed: 1, initialFill: {} } })).toMatchObject({
      nodes: [at('dispenseRequest')],
      questions: [{ message: 'It has no quantity.' }],
    });
  });

  test('is none where none is there', () => {
    expect(filled(rule, {})).toMatchObject({
      ...isEmpty,
      looks: ['MedicationRequest (1) > dispenseRequest (0)', 'MedicationRequest (1) > dispenseRequest (0)'],
    });
  });
});

describe('texts as one', () => {
  const asks = [advises(when('sequence = 1'), 'It is the first.')];
  const rule = joined('%order.dosageInstruction', ['patientInstruction', 'text'], asks);
  const said = (dosageInstruction: readonly object[]) => filled(rule, { dosageInstruction });
  const wholeOf = (dosageInstruction: readonly object[]) =>
    runOf({ role: rule }, [ordered({ dosageInstruction })])
      .root('role')
      .nodes.map(({ value }) => value);

  test('one item has its text at its own element, the first with words', () => {
    expect(said([{ sequence: 1, patientInstruction: 'n/a', text: 'One daily' }])).toMatchObject({
      nodes: [at('dosageInstruction[0].text')],
      note: undefined,
      questions: [{ message: 'It is the first.' }],
    });
    expect(wholeOf([{ patientInstruction: 'Take one', text: 'One daily' }])).toEqual(['Take one']);
  });

  test('several are one text, at the element that all have', () => {
    expect(said([{ sequence: 1, text: 'One daily' }, { text: 'then two daily' }])).toMatchObject({
      nodes: [at('dosageInstruction.text')],
      note: '2 instructions, in the order of their sequence',
      questions: [{ message: 'It is the first.' }],
    });
  });

  test('several at different elements stand at the whole', () => {
    expect(said([{ text: 'One daily' }, { patientInstruction: 'then two' }]).nodes).toEqual([at('dosageInstruction')]);
  });

  test.each([
    [['One daily', 'then two'], 'One daily; then two'],
    [['One daily.', 'then two!', 'stop;', 'go'], 'One daily. then two! stop; go'],
    [['One daily', 'One daily'], 'One daily'],
  ])('%j are joined', (texts, whole) => {
    expect(wholeOf(texts.map((text) => ({ text })))).toEqual([whole]);
  });

  test('nothing is said where one of several says nothing', () => {
    expect(said([{ text: 'One daily' }, { text: 'unknown' }])).toMatchObject({
      nodes: [],
      looks: [
        '%order.dosageInstruction (2) > patientInstruction or text, no placeholder (1): ' +
          'one of the instructions has no text',
      ],
      questions: [],
    });
    expect(said([{ text: 'n/a' }]).looks).toEqual([
      '%order.dosageInstruction (1) > patientInstruction or text, no placeholder (0)',
    ]);
    expect(said([]).looks).toEqual(['%order.dosageInstruction (0) > patientInstruction or text, no placeholder (0)']);
  });
});

describe('what is worked out', () => {
  const worked = { value: 30, note: '30 at one a day', says: 'its quantity lasts 30 days' };
  const days = {
    name: 'days',
    apply: (value: unknown) => (typeof value === 'number' ? { value } : { refused: 'not_positive' as const }),
  };
  const rule = (derived: ReturnType<Parameters<typeof derive>[0]['derive']['call']>) =>
    derive({
      types: ['integer'],
      reads: ['order'],
      derive: { name: 'days', sentence: 'the quantity at one dose', call: () => derived },
      stated: '%order.dispenseRequest.numberOfRepeatsAllowed',
      read: days,
      differ: 'The order states {stated} days; {says}. How many days is it for?',
      sources: { stated: 'the order states {stated} days', derived: 'worked out: {note}' },
    });
  const states = (numberOfRepeatsAllowed: unknown) => ({ dispenseRequest: { numberOfRepeatsAllowed } });
  const question = {
    role: 'role',
    severity: 'blocks',
    reason: 'choice',
    message: 'The order states 7 days; its quantity lasts 30 days. How many days is it for?',
    looks: [],
    options: [
      { value: '7', label: '7', reason: 'the order states 7 days' },
      { value: '30', label: '30', reason: 'worked out: 30 at one a day' },
    ],
  };

  test('stands at the order, where it is worked out from, with how', () => {
    const found = rule({ ...worked, from: 'MedicationRequest.dosageInstruction[0]' });
    for (const more of [{}, states(30)])
      expect(filled(found, more)).toMatchObject({
        nodes: [at('dosageInstruction[0]')],
        note: '30 at one a day',
        questions: [],
      });
    expect(filled(found, states(7))).toMatchObject({ nodes: [at('dosageInstruction[0]')], questions: [question] });
  });

  test('or is not certain, and says why; one of the sources may still differ from what is stated', () => {
    const why = { refused: 'the dose is not certain' };
    expect(filled(rule(why), states(7))).toMatchObject({
      nodes: [],
      looks: ['the quantity at one dose (0): the dose is not certain'],
      questions: [],
    });
    expect(filled(rule({ ...why, otherwise: worked }), states(7)).questions).toEqual([question]);
    expect(filled(rule({ ...why, otherwise: worked }), {}).questions).toEqual([]);
  });
});

test('what a named function fills is what it gives', () => {
  const fill = {
    name: 'one',
    sentence: 'one',
    call: () => ({ root: { nodes: [{ value: 1 }], note: 'one' }, warnings: () => ['Told.'] }),
  };
  expect(filled(computed({ types: ['integer'], reads: ['order'], fill }), {})).toMatchObject({
    nodes: [1],
    note: 'one',
    warnings: ['Told.'],
  });
});

import { describe, expect, test } from 'vitest';
import type { Transform } from '../../../src/core/mapping/words/rules.ts';
import type { Agree, Disagreement, Reading } from '../../../src/core/roles/agree.ts';
import { agree, first, readBy, sameValue } from '../../../src/core/roles/index.ts';
import { runOf, saidOf } from './filled.ts';

// Sources that state one thing: what each says, what is asked where they differ, and what is offered.

/** `form: tablet` says the aspect `form`; a text without a colon says nothing. */
function readingsOf(value: unknown): readonly Reading[] {
  const text = String(Reflect.get(Object(value), 'text'));
  return text.split(' / ').flatMap((words) => {
    const [aspect, said] = words.split(': ');
    return aspect === undefined || said === undefined ? [] : [{ words, [aspect]: said }];
  });
}

/** Two texts differ, with `maybe` nothing tells, and what holds `?` contradicts itself. */
function compare(left: Reading, right: Reading): readonly Disagreement[] {
  return ['form', 'name'].flatMap((aspect): Disagreement[] => {
    const [one, other] = [left[aspect], right[aspect]];
    if (one === undefined || other === undefined) return [];
    if (one === 'maybe' || other === 'maybe') return one === other ? [] : [{ aspect, certainty: 'unknown' }];
    const differs = one !== other || String(one).includes('?');
    return differs ? [{ aspect, certainty: 'differs' }] : [];
  });
}

const read = { name: 'read', sentence: 'what it says', call: readingsOf };
const rule: Omit<Agree, 'kind'> = {
  sources: [
    { label: 'reason', path: '%order.reasonCode', read },
    { label: 'category', path: '%order.category', read },
  ],
  compare: { name: 'compare', sentence: 'as they are written', call: compare },
  aspects: { form: { differ: 'The {leftSource} says {left}, the {rightSource} says {right}. Which one?' } },
  keys: ['form', 'name', 'words'],
};

function agreed(reasonCode: readonly string[], category: readonly string[], changes: Partial<Agree> = {}) {
  const concepts = (texts: readonly string[]) => texts.map((text) => ({ text }));
  const order = {
    resourceType: 'MedicationRequest',
    id: 'o',
    status: 'active',
    intent: 'order',
    subject: { reference: 'Patient/p' },
    medicationCodeableConcept: { text: 'adalimumab' },
    reasonCode: concepts(reasonCode),
    category: concepts(category),
  };
  return saidOf(runOf({ drug: agree({ ...rule, ...changes }) }, [order]), 'drug');
}

const question = { role: 'drug', part: 'form', looks: [], severity: 'blocks', reason: 'choice' };

test('each source that says something is a node, in the order of the sources', () => {
  expect(agreed(['nothing', 'form: tablet'], ['form: tablet'])).toMatchObject({
    nodes: ['MedicationRequest/o MedicationRequest.reasonCode[1]', 'MedicationRequest/o MedicationRequest.category[0]'],
    questions: [],
  });
});

test('where none says anything is told how far each path led', () => {
  expect(agreed(['nothing'], [])).toMatchObject({
    nodes: [],
    looks: ['MedicationRequest (1) > reasonCode (1)', 'MedicationRequest (1) > category (0)'],
    questions: [],
  });
});

describe('two that differ are asked, each offered with the words that it came from', () => {
  test('of two sources', () => {
    expect(agreed(['form: tablet'], ['form: capsule', 'form: tablet']).questions).toEqual([
      {
        ...question,
        message: 'The reason says tablet, the category says capsule. Which one?',
        options: [
          { value: 'tablet', label: 'tablet', reason: 'reason: form: tablet' },
          { value: 'capsule', label: 'capsule', reason: 'category: form: capsule' },
        ],
      },
    ]);
  });

  test.each([
    ['another place of one source', ['form: tablet', 'form: capsule'], 'The reason says tablet, another reason says'],
    ['one place of one source', ['form: tablet / form: capsule'], 'The reason says tablet, the same reason says'],
  ])('of %s', (_, reasonCode, message) => {
    expect(agreed(reasonCode, []).questions).toMatchObject([{ message: `${message} capsule. Which one?` }]);
  });

  test('under the part that the table names, with the member that it names', () => {
    const { differ = '' } = rule.aspects.form ?? {};
    const aspects = { form: { differ, part: 'name', option: 'words' } };
    expect(agreed(['form: tablet'], ['form: capsule'], { aspects }).questions).toMatchObject([
      { part: 'name', options: [{ value: 'form: tablet' }, { value: 'form: capsule' }] },
    ]);
    const byName = { form: { differ, option: 'name' } };
    expect(agreed(['form: tablet'], ['form: capsule'], { aspects: byName }).questions).toMatchObject([{ options: [] }]);
  });

  test('not where they differ in what the table does not ask', () => {
    expect(agreed(['name: a'], ['name: b']).questions).toEqual([]);
    expect(agreed(['form: tablet'], ['name: b']).questions).toEqual([]);
  });
});

describe('a source that contradicts itself', () => {
  const aspects = { form: { alone: 'The words “{words}” say two things.', unlessStated: 'name' } };

  test('is asked, with every value that any source has', () => {
    const asked = agreed(['form: tablet?', 'form: capsule'], ['form: capsule'], { aspects });
    expect(asked.questions).toEqual([
      {
        ...question,
        message: 'The words “form: tablet?” say two things.',
        options: [
          { value: 'tablet?', label: 'tablet?', reason: 'reason: form: tablet?' },
          { value: 'capsule', label: 'capsule', reason: 'reason: form: capsule' },
        ],
      },
    ]);
  });

  test('is not asked where another source states it', () => {
    expect(agreed(['form: tablet?'], ['name: a'], { aspects }).questions).toEqual([]);
  });

  test('is asked wherever another source stands, where the table names no such source', () => {
    const always = { form: { alone: 'The words “{words}” say two things.' } };
    expect(agreed(['form: tablet?'], ['name: a'], { aspects: always }).questions).toHaveLength(1);
  });

  test('is not asked, and two that differ are not, where the table asks neither', () => {
    expect(agreed(['form: tablet?'], ['form: capsule'], { aspects: { form: {} } }).questions).toEqual([]);
    expect(agreed(['form: tablet'], ['form: capsule'], { aspects }).questions).toEqual([]);
  });
});

describe('what is told and blocks nothing', () => {
  const advice = { ...question, severity: 'warns', reason: 'advice' };

  test('that a source says it, where something else differs', () => {
    const aspects = { form: { told: 'The {leftSource} says {left}.' }, name: { differ: '{left} or {right}?' } };
    const asked = agreed(['form: tablet', 'name: a'], ['name: b'], { aspects });
    expect(asked.questions).toMatchObject([{ ...advice, message: 'The reason says tablet.' }, { part: 'name' }]);
  });

  test('that nothing tells whether two agree, once', () => {
    const aspects = { form: { differ: 'Which?', unknown: 'Nobody knows whether {left} is {right}.' } };
    expect(agreed(['form: tablet', 'form: maybe'], ['form: maybe'], { aspects }).questions).toEqual([
      { ...advice, message: 'Nobody knows whether tablet is maybe.' },
    ]);
    expect(agreed(['form: tablet'], ['form: maybe']).questions).toEqual([]);
  });

  test('of two that certainly differ they are asked, and no more', () => {
    const aspects = { form: { differ: 'Which?', unknown: 'Nobody knows.', told: 'It says so.' } };
    expect(agreed(['form: tablet', 'form: maybe'], ['form: capsule'], { aspects }).questions).toMatchObject([
      { severity: 'blocks', message: 'Which?' },
    ]);
  });
});

test('beside each other, readings are sent as the table writes them', () => {
  const upper = (readings: readonly Reading[]) =>
    readings.map((one, at) => (at === 0 ? one : { ...one, form: String(one.form).toUpperCase() }));
  const beside = { name: 'upper', sentence: 'in capitals', call: upper };
  const run = (changes: Partial<Agree>) => {
    const order = {
      resourceType: 'MedicationRequest',
      id: 'o',
      status: 'active',
      intent: 'order',
      subject: { reference: 'Patient/p' },
      medicationCodeableConcept: { text: 'adalimumab' },
      reasonCode: [{ text: 'form: tablet' }, { text: 'form: tablet' }],
    };
    const roles = { drug: agree({ ...rule, ...changes }), forms: first(['string'], ['%drug.form']) };
    return runOf(roles, [order])
      .root('forms')
      .nodes.map(({ value }) => value);
  };
  expect(run({})).toEqual(['tablet', 'tablet']);
  expect(run({ beside })).toEqual(['tablet', 'TABLET']);
  expect(run({ beside: { ...beside, call: (readings) => readings } })).toEqual(['tablet', 'tablet']);
});

describe('a source that a transform reads', () => {
  const words = new Map([
    ['po', 'oral'],
    ['sc', 'subcutaneous'],
  ]);
  const route: Transform<string> = {
    name: 'route',
    apply: (value) => {
      const text = typeof value === 'string' ? value : String(Reflect.get(Object(value), 'text'));
      const known = words.get(text);
      return known === undefined ? { refused: 'unknown_word' } : { value: known };
    },
  };
  const { call } = readBy(route, { aspect: 'route', member: 'concept' });

  test('says what it makes of the element, and holds the element', () => {
    expect(call({ text: 'po' })).toEqual([
      { words: 'po', concept: { text: 'po' }, route: 'oral', known: true, isKind: false },
    ]);
    expect(readBy(route, { aspect: 'route', member: 'concept', isKind: true }).call('po')).toEqual([
      { words: 'po', concept: 'po', route: 'oral', known: true, isKind: true },
    ]);
  });

  test('is not known where the transform refuses a concept, and says nothing where it refuses a text', () => {
    expect(call({ text: 'Zap' })).toEqual([{ words: 'Zap', concept: { text: 'Zap' }, route: 'zap', known: false }]);
    expect(call('Zap')).toEqual([]);
  });

  test.each([
    [{ text: 'a', unit: 'b' }, 'a'],
    [{ unit: 'b', code: 'c' }, 'b'],
    [{ code: 'c', coding: [{ display: 'd' }] }, 'c'],
    [{ coding: ['no coding', { system: 's' }, { display: 'd', code: 'e' }] }, 'd'],
    [{ coding: [{ code: 'e' }, { display: 'd' }] }, 'e'],
    [{ coding: 'no list' }, ''],
    [{}, ''],
  ])('is quoted by the first words of %j', (value, quoted) => {
    expect(call(value).map((one) => one.words)).toEqual([quoted]);
  });
});

describe('values are the same', () => {
  const { call } = sameValue('route', { oral: 'enteral', subcutaneous: 'parenteral', parenteral: 'parenteral' }, [
    ['oral', 'by mouth'],
  ]);
  const reading = (route: string, more: object = {}): Reading => ({ words: route, route, known: true, ...more });

  test.each([
    ['equal ones', reading('oral'), reading('oral')],
    ['two words for one thing', reading('oral'), reading('by mouth')],
    ['a kind and a value of it', reading('parenteral', { isKind: true }), reading('subcutaneous')],
    ['a value and its kind', reading('subcutaneous'), reading('parenteral', { isKind: true })],
    ['a kind and a value of no kind', reading('parenteral', { isKind: true }), reading('nasal')],
    ['a value of no kind and a kind', reading('nasal'), reading('parenteral', { isKind: true })],
  ])('%s', (_, left, right) => {
    expect(call(left, right)).toEqual([]);
  });

  test.each([
    ['two values', reading('oral'), reading('subcutaneous'), 'differs'],
    ['a word for another thing', reading('by mouth'), reading('subcutaneous'), 'differs'],
    ['a kind and a value of another', reading('parenteral', { isKind: true }), reading('oral'), 'differs'],
    ['two values of one kind', reading('parenteral'), reading('subcutaneous'), 'differs'],
    ['one that is not known', reading('oral'), reading('zap', { known: false }), 'unknown'],
    ['another that is not known', reading('zap', { known: false }), reading('oral'), 'unknown'],
  ])('not: %s', (_, left, right, certainty) => {
    expect(call(left, right)).toEqual([{ aspect: 'route', certainty }]);
  });
});

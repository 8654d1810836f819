import { describe, expect, test } from 'vitest';
import {
  advises,
  ask,
  blocks,
  doubts,
  given,
  last,
  latest,
  leave,
  oneOf,
  only,
  pick,
  refusedBy,
  uses,
  warn,
  when,
} from '../../../src/core/roles/index.ts';
import type { Pick, Tie } from '../../../src/core/roles/words.ts';
import { runOf, saidOf } from './filled.ts';

// One part of a resource: what is picked, what is said of the others, and what is asked.

const isHome = oneOf('use', ['home'], 'it is of use {use|none}');

function addressOf(address: readonly object[], options: Partial<Pick> = {}) {
  const rules = {
    patient: given('Patient'),
    address: pick(['Address'], ['%patient.address', '%patient.contact.address'], options),
  };
  return saidOf(runOf(rules, [{ resourceType: 'Patient', id: 'p', address }]), 'address');
}

const lakeside = { use: 'home', city: 'Lakeside' };
const fenwick = { use: 'home', city: 'Fenwick' };

describe('of the addresses is told how many there are, and why none can be used', () => {
  test.each([
    ['none', [], 'Patient (1) > address (0) > can be used (0)', 'the chart has none'],
    [
      'one that is old',
      [{ use: 'old', city: 'Lakeside' }],
      'Patient (1) > address (1) > can be used (0): Patient/p#address[0]: it is of use old',
      'none can be used',
    ],
    [
      'one that is old and one without a use',
      [{ use: 'old', city: 'Lakeside' }, { city: 'Fenwick' }],
      'Patient (1) > address (2) > can be used (0): Patient/p#address[0]: it is of use old; ' +
        'Patient/p#address[1]: it is of use none',
      'none can be used',
    ],
  ])('%s', (_, address, look, reason) => {
    const said = addressOf(address, { unless: [isHome] });
    expect(said.looks).toEqual([look, 'Patient (1) > contact (0) > can be used (0)']);
    expect(said).toMatchObject({ nodes: [], chosen: undefined, reason, questions: [] });
  });

  test('with what a transform says of a value that it does not take', () => {
    const short = { name: 'short', apply: () => ({ refused: 'not_positive' as const }) };
    const said = addressOf([lakeside], { unless: [refusedBy(short, 'city', 'its city is too long')] });
    expect(said.looks[0]).toBe('Patient (1) > address (1) > can be used (0): not a positive number');
    expect(said.candidates).toEqual([['Patient/p#address[0]', 'home', false, 'its city is too long']]);
  });
});

describe('one is picked', () => {
  test('that is alone', () => {
    expect(addressOf([{ city: 'Lakeside' }])).toMatchObject({
      nodes: ['Patient/p Patient.address[0]'],
      looks: [],
      chosen: 'Patient/p#address[0]',
      reason: 'the only one that can be used',
      candidates: [['Patient/p#address[0]', 'no use', true, 'it comes first']],
    });
  });

  test('that alone fits', () => {
    expect(addressOf([{ use: 'old' }, lakeside], { unless: [isHome] })).toMatchObject({
      nodes: ['Patient/p Patient.address[1]'],
      reason: 'the only one that can be used',
      candidates: [
        ['Patient/p#address[0]', 'old', false, 'it is of use old'],
        ['Patient/p#address[1]', 'home', true, 'it comes first'],
      ],
    });
  });

  test('before the others', () => {
    const prefer = { prefer: [last(when("type = 'postal'"))] };
    const postal = { ...fenwick, type: 'postal' };
    expect(addressOf([postal, lakeside], prefer)).toMatchObject({
      nodes: ['Patient/p Patient.address[1]'],
      reason: 'comes before the other one',
      candidates: [
        ['Patient/p#address[0]', 'home', true, 'another one comes first'],
        ['Patient/p#address[1]', 'home', true, 'it comes first'],
      ],
    });
    expect(addressOf([postal, lakeside, postal], prefer).reason).toBe('comes before 2 others');
  });

  test('of a use that is named, in the order of the uses', () => {
    const prefer = { prefer: [uses('home', 'unmarked', 'work')] };
    const all = [{ use: 'work' }, { city: 'Fenwick' }, { use: 'old' }, { use: 'home' }];
    expect(addressOf(all, prefer).nodes).toEqual(['Patient/p Patient.address[3]']);
    expect(addressOf(all.slice(0, 3), prefer)).toMatchObject({
      nodes: ['Patient/p Patient.address[1]'],
      candidates: [
        ['Patient/p#address[0]', 'work', true, 'another one comes first'],
        ['Patient/p#address[1]', 'no use', true, 'it comes first'],
        ['Patient/p#address[2]', 'old', false, 'its use is old'],
      ],
    });
    expect(addressOf([{ use: 'old' }], prefer)).toMatchObject({ nodes: [], reason: 'none can be used' });
  });

  test('that meets the first “only” that any meets', () => {
    const prefer = [only(when("state = 'OH'"), 'it is not in Ohio'), only(when("state = 'KY'"), 'it is not near')];
    const [ohio, kentucky, texas] = ['OH', 'KY', 'TX'].map((state) => ({ state }));
    const reasons = (address: readonly object[]) => addressOf(address, { prefer }).candidates.map(([, , , why]) => why);
    expect(reasons([kentucky!, ohio!])).toEqual(['it is not in Ohio', 'it comes first']);
    expect(reasons([texas!, kentucky!])).toEqual(['it is not near', 'it comes first']);
    expect(reasons([texas!, texas!])).toEqual(['it is not near', 'it is not near']);
    expect(reasons([texas!])).toEqual(['it is not near']);
    expect(reasons([kentucky!])).toEqual(['it comes first']);
  });

  test('that is the latest', () => {
    const since = (start?: string) => ({ ...lakeside, ...(start === undefined ? {} : { period: { start } }) });
    const prefer = { prefer: [latest('period.start')] };
    expect(addressOf([since(), since('2020'), since('2024-05')], prefer).nodes).toEqual([
      'Patient/p Patient.address[2]',
    ]);
    expect(addressOf([since('2024'), since()], prefer).nodes).toEqual(['Patient/p Patient.address[0]']);
  });

  test('of a later path, where the first has none that fits', () => {
    const rules = {
      patient: given('Patient'),
      address: pick(['Address'], ['%patient.address', '%patient.contact.address'], { unless: [isHome] }),
    };
    const chart = { resourceType: 'Patient', id: 'p', address: [{ use: 'old' }], contact: [{ address: lakeside }] };
    expect(saidOf(runOf(rules, [chart]), 'address').nodes).toEqual(['Patient/p Patient.contact[0].address']);
  });
});

describe('of several that fit equally well', () => {
  const tied = (tie: Tie, address: readonly object[] = [lakeside, fenwick], same: readonly string[] = ['city']) =>
    addressOf(address, { tie, same });
  const question = { role: 'address', severity: 'blocks', reason: 'choice', looks: [] };

  test('the first is used, where the table says no more', () => {
    expect(tied({ kind: 'first' })).toMatchObject({ nodes: ['Patient/p Patient.address[0]'], questions: [] });
  });

  test('none is used, and nothing is said', () => {
    expect(tied({ kind: 'none' })).toMatchObject({
      nodes: [],
      looks: [],
      chosen: undefined,
      reason: '2 fit equally well; none is used',
      questions: [],
    });
  });

  test('none is used, and that is told', () => {
    expect(tied(leave('Two places; none is used.'), [lakeside, fenwick, lakeside])).toMatchObject({
      nodes: [],
      reason: '2 fit equally well; none is used',
      candidates: [
        ['Patient/p#address[0]', 'home', true, 'another one comes first'],
        ['Patient/p#address[1]', 'home', true, 'another one comes first'],
        ['Patient/p#address[2]', 'home', true, 'another one comes first'],
      ],
      questions: [{ ...question, severity: 'warns', reason: 'advice', message: 'Two places; none is used.' }],
    });
  });

  test('the first is used, and that is told at its part', () => {
    const said = tied(warn('Two places; the first is used.', 'city'));
    expect(said.nodes).toEqual(['Patient/p Patient.address[0]']);
    expect(said.questions).toEqual([
      { ...question, severity: 'warns', reason: 'advice', part: 'city', message: 'Two places; the first is used.' },
    ]);
  });

  test('a person is asked, with what differs', () => {
    const said = tied(ask('Which city?', { option: 'city', part: 'city' }), [lakeside, fenwick, fenwick]);
    expect(said).toMatchObject({ nodes: [], reason: '3 fit equally well' });
    expect(said.questions).toEqual([
      {
        ...question,
        part: 'city',
        message: 'Which city?',
        options: [
          { value: 'Lakeside', label: 'Lakeside' },
          { value: 'Fenwick', label: 'Fenwick' },
        ],
      },
    ]);
  });

  test('what has no words is not offered, and the others stay a question', () => {
    const said = tied(ask('Which city?', { option: 'city' }), [lakeside, { use: 'home' }]);
    expect(said.questions[0]?.options).toEqual([{ value: 'Lakeside', label: 'Lakeside' }]);
    expect(tied(ask('Which?'), [{ use: 'home', line: ['1'] }, { use: 'work' }], ['use']).questions[0]?.options).toEqual(
      [
        { value: 'Patient/p#address[0]', label: 'Patient/p#address[0]' },
        { value: 'Patient/p#address[1]', label: 'Patient/p#address[1]' },
      ],
    );
  });

  test.each([
    ['their letters differ in case, dots and commas alone', { city: 'ST. PAUL' }, { city: 'St, Paul' }],
    ['one is better', { ...lakeside, type: 'postal' }, fenwick],
  ])('nothing is asked where %s', (_, one, other) => {
    const options = { tie: ask('Which?'), same: ['city'], prefer: [last(when("type = 'postal'"))] };
    expect(addressOf([one, other], options).questions).toEqual([]);
  });

  test('each is another one, where the table names nothing by which they are the same', () => {
    expect(tied(ask('Which?'), [lakeside, lakeside], []).questions).toHaveLength(1);
    expect(tied(ask('Which?'), [lakeside, lakeside]).questions).toEqual([]);
  });
});

describe('two names are the same', () => {
  const asked = (one: object, other: object, same: readonly string[]) => {
    const rules = {
      patient: given('Patient'),
      name: pick(['HumanName'], ['%patient.name'], { same, tie: ask('Which name?') }),
      number: pick(['Identifier'], ['%patient.identifier'], { same, tie: ask('Which number?') }),
    };
    const patient = { resourceType: 'Patient', id: 'p', name: [one, other], identifier: [one, other] };
    return runOf(rules, [patient]).questions([same[0] === 'value' ? 'number' : 'name']).length > 0;
  };

  test.each([
    [true, 'Fenwick, Jr.', 'Fenwick'],
    [true, 'Fenwick III', 'FENWICK'],
    [true, 'Müller', 'Mu\u0308ller'],
    [false, 'Fenwick', 'Fenwicks'],
    [false, 'Jr', 'Fenwick'],
  ])('%s: the family names %s and %s', (isSame, one, other) => {
    expect(asked({ family: one }, { family: other }, ['family'])).toBe(!isSame);
  });

  test.each([
    [true, '123-45', '123 45'],
    [true, 'ab1', 'AB1'],
    [false, '123', '1234'],
    [false, '##', '#'],
  ])('%s: the numbers %s and %s', (isSame, one, other) => {
    expect(asked({ value: one }, { value: other }, ['value'])).toBe(!isSame);
  });

  test('a suffix that is no family name counts', () => {
    expect(asked({ text: 'Ida Jr' }, { text: 'Ida' }, ['text'])).toBe(true);
  });
});

describe('what is picked is asked about', () => {
  const asked = (patient: object, asks: Pick['asks']) => {
    const rules = { patient: given('Patient'), address: pick(['Address'], ['%patient.address'], { asks }) };
    return saidOf(runOf(rules, [{ resourceType: 'Patient', id: 'p', ...patient }]), 'address').questions;
  };

  test('while a clause holds, with its words', () => {
    const asks = [
      blocks(when("city = 'Lakeside'"), 'Is it {city} in {state|no state}?', 'uncertain', 'city'),
      advises(when('state.empty()'), 'It names no state.'),
      advises(when('state.exists()'), 'It names a state.'),
    ];
    expect(asked({ address: [lakeside] }, asks)).toEqual([
      {
        role: 'address',
        severity: 'blocks',
        reason: 'uncertain',
        part: 'city',
        message: 'Is it Lakeside in no state?',
        looks: [],
      },
      { role: 'address', severity: 'warns', reason: 'advice', message: 'It names no state.', looks: [] },
    ]);
  });

  test('with what the chart says where that is doubted, which a person may confirm', () => {
    const [question] = asked({ address: [lakeside] }, [doubts(when("use = 'home'"), 'no_mail', 'city', 'city')]);
    expect(question).toMatchObject({ severity: 'blocks', reason: 'uncertain', part: 'city', why: 'no_mail' });
    expect(question?.options).toEqual([{ value: 'Lakeside', label: 'Lakeside', reason: 'as the chart says it' }]);
    expect(question?.looks).toEqual([
      {
        expression: 'city',
        steps: [],
        refused: [
          { why: 'no_mail', value: 'Lakeside', source: { resource: 'Patient/p', path: 'Patient.address[0].city' } },
        ],
      },
    ]);
  });

  test('without a look and an option where the doubted part is not there', () => {
    const asks = [doubts(when("use = 'home'"), 'no_mail', 'line', 'line')];
    const [question] = asked({ address: [lakeside] }, asks);
    expect(question?.looks).toEqual([]);
    expect(question).not.toHaveProperty('options');
  });

  test('without an option where nothing is to be confirmed', () => {
    const [question] = asked({ address: [lakeside] }, [doubts(when("use = 'home'"), 'no_mail', 'city')]);
    expect(question?.looks).toHaveLength(1);
    expect(question).not.toHaveProperty('options');
  });
});

import { describe, expect, test } from 'vitest';
import { ask, asksBetween, choose, has, lowest, not, oneOf, when } from '../../../src/core/roles/index.ts';
import type { Choose } from '../../../src/core/roles/words.ts';
import { runOf, saidOf } from './filled.ts';

// One resource of a type: what is chosen, what is said of each candidate, and what is asked.

const plan = (id: string, more: object = {}) => ({
  resourceType: 'Coverage',
  id,
  status: 'active',
  beneficiary: { reference: 'Patient/p' },
  payor: [{ display: 'Evergreen' }],
  subscriberId: `member-${id}`,
  ...more,
});

const patient = { resourceType: 'Patient', id: 'p' };
const isNetwork = when("network = 'N'", 'in the network');

function chosenOf(coverages: readonly object[], options: Partial<Choose> = {}, request: object = {}) {
  const coverage = choose('Coverage', {
    unless: [oneOf('status', ['active'], 'it is {status}')],
    prefer: [has(isNetwork, 'of no network')],
    tie: ask('Which plan?'),
    label: ['subscriberId', 'dependent'],
    answer: 'coverage',
    ...options,
  });
  return saidOf(runOf({ coverage }, coverages, request), 'coverage');
}

describe('a resource is chosen', () => {
  test('the only one that fits, among those that do not', () => {
    expect(chosenOf([plan('a', { status: 'cancelled' }), plan('b')])).toMatchObject({
      nodes: ['Coverage/b Coverage'],
      looks: [],
      note: 'the only one that fits. Of no network',
      chosen: 'Coverage/b',
      reason: 'the only one that fits. Of no network',
      candidates: [
        ['Coverage/a', 'member-a', false, 'it is cancelled'],
        ['Coverage/b', 'member-b', true, 'of no network'],
      ],
      questions: [],
    });
  });

  test('the only one, in the words that the rule has for it', () => {
    expect(chosenOf([plan('a')], { alone: 'only active plan' }).reason).toBe('only active plan. Of no network');
  });

  test('the best of several', () => {
    expect(chosenOf([plan('a'), plan('b', { network: 'N', dependent: '01' }), plan('c')])).toMatchObject({
      nodes: ['Coverage/b Coverage'],
      reason: 'comes first of 3 that fit: in the network',
      candidates: [
        ['Coverage/a', 'member-a', true, 'comes after another: of no network'],
        ['Coverage/b', 'member-b, 01', true, 'in the network'],
        ['Coverage/c', 'member-c', true, 'comes after another: of no network'],
      ],
      questions: [],
    });
  });

  test('by nothing but its place, where no preference has words', () => {
    const plain = { prefer: [], tie: { kind: 'none' } } as const;
    expect(chosenOf([plan('a')], plain).reason).toBe('the only one that fits');
    const quiet = { ...plain, prefer: [has(when("network = 'N'"))] };
    expect(chosenOf([plan('a'), plan('b', { network: 'N' })], quiet).reason).toBe('comes first of 2 that fit');
  });

  test('by its number, in the words that the rule has for it', () => {
    const prefer = [lowest('order', 'coverage order', { words: { 1: 'primary coverage' } })];
    const reasonOf = (order: number) => chosenOf([plan('a', { order })], { prefer }).reason;
    expect(reasonOf(1)).toBe('the only one that fits. Primary coverage');
    expect(reasonOf(4)).toBe('the only one that fits. Coverage order 4');
  });

  test('by what could be read, where not all was', () => {
    const unread = { unread: ['Coverage'] };
    expect(chosenOf([plan('a')], {}, unread).reason).toBe(
      'the only one that fits in what could be read of the chart. Of no network',
    );
    expect(chosenOf([plan('a'), plan('b', { network: 'N' })], {}, unread).reason).toBe(
      'comes first of 2 that fit in what could be read of the chart: in the network',
    );
    expect(chosenOf([plan('a', { status: 'cancelled' })], {}, unread).reason).toBe(
      'no Coverage of what could be read of the chart fits',
    );
    expect(chosenOf([plan('a')], {}, { unread: ['Condition'] }).reason).toBe('the only one that fits. Of no network');
  });

  test('once, where the same content has two ids', () => {
    const twice = [plan('b', { subscriberId: '7' }), plan('a', { subscriberId: '7' })];
    expect(chosenOf(twice)).toMatchObject({ chosen: 'Coverage/a', questions: [] });
    expect(chosenOf([...twice, plan('c')]).questions[0]?.options?.map(({ value }) => value)).toEqual([
      'Coverage/a',
      'Coverage/c',
    ]);
  });
});

describe('nothing is chosen', () => {
  test('where the chart has none', () => {
    expect(chosenOf([])).toMatchObject({
      nodes: [],
      looks: ['Coverage (0) > fits (0) > the one (0)'],
      note: undefined,
      chosen: undefined,
      reason: 'the chart has no Coverage',
      candidates: [],
      questions: [],
    });
  });

  test('where none fits, with why', () => {
    expect(chosenOf([plan('a', { status: 'cancelled' }), plan('b', { status: 'draft' })])).toMatchObject({
      nodes: [],
      looks: ['Coverage (2) > fits (0) > the one (0): Coverage/a: it is cancelled; Coverage/b: it is draft'],
      reason: 'no Coverage of the chart fits',
      questions: [],
    });
  });

  test('of what is another patient’s', () => {
    const theirs = plan('a', { beneficiary: { reference: 'Patient/q' } });
    expect(chosenOf([patient, { resourceType: 'Patient', id: 'q' }, theirs]).reason).toBe('the chart has no Coverage');
  });

  test('where two are equally good: both are offered', () => {
    expect(chosenOf([plan('a'), plan('b'), plan('c', { status: 'draft' })])).toMatchObject({
      nodes: [],
      looks: ['Coverage (3) > fits (2) > the one (0): Coverage/c: it is draft'],
      reason: '2 fit equally well; a person chooses',
      candidates: [
        ['Coverage/a', 'member-a', true, 'equal match: of no network'],
        ['Coverage/b', 'member-b', true, 'equal match: of no network'],
        ['Coverage/c', 'member-c', false, 'it is draft'],
      ],
      questions: [
        {
          role: 'coverage',
          severity: 'blocks',
          reason: 'choice',
          message: 'Which plan?',
          looks: [],
          options: [
            { value: 'Coverage/a', label: 'member-a', reason: 'equal match: of no network' },
            { value: 'Coverage/b', label: 'member-b', reason: 'equal match: of no network' },
          ],
        },
      ],
    });
  });

  test('and nothing is asked, where the table asks nothing of equals', () => {
    expect(chosenOf([plan('a'), plan('b')], { tie: { kind: 'none' } })).toMatchObject({
      nodes: [],
      reason: '2 fit equally well; a person chooses',
      questions: [],
    });
  });
});

describe('labels of what is offered', () => {
  const labels = (coverages: readonly object[], options: Partial<Choose> = {}) =>
    chosenOf(coverages, options).questions.flatMap((one) => one.options?.map(({ label }) => label));
  const same = { subscriberId: '7' };
  const apart = ['costToBeneficiary.type.text', 'network', 'dependent'];

  test('are the reference, where the label has no text', () => {
    expect(labels([plan('a'), plan('b')], { label: ['dependent'] })).toEqual(['Coverage/a', 'Coverage/b']);
  });

  test('are told apart where they are the same, by what differs', () => {
    const two = [plan('a', { ...same, dependent: '1' }), plan('b', { ...same, dependent: '2' })];
    expect(labels(two, { label: ['subscriberId'], apart })).toEqual(['7, 1', '7, 2']);
    expect(labels(two, { label: ['subscriberId'] })).toEqual(['7', '7']);
  });

  test('stand alone where they differ already, and where nothing else differs', () => {
    const two = [plan('a', { dependent: '1' }), plan('b', { dependent: '2' })];
    expect(labels(two, { label: ['subscriberId'], apart })).toEqual(['member-a', 'member-b']);
    const three = [
      plan('a', { ...same, dependent: '1', class: [] }),
      plan('b', { ...same, dependent: '2' }),
      plan('c', { dependent: '3' }),
    ];
    expect(labels(three, { label: ['subscriberId'], apart })).toEqual(['7, 1', '7, 2', 'member-c']);
    const alike = [plan('a', { ...same, order: 1 }), plan('b', { ...same, order: 2 })];
    expect(labels(alike, { label: ['subscriberId'], apart })).toEqual(['7', '7']);
  });
});

describe('a person’s answer', () => {
  test('decides, also for one that comes after another', () => {
    const answers = { coverage: 'Coverage/a' };
    expect(chosenOf([plan('a'), plan('b', { network: 'N' })], {}, { answers })).toMatchObject({
      nodes: ['Coverage/a Coverage'],
      note: 'chosen by a person',
      chosen: 'Coverage/a',
      reason: 'chosen by a person',
      candidates: [
        ['Coverage/a', 'member-a', true, 'of no network'],
        ['Coverage/b', 'member-b', true, 'fits best by itself: in the network'],
      ],
      questions: [],
      warnings: [],
    });
  });

  test('decides between equals, and says of the others that they fit as well', () => {
    const answered = chosenOf([plan('a'), plan('b')], {}, { answers: { coverage: 'Coverage/b' } });
    expect(answered.candidates).toEqual([
      ['Coverage/a', 'member-a', true, 'equal match: of no network'],
      ['Coverage/b', 'member-b', true, 'of no network'],
    ]);
    expect(answered.questions).toEqual([]);
  });

  test('for one that does not fit is taken, and told', () => {
    const answers = { coverage: 'Coverage/a' };
    const answered = chosenOf([plan('a', { status: 'cancelled' }), plan('b')], {}, { answers });
    expect(answered.chosen).toBe('Coverage/a');
    expect(answered.warnings).toEqual(['The chosen coverage (member-a) does not fit by itself: it is cancelled.']);
  });

  test('for one that is not there is told, and what fits by itself is taken', () => {
    const answered = chosenOf([plan('b')], {}, { answers: { coverage: 'Coverage/z' } });
    expect(answered.chosen).toBe('Coverage/b');
    expect(answered.warnings).toEqual(['The chosen coverage is not among this patient’s coverages.']);
  });

  test('is not looked at by a role that takes none', () => {
    const answered = chosenOf(
      [plan('a'), plan('b', { network: 'N' })],
      { answer: undefined as never },
      {
        answers: { coverage: 'Coverage/a' },
      },
    );
    expect(answered.chosen).toBe('Coverage/b');
    expect(answered.warnings).toEqual([]);
  });
});

describe('a question between the best and others', () => {
  const isMedicaid = when("dependent = 'medicaid'", 'it is Medicaid');
  const between = asksBetween(isMedicaid, not(isMedicaid), 'Medicaid pays after other plans. Which plan pays?');
  const medicaid = (id: string, more: object = {}) => plan(id, { dependent: 'medicaid', network: 'N', ...more });

  test('is asked where the best is of the kind and another fits', () => {
    expect(chosenOf([medicaid('a'), plan('b'), plan('c', { status: 'draft' })], { asks: [between] })).toMatchObject({
      nodes: [],
      chosen: undefined,
      reason: 'several could be meant; a person chooses',
      candidates: [
        ['Coverage/a', 'member-a, medicaid', true, 'fits best by itself: in the network'],
        ['Coverage/b', 'member-b', true, 'comes after another: of no network'],
        ['Coverage/c', 'member-c', false, 'it is draft'],
      ],
      questions: [
        {
          message: 'Medicaid pays after other plans. Which plan pays?',
          options: [
            { value: 'Coverage/a', reason: 'equal match: in the network' },
            { value: 'Coverage/b', reason: 'equal match: of no network' },
          ],
        },
      ],
    });
  });

  test.each([
    ['the best is of another kind', [medicaid('a', { network: 'M' }), plan('b', { network: 'N' })]],
    ['no other fits', [medicaid('a'), plan('b', { status: 'draft' })]],
    ['the others are of the same kind', [medicaid('a'), medicaid('b', { network: 'M' })]],
    ['there is no other', [medicaid('a')]],
  ])('is not where %s', (_, coverages) => {
    const { questions, chosen } = chosenOf(coverages, { asks: [between] });
    expect(questions).toEqual([]);
    expect(chosen).toBeDefined();
  });

  test('is not where a person has answered', () => {
    const answers = { coverage: 'Coverage/a' };
    expect(chosenOf([medicaid('a'), plan('b')], { asks: [between] }, { answers }).questions).toEqual([]);
  });

  test('is asked as the table asks it, whatever a site prefers', () => {
    const own = { unless: [], prefer: [has(isNetwork)] };
    const prefer = [has(not(isMedicaid)), has(isNetwork)];
    const asked = (options: Partial<Choose>) =>
      chosenOf([medicaid('a'), plan('b')], { asks: [between], prefer, ...options }).questions.map((one) =>
        one.options?.map(({ value }) => value),
      );
    expect(asked({})).toEqual([]);
    expect(asked({ own })).toEqual([['Coverage/a', 'Coverage/b']]);
  });
});

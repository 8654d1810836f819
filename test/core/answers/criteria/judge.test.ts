import type { FhirResource, MedicationRequest } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answerKnowledge, answers } from '../../../../mappings/index.ts';
import { judgeCriteria, namesBy } from '../../../../src/core/answers/criteria/criteria.ts';
import { readCriteria } from '../../../../src/core/answers/criteria/read-criteria.ts';
import { answersSheet, type Statement } from '../../../../src/core/answers/sheet.ts';
import { fill, observed, order, sheetChart, sheetFor, statement, subject } from '../support.ts';

const drug = 'adalimumab 40 MG/0.8 ML Prefilled Syringe';
const methotrexate = 'methotrexate 2.5 MG Oral Tablet';
const known = {
  tests: ['Tuberculosis screen', 'C-reactive protein', 'DAS28'],
  classes: ['immunomodulators for inflammatory disease'],
};
const head = {
  payer: 'Evergreen Mutual',
  drug: 'adalimumab',
  kind: 'initial',
  text: 'as it was read',
  source: 'https://evergreen.example/criteria',
  readOn: '2026-10-01',
  readBy: 'Dana Whitfield, RN',
};

interface Given {
  readonly chart?: readonly FhirResource[];
  readonly focal?: Partial<MedicationRequest>;
  readonly statements?: readonly Statement[];
  readonly row?: object;
}

function judged(conditions: readonly object[], { chart = [], focal = {}, statements = [], row = {} }: Given = {}) {
  const criteria = conditions.map((condition) => ({ ...head, ...row, condition }));
  const { rows, problems } = readCriteria({ criteria }, known);
  expect(problems).toEqual([]);
  const sheet = answersSheet(answers, sheetChart(drug, chart, { focal }), statements);
  const about = { payer: 'evergreen mutual', drug: 'adalimumab', isNamed: namesBy(answerKnowledge), day: '2026-11-21' };
  return judgeCriteria(rows, sheet, about);
}

const verdict = (condition: object, given?: Given) => judged([condition], given)[0]?.verdict;

describe('a trial', () => {
  const ninety = { trial: { of: ['methotrexate'], days: 90 } };
  const fills = (...days: readonly string[]) => days.map((day, at) => fill(`d${at}`, methotrexate, day, 30));

  test('of enough days covered is met', () => {
    expect(verdict(ninety, { chart: fills('2026-01-01', '2026-01-31', '2026-03-02') })).toBe('met');
  });

  test('of a combination is one of its whole, and of no part', () => {
    const text = 'naproxen 500 MG / methotrexate 2.5 MG Oral Tablet';
    const chart = ['2026-01-01', '2026-01-31', '2026-03-02'].map((day, at) => fill(`d${at}`, text, day, 30));
    expect(verdict({ trial: { of: ['naproxen / methotrexate'], days: 90 } }, { chart })).toBe('met');
    expect(judged([ninety], { chart })).toMatchObject([
      { verdict: 'unknown', because: expect.stringContaining('it contains methotrexate and naproxen') },
    ]);
  });

  test('of fewer days, or of none, is unknown: others may stand elsewhere', () => {
    const [short] = judged([ninety], { chart: fills('2026-01-01') });
    expect(short).toMatchObject({ verdict: 'unknown', because: 'the chart shows methotrexate (30 days covered)' });
    const [none] = judged([ninety]);
    expect(none).toMatchObject({
      verdict: 'unknown',
      because: 'the chart shows no trial of at least 90 days of methotrexate',
      cost: 'a record from elsewhere',
    });
  });

  test('is not met by supply that is still ahead, by samples, or by an order alone', () => {
    expect(verdict(ninety, { chart: [fill('d1', methotrexate, '2026-11-20', 90)] })).toBe('unknown');
    const type = { coding: [{ code: 'MS' }] };
    expect(verdict(ninety, { chart: [fill('d1', methotrexate, '2026-01-01', 90, { type })] })).toBe('unknown');
    expect(verdict({ trial: { of: ['methotrexate'] } }, { chart: [order('r1', methotrexate)] })).toBe('unknown');
  });

  test('is not met by supply behind the stated stop', () => {
    // Jan 1 to Mar 31 are covered, 90 days; stopped on Feb 15: 46 days up to it, 44 behind it
    const chart = [
      ...fills('2026-01-01', '2026-01-31', '2026-03-02'),
      statement('s1', methotrexate, { status: 'stopped', effectivePeriod: { start: '2026-01-01', end: '2026-02-15' } }),
    ];
    expect(sheetFor(drug, chart).trials).toMatchObject([{ days_covered: 90, days_after_stop: 44 }]);
    expect(verdict(ninety, { chart })).toBe('unknown');
    expect(verdict({ trial: { of: ['methotrexate'], days: 46 } }, { chart })).toBe('met');
    expect(verdict({ trial: { of: ['methotrexate'], days: 47 } }, { chart })).toBe('unknown');
  });

  test('that ended in an accepted way is met whatever its days', () => {
    const condition = { trial: { of: ['methotrexate'], days: 90, ended: ['not tolerated', 'contraindicated'] } };
    const told = statement('s1', methotrexate, { statusReason: [{ text: 'Side effects' }] });
    expect(verdict(condition, { chart: [told] })).toBe('met');
    expect(verdict(condition, { chart: [statement('s1', methotrexate)] })).toBe('unknown');
  });

  test('of a class is of any of its drugs, and two are two different drugs', () => {
    const condition = { trial: { of: known.classes, days: 30, count: 2 } };
    const etanercept = fill('e1', 'etanercept 50 MG/ML Auto-Injector', '2026-01-01', 30);
    const golimumab = fill('g1', 'golimumab 50 MG/0.5 ML Auto-Injector', '2026-03-01', 30);
    const again = fill('e2', 'etanercept 50 MG/ML Auto-Injector', '2026-06-01', 30);
    expect(verdict(condition, { chart: [etanercept, again] })).toBe('unknown');
    expect(verdict(condition, { chart: [etanercept, golimumab] })).toBe('met');
  });

  test('that is sensitive counts only when ticked', () => {
    const told = statement('s1', methotrexate, {
      reasonCode: [{ text: 'HIV' }],
      statusReason: [{ text: 'Side effects' }],
    });
    expect(verdict({ trial: { of: ['methotrexate'], ended: ['not tolerated'] } }, { chart: [told] })).toBe('unknown');
  });
});

describe('a test', () => {
  const crp = (value: number, unit = 'mg/L', effectiveDateTime = '2026-11-01') =>
    observed(`c${value}`, '1988-5', { valueQuantity: { value, unit }, effectiveDateTime });
  const high = { test: { name: 'C-reactive protein', is: '>=', value: 10, unit: 'mg/L', withinDays: 90 } };

  test('is met or not by its newest value', () => {
    expect(verdict(high, { chart: [crp(12)] })).toBe('met');
    expect(verdict(high, { chart: [crp(9)] })).toBe('not met');
    expect(verdict(high, { chart: [crp(12, 'mg/L', '2026-10-01'), crp(9)] })).toBe('not met');
  });

  test('is unknown without a result, with one that is too old, in another unit, or with a bound', () => {
    expect(verdict(high)).toBe('unknown');
    expect(verdict(high, { chart: [crp(12, 'mg/L', '2026-01-01')] })).toBe('unknown');
    expect(verdict(high, { chart: [crp(1.2, 'mg/dL')] })).toBe('unknown');
    const bound = observed('c', '1988-5', { valueQuantity: { comparator: '<', value: 5, unit: 'mg/L' } });
    expect(verdict(high, { chart: [bound] })).toBe('unknown');
  });

  test('before the first dose is the one before it', () => {
    const before = { test: { ...high.test, withinDays: undefined, when: 'before first dose' } };
    const begun = fill('d1', drug, '2026-03-01', 30);
    const chart = [crp(40, 'mg/L', '2026-02-01'), crp(3)];
    expect(verdict(before, { chart: [...chart, begun] })).toBe('met');
    expect(verdict(before, { chart })).toBe('unknown');
    const ordered = order('r1', drug, { authoredOn: '2026-01-10' });
    expect(verdict(before, { chart: [...chart, begun, ordered] })).toBe('unknown');
  });

  test('in words is met by the very words; others are for a person to read', () => {
    const negative = { test: { name: 'Tuberculosis screen', says: ['negative'] } };
    const screen = (text: string) => [observed('tb', '71773-6', { valueCodeableConcept: { text } })];
    expect(verdict(negative, { chart: screen('Negative') })).toBe('met');
    expect(verdict(negative, { chart: screen('Indeterminate') })).toBe('unknown');
    expect(verdict(negative)).toBe('unknown');
  });
});

describe('the patient, the prescriber and the order', () => {
  const born = (birthDate: string): FhirResource => ({ resourceType: 'Patient', id: 'p1', birthDate });

  test('an age is met or not, and unknown without a birth date', () => {
    const adult = { age: { atLeast: 18, below: 65 } };
    expect(verdict(adult, { chart: [born('2008-11-21')] })).toBe('met');
    expect(verdict(adult, { chart: [born('2008-11-22')] })).toBe('not met');
    expect(verdict(adult)).toBe('unknown');
  });

  test('a diagnosis is met by its code or one below it, and not met by another', () => {
    const code = (code: string) => ({
      reasonCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }] }],
    });
    const condition = { diagnosis: ['M05', 'M06.9'] };
    expect(verdict(condition, { focal: code('M05.79') })).toBe('met');
    expect(verdict(condition, { focal: code('L40.0') })).toBe('not met');
    expect(verdict(condition)).toBe('unknown');
  });

  test('another specialty leaves it unknown: a specialist may have been consulted', () => {
    expect(verdict({ specialty: ['rheumatology'] })).toBe('unknown');
  });

  test('therapy is never known to be new', () => {
    expect(verdict({ therapy: 'new' })).toBe('unknown');
    const chart = [fill('d1', drug, '2026-11-01', 30)];
    expect(verdict({ therapy: 'new' }, { chart })).toBe('not met');
    expect(verdict({ therapy: 'continuing' }, { chart })).toBe('met');
  });

  test('therapy that continues in another form is neither known to be new nor to be continued', () => {
    const chart = [fill('d1', 'adalimumab 40 MG Oral Tablet', '2026-11-01', 30)];
    for (const therapy of ['new', 'continuing'])
      expect(judged([{ therapy }], { chart })).toMatchObject([
        { verdict: 'unknown', because: expect.stringMatching(/^in another form: it covered/) },
      ]);
  });

  test('intolerance is documented, or unknown', () => {
    const allergy: FhirResource = {
      resourceType: 'AllergyIntolerance',
      id: 'a1',
      patient: subject,
      code: { text: 'Methotrexate' },
    };
    expect(verdict({ intolerance: ['methotrexate'] }, { chart: [allergy] })).toBe('met');
    expect(verdict({ intolerance: ['methotrexate'] })).toBe('unknown');
    const stopped = (text: string) => [statement('s1', methotrexate, { statusReason: [{ text }] })];
    expect(judged([{ intolerance: ['methotrexate'] }], { chart: stopped('Side effects') })).toMatchObject([
      { verdict: 'met', places: ['trials[0]'] },
    ]);
    expect(verdict({ intolerance: ['methotrexate'] }, { chart: stopped('Contraindicated') })).toBe('unknown');
  });

  test('not together with another one is not met where one is taken, and else unknown', () => {
    const alone = { not: { concurrent: known.classes } };
    const active = statement('s1', 'golimumab 50 MG/0.5 ML Auto-Injector', {
      status: 'active',
      effectivePeriod: { start: '2026-09-01' },
    });
    expect(judged([alone], { chart: [active] })).toMatchObject([
      { verdict: 'not met', because: 'golimumab 50 MG/0.5 ML Auto-Injector since Sep 1, 2026' },
    ]);
    expect(verdict(alone)).toBe('unknown');
    const longAgo = { ...active, dateAsserted: '2019-03-04' };
    expect(judged([alone], { chart: [longAgo] })).toMatchObject([
      { verdict: 'unknown', because: 'golimumab 50 MG/0.5 ML Auto-Injector as of Mar 4, 2019' },
    ]);
  });

  test('another form of the ordered drug is no other drug', () => {
    const tablet = order('r1', 'adalimumab 40 MG Oral Tablet', { status: 'active', authoredOn: '2026-11-01' });
    expect(sheetFor(drug, [tablet]).concurrent).toMatchObject([{ relation: 'same ingredient, other form' }]);
    expect(verdict({ not: { concurrent: known.classes } }, { chart: [tablet] })).toBe('unknown');
  });

  test('a quantity is held against its days', () => {
    const two = { quantity: { atMost: 2, unit: 'syringe', perDays: 28 } };
    const ordered = (value: number, days: number, unit = 'syringe') => ({
      dispenseRequest: { quantity: { value, unit }, expectedSupplyDuration: { value: days, unit: 'days' } },
    });
    expect(verdict(two, { focal: ordered(2, 28) })).toBe('met');
    expect(verdict(two, { focal: ordered(6, 84) })).toBe('met');
    expect(verdict(two, { focal: ordered(4, 28) })).toBe('not met');
    expect(verdict(two, { focal: ordered(2, 28, 'pen') })).toBe('unknown');
  });

  test('what only a person can say stays unknown, stated or not', () => {
    const said: Statement = { cell: 'rationale', text: 'It is needed.', by: 'D. W.', at: '2026-11-21T14:00:00Z' };
    expect(verdict({ person: 'rationale' }, { statements: [said] })).toBe('unknown');
  });
});

describe('joined conditions', () => {
  const isOld = { age: { atLeast: 18 } };
  const isYoung = { age: { below: 18 } };
  const nobodyKnows = { person: 'rationale' };
  const given: Given = { chart: [{ resourceType: 'Patient', id: 'p1', birthDate: '1980-01-01' }] };

  test.each([
    [{ all: [isOld, isOld] }, 'met'],
    [{ all: [isOld, nobodyKnows] }, 'unknown'],
    [{ all: [isYoung, nobodyKnows] }, 'not met'],
    [{ any: [isOld, nobodyKnows] }, 'met'],
    [{ any: [isYoung, nobodyKnows] }, 'unknown'],
    [{ any: [isYoung, isYoung] }, 'not met'],
    [{ not: isYoung }, 'met'],
    [{ not: nobodyKnows }, 'unknown'],
    [{ some: { atLeast: 2, of: [isOld, isOld, nobodyKnows] } }, 'met'],
    [{ some: { atLeast: 2, of: [isOld, nobodyKnows, isYoung] } }, 'unknown'],
    [{ some: { atLeast: 2, of: [isOld, isYoung, isYoung] } }, 'not met'],
  ])('%j is %s', (condition, expected) => {
    expect(verdict(condition, given)).toBe(expected);
  });
});

describe('the rows of a site', () => {
  test('come with what is not met first, then what is cheapest to find, what is met last', () => {
    const chart: readonly FhirResource[] = [{ resourceType: 'Patient', id: 'p1', birthDate: '1980-01-01' }];
    const conditions = [
      { age: { atLeast: 18 } },
      { test: { name: 'DAS28' } },
      { trial: { of: ['methotrexate'] } },
      { person: 'rationale' },
      { age: { below: 18 } },
    ];
    expect(judged(conditions, { chart }).map(({ verdict: one, cost }) => [one, cost])).toEqual([
      ['not met', undefined],
      ['unknown', 'a person says it'],
      ['unknown', 'a record from elsewhere'],
      ['unknown', 'a new test'],
      ['met', undefined],
    ]);
  });

  test('cite where each was read', () => {
    const chart = [observed('c1', '1988-5', { valueQuantity: { value: 12, unit: 'mg/L' } })];
    const [row] = judged([{ test: { name: 'C-reactive protein', is: '>', value: 10, unit: 'mg/L' } }], { chart });
    expect(row?.read.map(({ source }) => source?.resource)).toContain('Observation/c1');
  });

  test('past their date or without a source are not known', () => {
    const met = { age: { atLeast: 18 } };
    const chart: readonly FhirResource[] = [{ resourceType: 'Patient', id: 'p1', birthDate: '1980-01-01' }];
    expect(judged([met], { chart, row: { validUntil: '2026-11-21' } })[0]?.verdict).toBe('met');
    expect(judged([met], { chart, row: { validUntil: '2026-11-20' } })).toMatchObject([
      { verdict: 'unknown', because: 'the row was valid until Nov 20, 2026' },
    ]);
    expect(judged([met], { chart, row: { readBy: undefined } })[0]?.verdict).toBe('unknown');
  });

  test('of another payer or drug are left out', () => {
    expect(judged([{ therapy: 'new' }], { row: { payer: 'Another' } })).toEqual([]);
    expect(judged([{ therapy: 'new' }], { row: { drug: 'etanercept' } })).toEqual([]);
    expect(judged([{ therapy: 'new' }], { row: { drug: undefined, class: known.classes[0] } })).toHaveLength(1);
    expect(judged([{ therapy: 'new' }], { row: { drug: 'Humira' } })).toHaveLength(1);
  });
});

describe('a file of criteria', () => {
  const problemsOf = (criteria: unknown) =>
    readCriteria(criteria, known).problems.map(({ path, reason }) => `${path.join('.')}: ${reason}`);
  const withCondition = (condition: unknown) => problemsOf({ criteria: [{ ...head, condition }] });

  test.each<[unknown, string]>([
    [{ al: [] }, 'criteria.0.condition.al: there is no such word; did you mean all?'],
    [{ all: [] }, 'criteria.0.condition.all: a list of conditions'],
    [{ all: [{ age: {} }] }, 'criteria.0.condition.all.0.age: atLeast or below'],
    [{ age: { atLest: 3, below: 4 } }, 'criteria.0.condition.age.atLest: there is no such key here'],
    [{ any: [{ therapy: 'new' }], all: [] }, 'criteria.0.condition: a condition has one word'],
    [{ test: { name: 'CRP' } }, 'criteria.0.condition.test.name: there is no test CRP'],
    [{ test: { name: 'DAS82' } }, 'criteria.0.condition.test.name: there is no test DAS82; did you mean DAS28?'],
    [{ test: { name: 'DAS28', is: '>' } }, 'criteria.0.condition.test: is and value belong together'],
    [
      { some: { atLeast: 2, of: [{ therapy: 'new' }] } },
      'criteria.0.condition.some.atLeast: there are only 1 conditions',
    ],
    [{ diagnosis: ['RA'] }, 'criteria.0.condition.diagnosis.0: an ICD-10-CM code'],
    [undefined, 'criteria.0.condition: a condition is an object with one of all, any, some, not, trial, test'],
  ])('with %j says where it is wrong', (condition, expected) => {
    expect(withCondition(condition)[0]).toContain(expected);
  });

  test('with a mistake in the row says so too', () => {
    const row = { ...head, condition: { therapy: 'new' } };
    expect(problemsOf({ criteria: [{ ...row, payer: '' }] })[0]).toContain('criteria.0.payer');
    expect(problemsOf({ criteria: [{ ...row, drug: undefined }] })).toEqual(['criteria.0: drug or class, one']);
    expect(problemsOf({ criteria: [{ ...row, drug: undefined, class: 'none' }] })).toEqual([
      'criteria.0.class: there is no class none',
    ]);
    expect(problemsOf({ criteria: [{ ...row, readOn: '10/1/2026' }] })[0]).toContain('criteria.0.readOn');
    expect(problemsOf({ rows: [] })).toContain('rows: there is no such key here');
  });
});

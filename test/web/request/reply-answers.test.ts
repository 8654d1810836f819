import { describe, expect, test } from 'vitest';
import { questionRows } from '../../../mappings/question-rows.ts';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import type { AnswersSheet, CellName } from '../../../src/core/contract/answers-sheet.ts';
import type { Candidate } from '../../../src/core/roles/chart.ts';
import { answersTo, type ReplyLine } from '../../../src/web/request/reply-answers.ts';

const patient = {
  birth_date: '1980-03-02',
  age_years: 46,
  sex: 'female',
  weight: { value: '82 kg', date: '2026-11-01' },
} satisfies AnswersSheet['patient'];

function missingFor(question: string, value: AnswersSheet['patient'] = patient): readonly string[] {
  const texts = answerLines('patient', value);
  const lines = [{ key: 'k', id: 'patient', cell: 'patient', texts, places: [], isOld: false } as const];
  const by = { questions: questionRows, evidence: 'suggested' } as const;
  return answersTo(question, { from: 'chart', day: '2026-11-21', lines }, by).asked.flatMap(({ missing }) => missing);
}

test('the birth date is among the answers', () => {
  expect(answerLines('patient', patient)[0]).toBe('46 years; female; born Mar 2, 1980');
  expect(missingFor('Date of birth')).toEqual([]);
});

describe('what a question asks for by name and no answer has is named', () => {
  test.each<[string, readonly string[]]>([
    ['What is the current BMI?', ['BMI']],
    ['Pt age ____ Ht ____ Wt ____ BMI ____', ['Height', 'BMI']],
    ['Body mass index and body surface area (m2)?', ['BMI', 'Body surface area']],
    ['What is the patient’s weight?', []],
    ['Was BMI 30 or greater, or 27 or greater with a weight-related condition?', ['BMI']],
    ['Is the patient 18 years of age or older?', []],
  ])('%s', (question, missing) => {
    expect(missingFor(question)).toEqual(missing);
  });

  test('also of a patient of whom only something else is known', () => {
    expect(missingFor('Date of birth and sex?', { weight: patient.weight })).toEqual(['Birth date', 'Sex']);
    expect(missingFor('Weight?', { age_years: 46 })).toEqual(['Weight']);
  });
});

describe('documents on earlier drugs that no answer names', () => {
  const asks = 'Please send the date of the last visit and the dose of the antihistamine that was tried before.';
  const by = { questions: questionRows, evidence: 'suggested' } as const;
  const prior = (drug: string, change: Partial<Candidate> = {}): Candidate => ({
    reference: `MedicationRequest/${drug}`,
    label: `Prior therapy: ${drug}, Feb 3, 2026`,
    group: 'Prior Therapy',
    fits: true,
    reason: 'stated',
    ...change,
  });
  const line = (cell: CellName, text: string): ReplyLine => ({
    ...{ key: text, id: text, cell, texts: [text], places: [], isOld: false },
  });
  const dose = line('dose', 'Xolair, 150 MG/ML, Prefilled Syringe, Subcutaneous');
  const diagnosis = line('diagnosis', 'L50.1 Idiopathic urticaria');
  const beside = (question: string, candidates: readonly Candidate[], trials: readonly ReplyLine[] = []) => {
    const chart = { from: 'chart', day: '2026-11-21', lines: [dose, diagnosis, ...trials] } as const;
    const { asked, proposed } = answersTo(question, chart, { ...by, candidates });
    return { offered: asked.flatMap(({ documents }) => documents.map(({ reference }) => reference)), proposed };
  };

  test('stand beside the question about trials, checked; its dose is not the dose of the ordered drug', () => {
    const { offered, proposed } = beside(asks, [prior('cetirizine'), prior('CRP', { group: 'Lab Result' })]);
    expect(offered).toEqual(['MedicationRequest/cetirizine']);
    expect([...proposed]).toEqual(['MedicationRequest/cetirizine']);
  });

  test('a subject of a fax that names the request asks for no diagnosis', () => {
    const { proposed } = beside(`Information needed for a prior authorization\n${asks}`, []);
    expect([...proposed]).toEqual([]);
  });

  test('not where an answer names the drug, nor beside a question about something else', () => {
    expect(beside(asks, [prior('cetirizine')], [line('trials', 'cetirizine 10 MG; stopped')]).offered).toEqual([]);
    expect(beside('What is the diagnosis?', [prior('cetirizine')]).offered).toEqual([]);
  });

  test('what is sensitive, or not the drug that the question names, is offered and not checked', () => {
    const { offered, proposed } = beside('Was cetirizine tried?', [
      prior('cetirizine', { sensitive: 'mental health' }),
      prior('loratadine'),
    ]);
    expect(offered).toHaveLength(2);
    expect([...proposed]).toEqual([]);
  });
});

test('what only a last guess at the question leads to is not checked', () => {
  const lines: ReplyLine[] = [
    { ...{ key: 'k', id: 'd', cell: 'diagnosis', texts: ['L50.1 Urticaria'], places: [], isOld: false } },
  ];
  const by = { questions: questionRows, evidence: 'suggested' } as const;
  const { asked, proposed } = answersTo('History of stroke?', { from: 'chart', day: '2026-11-21', lines }, by);
  expect(asked.map(({ cell }) => cell)).toEqual(['diagnosis']);
  expect([...proposed]).toEqual([]);
});

test('an answer that contradicts what was changed in the request is offered and not selected', () => {
  const weight = {
    key: 'k',
    id: 'patient',
    cell: 'patient',
    texts: ['weight 82 kg'],
    places: [],
    isOld: false,
  } as const;
  const by = { questions: questionRows, evidence: 'suggested' } as const;
  const proposedOf = (line: ReplyLine) => [
    ...answersTo('Weight?', { from: 'chart', day: '2026-11-21', lines: [line] }, by).proposed,
  ];
  expect(proposedOf(weight)).toEqual(['k']);
  expect(proposedOf({ ...weight, changed: ['patient.date_of_birth'] })).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { questionRows } from '../../../mappings/question-rows.ts';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import type { AnswersSheet } from '../../../src/core/contract/answers-sheet.ts';
import { answersTo } from '../../../src/web/request/reply-answers.ts';

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

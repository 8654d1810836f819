import { expect, test } from 'vitest';
import { meantBy } from '../../../src/core/answers/named-in.ts';

const lines = (...texts: readonly string[]) => texts.map((text) => ({ texts: [text] }));
const meant = (question: string, ...texts: readonly string[]) =>
  meantBy(question, lines(...texts)).map(({ texts: [text] }) => text);

test.each([
  ['a drug', 'Has METHOTREXATE been tried?', ['methotrexate 2.5 MG; Take 6', 'leflunomide 20 MG; Take 1'], [0]],
  ['a brand', 'Was Trexall tried?', ['methotrexate (Trexall) 10 MG; ordered', 'leflunomide 20 MG'], [0]],
  ['a test', 'What is the latest A1c?', ['Hemoglobin A1c: 7.9 % on Nov 1, 2026', 'LDL cholesterol: 90 mg/dL'], [0]],
  ['none of them', 'Which drugs were tried?', ['methotrexate 2.5 MG', 'leflunomide 20 MG'], [0, 1]],
  [
    'only a word that every drug may have',
    'Was an oral tablet tried?',
    ['methotrexate Oral Tablet', 'Humira pen'],
    [0, 1],
  ],
  ['a word behind the mark alone', 'Was there nausea?', ['methotrexate; stopped: Nausea', 'leflunomide'], [0, 1]],
] as const)('a question that names %s means those rows', (_, question, texts, expected) => {
  expect(meant(question, ...texts)).toEqual(expected.map((index) => texts[index]));
});

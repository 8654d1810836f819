import type { AnswerLine } from './lines.ts';

/** Words in the name of a drug or test that do not identify it. */
const plain = new Set(
  (
    'and the for with from until ordered dose doses tablet tablets capsule oral solution injection pen test tests ' +
    'level levels blood serum plasma screen count total score index panel result mass volume moles type since stage'
  ).split(' '),
);

/**
 * The answers that a question is about: the answers for the drugs or tests that the question names, or all answers if
 * it names none.
 *
 * @example meantBy('Has methotrexate been tried?', lines).map(({ texts }) => texts[0])
 */
export function meantBy<Line extends Pick<AnswerLine, 'texts'>>(
  question: string,
  lines: readonly Line[],
): readonly Line[] {
  const named = lines.filter(({ texts: [first = ''] }) => isNamedIn(question, first));
  return named.length === 0 ? lines : named;
}

// The text before the first `;` or `:` of an answer is the name of its drug or test.
function isNamedIn(question: string, answer: string): boolean {
  const asked = new Set(wordsOf(question));
  const [subject = ''] = answer.split(/[;:]/);
  return wordsOf(subject).some((word) => asked.has(word) && !plain.has(word));
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).filter(
    (word) => word.length > 2 && /\p{L}{2}|[a-z]\d/u.test(word),
  );
}

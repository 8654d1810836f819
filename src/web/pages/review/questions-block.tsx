import type { ComponentChildren, VNode } from 'preact';
import { isOpen, type QuestionAnchor } from '../../request/questions.ts';
import { neededWords, review } from './words.ts';

interface QuestionsProps {
  readonly questions: readonly QuestionAnchor[];
  /** The control that answers, at its anchor. */
  readonly controlOf: (question: QuestionAnchor) => ComponentChildren;
  /** That sending was tried before all was answered. */
  readonly isTried: boolean;
}

/** What a person must answer before the request can go, each with the control for its answer; nothing when none is. */
export function OpenQuestions({ questions, controlOf, isTried }: QuestionsProps): VNode | null {
  if (questions.length === 0) return null;
  const open = questions.filter(isOpen);
  return (
    <section class="card questions" id="questions" aria-labelledby="questions-title" tabIndex={-1}>
      <h2 id="questions-title">{open.length === 0 ? review.answered : neededOf(open)}</h2>
      {isTried && open.length > 0 && (
        <p class="tried" role="alert">
          {review.notSent}
        </p>
      )}
      {questions.map((question) => (
        <div key={question.anchor} id={`asked-${question.anchor}`} class={isOpen(question) ? 'asked' : 'asked done'}>
          <input type="hidden" name="asked" value={question.anchor} />
          {!isOpen(question) && <p class="done-mark">✓ {review.answered}</p>}
          {controlOf(question)}
        </div>
      ))}
    </section>
  );
}

/** How many answers are needed and how many entries are to fix. */
export function neededOf(open: readonly QuestionAnchor[]): string {
  const wrong = open.filter(({ gaps }) =>
    gaps.some(({ severity, reason }) => severity === 'blocks' && reason === 'invalid'),
  );
  return neededWords(open.length - wrong.length, wrong.length);
}

import type { ComponentChildren, VNode } from 'preact';
import { userText } from '../../../cases/case.ts';
import { isOpen, type QuestionAnchor } from '../../request/questions.ts';
import { common } from '../../ui/common-words.ts';
import { FoldWord } from '../../ui/fold-word.tsx';
import { Icon } from '../../ui/icon.tsx';
import { OriginOf } from '../../ui/origin.tsx';
import { Time } from '../../ui/time.tsx';
import type { Answered } from './answered.ts';
import { neededWords, review } from './words.ts';

interface QuestionsProps {
  readonly questions: readonly QuestionAnchor[];
  readonly controlOf: (question: QuestionAnchor) => ComponentChildren;
  /** Returns the answer to the question with this element id. */
  readonly answeredAt: (anchor: string) => Answered | undefined;
  /** true if a person tried to send before all questions were answered. */
  readonly isTried: boolean;
}

/** The questions that must be answered before sending, each with its control; null if there are none. */
export function OpenQuestions({ questions, controlOf, answeredAt, isTried }: QuestionsProps): VNode | null {
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
        <Question key={question.anchor} question={question} answered={answeredAt(question.anchor)}>
          {controlOf(question)}
        </Question>
      ))}
    </section>
  );
}

/**
 * A question with its control. Once it is answered, the page's script folds it to one line when the person moves on.
 */
function Question({
  question,
  answered,
  children,
}: {
  readonly question: QuestionAnchor;
  readonly answered: Answered | undefined;
  readonly children: ComponentChildren;
}): VNode {
  const { anchor } = question;
  const isDone = !isOpen(question);
  return (
    <details id={`asked-${anchor}`} class={isDone ? 'asked done' : 'asked'} open={!isDone}>
      {/* Only an answered question has this line, until a person unfolds it. */}
      <summary class="line" hidden={!isDone}>
        {isDone && answered !== undefined && <AnsweredLine answered={answered} />}
      </summary>
      <input type="hidden" name="asked" value={anchor} />
      {children}
    </details>
  );
}

function AnsweredLine({ answered: { title, says, by, provenance } }: { readonly answered: Answered }): VNode {
  return (
    <>
      <span class="name">
        <span class="done-mark">
          <Icon name="check" />
        </span>{' '}
        {title}
      </span>
      <span class="value">
        {says.length === 0 ? review.leftEmpty : says.join(' · ')}
        <span class="reason">
          {by !== undefined && `${review.answeredBy} ${userText(by)}`}
          {by?.at !== undefined && ', '}
          {by?.at !== undefined && <Time at={by.at} />}
          {by === undefined && provenance !== undefined && <OriginOf provenance={provenance} enteredBy={by} />}
        </span>
      </span>
      <span class="act">
        <FoldWord folded={common.change} />
        <span class="hidden"> {title}</span>
      </span>
    </>
  );
}

/** How many answers are needed, and how many entries must be corrected. */
export function neededOf(open: readonly QuestionAnchor[]): string {
  const wrong = open.filter(({ gaps }) =>
    gaps.some(({ severity, reason }) => severity === 'blocks' && reason === 'invalid'),
  );
  return neededWords(open.length - wrong.length, wrong.length);
}

import type { VNode } from 'preact';
import { type Case, isSent, roundsOf } from '../../../cases/case.ts';
import { isUnanswered, type Round, roundStanding } from '../../../cases/rounds/round.ts';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import type { QuestionRow } from '../../../core/answers/cells-for.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { StaffSession } from '../../../ehr/smart/types.ts';
import { refusalOf } from '../../http/rights.ts';
import { answersSent, answersTo, askedText } from '../../request/reply-answers.ts';
import { QuestionSaid } from '../case/question-said.tsx';
import { questionWords } from '../case/question-words.ts';
import { lineWords as words } from './words.ts';

interface WaitingProps {
  readonly one: Case;
  readonly staff: StaffSession;
  readonly questions: readonly QuestionRow[];
  /** true if the reader may read the questions without an open chart. */
  readonly sees: boolean;
}

/** The payer's questions, with answers that were sent in the request, because no chart is open to answer from. */
export function WaitingQuestions({ one, staff, questions, sees }: WaitingProps): VNode | null {
  if (!isSent(one) || one.state !== 'open') return null;
  const waiting = roundsOf(one).filter(isUnanswered);
  if (waiting.length === 0) return null;
  return (
    <section class="card" aria-labelledby="asks">
      <h2 id="asks">{questionWords.heading(1, 1)}</h2>
      {!sees && <p>{words.asksInChart}</p>}
      {sees &&
        waiting.map((round) => (
          <Question key={round.number} one={one} round={round} staff={staff} questions={questions} />
        ))}
      {sees && refusalOf(staff) === undefined && waiting.some((round) => roundStanding(round) === 'open') && (
        <p class="hint">{words.asksHint}</p>
      )}
    </section>
  );
}

function Question({
  one,
  round,
  staff: { site },
  questions,
}: Omit<WaitingProps, 'sees'> & { readonly round: Round }): VNode {
  const said = <QuestionSaid one={one} round={round} site={site} />;
  const text = askedText(one, round, questionWords.hidden);
  if (!isSent(one) || text === '') return said;
  const { asked, day } = answersTo(text, answersSent(one, site), { questions, evidence: 'each' });
  const answers = asked.filter(({ lines }) => lines.length > 0);
  return (
    <>
      {said}
      <h3>{words.asSent(dayText(day))}</h3>
      {answers.length === 0 && <p>{words.notSaid}</p>}
      <dl class="facts">
        {answers.map(({ cell, lines }) => (
          <div key={cell}>
            <dt>{cellTexts[cell].question}</dt>
            {lines.map(({ key, texts }) => (
              <dd key={key}>{texts.join('; ')}</dd>
            ))}
          </div>
        ))}
      </dl>
    </>
  );
}

import type { VNode } from 'preact';
import type { Round } from '../../../cases/rounds/round.ts';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import { type CellName, personCells } from '../../../core/contract/answers-sheet.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import { opensWorklist } from '../../http/rights.ts';
import { placesToLook } from '../../request/payer-words.ts';
import type { AskedAnswer, QuestionAnswers, ReplyLine } from '../../request/reply-answers.ts';
import { AnswerMarks } from '../../ui/answer-marks.tsx';
import { AnswerSource } from '../../ui/answer-source.tsx';
import { questionWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';

interface AnswersProps {
  readonly view: CaseView;
  readonly round: Round;
  /** Keys of the boxes that were checked when the page is shown again after an error. */
  readonly ticked: readonly string[] | undefined;
}

/**
 * The cells of the answers sheet that answer a question, each with a checkbox to include it in the reply. Other cells
 * are folded.
 */
export function AnswersFor({ view, round, ticked }: AnswersProps): VNode | null {
  const answers = view.answers?.(round);
  if (answers === undefined) return null;
  const { asked, others, proposed, from } = answers;
  const checked = ticked === undefined ? proposed : new Set(ticked);
  const hasLines = asked.some(({ lines, documents }) => lines.length + documents.length > 0);
  const hint = proposed.size > 0 ? words.answersGo : words.answersChoose;
  return (
    <div class="cells">
      <input type="hidden" name="answers-from" value={from} />
      <h3>{words.answers}</h3>
      {from === 'sent' && <AsSent view={view} answers={answers} />}
      {asked.length === 0 && others.length > 0 && <p>{words.noMatch}</p>}
      {hasLines && <p class="hint">{hint}</p>}
      {asked.map((one) => (
        <Asked key={one.cell} asked={one} number={round.number} checked={checked} />
      ))}
      {others.length > 0 && (
        <Others others={others} isAll={asked.length === 0} number={round.number} checked={checked} />
      )}
      {from === 'chart' && others.length === 0 && !hasLines && <p>{words.noAnswers}</p>}
    </div>
  );
}

function AsSent({ view, answers }: { readonly view: CaseView; readonly answers: QuestionAnswers }): VNode {
  const { launch, case: one } = view;
  const isEmpty = answers.others.length + answers.asked.flatMap(({ lines }) => lines).length === 0;
  const again = `/sign-in?${new URLSearchParams({ site: launch.site.id, to: 'chart', case: one.id })}`;
  return (
    <p class="notice">
      {isEmpty ? words.noneSent : words.asSent(dayText(answers.day))}{' '}
      {opensWorklist(launch) ? <a href={again}>{words.openChart}</a> : words.openChartHint}
    </p>
  );
}

interface LinesProps {
  readonly number: number;
  readonly checked: ReadonlySet<string>;
}

function Asked({ asked, ...props }: LinesProps & { readonly asked: AskedAnswer }): VNode {
  const { cell, lines, missing, documents } = asked;
  if (lines.length + documents.length > 0)
    return (
      <>
        <Cell cell={cell} lines={lines} documents={documents} {...props} />
        {missing.length > 0 && (
          <p class="no-answer">
            <strong>{words.named(missing)}</strong> {words.notInChart}
          </p>
        )}
      </>
    );
  const place = placesToLook[cell];
  return (
    <p class="no-answer">
      <strong>{cellTexts[cell].question}</strong> {personCells.includes(cell) ? words.onlyYou : words.notInChart}{' '}
      {place !== undefined && <span class="hint">{words.lookIn(place)}</span>}
    </p>
  );
}

function Others({
  others,
  isAll,
  number,
  checked,
}: LinesProps & { readonly others: readonly ReplyLine[]; readonly isAll: boolean }): VNode {
  const heading = isAll ? words.allAnswers(others.length) : words.otherAnswers(others.length);
  return (
    <details open={isAll || others.some(({ key }) => checked.has(key))}>
      <summary>{heading}</summary>
      {[...Map.groupBy(others, ({ cell }) => cell)].map(([cell, lines]) => (
        <Cell key={cell} cell={cell} lines={lines} number={number} checked={checked} />
      ))}
    </details>
  );
}

interface CellProps extends LinesProps {
  readonly cell: CellName;
  readonly lines: readonly ReplyLine[];
  readonly documents?: readonly Candidate[];
}

function Cell({ cell, lines, documents = [], number, checked }: CellProps): VNode {
  return (
    <fieldset class="choice">
      <legend>{cellTexts[cell].question}</legend>
      {lines.map((line) => (
        <Line key={line.key} line={line} id={`answer-${number}-${line.key}`} isChecked={checked.has(line.key)} />
      ))}
      {documents.map((one) => (
        <OfferedDocument
          key={one.reference}
          candidate={one}
          id={`document-${number}-${one.reference.replace('/', '-')}`}
          isChecked={checked.has(one.reference)}
        />
      ))}
    </fieldset>
  );
}

interface OfferedProps {
  readonly candidate: Candidate;
  readonly id: string;
  readonly isChecked: boolean;
}

/** A chart document that the reply can include. */
export function OfferedDocument({ candidate, id, isChecked }: OfferedProps): VNode {
  const { reference, label, detail, sensitive } = candidate;
  const [type = ''] = reference.split('/');
  return (
    <div class="document answer">
      <input id={id} type="checkbox" name="document" value={reference} checked={isChecked} />
      <div>
        <label for={id} id={`${id}-text`}>
          {label} {detail !== undefined && <span class="quiet-text">{detail}</span>}
          {sensitive !== undefined && <span class="badge tone-act">{words.sensitive(sensitive)}</span>}
        </label>
        <AnswerSource places={[{ source: { resource: reference, path: type } }]} of={`${id}-text`} />
      </div>
    </div>
  );
}

function Line({
  line,
  id,
  isChecked,
}: {
  readonly line: ReplyLine;
  readonly id: string;
  readonly isChecked: boolean;
}): VNode {
  const { key, texts, places } = line;
  const [first = '', ...others] = texts;
  return (
    <div class="document answer">
      <input id={id} type="checkbox" name="answer" value={key} checked={isChecked} />
      <div>
        <label for={id} id={`${id}-text`}>
          {first}
          {others.map((text) => (
            <span key={text} class="reason">
              {text}
            </span>
          ))}
          <AnswerMarks line={line} />
        </label>
        <AnswerSource places={places} of={`${id}-text`} />
      </div>
    </div>
  );
}

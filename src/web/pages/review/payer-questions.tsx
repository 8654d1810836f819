import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Carried } from '../../../cases/case.ts';
import type { KeptQuestion } from '../../../cases/rounds/kept.ts';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import type { Statement } from '../../../core/answers/sheet.ts';
import { type CellName, cellNames, personCells } from '../../../core/contract/answers-sheet.ts';
import { answerNames, type PayerAnswers, type PayerLine } from '../../request/payer-answers.ts';
import { chartCells, placesToLook, payerWords as words } from '../../request/payer-words.ts';
import { AnswerMarks } from '../../ui/answer-marks.tsx';
import { AnswerSource } from '../../ui/answer-source.tsx';
import { common } from '../../ui/common-words.ts';
import { FoldWord } from '../../ui/fold-word.tsx';
import { Technical } from '../../ui/source.tsx';
import { AskedBefore } from './asked-before.tsx';
import { Criteria } from './criteria.tsx';

interface PayerQuestionsProps {
  /** Shown above the answers. */
  readonly before?: ComponentChildren;
  readonly goes: boolean;
  /** Items copied from the last request for this drug. */
  readonly carried: Carried | undefined;
  /** Undefined until the page has fetched the answers. */
  readonly answers: PayerAnswers | undefined;
  /** Questions that this payer asked earlier about this drug. */
  readonly askedBefore: readonly KeptQuestion[];
  readonly here: string;
}

/**
 * The questions that payers ask about every drug: the chart's answers, open questions, and questions that only a person
 * can answer. The page fetches the answers after it is shown.
 */
export function PayerQuestions({ before, goes, carried, answers, askedBefore, here }: PayerQuestionsProps): VNode {
  return (
    <section class="card documents" id="section-answers" aria-labelledby="title-answers" tabIndex={-1}>
      <h2 id="title-answers">{words.title}</h2>
      <div class="document">
        <input type="hidden" name={`o.${answerNames.goes}`} value={goes ? 'send' : ''} />
        <input id="answers-go" type="checkbox" name={answerNames.goes} value="send" checked={goes} />
        <label for="answers-go">
          {words.send}
          <span class="reason">{carried?.answers === true && goes ? words.carried : words.why}</span>
        </label>
      </div>
      {before}
      {answers === undefined ? (
        <NotYet here={here} />
      ) : (
        <PayerAnswersBlock answers={answers} carried={carried} askedBefore={askedBefore} />
      )}
    </section>
  );
}

function NotYet({ here }: { readonly here: string }): VNode {
  const asked = useContext(Technical) ? '?technical=1' : '';
  return (
    <div id="answers" hx-get={`${here}/answers${asked}`} hx-trigger="load" hx-target="this" hx-swap="outerHTML">
      <p class="without-script">
        <a href={`${here}?answers=1#section-answers`}>{words.showAll}</a>
      </p>
      <p class="only-script quiet-text">{words.reading}</p>
    </div>
  );
}

interface AnswersProps extends Pick<PayerQuestionsProps, 'carried' | 'askedBefore'> {
  readonly answers: PayerAnswers;
}

/** The answers alone, for the page that fetches them. */
export function PayerAnswersPart({ isTechnical, ...props }: AnswersProps & { readonly isTechnical: boolean }): VNode {
  return (
    <Technical.Provider value={isTechnical}>
      <PayerAnswersBlock {...props} />
    </Technical.Provider>
  );
}

function PayerAnswersBlock({ answers, carried, askedBefore }: AnswersProps): VNode {
  const { statements: earlier = [] } = carried ?? {};
  const shown = answers.lines.filter(({ texts }) => texts.length > 0);
  const keys = (of: readonly PayerLine[]) => of.map(({ key }) => key).join(' ');
  return (
    <div id="answers">
      <input type="hidden" name={answerNames.shown} value="1" />
      <input type="hidden" name={answerNames.lines} value={keys(shown)} />
      <input type="hidden" name={answerNames.ticked} value={keys(shown.filter(({ isTicked }) => isTicked))} />
      <AskedBefore asked={askedBefore} answers={answers} />
      <Criteria criteria={answers.criteria} />
      <Offered answers={answers} earlier={earlier} />
      <details class="section" id="fold-answers">
        <summary class="line">
          <span class="value">{summaryOf(answers, earlier).join(' · ')}</span>
          <span class="act">
            <FoldWord folded={common.show} />
            <span class="hidden"> {words.shown}</span>
          </span>
        </summary>
        <div class="section-body">
          <FromChart lines={shown} />
          <NotInChart answers={answers} earlier={earlier} />
          <PersonCells answers={answers} earlier={earlier} />
        </div>
      </details>
    </div>
  );
}

function answeredText({ sheet }: Pick<PayerAnswers, 'sheet'>): string {
  const asked = chartCells(cellNames);
  const answered = asked.filter((name) => ['chart', 'stated'].includes(sheet.cell(name).state));
  return words.answered(answered.length, asked.length);
}

function summaryOf({ lines, goes, open, sheet }: PayerAnswers, earlier: readonly Statement[]): string[] {
  const ticked = lines.filter(({ isTicked }) => isTicked).length;
  const said = sheet.cells.filter(({ statement }) => statement !== undefined).length;
  const carried = sheet.cells.filter(({ statement }) => isCarried(statement, earlier)).length;
  const unticked = lines.filter(({ isTicked, texts }) => !isTicked && texts.length > 0).length;
  const missing = chartCells(open).filter((name) => sheet.cell(name).state !== 'stated').length;
  return [
    answeredText({ sheet }),
    goes ? words.goes(ticked, said) : words.stays,
    ...(carried === 0 ? [] : [words.typedBefore(carried)]),
    ...(unticked === 0 ? [] : [words.unchecked(unticked)]),
    ...(missing === 0 ? [] : [words.missing(missing)]),
  ];
}

function FromChart({ lines }: { readonly lines: readonly PayerLine[] }): VNode | null {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{words.fromChart}</h3>
      <p class="hint">{words.onlyChecked}</p>
      {[...Map.groupBy(lines, ({ cell }) => cell)].map(([cell, own]) => (
        <fieldset key={cell} class="choice">
          <legend>{cellTexts[cell].question}</legend>
          {own.map((line) => (
            <Line key={line.key} line={line} />
          ))}
        </fieldset>
      ))}
    </>
  );
}

function Line({ line }: { readonly line: PayerLine }): VNode {
  const { key, texts, isTicked, places } = line;
  const id = `answer-${key}`;
  const [first = '', ...others] = texts;
  return (
    <div class="document answer">
      <input id={id} type="checkbox" name={answerNames.line(key)} value="send" checked={isTicked} />
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

interface SaidProps {
  readonly answers: PayerAnswers;
  /** Statements that people typed for earlier requests. */
  readonly earlier: readonly Statement[];
}

function NotInChart({ answers, earlier }: SaidProps): VNode | null {
  // A person's statement stays visible, even if the chart later has the answer.
  const isShown = (name: CellName) => answers.open.includes(name) || answers.sheet.cell(name).statement !== undefined;
  const open = chartCells(cellNames).filter(isShown);
  if (open.length + answers.missingTests.length === 0) return null;
  return (
    <>
      <h3>{words.notInChart}</h3>
      {answers.missingTests.length > 0 && (
        <p>
          {words.tests}: {answers.missingTests.join(', ')}.
        </p>
      )}
      {open.length > 0 && <p class="hint">{words.notInChartHint}</p>}
      {open.map((cell) => (
        <Said key={cell} cell={cell} answers={answers} earlier={earlier} />
      ))}
    </>
  );
}

function PersonCells({ answers, earlier }: SaidProps): VNode {
  return (
    <>
      <h3>{words.person}</h3>
      <p class="hint">{words.personHint}</p>
      {personCells.map((cell) => (
        <Said key={cell} cell={cell} answers={answers} earlier={earlier} />
      ))}
    </>
  );
}

/** The field for a person's statement, with its author and the places in the chart where the answer may be. */
function Said({ cell, answers, earlier }: SaidProps & { readonly cell: CellName }): VNode {
  const id = `said-${cell}`;
  const name = answerNames.said(cell);
  const { statement } = answers.sheet.cell(cell);
  const hint =
    statement === undefined
      ? placeHint(placesToLook[cell])
      : statedHint(statement, { goes: answers.goes, isCarried: isCarried(statement, earlier) });
  return (
    <div class="field wide">
      <label for={id}>{cellTexts[cell].question}</label>
      <textarea
        id={id}
        name={name}
        rows={2}
        autocomplete="off"
        {...(hint === '' ? {} : { 'aria-describedby': `${id}-hint` })}
      >
        {statement?.text ?? ''}
      </textarea>
      <input type="hidden" name={`o.${name}`} value={statement?.text ?? ''} />
      {hint !== '' && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function placeHint(place: string | undefined): string {
  return place === undefined ? '' : `${words.lookFor} ${place}.`;
}

function statedHint(
  { by, at }: Statement,
  { goes, isCarried }: { readonly goes: boolean; readonly isCarried: boolean },
): string {
  const parts = [`${words.statedBy(by, at)}.`, isCarried ? words.carriedOver : '', goes ? '' : words.notSentYet];
  return parts.filter((part) => part !== '').join(' ');
}

function isCarried(statement: Statement | undefined, earlier: readonly Statement[]): boolean {
  return earlier.some(({ cell, at, by }) => statement?.cell === cell && statement.at === at && statement.by === by);
}

/** Statements from earlier requests, offered for questions that have no statement yet. */
function Offered({ answers: { sheet }, earlier }: SaidProps): VNode | null {
  const offered = earlier.filter(({ cell }) => sheet.cell(cell).statement === undefined);
  if (offered.length === 0) return null;
  return (
    <>
      <h3>{words.offered}</h3>
      <p class="hint">{words.offeredHint}</p>
      {offered.map((statement) => (
        <Earlier key={statement.cell} statement={statement} question={cellTexts[statement.cell].question} />
      ))}
    </>
  );
}

function Earlier({ statement, question }: { readonly statement: Statement; readonly question: string }): VNode {
  return (
    <p class="beside">
      {question} {words.earlier(statement.by, statement.at)} <q>{statement.text}</q>{' '}
      <button type="submit" name={answerNames.use} value={statement.cell} class="link">
        {words.use}
        <span class="hidden"> : {question}</span>
      </button>
    </p>
  );
}

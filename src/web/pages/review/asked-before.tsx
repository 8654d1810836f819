import type { VNode } from 'preact';
import type { KeptQuestion } from '../../../cases/rounds/kept.ts';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import { meantBy } from '../../../core/answers/named-in.ts';
import { type CellName, personCells } from '../../../core/contract/answers-sheet.ts';
import type { PayerAnswers } from '../../request/payer-answers.ts';
import { payerWords as words } from '../../request/payer-words.ts';

interface AskedBeforeProps {
  readonly asked: readonly KeptQuestion[];
  readonly answers: PayerAnswers;
}

/** Questions that this payer asked earlier, each with the chart's present answers. */
export function AskedBefore({ asked, answers }: AskedBeforeProps): VNode | null {
  if (asked.length === 0) return null;
  return (
    <div class="asked-before">
      <h3>{words.askedBefore}</h3>
      <p class="hint">{words.askedBeforeHint}</p>
      <ul class="plain">
        {asked.map(({ text, cells, by, at }, index) => (
          <li key={index}>
            <q>{text}</q> <span class="quiet-text">{words.keptBy(by, at)}</span>
            {cells.length > 0 && (
              <dl class="lines">
                {cells.map((cell) => (
                  <div key={cell} class="line">
                    <dt>{cellTexts[cell].question}</dt>
                    <dd>
                      {saidOf(cell, text, answers).map((line) => (
                        <p key={line}>{line}</p>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function saidOf(cell: CellName, question: string, { lines, sheet }: PayerAnswers): string[] {
  // Sensitive answers are shown only when a person asks for them.
  const said = lines.filter((line) => line.cell === cell && line.sensitive === undefined);
  const { statement } = sheet.cell(cell);
  const texts = meantBy(question, said).flatMap(({ texts: [first = ''], remarks = [] }) => [
    first,
    ...remarks.map(words.remark),
  ]);
  const all = [...texts, statement?.text ?? ''].filter((one) => one !== '');
  if (all.length > 0) return all;
  return [personCells.includes(cell) ? words.person : words.notInChart];
}

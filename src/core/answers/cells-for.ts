import type { CellName } from '../contract/answers-sheet.ts';
import type { Reviewed } from '../fhir/sensitivity.ts';

/** Words of a payer's question that ask for cells of the sheet. */
export interface QuestionRow extends Reviewed {
  readonly cells: readonly CellName[];
  /** Global: each place where it stands is read. */
  readonly words: RegExp;
  /** Words with which the row does not ask. */
  readonly unless?: RegExp;
  /** The whole question asks this, whatever else it names. */
  readonly whole?: boolean;
  /** Only where no other row reads anything. */
  readonly last?: boolean;
  /** A question that leads to these cells and no others. */
  readonly example: string;
}

/** A cell that a question asks for, and the row that says so. */
export interface AskedCell {
  readonly cell: CellName;
  readonly row: QuestionRow;
  /** The words of the question that the row read. */
  readonly words: string;
}

// Of a longer text the beginning says what is asked.
const longest = 4000;

/**
 * The cells that a payer's question asks for, in the order in which the question names them, each once; none where no
 * row reads it: then nobody knows, and a person chooses.
 *
 * @example cellsFor('Has the patient tried methotrexate?', questionRows).map(({ cell }) => cell) // ['trials']
 */
export function cellsFor(question: string, rows: readonly QuestionRow[]): AskedCell[] {
  const found: { readonly at: number; readonly row: QuestionRow; readonly words: string }[] = [];
  let text = question.slice(0, longest).replace(/\s/g, ' ');
  for (const row of rows) {
    if (row.last === true && found.length > 0) continue;
    const [first] = isOther(text, row) ? [] : text.matchAll(row.words);
    if (first === undefined) continue;
    found.push({ at: first.index, row, words: first[0] });
    if (row.whole === true) break;
    // Words that were read are no other row's.
    text = text.replace(row.words, (words) => '\u00b7'.repeat(words.length));
  }
  const asked = found
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ row, words }) => row.cells.map((cell) => ({ cell, row, words })));
  return asked.filter(({ cell }, index) => asked.findIndex((one) => one.cell === cell) === index);
}

function isOther(text: string, { unless }: QuestionRow): boolean {
  return unless !== undefined && text.search(unless) >= 0;
}

/** What is wrong with a table of questions: one sentence a problem. */
export function lintQuestions(rows: readonly QuestionRow[]): string[] {
  return rows.flatMap((row) => {
    const { example, cells } = row;
    const claimed = rows.filter((other) => other.example === example).length > 1;
    const asked = cellsFor(example, rows);
    const isOwn = asked.length > 0 && asked.every((one) => one.row === row);
    const found = asked.map(({ cell }) => cell).join(', ');
    return [
      ...(claimed ? [`two rows claim the example “${example}”`] : []),
      ...(isOwn ? [] : [`the example “${example}” leads to ${found || 'no cell'}, not to ${cells.join(', ')}`]),
    ];
  });
}

/** The table for a reader, in Markdown: the cells, an example, the words. */
export function questionsText(rows: readonly QuestionRow[]): string {
  const lines = rows.map(({ cells, example, whole, last }) => {
    const how = whole === true ? 'the whole question' : last === true ? 'where nothing else is asked' : '';
    return `| ${cells.map((cell) => `\`${cell}\``).join(', ')} | ${example} | ${how} |`;
  });
  const head = ['## From a payer’s question to cells', '', '| cells | example | |', '|---|---|---|'];
  return [...head, ...lines, ''].join('\n');
}

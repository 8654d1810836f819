import type { CellName } from '../contract/answers-sheet.ts';
import type { Reviewed } from '../fhir/sensitivity.ts';

/** A row of the question table: words in a payer's question, and the cells that they ask for. */
export interface QuestionRow extends Reviewed {
  readonly cells: readonly CellName[];
  /** Has the `g` flag, so that every match is replaced. */
  readonly words: RegExp;
  /** The row does not match a question that contains these words. */
  readonly unless?: RegExp;
  /** The row answers the whole question, whatever else the question mentions. */
  readonly whole?: boolean;
  /** The row matches only if no row before it did. */
  readonly last?: boolean;
  /** Details that the question may ask for within the cells. The page names those that the answer lacks. */
  readonly parts?: readonly QuestionPart[];
  /** An example of a question that leads to exactly these cells. */
  readonly example: string;
}

export interface QuestionPart {
  readonly name: string;
  /** Matches a question that asks for this part. */
  readonly asked: RegExp;
  /** Matches an answer line that has this part. */
  readonly said: RegExp;
}

export interface AskedCell {
  readonly cell: CellName;
  readonly row: QuestionRow;
  readonly words: string;
}

// In characters. A longer text is assumed to begin with its question.
const longest = 4000;

/**
 * The cells that a payer's question asks for, each once, in the order of the question. Empty when no row matches, so
 * that a person chooses.
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
    // Later rows must not match the same words.
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

/** The names of the parts that the question asks for but the lines lack. */
export function unsaidIn(question: string, { row }: AskedCell, lines: readonly string[]): string[] {
  const { parts = [] } = row;
  return parts
    .filter(({ asked, said }) => asked.test(question) && !lines.some((line) => said.test(line)))
    .map(({ name }) => name);
}

/** The problems of a question table, one sentence each. */
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

export function questionsText(rows: readonly QuestionRow[]): string {
  const lines = rows.map(({ cells, example, whole, last }) => {
    const how = whole === true ? 'the whole question' : last === true ? 'where nothing else is asked' : '';
    return `| ${cells.map((cell) => `\`${cell}\``).join(', ')} | ${example} | ${how} |`;
  });
  const head = ['## From a payer’s question to cells', '', '| cells | example | |', '|---|---|---|'];
  return [...head, ...lines, ''].join('\n');
}

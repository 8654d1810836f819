import { type Range, rangeAt } from './secret-ranges.ts';
import { accessWords, codedThings, plainWords, strongWords, weakWords } from './secret-words.ts';

const label = new RegExp(
  `^\\W*(?:your\\s+)?(?:\\w+[\\s_-]+){0,2}(?:${strongWords}|${weakWords}|${accessWords})\\W*$`,
  'i',
);
const harmless = new RegExp(`\\b(?:${codedThings})[\\s_-]*(?:codes?|keys?)\\W*$`, 'i');

interface Cell {
  readonly text: string;
  readonly from: number;
}

/** Finds the cells below a heading such as password, to the end of the table. */
export function inTables(text: string): Range[] {
  const ranges: Range[] = [];
  let columns: readonly boolean[] = [];
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const cells = cellsOf(line, index);
    if (cells.length < 2 || isRule(line)) {
      if (cells.length < 2) columns = [];
      continue;
    }
    const labels = cells.map((cell) => label.test(cell.text) && !harmless.test(cell.text));
    if (labels.includes(true) && isHeading(cells, labels)) columns = labels;
    else
      ranges.push(
        ...cells
          .filter((cell, place) => columns[place] === true && !plainWords.has(cell.text.toLowerCase()))
          .map((cell) => rangeAt(cell.from, cell.text)),
      );
  }
  return ranges;
}

// The row `Password | hunter2` is not a heading: the cells of a heading have no digits or symbols.
function isHeading(cells: readonly Cell[], labels: readonly boolean[]): boolean {
  return cells.every(({ text }, place) => labels[place] === true || /^[\p{L}\s()./#&'’-]*:?$/u.test(text));
}

function isRule(line: string): boolean {
  return /^[\s|:+=_–—-]*$/.test(line);
}

/** Splits a line into cells at `|`, tabs or wide gaps. */
function cellsOf(line: string, from: number): readonly Cell[] {
  const isPiped = line.includes('|');
  const parts = [...line.matchAll(isPiped ? /[^|]+/g : /(?:[^\s]| (?! ))+/g)];
  return parts.flatMap(({ 0: part, index }) => {
    const text = part.trim();
    return text === '' ? [] : [{ text, from: from + index + part.indexOf(text) }];
  });
}

import { type AnsweredTrial, type AnswersSheet, type CellName, cellNames } from '../contract/answers-sheet.ts';
import { isObject } from '../fhir/is-object.ts';
import { isWithin } from '../mapping/target.ts';
import type { DeepPartial } from '../mapping/words/rules.ts';
import { answerLines, type Remark, trialRemarks } from './answer-text.ts';
import type { Cell, Place, Sheet } from './sheet.ts';

/**
 * A part of the sheet that is sent or left out as a unit: one row of a cell, or everything in the cell outside its
 * rows.
 */
export interface AnswerLine {
  /** Made of the cell and the row's subject, so that it stays the same when the chart is read again. */
  readonly id: string;
  readonly cell: CellName;
  /** The content as text for a reader. */
  readonly texts: readonly string[];
  readonly places: readonly Place[];
  /** The category of sensitive data, such as mental health. */
  readonly sensitive?: string;
  /** The result is older than the site's window, or its age is unknown. */
  readonly isOld: boolean;
  readonly remarks?: readonly Remark[];
  readonly isContradicted?: true;
  /** The leaves of the request that a person changed and that this line contradicts; see `withChangedLeaves`. */
  readonly changed?: readonly string[];
}

/**
 * Whether the line is sent without a person's tick. A line needs the tick if it is sensitive, old or contradictory, or
 * if it contradicts a value that a person changed in the request.
 */
export function goesByItself({ sensitive, isOld, isContradicted, changed }: AnswerLine): boolean {
  return sensitive === undefined && !isOld && isContradicted !== true && changed === undefined;
}

/** For each list of the sheet, the keys that tell its rows apart. */
const rowKeys: Readonly<Record<string, readonly string[]>> = {
  diagnosis: ['code', 'text'],
  'severity.scores': ['test', 'source'],
  trials: ['ingredient', 'first', 'ordered', 'not_counted'],
  intolerance: ['substance', 'source'],
  response: ['measure'],
  'tests.results': ['test', 'source'],
  concurrent: ['drug', 'sources'],
};

/** Whether each item of the list at this path is a line of its own. */
export function isRowList(path: string): boolean {
  return Object.hasOwn(rowKeys, path);
}

/** The ids of the rows of a list in the sheet. Undefined for a list whose items are not lines of their own. */
export function rowIds(list: string, rows: readonly unknown[]): string[] | undefined {
  const keys = rowKeys[list];
  if (keys === undefined) return undefined;
  const known = new Map<string, number>();
  return rows.map((row) => {
    const id = [list, ...keys.map((key) => (isObject(row) ? String(row[key] ?? '') : ''))].join(' ').trimEnd();
    const times = (known.get(id) ?? 0) + 1;
    known.set(id, times);
    return times === 1 ? id : `${id} ${times}`;
  });
}

/**
 * The chart's answers as lines, in the order of the sheet. The line for the content outside a cell's rows has the
 * cell's name as its id.
 *
 * @example linesOfSheet(sheet).filter(({ sensitive }) => sensitive === undefined).map(({ texts }) => texts[0])
 */
export function linesOfSheet({ cells }: Sheet): AnswerLine[] {
  return cells.filter(({ state }) => state === 'chart').flatMap(linesOfCell);
}

function linesOfCell({ name, value, places }: Cell): AnswerLine[] {
  const lists = Object.keys(rowKeys).filter((list) => isWithin(list, name));
  const rows = lists.flatMap((list) => rowsAt(list, value, places));
  const rest = lists.reduce<unknown>((left, list) => (list === name ? undefined : without(left, list)), value);
  if (rest === undefined) return rows;
  const own = places.filter(
    ({ target }) => !isWithin(target, 'tests.missing') && !lists.some((list) => isWithin(target, list)),
  );
  const texts = textsOf(name, rest);
  if (own.length === 0 && texts.length === 0) return rows;
  const samples = isObject(rest) && typeof rest.samples === 'string' ? rest.samples : undefined;
  const judged = { text: 'samples do not count as the start of therapy', judges: samples };
  const remarks = samples === undefined ? {} : { remarks: [judged] };
  return [{ id: name, cell: name, texts, places: own, isOld: false, ...remarks }, ...rows];
}

function rowsAt(list: string, value: unknown, places: readonly Place[]): AnswerLine[] {
  const [cell, member] = list.split('.') as [CellName, string | undefined]; // the keys above have this form
  const found = member === undefined ? value : isObject(value) ? value[member] : undefined;
  const rows: readonly unknown[] = Array.isArray(found) ? found : [];
  const ids = rowIds(list, rows) ?? [];
  return rows.map((row, index): AnswerLine => {
    const { sensitive, window_days: window, in_window: inWindow, contradiction } = isObject(row) ? row : {};
    return {
      id: ids[index] ?? '',
      cell,
      texts: textsOf(cell, member === undefined ? [row] : { [member]: [row] }),
      places: places.filter(({ target }) => isWithin(target, `${list}[${index}]`)),
      ...(typeof sensitive === 'string' ? { sensitive } : {}),
      isOld: window !== undefined && inWindow !== true,
      ...(cell === 'trials' ? { remarks: trialRemarks(row as DeepPartial<AnsweredTrial>) } : {}),
      ...(contradiction === undefined ? {} : { isContradicted: true }),
    };
  });
}

function textsOf(cell: CellName, value: unknown): readonly string[] {
  return answerLines(cell, value as DeepPartial<AnswersSheet>[CellName]);
}

function without(value: unknown, list: string): unknown {
  const member = list.split('.')[1];
  if (!isObject(value) || member === undefined) return value;
  const { [member]: _, ...rest } = value;
  return rest;
}

/** The names of the cells that the chart does not answer, in the order of the sheet. */
export function unanswered({ cells }: Sheet): CellName[] {
  const open = new Set(cells.flatMap(({ name, state }) => (state === 'chart' ? [] : [name])));
  return cellNames.filter((name) => open.has(name));
}

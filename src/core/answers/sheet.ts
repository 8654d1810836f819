import type { FhirResource } from 'fhir/r4.js';
import { type AnswersSheet, type CellName, cellNames, personCells } from '../contract/answers-sheet.ts';
import { isObject } from '../fhir/is-object.ts';
import type { MappingInput } from '../mapping/input.ts';
import type { Provenance } from '../mapping/result.ts';
import { runMapping } from '../mapping/run/run.ts';
import { isWithin, parseTarget, valueAt } from '../mapping/target.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { DeepPartial } from '../mapping/words/rules.ts';
import { dateOf } from './resource-date.ts';

/** The provenance of a value of the sheet, with the value and the date of its resource. */
export interface Place extends Provenance {
  readonly value: unknown;
  readonly date?: string;
}

/** A person's statement about a cell. It is not a fact of the chart and never meets a criterion. */
export interface Statement {
  readonly cell: CellName;
  readonly text: string;
  readonly by: string;
  readonly at: string;
}

/**
 * `chart`: the chart answers. `stated`: only a person answered. `not in the chart`: nobody answered. `for a person`:
 * nobody answered yet, and only a person can.
 */
export type CellState = 'chart' | 'stated' | 'not in the chart' | 'for a person';

/** One cell of the sheet: its value with places, and a person's statement. */
export interface Cell<Name extends CellName = CellName> {
  readonly name: Name;
  readonly state: CellState;
  readonly value?: DeepPartial<AnswersSheet>[Name];
  readonly places: readonly Place[];
  /** The statement supplements the chart's answer, or replaces a missing one. */
  readonly statement?: Statement;
}

/** All cells, in display order. */
export interface Sheet {
  readonly cells: readonly Cell[];
  cell<Name extends CellName>(name: Name): Cell<Name>;
}

/**
 * The answers sheet of a chart: a pure function of the chart, its day and the statements. Filling a request does not
 * call it.
 *
 * @example
 * const { orders } = mapChart(bundle, { mapping: answers, roles: answerRoles, now: new Date() });
 * const [first] = orders;
 * if (first?.chart !== undefined) console.log(answersSheet(answers, first.chart).cell('trials').places);
 */
export function answersSheet(
  mapping: Mapping<AnswersSheet>,
  chart: MappingInput,
  statements: readonly Statement[] = [],
): Sheet {
  const result = runMapping(mapping, chart);
  const body: DeepPartial<AnswersSheet> = result.status === 'complete' ? result.body : result.draft;
  const places = result.provenance.map((entry) => placeOf(entry, body, chart));
  return sheetOf(body, places, statements);
}

/** Makes a sheet from cells that were computed earlier, with their places and persons' statements. */
export function sheetOf(
  body: DeepPartial<AnswersSheet>,
  places: readonly Place[],
  statements: readonly Statement[],
): Sheet {
  const cells = cellNames.map((name): Cell => {
    const own = places.filter(({ target }) => isWithin(target, name));
    const statement = statements.findLast(({ cell }) => cell === name);
    const value = body[name];
    return {
      name,
      state: stateOf(name, own, statement),
      ...(value === undefined ? {} : { value }),
      places: own,
      ...(statement === undefined ? {} : { statement }),
    };
  });
  const cell = <Name extends CellName>(name: Name) =>
    cells.find((one): one is Cell<Name> => one.name === name) as Cell<Name>; // `cellNames` has each name once
  return { cells, cell };
}

/** The same sheet with these statements instead of its own. */
export function withStatements({ cells }: Sheet, statements: readonly Statement[]): Sheet {
  const body = Object.fromEntries(cells.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
  return sheetOf(
    body,
    cells.flatMap(({ places }) => places),
    statements,
  );
}

// The list of tests that the chart lacks is not an answer.
function stateOf(name: CellName, places: readonly Place[], statement: Statement | undefined): CellState {
  if (places.some(({ target }) => !isWithin(target, 'tests.missing'))) return 'chart';
  if (statement !== undefined) return 'stated';
  return personCells.includes(name) ? 'for a person' : 'not in the chart';
}

function placeOf(entry: Provenance, body: unknown, chart: MappingInput): Place {
  const value = valueAt(body, parseTarget(entry.target));
  const date = entry.source === undefined ? undefined : dateIn(chart, entry.source.resource);
  return { ...entry, value, ...(date === undefined ? {} : { date }) };
}

function dateIn(chart: MappingInput, reference: string): string | undefined {
  const [order] = chart.root('order')?.nodes ?? [];
  const found = order === undefined ? undefined : chart.resolve({ reference }, order)?.value;
  return isObject(found) ? dateOf(found as unknown as FhirResource) : undefined; // a reference resolves to a resource
}

import type { AnswersSheet, CellName } from '../contract/answers-sheet.ts';
import { isObject } from '../fhir/is-object.ts';
import type { DeepPartial } from '../mapping/words/rules.ts';
import { isRowList, rowIds } from './lines.ts';
import type { Cell, Place, Sheet } from './sheet.ts';

export interface ShownSheet {
  readonly body: DeepPartial<AnswersSheet>;
  /** Each `target` is a path in `body`. */
  readonly places: readonly Place[];
}

export interface Picked {
  /** The sensitive rows to send, each by the id of its line or by a reference to one of its resources. */
  readonly ticked?: ReadonlySet<string>;
  readonly leftOut?: ReadonlySet<string>;
}

/**
 * The values that criteria are judged by: the chart's values, without the lines that a person left out and without
 * sensitive rows that nobody ticked. The category of a sensitive row and the list of missing tests are always dropped.
 *
 * @example shownSheet(sheet, { ticked: new Set(['Observation/9']) }).body.tests
 */
export function shownSheet(sheet: Sheet, picked: Picked = {}): ShownSheet {
  return partOf(sheet, picked, neverShown);
}

/** The values that are sent to a payer: `shownSheet` without remarks for staff, such as why a trial is not counted. */
export function sentSheet(sheet: Sheet, picked: Picked = {}): ShownSheet {
  return partOf(sheet, picked, new Set([...neverShown, ...forStaff]));
}

function partOf({ cells }: Sheet, picked: Picked, dropped: ReadonlySet<string>): ShownSheet {
  const shown = new PartPicker(cells, picked, dropped);
  const body: Partial<Record<CellName, unknown>> = {};
  for (const { name, state, value } of cells) {
    const kept = state === 'chart' ? shown.keep(value, name, name) : undefined;
    if (kept !== undefined) body[name] = kept;
  }
  return { body: body as DeepPartial<AnswersSheet>, places: shown.places };
}

const neverShown = new Set(['sensitive', 'tests.missing']);
const forStaff = ['contradiction', 'not_counted', 'parts_not_counted', 'unexplained'];

class PartPicker {
  readonly places: Place[] = [];
  private readonly known: ReadonlyMap<string, Place>;

  constructor(
    cells: readonly Cell[],
    private readonly picked: Picked,
    private readonly dropped: ReadonlySet<string>,
  ) {
    this.known = new Map(cells.flatMap(({ places }) => places.map((place) => [place.target, place] as const)));
  }

  /**
   * Returns the value without dropped parts, and records the places of what is kept. `from` is the path in the sheet,
   * `to` the path in the result.
   */
  keep(value: unknown, from: string, to: string): unknown {
    if (Array.isArray(value)) return this.keepItems(value, from, to);
    if (isObject(value)) return this.keepMembers(value, from, to);
    const place = this.known.get(from);
    if (place !== undefined) this.places.push({ ...place, target: to });
    return value;
  }

  private keepItems(items: readonly unknown[], from: string, to: string): unknown {
    const kept: unknown[] = [];
    const ids = rowIds(from, items);
    for (const [index, item] of items.entries()) {
      if (this.isHidden(item, ids?.[index])) continue;
      const one = this.keep(item, `${from}[${index}]`, `${to}[${kept.length}]`);
      if (one !== undefined) kept.push(one);
    }
    return kept.length === 0 ? undefined : kept;
  }

  private keepMembers(value: Readonly<Record<string, unknown>>, from: string, to: string): unknown {
    const isLeftOut = this.picked.leftOut?.has(from) === true;
    const members = Object.entries(value).flatMap(([key, inner]) => {
      if (this.dropped.has(key) || this.dropped.has(`${from}.${key}`)) return [];
      // The rows of a cell have their own line ids, so leaving out the rest of the cell keeps them.
      if (isLeftOut && !isRowList(`${from}.${key}`)) return [];
      const one = this.keep(inner, `${from}.${key}`, `${to}.${key}`);
      return one === undefined ? [] : [[key, one] as const];
    });
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }

  private isHidden(item: unknown, id: string | undefined): boolean {
    const { ticked, leftOut } = this.picked;
    if (id !== undefined && leftOut?.has(id) === true) return true;
    if (!isObject(item) || item.sensitive === undefined) return false;
    const sources = Array.isArray(item.sources) ? item.sources : [item.source];
    return ![id, ...sources].some((one) => typeof one === 'string' && ticked?.has(one) === true);
  }
}

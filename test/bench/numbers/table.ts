import type { Stated } from './limits.ts';
import type { Measured, Size } from './row.ts';

/** A number with what docs/develop/speed.md says of it. */
export interface Judged {
  readonly measured: Measured;
  readonly stated: Stated;
  /** Over its limit, or no number at all. */
  readonly isOver: boolean;
}

/** Throws for a number that docs/develop/speed.md does not have. */
export function judge(measured: Measured, stated: ReadonlyMap<string, Stated>, size: Size): Judged {
  const found = stated.get(measured.name);
  if (found === undefined) throw new Error(`docs/develop/speed.md says nothing of “${measured.name}”`);
  const limit = found.limit[size];
  // not “greater than”: what is no number is over
  const isOver = limit === undefined ? Number.isNaN(measured.ratio) : !(measured.ratio <= limit);
  return { measured, stated: found, isOver };
}

/** The names of docs/develop/speed.md that have a limit in this form and that a run did not measure. */
export function notMeasured(judged: readonly Judged[], stated: ReadonlyMap<string, Stated>, size: Size): string[] {
  const met = new Set(judged.map(({ measured }) => measured.name));
  return [...stated.values()].flatMap(({ name, limit }) => (limit[size] === undefined || met.has(name) ? [] : [name]));
}

/** Every number in a line, what was measured beside it below. */
export function tableOf(judged: readonly Judged[], size: Size): string {
  const rows = judged.flatMap(({ measured, stated, isOver }) => [
    [
      measured.name,
      stated.measure,
      shown(measured.ratio),
      shown(stated.limit[size]),
      isOver ? 'OVER' : '',
      stated.floor,
    ],
    ...Object.entries(measured.peers ?? {}).map(([name, ratio]) => [`    ${name}`, '', shown(ratio), '', '', '']),
  ]);
  const all = [['', 'measured in', 'ratio', 'limit', '', 'over'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    column === 2 || column === 3 ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  return all.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
}

function shown(ratio: number | undefined): string {
  return ratio === undefined ? '' : ratio.toFixed(2);
}

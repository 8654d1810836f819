/**
 * One number as a run measured it; what it is over and its limits stand in docs/develop/speed.md under the same name.
 */
export interface Measured {
  /** As docs/develop/speed.md names it. */
  readonly name: string;
  readonly ratio: number;
  /** What else was measured over the same floor in this run, by its name. */
  readonly peers?: Readonly<Record<string, number>>;
}

/** `short`: seconds in place of minutes, with numbers that say little more than whether something is broken. */
export type Size = 'short' | 'full';

export interface Wanted {
  readonly size: Size;
  /** Folder of another checkout that is built, for what is over an earlier version. */
  readonly against?: string;
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

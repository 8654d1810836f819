import type { Switched, Turn, TurnEnd, Usual } from './asked.ts';
import { type Concerned, testsOf } from './concern.ts';
import { runTests } from './judge.ts';
import type { Mutant } from './mutant.ts';

export interface Chosen extends Mutant {
  /** The tests that reach its file, the nearest first. */
  readonly tests: readonly Concerned[];
}

/** What was seen while many changes were tried in one process. */
export interface AtOnce {
  /** The changes that a test noticed, by its name. */
  readonly noticed: ReadonlyMap<Chosen, string>;
  /** How the test files that ran end with nothing changed. */
  readonly usual: ReadonlyMap<string, Usual>;
}

/** After so many seconds without a test file that begins or ends, something hangs. */
const limit = 240;
/** How many test files are tried for one change, the nearest first. */
const nearest = 24;

/**
 * Tries changes in one process that loads the sources once: each is switched on while the nearest test files run. A
 * change counts as noticed only where the test that failed passes right after it with nothing changed. What was not
 * noticed is not known to survive: code that runs while a file is loaded, what a cache keeps, and tests that take long
 * are not looked at here.
 */
export async function triedAtOnce(mutants: readonly Chosen[], note: (text: string) => void): Promise<AtOnce> {
  const noticed = new Map<Chosen, string>();
  const usual = new Map<string, Usual>();
  let left = mutants.filter(isSwitchable);
  while (left.length > 0) {
    const turns = left.flatMap(turnsFor);
    const { log } = await runTests({ ...asked(left, turns), usual: Object.fromEntries(usual) }, limit);
    const ends = log.filter((line) => 'test' in line);
    for (const [place, end] of ends.entries()) {
      if (isUnchanged(end)) usual.set(end.test, end);
      const mutant = end.id === undefined ? undefined : left[end.id];
      if (mutant !== undefined && end.failed !== undefined && isClean(ends[place + 1]))
        noticed.set(mutant, `${end.test} > ${end.failed}`);
    }
    const stopped = stoppedAt(log, ends, turns);
    if (stopped?.isLook === undefined && stopped?.id === undefined && stopped !== undefined)
      usual.set(stopped.test, { passed: 0, seconds: limit });
    note(`${noticed.size} of ${mutants.length} noticed at once${stopped === undefined ? '' : ', begins anew'}`);
    left = stopped === undefined ? [] : left.slice(stopped.change + (stopped.id === undefined ? 0 : 1));
  }
  return { noticed, usual };
}

/** In its body alone a change can be switched: a default of a parameter stands outside. */
function isSwitchable({ body, start, end }: Chosen): boolean {
  return body !== undefined && body.start <= start && end <= body.end;
}

interface TurnOf extends Turn {
  /** The place of the change that the turn is for. */
  readonly change: number;
}

function turnsFor({ tests }: Chosen, change: number): readonly TurnOf[] {
  return tests.slice(0, nearest).flatMap(({ test }) => [
    { test, change },
    { test, change, id: change },
    { test, change, isLook: true },
  ]);
}

function asked(mutants: readonly Chosen[], turns: readonly TurnOf[]) {
  const switched = mutants.flatMap(({ file, start, end, text, body }, id): Switched[] =>
    body === undefined ? [] : [{ file, id, start, end, text, body }],
  );
  return { tests: turns.map(({ test }) => test), switched, turns };
}

function isUnchanged(end: TurnEnd): boolean {
  return end.id === undefined && end.isLook === undefined;
}

function isClean(look: TurnEnd | undefined): boolean {
  return look?.isLook === true && look.failed === undefined && look.passed > 0;
}

/** The turn in which the run hung or with which it was spoiled; undefined where it came to its end. */
function stoppedAt(log: readonly object[], ends: readonly TurnEnd[], turns: readonly TurnOf[]): TurnOf | undefined {
  const last = log.at(-1);
  if (last !== undefined && 'begins' in last) return turns[Number(last.begins)];
  const look = ends.find(({ isLook, failed }) => isLook === true && failed !== undefined);
  const spoiled = look === undefined ? undefined : ends[ends.indexOf(look) - 1];
  return turns.find(({ id, test }) => id !== undefined && id === spoiled?.id && test === spoiled.test);
}

export function chosen(mutant: Mutant, paths: readonly string[]): Chosen {
  return { ...mutant, tests: testsOf(mutant.file, paths) };
}

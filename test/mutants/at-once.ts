import { mostFailedLooks, type Switched, type Turn, type TurnEnd, type Usual } from './asked.ts';
import { type Concerned, testsOf } from './concern.ts';
import { runTests } from './judge.ts';
import type { Mutant } from './mutant.ts';

export interface Chosen extends Mutant {
  /** The tests that reach its file, the nearest first. */
  readonly tests: readonly Concerned[];
}

/** After so many seconds without a test file that begins or ends, something hangs. */
const limit = 240;
/** How many test files are tried for one change, the nearest first. */
const nearest = 24;

/** So many changes are tried in one process. */
const together = 40;

/**
 * Tries changes in processes that load the sources once: each is switched on while the nearest test files run. `keep`
 * is called for those that a test noticed, with its name. A change counts only where the test that failed passes right
 * after it with nothing changed. What is not kept is not known to survive: code that runs while a file is loaded, what
 * a cache keeps, and tests that take long are not looked at here. Returns how the test files that ran end with nothing
 * changed.
 */
export async function triedAtOnce(
  mutants: readonly Chosen[],
  keep: (mutant: Chosen, by: string) => void,
): Promise<ReadonlyMap<string, Usual>> {
  const usual = new Map<string, Usual>();
  let left = mutants.filter(isSwitchable);
  while (left.length > 0) {
    const some = left.slice(0, together);
    const turns = some.flatMap(turnsFor);
    const { log } = await runTests({ ...asked(some, turns), usual: Object.fromEntries(usual) }, limit);
    const ends = log.filter((line) => 'test' in line);
    for (const [place, end] of ends.entries()) {
      if (isUnchanged(end)) usual.set(end.test, end);
      const mutant = end.id === undefined ? undefined : some[end.id];
      if (mutant !== undefined && end.failed !== undefined && isClean(ends[place + 1]))
        keep(mutant, `${end.test} > ${end.failed}`);
    }
    const stopped = stoppedAt(log, ends, turns);
    if (stopped !== undefined && isUnchanged(stopped)) usual.set(stopped.test, neverEnds);
    left = left.slice(stopped === undefined ? some.length : stopped.change + (isUnchanged(stopped) ? 0 : 1));
  }
  return usual;
}

const neverEnds: Usual = { passed: 0, seconds: limit, failing: [] };

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

function isUnchanged(end: Turn): boolean {
  return end.id === undefined && end.isLook === undefined;
}

function isClean(look: TurnEnd | undefined): boolean {
  return look?.isLook === true && look.failed === undefined && look.passed > 0;
}

/**
 * The turn in which the run hung, or after which it was left spoiled by what was changed; undefined where it came to
 * its end.
 */
function stoppedAt(log: readonly object[], ends: readonly TurnEnd[], turns: readonly TurnOf[]): TurnOf | undefined {
  const last = log.at(-1);
  if (last !== undefined && 'begins' in last) return turns[Number(last.begins)];
  const looks = ends.filter(({ isLook }) => isLook === true);
  if (looks.length < mostFailedLooks || looks.slice(-mostFailedLooks).some(isClean)) return undefined;
  const spoiled = ends.findLast(({ id }) => id !== undefined);
  return turns.find(({ id, test }) => id !== undefined && id === spoiled?.id && test === spoiled.test);
}

export function chosen(mutant: Mutant, paths: readonly string[]): Chosen {
  return { ...mutant, tests: testsOf(mutant.file, paths) };
}

import { type Concerned, testsOf } from './concern.ts';
import { leftOut } from './folders.ts';
import { type Run, runTests } from './judge.ts';
import type { Mutant } from './mutant.ts';

/** The tests that may notice a change: files in the order in which they run, and the names of their tests. */
export interface Reached {
  readonly tests: readonly string[];
  readonly names: string;
  /** How long they take with nothing changed. */
  readonly seconds: number;
}

export interface Chosen extends Mutant {
  readonly tests: readonly Concerned[];
}

/** Where a run with nothing changed is kept. */
export interface Keeping {
  readonly read: () => Run | undefined;
  readonly write: (run: Run) => void;
}

/**
 * Runs every test once with nothing changed, and tells of each change which tests come by it. Every test that reaches a
 * file by its imports comes by what runs while the file is loaded. For one change `most` seconds of tests are taken,
 * those that are nearest and quickest. Tests that fail with nothing changed tell nothing: they are left out, and `say`
 * names them.
 */
export async function reachedOf(
  mutants: readonly Chosen[],
  most: number,
  keeping: Keeping,
  say: (text: string) => void,
): Promise<(mutant: Chosen) => Reached> {
  const run = keeping.read() ?? (await unchanged(mutants));
  keeping.write(run);
  const broken = run.tests.filter(({ status }) => status === 'failed');
  for (const { file, name } of broken) say(`fails with nothing changed, and is left out: ${file} ${name}`);
  const sound = run.tests.filter(({ status }) => status === 'passed');
  const hits = Map.groupBy(run.passedBy, ({ id }) => id);

  return (mutant) => {
    const { body, tests } = mutant;
    const here = hits.get(mutants.indexOf(mutant)) ?? [];
    const isLoaded = body === undefined || here.some(({ name }) => name === undefined);
    const files = new Map(tests.map(({ test, steps }) => [test, steps]));
    const come = new Set(here.map(({ test, name }) => `${test}\n${name}`));
    const wanted = sound.filter(({ file, name }) => files.has(file) && (isLoaded || come.has(`${file}\n${name}`)));
    const order = inOrder(wanted, files, most);
    const names = new Set(wanted.filter(({ file }) => order.tests.includes(file)).map(({ name }) => escaped(name)));
    return { ...order, names: `^(${[...names].join('|')})$` };
  };
}

async function unchanged(mutants: readonly Chosen[]): Promise<Run> {
  const places = mutants.flatMap(({ file, body }, id) => (body === undefined ? [] : [{ file, id, body }]));
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests.map(({ test }) => test)))].toSorted();
  const run = await runTests({ tests, places, names: `^(?!.*${leftOut.names})` }, 7200);
  if (mutants.length > 0 && !run.tests.some(({ status }) => status === 'passed')) throw new Error('no test has run');
  return run;
}

type Timed = { readonly file: string; readonly seconds: number };

/** The near and the quick first. */
function inOrder(wanted: readonly Timed[], steps: ReadonlyMap<string, number>, most: number): Omit<Reached, 'names'> {
  const seconds = new Map<string, number>();
  for (const { file, seconds: more } of wanted) seconds.set(file, (seconds.get(file) ?? 0) + more);
  const cost = ([file, taken]: readonly [string, number]) => ((steps.get(file) ?? 0) + 1) * (taken + 1);
  const tests: string[] = [];
  let sum = 0;
  for (const [file, taken] of [...seconds].toSorted((one, other) => cost(one) - cost(other))) {
    if (tests.length > 0 && sum + taken > most) continue;
    tests.push(file);
    sum += taken;
  }
  return { tests, seconds: sum };
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

export function chosen(mutant: Mutant, paths: readonly string[]): Chosen {
  return { ...mutant, tests: testsOf(mutant.file, paths) };
}

import { type Concerned, testsOf } from './concern.ts';
import { runTests } from './judge.ts';
import type { Mutant } from './mutant.ts';

/** The tests that may notice a change: files in the order in which they run, and names where not all tests of them. */
export interface Reached {
  readonly tests: readonly string[];
  readonly names?: string;
  /** How long they take with nothing changed. */
  readonly seconds: number;
}

export interface Chosen extends Mutant {
  readonly tests: readonly Concerned[];
}

/**
 * Runs every test once with nothing changed, and tells of each change which tests come by it. What runs while a file is
 * loaded is come by by every test that reaches the file by its imports. `most` seconds of tests are taken for one change,
 * the nearest and quickest. Tests that fail with nothing changed tell
 * nothing: they are left out, and `say` names them.
 */
export async function reachedOf(
  mutants: readonly Chosen[],
  most: number,
  say: (text: string) => void,
): Promise<(mutant: Chosen) => Reached> {
  const places = mutants.flatMap(({ file, body }, id) => (body === undefined ? [] : [{ file, id, body }]));
  const files = [...new Set(mutants.flatMap(({ tests }) => tests.map(({ test }) => test)))].toSorted();
  if (files.length === 0) return () => ({ tests: [], seconds: 0 });
  const run = await runTests({ tests: files, places }, 7200);
  const broken = run.tests.filter(({ failed }) => failed);
  for (const { file, name } of broken) say(`fails with nothing changed, and is left out: ${file} ${name}`);
  const sound = run.tests.filter(({ failed }) => !failed);
  if (sound.length === 0) throw new Error('no test has run');
  const hits = Map.groupBy(run.passedBy, ({ id }) => id);

  return (mutant) => {
    const { body, tests } = mutant;
    const here = hits.get(mutants.indexOf(mutant)) ?? [];
    const isLoaded = body === undefined || here.some(({ name }) => name === undefined);
    const files = new Map(tests.map(({ test, steps }) => [test, steps]));
    const come = new Set(here.map(({ test, name }) => `${test}\n${name}`));
    const wanted = sound.filter(({ file, name }) => files.has(file) && (isLoaded || come.has(`${file}\n${name}`)));
    const isNamed = !isLoaded || broken.some(({ file }) => files.has(file));
    return {
      ...inOrder(wanted, files, most),
      ...(isNamed ? { names: `^(${[...new Set(wanted.map(({ name }) => escaped(name)))].join('|')})$` } : {}),
    };
  };
}

type Timed = { readonly file: string; readonly seconds: number };

/** The near and the quick first. */
function inOrder(wanted: readonly Timed[], steps: ReadonlyMap<string, number>, most: number): Reached {
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

import type { Usual } from './asked.ts';
import type { Chosen } from './at-once.ts';
import { runTests, type TestRun } from './judge.ts';

/** What a test file takes that has not run, in seconds. */
const guessed = 6;

/**
 * Runs the nearest and quickest tests of a change in a process of its own, for `most` seconds. Returns the name of a
 * test that noticed it; undefined where none did. A test has noticed it only where its file passes with nothing
 * changed; a test that runs out of time, where it does so twice.
 */
export async function triedAlone(
  mutant: Chosen,
  usual: ReadonlyMap<string, Usual>,
  most: number,
): Promise<string | undefined> {
  const { tests, seconds } = inOrder(mutant, usual, most);
  const { file, start, end, text } = mutant;
  const first = 90 + 5 * seconds;
  for (let limit = first; limit <= 8 * first; limit *= 2) {
    const run = await runTests({ tests, change: { file, start, end, text } }, limit);
    if (run.passed && !run.tests.some(({ status }) => status === 'passed')) throw new Error('no test has run');
    if (run.passed) return undefined;
    const failed = run.tests.find(({ status }) => status === 'failed');
    // On a busy machine time runs out with nothing changed too, and at one time more than at another.
    const isOutOfTime = run.isCut || isSlow(failed);
    if (isOutOfTime && limit === first) continue;
    if (!(await isUnchangedInTime(failed === undefined ? tests : [failed.file], limit))) continue;
    return failed === undefined ? 'the tests do not run to their end' : `${failed.file} > ${failed.name}`;
  }
  throw new Error(`with nothing changed these fail too, or never end: ${tests.join(', ')}`);
}

/** The files that are near and quick first. */
function inOrder({ tests }: Chosen, usual: ReadonlyMap<string, Usual>, most: number) {
  const timed = tests.map(({ test, steps }) => ({ test, steps, seconds: usual.get(test)?.seconds ?? guessed }));
  const cost = ({ steps, seconds }: (typeof timed)[number]) => (steps + 1) * (seconds + 1);
  const taken: string[] = [];
  let sum = 0;
  for (const { test, seconds } of timed.toSorted((one, other) => cost(one) - cost(other))) {
    if (taken.length > 0 && sum + seconds > most) continue;
    taken.push(test);
    sum += seconds;
  }
  return { tests: taken, seconds: sum };
}

/** So long waits the shortest limit in vitest.config.ts. */
function isSlow(failed: TestRun | undefined): boolean {
  return failed !== undefined && failed.seconds >= 20;
}

/** Whether tests pass within the limit with nothing changed, under the limits that they have with a change. */
async function isUnchangedInTime(tests: readonly string[], limit: number): Promise<boolean> {
  return (await runTests({ tests, isShort: true }, limit)).passed;
}

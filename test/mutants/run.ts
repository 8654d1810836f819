import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createRandom } from '../torture/random.ts';
import { filesIn } from './concern.ts';
import { equivalent } from './equivalent.ts';
import { folders } from './folders.ts';
import { type Run, runTests, type TestRun } from './judge.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Chosen, chosen, type Keeping, type Reached, reachedOf } from './reached.ts';
import { refusedByTypes } from './types.ts';

/**
 * Makes small changes in the sources, one at a time, and runs the tests that concern each: `npm run proof -- mutants`
 * takes 300 of the folders in folders.ts, `npm run proof -- mutants 60 7 src/ehr/smart` so many, by a seed, of the
 * folders that it names. `--results <file>` keeps what became of each, and does not run again what stands there;
 * `--again` runs again what survived; `--most <seconds>` takes the nearest tests only, for so long. Prints what neither
 * a test nor the type check has noticed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { results: { type: 'string' }, again: { type: 'boolean', default: false }, most: { type: 'string' } },
});
const [count = 300, seed = 20261126] = positionals.filter((arg) => /^\d+$/.test(arg)).map(Number);
const named = positionals.filter((arg) => !/^\d+$/.test(arg));
const wanted = folders.filter(({ folder }) => named.length === 0 || named.includes(folder));
if (wanted.length === 0) throw new Error(`Folders: ${folders.map(({ folder }) => folder).join(', ')}.`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

type Outcome = 'killed' | 'survived' | 'equivalent';
interface Result {
  readonly id: string;
  readonly outcome: Outcome;
  readonly by?: string;
}

const known = new Map(kept().map((result) => [result.id, result]));
const drawn = wanted.map(({ folder, tests }) =>
  drawnFrom(filesIn(folder).flatMap(mutantsOf), folder)
    .slice(0, Math.ceil(count / wanted.length))
    .map((mutant) => chosen(mutant, tests)),
);
// In turns: what is stopped early has looked into every folder.
const sample = drawn
  .flatMap((mutants, place) => mutants.map((mutant, turn) => ({ mutant, turn, place })))
  .toSorted((one, other) => one.turn - other.turn || one.place - other.place)
  .map(({ mutant }) => mutant);
const most = Number(values.most ?? Number.POSITIVE_INFINITY);
const reached = await reachedOf(sample, most, keeping(), note);
const results: (Result & { readonly mutant: Chosen })[] = [];
for (const mutant of sample) {
  const result = { ...(await become(mutant)), mutant };
  results.push(result);
  note(`${results.length}/${sample.length} ${result.outcome} ${mutant.file}:${mutant.line} ${result.by ?? ''}`);
}

const unnoticed = results.filter(({ outcome }) => outcome === 'survived');
const refused = refusedByTypes(unnoticed.map(({ mutant }) => mutant));
const survivors = unnoticed.filter(({ mutant }) => !refused.has(mutant));
for (const { mutant } of survivors)
  print(`survived  ${mutant.file}:${mutant.line}\n    - ${mutant.before}\n    + ${mutant.after}`);

const counted = (wanted: Outcome) => results.filter(({ outcome }) => outcome === wanted).length;
const others = counted('killed') + survivors.length;
const share = others === 0 ? 0 : (100 * survivors.length) / others;
print(
  `${results.length} changes (seed ${seed}): ${refused.size} do not compile, ${counted('equivalent')} change ` +
    'nothing; ' +
    `of the other ${others} ${counted('killed')} were noticed, ${survivors.length} survived (${share.toFixed(1)} %)`,
);

function drawnFrom(mutants: readonly Mutant[], folder: string): readonly Mutant[] {
  const random = createRandom(seed).fork(folder);
  const drawn = mutants.map((mutant) => ({ mutant, place: random.next() }));
  return drawn.toSorted((one, other) => one.place - other.place).map(({ mutant }) => mutant);
}

function isToRun(mutant: Mutant): boolean {
  const outcome = known.get(idOf(mutant))?.outcome;
  return !isEquivalent(mutant) && (outcome === undefined || (outcome === 'survived' && values.again));
}

async function become(mutant: Chosen): Promise<Result> {
  const id = idOf(mutant);
  if (isEquivalent(mutant)) return { id, outcome: 'equivalent' };
  const before = known.get(id);
  if (before !== undefined && !isToRun(mutant)) return before;
  const result = { id, ...(await judged(mutant, reached(mutant))) };
  const { file, line, before: was, after } = mutant;
  if (values.results !== undefined)
    appendFileSync(values.results, `${JSON.stringify({ ...result, file, line, before: was, after })}\n`);
  return result;
}

async function judged(mutant: Mutant, { tests, names, seconds }: Reached): Promise<Omit<Result, 'id'>> {
  if (tests.length === 0) return { outcome: 'survived', by: 'no test comes by' };
  const { file, start, end, text } = mutant;
  const first = 90 + 5 * seconds;
  for (let limit = first; ; limit *= 2) {
    const run = await runTests({ tests, names, change: { file, start, end, text } }, limit);
    if (run.passed && !run.tests.some(({ status }) => status === 'passed')) throw new Error('no test has run');
    if (run.passed) return { outcome: 'survived' };
    const failed = run.tests.find(({ status }) => status === 'failed');
    // On a busy machine time runs out with nothing changed too, and at one time more than at another.
    const isOutOfTime = run.isCut || isSlow(failed);
    if (isOutOfTime && (limit === first || !(await isUnchangedInTime(tests, names, limit)))) continue;
    return { outcome: 'killed', by: failed === undefined ? 'the tests do not run to their end' : failed.name };
  }
}

/** So long waits the shortest limit in vitest.config.ts. */
function isSlow(failed: TestRun | undefined): boolean {
  return failed !== undefined && failed.seconds >= 20;
}

/** Whether the tests pass within the limit now, under the limits that they have with a change. */
async function isUnchangedInTime(tests: readonly string[], names: string, limit: number): Promise<boolean> {
  return (await runTests({ tests, names, isShort: true }, limit)).passed;
}

function isEquivalent({ file, before, after }: Mutant): boolean {
  return equivalent.some((one) => one.file === file && one.before === before && one.after === after);
}

/** The same for a change wherever its lines stand. */
function idOf({ file, before, after }: Mutant): string {
  return createHash('sha256').update([file, before, after].join('\n')).digest('hex').slice(0, 16);
}

function kept(): readonly Result[] {
  const { results } = values;
  if (results === undefined || !existsSync(results)) return [];
  const lines = readFileSync(results, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Result);
}

/** The run with nothing changed is kept beside the results, for as long as nothing that survived is run again. */
function keeping(): Keeping {
  const { results, again } = values;
  if (results === undefined) return { read: () => undefined, write: () => undefined };
  const file = `${results}.${[seed, count, ...named].join('-').replaceAll('/', '-')}.unchanged`;
  return {
    read: () => (again || !existsSync(file) ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Run)),
    write: (run) => writeFileSync(file, JSON.stringify(run)),
  };
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

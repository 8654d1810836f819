import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createRandom } from '../torture/random.ts';
import { triedAlone } from './alone.ts';
import { type Chosen, chosen, triedAtOnce } from './at-once.ts';
import { filesIn } from './concern.ts';
import { equivalent } from './equivalent.ts';
import { folders } from './folders.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { refusedByTypes } from './types.ts';

/**
 * Makes small changes in the sources and runs the tests that concern each: `npm run proof -- mutants` takes 300 of the
 * folders in folders.ts, `npm run proof -- mutants 60 7 src/ehr/smart` so many, by a seed, of the folders that it
 * names. Many are tried in one process; what is not noticed there and compiles is tried alone. `--results <file>` keeps
 * what became of each, and does not run again what stands there; `--again` runs again what survived; `--most <seconds>`
 * says how long the nearest tests of a change may take alone. Prints what neither a test nor the type check noticed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    results: { type: 'string' },
    again: { type: 'boolean', default: false },
    most: { type: 'string', default: '45' },
  },
});
const [count = 300, seed = 20261126] = positionals.filter((arg) => /^\d+$/.test(arg)).map(Number);
const named = positionals.filter((arg) => !/^\d+$/.test(arg));
const wanted = folders.filter(({ folder }) => named.length === 0 || named.includes(folder));
if (wanted.length === 0) throw new Error(`Folders: ${folders.map(({ folder }) => folder).join(', ')}.`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

type Outcome = 'killed' | 'survived' | 'refused' | 'equivalent';
interface Result {
  readonly id: string;
  readonly outcome: Outcome;
  readonly by?: string;
}

/** What has been tried in this run. */
const run = new Set<Chosen>();
const results = new Map(kept().map((result) => [result.id, result]));
// In turns: what is stopped early has looked into every folder.
const sample = wanted
  .flatMap(({ folder, tests }, place) => drawnFrom(folder).map((mutant, turn) => ({ mutant, tests, turn, place })))
  .toSorted((one, other) => one.turn - other.turn || one.place - other.place)
  .map(({ mutant, tests }) => chosen(mutant, tests));

for (const mutant of sample.filter(isEquivalent))
  results.set(idOf(mutant), { id: idOf(mutant), outcome: 'equivalent' });
const halves = [0, 1].map((half) => toRun().filter((_, place) => place % 2 === half));
const usual = new Map((await Promise.all(halves.map((half) => triedAtOnce(half, noticed)))).flatMap((one) => [...one]));

for (const mutant of refusedByTypes(toRun())) keep(mutant, 'refused');

const left = [...toRun()];
note(`${left.length} of ${sample.length} are tried alone`);
await Promise.all([tryNext(), tryNext()]);

const survivors = sample.filter((mutant) => outcomeOf(mutant) === 'survived');
for (const { file, line, before, after } of survivors)
  print(`survived  ${file}:${line}\n    - ${before}\n    + ${after}`);

const counted = (outcome: Outcome) => sample.filter((mutant) => outcomeOf(mutant) === outcome).length;
const others = counted('killed') + survivors.length;
const share = others === 0 ? 0 : (100 * survivors.length) / others;
print(
  `${sample.length} changes (seed ${seed}): ${counted('refused')} do not compile, ${counted('equivalent')} change ` +
    `nothing; of the other ${others} ${counted('killed')} were noticed, ${survivors.length} survived ` +
    `(${share.toFixed(1)} %)`,
);

function drawnFrom(folder: string): readonly Mutant[] {
  const random = createRandom(seed).fork(folder);
  const drawn = filesIn(folder)
    .flatMap(mutantsOf)
    .map((mutant) => ({ mutant, place: random.next() }));
  const inOrder = drawn.toSorted((one, other) => one.place - other.place).map(({ mutant }) => mutant);
  return inOrder.slice(0, Math.ceil(count / wanted.length));
}

function toRun(): readonly Chosen[] {
  const isRunNow = (outcome: Outcome | undefined) => outcome === undefined || (outcome === 'survived' && values.again);
  return sample.filter((mutant) => !run.has(mutant) && isRunNow(outcomeOf(mutant)));
}

function noticed(mutant: Chosen, by: string): void {
  keep(mutant, 'killed', by);
  note(`${results.size} of ${sample.length}; ${mutant.file}:${mutant.line} ${by}`);
}

async function tryNext(): Promise<void> {
  for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
    const by = await triedAlone(mutant, usual, Number(values.most));
    keep(mutant, by === undefined ? 'survived' : 'killed', by);
    note(`${left.length} left; ${mutant.file}:${mutant.line} ${by ?? 'SURVIVED'}`);
  }
}

function isEquivalent({ file, before, after }: Mutant): boolean {
  return equivalent.some((one) => one.file === file && one.before === before && one.after === after);
}

/** The same for a change wherever its lines stand. */
function idOf({ file, before, after }: Mutant): string {
  return createHash('sha256').update([file, before, after].join('\n')).digest('hex').slice(0, 16);
}

function outcomeOf(mutant: Mutant): Outcome | undefined {
  return results.get(idOf(mutant))?.outcome;
}

function keep(mutant: Chosen, outcome: Outcome, by?: string): void {
  const result = { id: idOf(mutant), outcome, ...(by === undefined ? {} : { by }) };
  results.set(result.id, result);
  run.add(mutant);
  const { file, line, before, after } = mutant;
  if (values.results !== undefined)
    appendFileSync(values.results, `${JSON.stringify({ ...result, file, line, before, after })}\n`);
}

function kept(): readonly Result[] {
  const { results: file } = values;
  if (file === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Result);
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

// Runs the rarely used commands: `npm run proof -- <name>`, `npm run bench -- <name>` and `npm run docs -- <name>`.
// Builds or generates what the command needs first, and passes further arguments on to it. Without a name, lists all
// commands.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const typescript = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
const node = (...argv) => ({ argv });
const suite = (...argv) => ({ argv: vitest('suite', ...argv) });
const long = (...argv) => ({ argv: vitest('long', ...argv) });

/**
 * By kind and name: `help` for the list, `first` for what must be built or generated before, and the program to run.
 */
const commands = {
  proof: {
    laws: {
      help: 'laws over generated charts, at length: [names] [charts] [seed]',
      first: 'generate',
      ...node(...typescript, 'test/laws/run.ts'),
    },
    asked: {
      help: 'what is asked now and was not in another build: <its folder>',
      first: 'build',
      ...node(...typescript, 'test/laws/asked-more.ts'),
    },
    mutants: {
      help: 'half an hour: small changes in the sources that no test notices: [changes] [seed] [folders]',
      first: 'generate',
      ...node(...typescript, 'test/mutants/run.ts'),
    },
    torture: {
      help: 'many requests while everything breaks: --cases --kills --seed --store ...',
      first: 'build',
      ...node(...typescript, 'test/torture/run.ts'),
    },
    'torture-short': { help: 'the same in a minute', first: 'build', ...long('test/torture/short') },
    launches: {
      help: 'a thousand launches, two hundred at once, and their memory',
      first: 'build',
      ...node('--expose-gc', ...typescript, 'test/torture/many-launches.ts'),
    },
    'bad-days': {
      help: 'a full disk, a restarted PostgreSQL, a clock set back, a restored backup: [day] [part]',
      first: 'build',
      ...node(...typescript, 'test/torture/bad-days/run.ts'),
    },
    ehrs: {
      help: 'the first day at every EHR of the sandbox, by the steps of ehrs.md; then everything that may go wrong',
      first: 'build',
      ...long('test/ehrs'),
      env: { EVERY_EHR: '1' },
    },
    'map-kills': {
      help: 'map, killed and resumed: [kills] [seed]',
      first: 'build',
      ...node(...typescript, 'test/batch/proofs/kills-run.ts'),
    },
    'map-fuzz': {
      help: 'map over damaged lines: [lines] [seed]',
      first: 'build',
      ...node(...typescript, 'test/batch/proofs/fuzz-run.ts'),
    },
    'map-bundles': {
      help: 'what map reads of a Bundle against the parser, for 100,000 mutated ones',
      ...suite('test/batch/slim-bundle.test.ts'),
      env: { SLIM_BUNDLES: '100000' },
    },
    'map-large': {
      help: 'a Bundle of hundreds of megabytes and its memory: [megabytes]',
      first: 'build',
      ...node(...typescript, 'test/batch/proofs/large-bundle-run.ts'),
    },
    zones: {
      help: 'the suite in three time zones',
      first: 'build',
      ...suite(),
      each: ['UTC', 'America/New_York', 'Europe/Paris'].map((TZ) => ({ TZ })),
    },
  },
  bench: {
    numbers: {
      help: 'every number of docs/develop/speed.md: [--short] [--only part] [--against folder]',
      first: 'build',
      ...node('--import', './test/bench/numbers/from-dist.mjs', ...typescript, 'test/bench/numbers/run.ts'),
    },
    charts: {
      help: 'charts of each size: [--against folder] [--warmup n]',
      first: 'generate',
      ...node(...typescript, 'test/bench/map-one.ts'),
    },
    bundles: {
      help: 'large Bundles over reading and parsing them',
      first: 'generate',
      ...node(...typescript, 'test/bench/export/bundles.ts'),
    },
    export: {
      help: 'map over an export: --patients n --bridge "map {in} --out {out} ..." --against folder --memory MiB',
      first: 'build',
      ...node(...typescript, 'test/bench/export/run.ts'),
    },
    jobs: {
      help: 'jobs a second on a PostgreSQL of its own: [cases] [rounds]',
      first: 'build',
      ...node(...typescript, 'test/bench/jobs.ts'),
    },
    worklist: {
      help: 'a worklist of ten thousand cases',
      ...suite('test/bench/worklist.test.ts'),
      env: { WORKLIST_CASES: '10000' },
    },
  },
  docs: {
    api: {
      help: 'docs/api, from the doc comments of the two entries',
      first: 'generate',
      npm: ['run', '--silent', 'build', '--prefix', 'vendor/api-docs'],
    },
    cases: {
      help: 'docs/develop/cases.md, from the table of transitions',
      first: 'build',
      ...node('bin/write-cases-doc.mjs'),
    },
    images: { help: 'pictures of the pages: [folder]', first: 'build', ...node('docs/images/take.mjs') },
  },
};

const [kind = '', name, ...rest] = process.argv.slice(2);
const table = commands[kind] ?? {};
const command = table[name ?? ''];
if (command !== undefined) process.exitCode = run(command, rest);
else {
  const width = Math.max(...Object.keys(table).map(({ length }) => length));
  const lines = Object.entries(table).map(([each, { help }]) => `  ${each.padEnd(width)}  ${help}`);
  const problem = name === undefined ? '' : `There is no “${name}”.\n`;
  console.log(`${problem}npm run ${kind} -- <name> [what it takes]\n\n${lines.join('\n')}`);
  process.exitCode = name === undefined ? 0 : 2;
}

function run({ first, argv, npm, env, each = [{}] }, further) {
  const before = first === undefined ? 0 : start('npm', ['run', '--silent', first]);
  if (before !== 0) return before;
  for (const more of each) {
    const code = npm ? start('npm', npm) : start(process.execPath, [...argv, ...further], { ...env, ...more });
    if (code !== 0) return code;
  }
  return 0;
}

function start(program, argv, env = {}) {
  const { status, error } = spawnSync(program, argv, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (error !== undefined) throw error;
  return status ?? 1;
}

function vitest(project, ...argv) {
  const program = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
  return [program, 'run', '--project', project, ...argv];
}

import { Command } from 'commander';
import { packageVersion } from '../base/package.ts';
import { mayGenerate, plainEngineWords } from '../core/fhir/may-generate.ts';
import { openTextCache } from '../core/text-cache.ts';
import { type ExitCode, exit } from './exit.ts';
import { reportFailure } from './failure.ts';
import type { AddCommand, Io } from './io.ts';

/** In the order of the help text. Each command loads only what it needs, so that it starts fast. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  sandbox: async () => (await import('../dev/commands/sandbox.ts')).addSandbox,
  serve: async () => (await import('./serve.ts')).addServe,
  work: async () => (await import('./serve.ts')).addWork,
  site: async () => (await import('./site.ts')).addSite,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  keys: async () => (await import('./keys.ts')).addKeys,
  rekey: async () => (await import('./rekey-erase.ts')).addRekey,
  erase: async () => (await import('./rekey-erase.ts')).addErase,
  audit: async () => (await import('./audit.ts')).addAudit,
  codes: async () => (await import('./codes.ts')).addCodes,
  map: async () => (await import('./map/map.ts')).addMap,
  test: async () => (await import('../dev/commands/test.ts')).addTest,
  coverage: async () => (await import('../dev/commands/coverage.ts')).addCoverage,
  explain: async () => (await import('./explain.ts')).addExplain,
  describe: async () => (await import('./describe.ts')).addDescribe,
  lint: async () => (await import('./lint.ts')).addLint,
  record: async () => (await import('../dev/commands/record.ts')).addRecord,
  fidelity: async () => (await import('../dev/commands/fidelity.ts')).addFidelity,
};

/** The commands that map charts and have no log. They print a warning if Node.js forbids generated code. */
const mapping: ReadonlySet<string> = new Set(['map', 'test', 'coverage', 'explain', 'record', 'fidelity']);

const exitCodes = `
Exit codes:
  0  finished, nothing is missing
  1  finished, but something needs a person: an order with gaps, a mapping case that differs, a site with a problem
  2  the command line or some input could not be read; the rest was done
  3  configuration, port, store or network failed, or the bridge has a defect`;

/**
 * Runs one command line, given without the names of node and script. All output goes through `io`, and the process is
 * never ended here.
 */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exit.ok;
  const program = new Command('prior-auth-bridge')
    .description(
      'Fills prior authorization and enrollment requests from the chart, sends them, and writes the outcome back.',
    )
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('Next: add --help for the usage.')
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'prior-auth-bridge: ')),
    });
  for (const add of await Promise.all(loadersFor(argv).map((load) => load())))
    add(program, io, (value) => {
      code = value;
    });
  program.hook('preAction', () => {
    if (!mayGenerate && mapping.has(argv[0] ?? '')) io.stderr.write(`prior-auth-bridge: ${plainEngineWords}\n`);
  });
  for (const command of [program, ...program.commands]) command.addHelpText('after', exitCodes);
  // `serve` and `work` open and clear a text cache of their own.
  const texts = openTextCache();
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (thrown) {
    return reportFailure(thrown, io);
  } finally {
    texts.close();
  }
}

/** The loader of the given command; all of them for the program's help, or for a mistyped name. */
function loadersFor([name = '']: readonly string[]): (() => Promise<AddCommand>)[] {
  if (name === '--version' || name === '-V') return [];
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return named === undefined ? Object.values(commands) : [named];
}

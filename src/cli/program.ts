import { Command } from 'commander';
import { packageVersion } from '../package.ts';
import { addAudit } from './audit.ts';
import { addCodes } from './codes.ts';
import { addCoverage } from './coverage.ts';
import { addDescribe } from './describe.ts';
import { addExplain } from './explain.ts';
import { tellFailure } from './failure.ts';
import { addFidelity } from './fidelity.ts';
import { type AddCommand, type ExitCode, exit, type Io } from './io.ts';
import { addKeys } from './keys.ts';
import { addLint } from './lint.ts';
import { addErase, addRekey } from './maintenance.ts';
import { addMap } from './map.ts';
import { addRecord } from './record.ts';
import { addSandbox } from './sandbox.ts';
import { addServe, addWork } from './serve.ts';
import { addTest } from './test.ts';

const commands: readonly AddCommand[] = [
  addSandbox,
  addServe,
  addWork,
  addKeys,
  addRekey,
  addErase,
  addAudit,
  addCodes,
  addMap,
  addTest,
  addCoverage,
  addExplain,
  addDescribe,
  addLint,
  addRecord,
  addFidelity,
];

const exitCodes = `
Exit codes:
  0  finished, nothing is missing
  1  finished, but something needs a person: an order with gaps, a mapping case that differs
  2  the command line or some input could not be read; the rest was done
  3  configuration, port, store or network failed, or the bridge has a defect`;

/**
 * Runs one command line (without node and script name). Everything it says goes through `io`; it never ends the
 * process.
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
  for (const add of commands)
    add(program, io, (value) => {
      code = value;
    });
  for (const command of [program, ...program.commands]) command.addHelpText('after', exitCodes);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (thrown) {
    return tellFailure(thrown, io);
  }
}

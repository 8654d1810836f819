import { basename, resolve } from 'node:path';
import { countFidelity, type Fidelity, formatFidelity } from '../batch/fidelity.ts';
import { listInputs } from '../batch/input.ts';
import { mapInputs } from '../batch/map.ts';
import { type AddCommand, type ExitCode, exit, type Io } from './io.ts';
import { addMappingOptions, chooseMapping, dayOf, type MappingOptions } from './mappings.ts';
import { tellProblems } from './problems.ts';

interface FidelityOptions extends MappingOptions {
  readonly json?: true;
}

const help = `
One table per given path, in Markdown: for every field of the request, how many values were read from which resource, and how many orders lack it.
Holds counts only, no value from a chart. What cannot be read is named on standard error, and the command then ends with 2.

Examples
  prior-auth-bridge fidelity export/ > fidelity.md
  prior-auth-bridge fidelity exports/*/ --now 2026-11-21`;

export const addFidelity: AddCommand = (program, io, end) => {
  addMappingOptions(
    program
      .command('fidelity')
      .description('Count, per field, where the values of a whole set of charts come from and what they lack.')
      .argument('<paths...>', 'files or folders, a table each'),
  )
    .option('--json', 'print it as JSON')
    .addHelpText('after', help)
    .action(async (paths: string[], options: FidelityOptions) => end(await fidelity(paths, options, io)));
};

async function fidelity(paths: readonly string[], options: FidelityOptions, io: Io): Promise<ExitCode> {
  const { site, roles, map } = chooseMapping(options, io);
  const sets: Fidelity[] = [];
  let unread = false;
  for (const path of paths) {
    const counter = countFidelity(basename(resolve(path)));
    const inputs = await listInputs([path]);
    for await (const event of mapInputs({
      roles,
      inputs,
      map,
      site,
      now: dayOf(options.now, io.clock, site),
      stdin: io.stdin,
    })) {
      if (event.kind === 'order') counter.add(event.outcome);
      if (tellProblems(event, io)) unread = true;
    }
    sets.push(counter.total());
  }
  io.stdout.write(options.json ? `${JSON.stringify(sets, undefined, 2)}\n` : formatFidelity(sets));
  return unread ? exit.input : exit.ok;
}

import { isBlank, linesOf } from '../../base/lines.ts';
import { mapDocument } from '../../batch/map.ts';
import { orderJson } from '../../batch/report/order-line.ts';
import type { OrderOutcome } from '../../batch/report/order-outcome.ts';
import { BridgeError } from '../../core/errors.ts';
import { type ExitCode, exit } from '../exit.ts';
import type { Io } from '../io.ts';
import { chooseMapping, momentOf } from '../mappings.ts';
import { answersAlong } from './map-answers.ts';
import type { FilterOption, MapFlags } from './map-options.ts';

/**
 * Reads one patient bundle per line and prints one order per line as they arrive, for tools that run many such
 * processes in parallel. An unreadable line yields a line that reports it. Throws `too_many_errors` after the line that
 * reaches `--max-errors`.
 */
export async function mapFilter(options: Pick<MapFlags, FilterOption>, io: Io): Promise<ExitCode> {
  const chosen = chooseMapping(options, io);
  const { map, reads, roles, site } = chosen;
  const now = momentOf(options.now, io.clock, site);
  const along = options.answers === true ? { along: answersAlong(chosen, now) } : {};
  const work = { map, reads, roles, site, now, only: options.only ?? [], ...along };
  let code: ExitCode = exit.ok;
  let errors = 0;
  for await (const { number, bytes } of linesOf(io.stdin)) {
    if (isBlank(bytes)) continue;
    for await (const event of mapDocument(bytes, number, work)) {
      io.stdout.write(
        `${JSON.stringify('state' in event && event.state !== 'unreadable' ? orderJson(event) : event)}\n`,
      );
      code = codeOf(event, code);
      if (event.state === 'unreadable' || event.state === 'cannot_map') errors += 1;
      if (errors === options.maxErrors) throw tooMany(errors);
    }
  }
  return code;
}

function tooMany(errors: number): BridgeError {
  return new BridgeError('too_many_errors', { errors }, { next: 'Correct the input, or name a higher number.' });
}

function codeOf({ state }: { readonly state: OrderOutcome['state'] | 'unreadable' }, before: ExitCode): ExitCode {
  if (before === exit.input || state === 'unreadable') return exit.input;
  return state === 'incomplete' || state === 'cannot_map' ? exit.incomplete : before;
}

import type { ErrorFacts } from '../errors.ts';
import type { Clock, Log } from '../log.ts';
import type { Output } from './io.ts';

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type Level = (typeof levels)[number];

/**
 * A log of JSON lines. Facts hold no patient data by the contract of `Log`, so what is written is what was handed in.
 */
export function createLog({
  output,
  level,
  clock,
}: {
  readonly output: Output;
  readonly level: string;
  readonly clock: Clock;
}): Log {
  const lowest = levels.indexOf(level === 'fatal' ? 'error' : (levels.find((name) => name === level) ?? 'info'));
  const write = (at: Level) => (facts: ErrorFacts, message: string) => {
    if (levels.indexOf(at) >= lowest)
      output.write(`${JSON.stringify({ time: clock().toISOString(), level: at, message, ...facts })}\n`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

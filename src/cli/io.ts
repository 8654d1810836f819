import type { Command } from 'commander';
import type { Clock } from '../base/log.ts';
import type { ExitCode } from './exit.ts';

/** Everything a command touches outside its arguments; tests hand in their own. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Resolves with the name of the first signal that asks the process to end. */
  readonly stopped: () => Promise<string>;
}

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Adds one command; `end` sets the exit code of a run that finished. */
export type AddCommand = (program: Command, io: Io, end: (code: ExitCode) => void) => void;

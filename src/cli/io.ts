import type { Command } from 'commander';
import type { Clock } from '../base/log.ts';
import type { ExitCode } from './exit.ts';

/** Everything that a command uses besides its arguments; tests pass their own. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Resolves with the name of the first signal that requests an exit. */
  readonly stopped: () => Promise<string>;
}

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Adds one command; `end` sets the exit code of a run that finished. */
export type AddCommand = (program: Command, io: Io, end: (code: ExitCode) => void) => void;

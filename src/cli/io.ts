import type { Command } from 'commander';
import type { Clock } from '../base/log.ts';

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

/** Exit codes, the same for every command; README "Exit codes" lists them. */
export const exit = {
  /** Finished, with nothing missing. */
  ok: 0,
  /** Finished, but a person must act: an order has gaps, or a mapping case differs. */
  incomplete: 1,
  /** The command line or its input could not be read. Readable input was still processed. */
  input: 2,
  /** An external failure (configuration, port, store, network), or a defect. */
  failed: 3,
} as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

/** Adds one command; `end` sets the exit code of a run that finished. */
export type AddCommand = (program: Command, io: Io, end: (code: ExitCode) => void) => void;

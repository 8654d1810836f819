import type { Command } from 'commander';
import type { Clock } from '../base/log.ts';

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

/** Exit codes, the same for every command; README "Exit codes" lists them. */
export const exit = {
  /** Finished, nothing is missing. */
  ok: 0,
  /** Finished, but something needs a person: an order with gaps, a mapping case that differs. */
  incomplete: 1,
  /** The command line or its input could not be read. What could be read was still worked on. */
  input: 2,
  /** The world failed: configuration, port, store, network, or a defect. */
  failed: 3,
} as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

/** Adds one command; `end` sets the exit code of a run that finished. */
export type AddCommand = (program: Command, io: Io, end: (code: ExitCode) => void) => void;

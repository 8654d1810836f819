/** Exit codes, the same for every command. The README has a table of them. */
export const exit = {
  /** Finished, with nothing missing. */
  ok: 0,
  /** Finished, but a person must act: an order has gaps, or a mapping case differs. */
  incomplete: 1,
  /** The command line or some input could not be read. The rest of the input was processed. */
  input: 2,
  /** An external failure (configuration, port, store, network), or a defect. */
  failed: 3,
} as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

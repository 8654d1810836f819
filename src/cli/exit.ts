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

import type { ErrorFacts } from './errors.ts';

/**
 * Where the rooms report what they do. Facts are ids, codes, counts and durations: never a value from a chart, a token
 * or an address with a query.
 */
export interface Log {
  debug(facts: ErrorFacts, message: string): void;
  info(facts: ErrorFacts, message: string): void;
  warn(facts: ErrorFacts, message: string): void;
  error(facts: ErrorFacts, message: string): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The current time; handed in everywhere, so that tests and the sandbox can set it. */
export type Clock = () => Date;

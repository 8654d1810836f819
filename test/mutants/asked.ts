import { readFileSync } from 'node:fs';
import type { Body, Edit } from './mutations.ts';

/** What one run of the tests is to do. */
export interface Asked {
  /** The test files in their order; with `turns`, one for each turn. */
  readonly tests: readonly string[];
  /** What is changed while they run. */
  readonly change?: Edit & { readonly file: string };
  /** What hangs is to end soon, as with a change. */
  readonly isShort?: boolean;
  /** The changes that can be switched on while the tests run. */
  readonly switched?: readonly Switched[];
  readonly turns?: readonly Turn[];
  /** How test files end with nothing changed, as far as it is known. */
  readonly usual?: Readonly<Record<string, Usual>>;
  /** The file that each turn adds a line to. */
  readonly log?: string;
}

/** A change inside a function, which is made where `globalThis.mutant` is its id. */
export interface Switched extends Edit {
  readonly file: string;
  readonly id: number;
  readonly body: Body;
}

/** One run of one test file with one change switched on. */
export interface Turn {
  readonly test: string;
  /** Absent: nothing is changed. */
  readonly id?: number;
  /** A look whether the process is as it was: needed only where the change of the turn before was noticed. */
  readonly isLook?: boolean;
}

export interface Usual {
  readonly passed: number;
  readonly seconds: number;
  /** Tests that fail: they tell nothing. */
  readonly failing: readonly string[];
}

/** After so many looks that fail one after the other a process is given up. */
export const mostFailedLooks = 3;

/** A line of the log: what became of a turn. */
export interface TurnEnd extends Turn, Usual {
  /** A test that failed. */
  readonly failed?: string;
}

export type TurnLine = TurnEnd | { readonly begins: number };

/** In the environment of a run: the file that says what it is to do. */
export const askedVariable = 'MUTANTS_ASKED';

export function asked(): Asked {
  return JSON.parse(readFileSync(process.env[askedVariable] ?? '', 'utf8')) as Asked;
}

import { readFileSync } from 'node:fs';
import type { Body, Edit } from './mutations.ts';

/** What one run of the tests is to do. */
export interface Asked {
  readonly tests: readonly string[];
  /** The tests by their full names, as a regular expression; absent for all of them. */
  readonly names?: string;
  /** What is changed while they run. */
  readonly change?: Edit & { readonly file: string };
  /** What hangs is to end soon, as with a change. */
  readonly isShort?: boolean;
  /** Where it is told which tests come by. */
  readonly places?: readonly Place[];
  /** The file that this is written to, a line for each place and test. */
  readonly passedBy: string;
}

export interface Place {
  readonly file: string;
  readonly id: number;
  readonly body: Body;
}

/** A test that came by a place; without a name where its file did while it was loaded, or before its first test. */
export interface PassedBy {
  readonly id: number;
  readonly test: string;
  readonly name?: string;
}

/** In the environment of a run: the file that says what it is to do. */
export const askedVariable = 'MUTANTS_ASKED';

export function asked(): Asked {
  return JSON.parse(readFileSync(process.env[askedVariable] ?? '', 'utf8')) as Asked;
}

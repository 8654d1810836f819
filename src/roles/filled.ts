import type { Question, Root } from '../mapping/input.ts';
import type { Choice } from './chart.ts';

/** What fills a role, and everything that is to be said about it. */
export interface Filled {
  readonly root: Root;
  readonly choice?: Choice;
  readonly questions?: readonly Question[];
  readonly warnings?: readonly string[];
}

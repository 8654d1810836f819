import type { Question, Root } from '../mapping/input.ts';
import type { Look } from '../mapping/result.ts';
import type { Choice } from './chart.ts';

/** The value of a role and everything that is reported about it. Members that are rarely needed are functions. */
export interface Filled {
  readonly root: Root;
  choice?(): Choice | undefined;
  /** Why the resource that the request names cannot be used. */
  readonly refusal?: string;
  readonly questions?: readonly Question[];
  warnings?(): readonly string[];
}

/** The looks and the note of a root, composed on access. */
export interface RootWords {
  looks?(): readonly Look[] | undefined;
  note?(): string | undefined;
}

/**
 * A root whose looks and note are composed on access. The getter of an object literal would keep the chart in memory,
 * so this is a class.
 */
export class FilledRoot implements Root {
  readonly nodes: Root['nodes'];
  readonly kind: Root['kind'];
  readonly uncoded: Root['uncoded'];
  readonly #words: RootWords;

  constructor(nodes: Root['nodes'], words: RootWords, kind?: Root['kind'], uncoded?: Root['uncoded']) {
    this.nodes = nodes;
    this.kind = kind;
    this.uncoded = uncoded;
    this.#words = words;
  }

  get looks(): readonly Look[] | undefined {
    return this.#words.looks?.();
  }

  get note(): string | undefined {
    return this.#words.note?.();
  }
}

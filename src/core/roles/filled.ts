import type { Question, Root } from '../mapping/input.ts';
import type { Look } from '../mapping/result.ts';
import type { Choice } from './chart.ts';

/** What fills a role, and everything that is to be said about it. What few readers ask for is a function. */
export interface Filled {
  readonly root: Root;
  choice?(): Choice | undefined;
  /** Why the resource that the request names cannot be used. */
  readonly refusal?: string;
  readonly questions?: readonly Question[];
  warnings?(): readonly string[];
}

/** What a root says beside its nodes, made when somebody reads it. */
export interface RootWords {
  looks?(): readonly Look[] | undefined;
  note?(): string | undefined;
}

/**
 * A root whose words are made when somebody reads them. A class, since the getter of an object literal would keep the
 * chart alive.
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

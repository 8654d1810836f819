import type { Gap, Provenance } from '../result.ts';
import type { DeepPartial } from '../words/rules.ts';
import type { Edited } from './edited.ts';
import { provenanceOf } from './provenance.ts';

/** The common part of every result: its gaps, and its provenance, which is computed on first read. */
abstract class RunResult {
  readonly gaps: readonly Gap[];
  #edited: Edited | undefined;
  #provenance: readonly Provenance[] = [];

  constructor(gaps: readonly Gap[], edited: Edited) {
    this.gaps = gaps;
    this.#edited = edited;
  }

  get provenance(): readonly Provenance[] {
    if (this.#edited !== undefined) {
      this.#provenance = [...provenanceOf(this.#edited.values), ...this.#edited.cleared];
      this.#edited = undefined;
    }
    return this.#provenance;
  }
}

export class CompleteResult<T> extends RunResult {
  readonly status = 'complete';
  readonly body: T;

  constructor(body: T, gaps: readonly Gap[], edited: Edited) {
    super(gaps, edited);
    this.body = body;
  }

  toJSON(): object {
    const { status, body, provenance, gaps } = this;
    return { status, body, provenance, gaps };
  }
}

export class IncompleteResult<T> extends RunResult {
  readonly status = 'incomplete';
  readonly draft: DeepPartial<T>;

  constructor(draft: DeepPartial<T>, gaps: readonly Gap[], edited: Edited) {
    super(gaps, edited);
    this.draft = draft;
  }

  toJSON(): object {
    const { status, draft, provenance, gaps } = this;
    return { status, draft, provenance, gaps };
  }
}

import type { Refusal } from '../../fhir/references/refusals.ts';
import { Gap, type Look, type Option, type Severity } from '../result.ts';

type Reason = Gap['reason'];

/** The content of a gap, computed when it is read. */
export interface GapWords {
  reason(): Reason;
  message(): string;
  why(): Refusal | undefined;
  looks(): readonly Look[];
  options(): readonly Option[];
}

/** One gap of a run. Its content comes from functions of the run, so that a gap that is never read costs nothing. */
export class RunGap extends Gap {
  readonly target: string;
  readonly severity: Severity;
  readonly #words: GapWords;
  #looks: readonly Look[] | undefined;
  #options: readonly Option[] | undefined;

  constructor(target: string, severity: Severity, words: GapWords) {
    super();
    this.target = target;
    this.severity = severity;
    this.#words = words;
  }

  get reason(): Reason {
    return this.#words.reason();
  }

  get message(): string {
    return this.#words.message();
  }

  get why(): Refusal | undefined {
    return this.#words.why();
  }

  get looks(): readonly Look[] {
    this.#looks ??= this.#words.looks();
    return this.#looks;
  }

  /** Undefined if there are no options. */
  get options(): readonly Option[] | undefined {
    this.#options ??= this.#words.options();
    return this.#options.length === 0 ? undefined : this.#options;
  }

  /**
   * Combines two gaps of one place: the first gap, with the stricter of the two severities, and with the lookups of the
   * second gap if the first has none.
   */
  with(other: RunGap): RunGap {
    const severity = this.severity === 'blocks' || other.severity === 'blocks' ? 'blocks' : 'warns';
    const looks = () => (this.looks.length > 0 ? this.looks : other.looks);
    return new RunGap(this.target, severity, {
      reason: () => this.reason,
      message: () => this.message,
      why: () => this.why ?? other.why,
      looks,
      options: () => this.options ?? [],
    });
  }

  toJSON(): object {
    const { target, severity, reason, why, message, looks, options } = this;
    const gap = { target, severity, reason, ...(why === undefined ? {} : { why }), message, looks };
    return options === undefined ? gap : { ...gap, options };
  }
}

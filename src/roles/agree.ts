/** What one source says; `words` is its text as written. Members are the aspects that must agree and what is sent. */
export interface Reading {
  readonly words: string;
  /** Aspects that stand there and are not certain enough to be sent without a person's word. */
  readonly uncertain?: readonly string[];
  readonly [aspect: string]: unknown;
}

/** Two sources compared in meaning: an aspect in which they differ, or of which nothing tells whether they do. */
export interface Difference {
  readonly aspect: string;
  readonly certainty: 'differs' | 'unknown';
}

/** A named function where no word suffices. `sentence` says what it does; `describe` lists it. */
export interface Named<Call> {
  readonly name: string;
  readonly sentence: string;
  readonly call: Call;
}

/** One place where the same thing is stated. */
export interface AgreeSource {
  /** How people call it: `text`, `RxNorm name`. */
  readonly label: string;
  readonly path: string;
  readonly read: Named<(value: unknown) => Reading | undefined>;
}

/** What is asked about one aspect. */
export interface Aspect {
  /** The member that is in question where it has another name than the aspect: a kind of release is part of the name. */
  readonly part?: string;
  /** The member that a person chooses from, where it is not the aspect itself. */
  readonly option?: string;
  /** `{left}` and `{right}` are what the two sources say, `{leftSource}` and `{rightSource}` how they are called. */
  readonly differ: string;
  /** Asked when one source contradicts itself; `{words}` is its text. */
  readonly alone?: string;
  /** Asked when only an uncertain source states it. */
  readonly uncertain?: string;
  /** Told when nothing tells whether two sources agree. */
  readonly unknown?: string;
}

/** Sources that state one thing: where they differ in meaning a person is asked, never the first one taken. */
export interface Agree {
  readonly kind: 'agree';
  /** In the order in which they are sent when they agree. */
  readonly sources: readonly AgreeSource[];
  readonly compare: Named<(left: Reading, right: Reading) => readonly Difference[]>;
  readonly aspects: Readonly<Record<string, Aspect>>;
  /** Members of a reading, for the check of paths. */
  readonly keys: readonly string[];
}

/**
 * Sources that must agree in meaning.
 * @example
 * drug: agree({
 *   sources: [{ label: 'RxNorm name', path: '%drugConcept.coding.where(system = %rxnorm).display', read: drugName }],
 *   compare: sameDrug,
 *   aspects: { strength: { differ: 'The {leftSource} says {left}, the {rightSource} says {right}. Which one is ordered?' } },
 *   keys: ['name', 'strength', 'form'],
 * })
 */
export function agree(rule: Omit<Agree, 'kind'>): Agree {
  return Object.freeze({ kind: 'agree', ...rule });
}

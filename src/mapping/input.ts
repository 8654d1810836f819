import type { Gap, Look, Source } from './result.ts';

/** A value in the chart together with where it stands. */
export interface Node {
  readonly value: unknown;
  /** Absent for roots that are not part of the chart (`%site`, `%submission`). */
  readonly source?: Source;
  /** What holds for this node and not for its siblings under the Root: a code that a site's map put in place of the chart's. */
  readonly told?: { readonly kind: 'derived'; readonly note: string };
  /** The value was made of the node as a whole: what is inside it has no path of its own, except for `parts`. */
  readonly whole?: true;
  /**
   * Where parts of the value stand, by their path inside it without a leading dot (`test.results[0].observation`): for a
   * value that was put together from several resources. What is below a part has its place below that part's place.
   */
  readonly parts?: Readonly<Record<string, Source>>;
}

/**
 * What a `%role` stands for: the nodes that chart/ chose, and when there are none how far the search got,
 * so that a gap can say it.
 */
export interface Root {
  readonly nodes: readonly Node[];
  readonly looks?: readonly Look[];
  /** `chart` (default), `derived`, `site`, `proposed` when a person must still confirm the choice, `entered` when a person typed it (an answer). */
  readonly kind?: 'chart' | 'derived' | 'site' | 'proposed' | 'entered';
  /** Why this was chosen; goes into the provenance of values under it. */
  readonly note?: string;
}

/** All that the engine needs: roots by role name without `%`, a resolver for `resolve()`, and open questions that become gaps. */
export interface MappingInput {
  readonly roots: Readonly<Record<string, Root>>;
  /** The resource a reference element points to, with its source; undefined when it is not in the chart. `from` is the node that holds the reference (for contained ones). */
  readonly resolve: (reference: unknown, from: Node) => Node | undefined;
  readonly questions?: readonly Gap[];
}

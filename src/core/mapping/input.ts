import type { Refusal } from '../fhir/references/refusals.ts';
import type { Decoding } from '../fhir/text/damage.ts';
import type { Environment } from '../fhirpath/environment.ts';
import type { Item } from '../fhirpath/item.ts';
import type { Look, Option, Severity, Source } from './result.ts';

/** A value in the chart with its place. */
export interface Node {
  readonly value: unknown;
  /** Absent for roots that are not part of the chart (`%site`, `%submission`). */
  readonly source?: Source | undefined;
  /** The chart item that the node is made of. Its place is computed from the item only when somebody reads it. */
  readonly item?: Item;
  /**
   * Applies to this node and not to the other nodes of its Root: a code that a site's map put in place of the chart's.
   */
  readonly told?: { readonly kind: 'derived'; readonly note: string };
  /** The value was made from the node as a whole: values inside it have no path of their own, except for `parts`. */
  readonly whole?: true | undefined;
  /**
   * The places of parts of the value, by their path inside it without a leading dot (`test.results[0].observation`),
   * for a value that was assembled from several resources. A value inside a part has its place inside the place of that
   * part.
   */
  readonly parts?: Readonly<Record<string, Source>>;
}

/**
 * The value of a `%role`: the nodes that fill it, or, if there are none, how far the search got, so that a gap can
 * report it. `looks` and `note` are read only on demand, so a class may implement them as getters.
 */
export interface Root {
  readonly nodes: readonly Node[];
  readonly looks?: readonly Look[] | undefined;
  /**
   * `chart` (default), `derived`, `site`, `proposed` when a person must still confirm the choice, `entered` when a
   * person typed the value (an answer).
   */
  readonly kind?: 'chart' | 'derived' | 'site' | 'proposed' | 'entered' | undefined;
  /** Why these nodes were chosen; becomes part of the provenance of values under them. */
  readonly note?: string | undefined;
  /** Elements of the chart that could not be read: in place of nodes, or members of the first node. */
  readonly unread?: readonly Unread[] | undefined;
  /** Matching values of the chart that are not filled in before a person has found their code. */
  readonly uncoded?: readonly Node[] | undefined;
}

export interface Unread {
  /** The member of the role's node that this element would have been. */
  readonly member?: string;
  readonly value: unknown;
  readonly source: Source;
}

/**
 * An open question of a role. It does not name a field of a body: the mapping puts it where the role is read
 * (`plan/question-places.ts`). `message` and `looks` are read only on demand.
 */
export interface Question {
  readonly role: string;
  /** The part of the role that is in question, as the path of members under it: `strength`, `quantity.value`. */
  readonly part?: string;
  readonly severity: Severity;
  readonly reason: 'missing' | 'invalid' | 'uncertain' | 'choice' | 'unconfirmed' | 'advice';
  readonly message: string;
  /** Why the chart's value cannot be used, if that is the question. */
  readonly why?: Refusal;
  readonly looks: readonly Look[];
  readonly options?: readonly Option[];
}

/** Everything that a run needs from a chart. */
export interface MappingInput {
  /** The value of a role, by its name without `%`; undefined when there is no such role. */
  root(role: string): Root | undefined;
  /**
   * The target of a reference element, with its source; undefined when it is not in the chart. `from` is the node that
   * holds the reference (for contained resources).
   */
  resolve(reference: unknown, from: Node): Node | undefined;
  /** The open questions of these roles and of the roles they depend on. */
  questions(roles: readonly string[]): readonly Question[];
  /**
   * How the text of a value at a place of the chart was decoded. The function is undefined if no text had to be decoded
   * so far.
   */
  readonly decodedAt?: ((value: string, source: Source) => Decoding | undefined) | undefined;
  /** The site's day, YYYY-MM-DD: the reference for a birth date that a person enters. */
  readonly today?: string;
  /** The environment of expressions for the same roles, if the chart keeps it; made by `environmentOf`. */
  readonly environment?: Environment;
}

export interface Roles {
  /** Every role, in the order of its table. */
  readonly names: readonly string[];
  has(role: string): boolean;
  /** The roles that are read to fill this role, directly and indirectly, including itself. */
  dependsOn(role: string): ReadonlySet<string>;
  /** Every question that the role can ask in any chart. */
  questions(role: string): readonly { readonly part?: string; readonly severity: Severity }[];
}

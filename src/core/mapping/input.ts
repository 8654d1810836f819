import type { Refusal } from '../fhir/references/refusals.ts';
import type { Decoding } from '../fhir/text/damage.ts';
import type { Environment } from '../fhirpath/environment.ts';
import type { Item } from '../fhirpath/item.ts';
import type { Look, Option, Severity, Source } from './result.ts';

/** A value in the chart together with where it stands. */
export interface Node {
  readonly value: unknown;
  /** Absent for roots that are not part of the chart (`%site`, `%submission`). */
  readonly source?: Source | undefined;
  /** The item of a chart that it is made of, which stands at its source: to work that out only for who reads it. */
  readonly item?: Item;
  /**
   * What holds for this node and not for its siblings under the Root: a code that a site's map put in place of the
   * chart's.
   */
  readonly told?: { readonly kind: 'derived'; readonly note: string };
  /** The value was made of the node as a whole: what is inside it has no path of its own, except for `parts`. */
  readonly whole?: true | undefined;
  /**
   * Where parts of the value stand, by their path inside it without a leading dot (`test.results[0].observation`): for
   * a value that was put together from several resources. What is below a part has its place below that part's place.
   */
  readonly parts?: Readonly<Record<string, Source>>;
}

/**
 * What a `%role` stands for: the nodes that fill it, and when there are none how far the search got, so that a gap can
 * say it. `looks` and `note` are read only when somebody asks for them: a class may make them with getters.
 */
export interface Root {
  readonly nodes: readonly Node[];
  readonly looks?: readonly Look[] | undefined;
  /**
   * `chart` (default), `derived`, `site`, `proposed` when a person must still confirm the choice, `entered` when a
   * person typed it (an answer).
   */
  readonly kind?: 'chart' | 'derived' | 'site' | 'proposed' | 'entered' | undefined;
  /** Why this was chosen; goes into the provenance of values under it. */
  readonly note?: string | undefined;
  /** What stands in the chart and could not be read: in place of nodes, or members of the first node. */
  readonly unread?: readonly Unread[] | undefined;
  /** What stands in the chart and fits, and is not filled in before a person has found its code. */
  readonly uncoded?: readonly Node[] | undefined;
}

/** What is not of the form of FHIR R4. */
export interface Unread {
  /** Of the node that fills the role, the member that it is. */
  readonly member?: string;
  readonly value: unknown;
  readonly source: Source;
}

/**
 * What a role cannot decide alone. It names no field of a body: the mapping puts it where the role is read
 * (`plan/question-places.ts`). `message` and `looks` are read only when somebody asks for them.
 */
export interface Question {
  readonly role: string;
  /** The part of the role that is in question, as the path of members under it: `strength`, `quantity.value`. */
  readonly part?: string;
  readonly severity: Severity;
  readonly reason: 'missing' | 'invalid' | 'uncertain' | 'choice' | 'unconfirmed' | 'advice';
  readonly message: string;
  /** Why what the chart has cannot be used, where that is the question. */
  readonly why?: Refusal;
  readonly looks: readonly Look[];
  /** What a person can choose from. */
  readonly options?: readonly Option[];
}

/** All that a run needs of a chart. */
export interface MappingInput {
  /** What fills a role, by its name without `%`; undefined when there is no such role. */
  root(role: string): Root | undefined;
  /**
   * The resource a reference element points to, with its source; undefined when it is not in the chart. `from` is the
   * node that holds the reference (for contained ones).
   */
  resolve(reference: unknown, from: Node): Node | undefined;
  /** The open questions of these roles and of the roles they depend on. */
  questions(roles: readonly string[]): readonly Question[];
  /**
   * How the text of a value was decoded that comes from a place of the chart. Undefined while no text that was read
   * had to be.
   */
  readonly decodedAt?: ((value: string, source: Source) => Decoding | undefined) | undefined;
  /** The site's day, YYYY-MM-DD: what a birth date that a person enters is judged by. */
  readonly today?: string;
  /** What expressions see of the same roles, where the chart keeps it: made by `environmentOf`. */
  readonly environment?: Environment;
}

/** What a mapping knows about roles when it is defined. */
export interface Roles {
  /** Every role, in the order of its table. */
  readonly names: readonly string[];
  has(role: string): boolean;
  /** The roles that are read to fill this one, over any number of steps, itself included. */
  dependsOn(role: string): ReadonlySet<string>;
  /** Every question that the role can ask, whatever the chart. */
  questions(role: string): readonly { readonly part?: string; readonly severity: Severity }[];
}

import type { z } from 'zod';
import { BridgeError } from '../../errors.ts';
import type { Roles } from '../input.ts';
import { type Plan, planOf } from '../plan/plan.ts';
import { type AskedOf, checkQuestions, placeOfQuestion, type QuestionPlace } from '../plan/question-places.ts';
import type { Severity } from '../result.ts';
import type { DeepPartial, PartialRules, Rules } from './rules.ts';
import {
  compileTree,
  type Follower,
  fitTree,
  followersOf,
  layTree,
  type ObjectTree,
  placedTree,
  type Tree,
  unstatedIn,
  type WrittenRules,
} from './tree.ts';

/** A note that a value should be checked. `target` is a path into the body as in provenance. */
export interface Advice {
  readonly target: string;
  readonly message: string;
  /**
   * `blocks` for a person's entry that cannot be right; `warns` (the default) for a value that should only be checked.
   */
  readonly severity?: Severity;
}

/** What advice may depend on besides the body. */
export interface Advising {
  /** YYYY-MM-DD, the site's day; absent if the chart does not know it. */
  readonly today: string | undefined;
  /** Whether a person entered the value at this path. */
  isEntered(target: string): boolean;
}

/** The parts of a mapping besides its rules. */
export interface MappingOptions<T> {
  /** Checks a body, complete or not; each advice becomes a gap. Pure. */
  advise?(body: DeepPartial<T>, advising: Advising): readonly Advice[];
  /**
   * The roles that expressions may read. If given, each blocking question that these roles can ask must have a leaf.
   */
  readonly roles?: Roles;
}

/** A compiled mapping, made by `defineMapping`, `extendMapping` or `overlay`. Immutable. */
export interface Mapping<T> extends MappingOptions<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly tree: ObjectTree;
  /** The compiled form of `tree`: plain data that a run traverses. */
  readonly plan: Plan;
  readonly followers: readonly Follower[];
  /** The mapping itself and the overlays on it, in order, each with the rules that it wrote. */
  readonly layers: readonly Layer[];
  /** The place of a role's question in this body; undefined when no leaf reads it. */
  questionPlace(question: AskedOf): QuestionPlace | undefined;
}

export interface Layer {
  readonly name: string;
  readonly before: ObjectTree | undefined;
  readonly after: ObjectTree;
}

/**
 * Defines a mapping to the target that `schema` describes. Every key of the target has a rule. Each expression is
 * compiled here, so an invalid one stops the process at start (PathError with expression, position and reason). With
 * `options.roles`, an unknown role or a blocking question without a leaf stops it too (`mapping_invalid` with role and
 * part).
 *
 * @example
 * const greeting = defineMapping('greeting', z.strictObject({ name: z.string(), from: z.string() }), {
 *   name: from('%name.given.first()'),
 *   from: constant('the clinic', 'every letter is signed so'),
 * });
 */
export function defineMapping<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  rules: Rules<z.infer<Schema>>,
  options: MappingOptions<z.infer<Schema>> = {},
): Mapping<z.infer<Schema>> {
  // Rules<T> has checked the shape; T is not needed below
  const tree = objectTree(fitTree(compileTree(rules as WrittenRules, name), schema));
  return withTree(
    {
      ...options,
      name,
      schema: schema as z.ZodType<z.infer<Schema>>,
      layers: [{ name, before: undefined, after: tree }],
    },
    tree,
  );
}

/**
 * The same mapping with single rules replaced, e.g. for a site or a vendor. `base` may itself be an overlay.
 *
 * @example
 * const valley = overlay(priorAuth, 'prior-auth@valley', {
 *   insurance_content: { rx_bin: from("%coverage.extension('http://valley.example/rx-bin').value") },
 * });
 */
export function overlay<T>(base: Mapping<T>, name: string, rules: PartialRules<T>): Mapping<T> {
  // PartialRules<T> has checked the shape
  const tree = objectTree(fitTree(layTree(base.tree, rules as WrittenRules, name), base.schema));
  return withTree({ ...base, name, layers: [...base.layers, { name, before: base.tree, after: tree }] }, tree);
}

/** Rules of a mapping that extends another one: the differences, and every top-level key that the base lacks. */
export type ExtendingRules<Base, T> = PartialRules<T> & Required<Pick<PartialRules<T>, Exclude<keyof T, keyof Base>>>;

/**
 * A mapping to another target: the rules of `base`, changed and completed by `rules`. Keys that the other target does
 * not have are dropped. Throws `mapping_invalid` with the leaf if a leaf of the target has a rule in neither of them.
 *
 * @example
 * const Greeting = z.strictObject({ name: z.string() });
 * const greeting = defineMapping('greeting', Greeting, { name: from('%name.given.first()') });
 * const Letter = z.strictObject({ name: z.string(), street: z.string() });
 * const letter = extendMapping(greeting, 'letter', Letter, { street: from('%address.line[0]') }, {});
 */
export function extendMapping<Base, Schema extends z.ZodType>(
  base: Mapping<Base>,
  name: string,
  schema: Schema,
  rules: ExtendingRules<Base, z.infer<Schema>>,
  options: MappingOptions<z.infer<Schema>>,
): Mapping<z.infer<Schema>> {
  // ExtendingRules has checked the shape
  const laid = objectTree(placedTree(layTree(base.tree, rules as WrittenRules, name), schema));
  const unstated = unstatedIn(laid, schema, '');
  if (unstated !== undefined)
    throw new BridgeError('mapping_invalid', { mapping: name, reason: `no rule says what is sent as ${unstated}` });
  const tree = objectTree(fitTree(laid, schema));
  return withTree(
    {
      ...(base.roles === undefined ? {} : { roles: base.roles }),
      ...options,
      name,
      schema: schema as z.ZodType<z.infer<Schema>>,
      layers: [...base.layers, { name, before: base.tree, after: tree }],
    },
    tree,
  );
}

/** The mapping with another tree of rules, compiled and checked. */
export function withTree<T>(
  mapping: Omit<Mapping<T>, 'tree' | 'plan' | 'followers' | 'questionPlace'>,
  tree: ObjectTree,
): Mapping<T> {
  const { name, roles } = mapping;
  const plan = planOf(tree);
  if (roles !== undefined) checkQuestions(name, plan, roles);
  const places = new Map<string, QuestionPlace | undefined>();
  const questionPlace = (asked: AskedOf) => {
    const key = asked.part === undefined ? asked.role : `${asked.role}.${asked.part}`;
    if (!places.has(key)) places.set(key, placeOfQuestion(plan, roles, asked));
    return places.get(key);
  };
  return Object.freeze({ ...mapping, tree, plan, followers: followersOf(tree, name), questionPlace });
}

function objectTree(tree: Tree): ObjectTree {
  if (tree.kind !== 'object') throw new TypeError('the rules of a mapping are an object');
  return tree;
}

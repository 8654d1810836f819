import { z } from 'zod';
import { nearest } from '../did-you-mean.ts';
import { isObject } from '../fhir/is-object.ts';
import { inOurWords } from '../issue-words.ts';
import { hasPlace } from '../mapping/schema.ts';
import type { Mapping } from '../mapping/words/define.ts';
import { transformsOf } from '../mapping/words/map-transforms.ts';
import { constant, type From, omit, type PartialRules, type Transform, within } from '../mapping/words/rules.ts';
import type { FromTree, Tree } from '../mapping/words/tree.ts';
import { refusalOfExpression } from './expression.ts';
import type { OverlayProblem } from './site-overlay.ts';

export interface ReadRules<T> {
  readonly rules: PartialRules<T>;
  readonly problems: readonly OverlayProblem[];
}

const Source = z.union([z.string().min(1), z.strictObject({ path: z.string().min(1), transform: z.string() })]);
const FromRule = z.strictObject({ from: z.array(Source).min(1), transform: z.string().optional() });
const ConstantRule = z.strictObject({
  constant: z.union([z.string().min(1), z.number(), z.boolean()]),
  reason: z.string().min(1),
});
const OmitRule = z.strictObject({ omit: z.string().min(1) });
const ItemsRule = z.strictObject({ items: z.record(z.string(), z.unknown()) });

/**
 * Reads the rules of an overlay, which have the shape of the request. A rule is `{ "from": [paths], "transform": name
 * }`, `{ "constant": value, "reason": "..." }` or `{ "omit": "reason" }`. `{ "items": { ... } }` has rules for the
 * items of a list.
 */
export function readRules<T>(written: unknown, base: Mapping<T>, path: readonly PropertyKey[]): ReadRules<T> {
  const reader = new RulesReader(base);
  const rules = reader.part(written, base.tree, path, []);
  return { rules: rules as PartialRules<T>, problems: reader.problems }; // overlay() matches rules to the base by key
}

class RulesReader {
  readonly problems: OverlayProblem[] = [];
  private readonly transforms: readonly Transform<unknown>[];

  constructor(private readonly base: Mapping<unknown> | Mapping<never>) {
    this.transforms = transformsOf(base.tree);
  }

  /** Reads the rules of one part of the request. `target` is the path of the part in the body. */
  part(written: unknown, tree: Tree | undefined, path: readonly PropertyKey[], target: readonly PropertyKey[]): object {
    if (!isObject(written)) return this.refuse(path, 'rules of this part are expected, an object');
    const known = new Map(tree?.kind === 'object' ? tree.entries : []);
    return Object.fromEntries(
      Object.entries(written).flatMap(([key, rule]) => {
        const [at, place] = [
          [...path, key],
          [...target, key],
        ];
        const inner = known.get(key);
        if (inner !== undefined || this.isFree(place)) return [[key, this.rule(rule, inner, at, place)]];
        this.refuse(at, `the request has no field ${key}${nearest(key, [...known.keys()])}`);
        return [];
      }),
    );
  }

  private rule(
    written: unknown,
    tree: Tree | undefined,
    path: readonly PropertyKey[],
    target: readonly PropertyKey[],
  ): object {
    if (!isObject(written)) return this.refuse(path, 'a rule is expected: from, constant or omit');
    if ('items' in written) return this.items(written, tree, path, target);
    if (tree?.kind === 'object' && !('omit' in written)) return this.part(written, tree, path, target);
    if (tree?.kind === 'each' || tree?.kind === 'concat')
      return this.refuse(
        path,
        'the items of this list are chosen by its role; only rules inside them can differ: items',
      );
    if ('from' in written) return this.from(written, tree, path);
    if ('constant' in written) {
      const rule = this.parsed(ConstantRule, written, path);
      return rule === undefined ? {} : constant(rule.constant, rule.reason);
    }
    const rule = this.parsed(OmitRule, written, path);
    return rule === undefined ? {} : omit(rule.omit);
  }

  private items(
    written: object,
    tree: Tree | undefined,
    path: readonly PropertyKey[],
    target: readonly PropertyKey[],
  ): object {
    const rule = this.parsed(ItemsRule, written, path);
    if (rule === undefined) return {};
    if (tree?.kind !== 'each')
      return this.refuse(path, 'items stands only at a list whose items the mapping makes one by one');
    return within(this.part(rule.items, tree.item, [...path, 'items'], [...target, 0]));
  }

  private from(written: object, tree: Tree | undefined, path: readonly PropertyKey[]): object {
    const rule = this.parsed(FromRule, written, path);
    if (rule === undefined) return {};
    const sources = rule.from.map((source, index) => {
      const { path: expression, transform = rule.transform } = typeof source === 'string' ? { path: source } : source;
      const at = [...path, 'from', index];
      const refused = refusalOfExpression(expression);
      if (refused !== undefined) this.problems.push({ path: at, ...refused });
      return { expression, transform: this.transform(transform, expression, tree, path) };
    });
    const follows = tree?.kind === 'from' ? tree.follows : undefined;
    const read: From<unknown> = { kind: 'from', sources: sources as From<unknown>['sources'] };
    return Object.freeze(follows === undefined ? read : { ...read, follows });
  }

  // A leaf with its own transforms keeps them, because another transform could accept values that its own transforms
  // refuse.
  private transform(
    name: string | undefined,
    expression: string,
    tree: Tree | undefined,
    path: readonly PropertyKey[],
  ): Transform<unknown> | undefined {
    const own = tree?.kind === 'from' ? ownTransforms(tree) : [];
    const choice = own.length > 0 ? own : this.transforms;
    if (name === undefined) {
      const same =
        tree?.kind === 'from' ? tree.sources.find(({ path: known }) => known.expression === expression) : undefined;
      if (same !== undefined || own.length > 0) return same?.transform ?? own[0];
      this.refuse(path, `a transform is missing; one of ${choice.map((one) => one.name).join(', ')}`);
      return undefined;
    }
    const found = choice.find((one) => one.name === name);
    const names = choice.map((one) => one.name);
    if (found === undefined)
      this.refuse(
        [...path, 'transform'],
        `${name} is no transform of this field; it has ${names.join(', ')}${nearest(name, names)}`,
      );
    return found;
  }

  private isFree(place: readonly PropertyKey[]): boolean {
    return place.length > 1 && hasPlace(this.base.schema, place);
  }

  private parsed<S extends z.ZodType>(
    schema: S,
    written: unknown,
    path: readonly PropertyKey[],
  ): z.infer<S> | undefined {
    const result = schema.safeParse(written, inOurWords);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      if (issue.code === 'unrecognized_keys')
        for (const key of issue.keys) this.refuse([...path, key], 'there is no such key here');
      else this.refuse([...path, ...issue.path], issue.message);
    }
    return undefined;
  }

  private refuse(path: readonly PropertyKey[], reason: string): object {
    this.problems.push({ path, reason });
    return {};
  }
}

function ownTransforms({ sources }: FromTree): Transform<unknown>[] {
  return [...new Set(sources.flatMap(({ transform }) => transform ?? []))];
}

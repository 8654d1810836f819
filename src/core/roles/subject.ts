import type { Resource } from 'fhir/r4.js';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { type CompiledPath, compileSides } from '../fhirpath/compile.ts';
import type { Items } from '../fhirpath/environment.ts';
import { EvaluationError } from '../fhirpath/error.ts';
import { holderPlaceOf, type Item, itemPlace } from '../fhirpath/item.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from './facts.ts';

/** One candidate for a role, as clauses read it. */
export interface Subject {
  readonly item: Item;
  /** `Coverage/2`, or `Patient/1#name[0]` for a part. */
  readonly reference: string;
}

/** The items that a path finds from an item. Empty if the evaluation ends in an error (FHIRPath: "signal an error"). */
export function itemsAt(path: Pick<CompiledPath, 'run'>, context: Items, facts: Facts): Items {
  try {
    return path.run(context, facts.environment);
  } catch (error) {
    if (error instanceof EvaluationError) return [];
    throw error;
  }
}

export function partOf(item: Item): Subject {
  return new Part(item);
}

// The reference is computed on access, because most parts never need it.
class Part implements Subject {
  constructor(readonly item: Item) {}

  get reference(): string {
    const place = itemPlace(this.item);
    if (place === undefined) return '';
    const dot = place.path.indexOf('.');
    return dot < 0 ? place.resource : `${place.resource}#${place.path.slice(dot + 1)}`;
  }
}

export function subjectNode(item: Item): Node {
  return new NodeOfItem(item, item.value);
}

/** A node for a value that was made from an item as a whole. Values inside it have no path of their own. */
export function readNode(item: Item, value: unknown): Node {
  return new NodeOfItem(item, value, true);
}

// The source is computed on access, because most nodes never need it.
class NodeOfItem implements Node {
  constructor(
    readonly item: Item,
    readonly value: unknown,
    readonly whole?: true,
  ) {}

  get source(): Node['source'] {
    return itemPlace(this.item);
  }
}

/** The resource that has the item. Undefined for a value that is not part of a chart. */
export function holderOf(item: Item, facts: Facts): Located<Resource> | undefined {
  const place = holderPlaceOf(item);
  return place === undefined ? undefined : facts.graph.find(place.resource);
}

/** The first text or number at a path that is not a placeholder. An instant is shortened to its day. */
export function textAt(path: Pick<CompiledPath, 'run'>, item: Item, facts: Facts): string | undefined {
  for (const { value } of itemsAt(path, [item], facts)) {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    const text = meaningful(value);
    if (text !== undefined) return /^\d{4}-\d{2}-\d{2}T/.test(text) ? text.slice(0, 10) : text;
  }
  return undefined;
}

/** Reads the text that names an item for people: the first of `a | b | c` that has one. */
export type Label = (item: Item, facts: Facts) => string | undefined;

/** Throws PathError for an invalid expression. */
export function compileLabel(expression: string): Label {
  const sides = compileSides(expression).map((run) => ({ run }));
  return (item, facts) => {
    for (const side of sides) {
      const text = textAt(side, item, facts);
      if (text !== undefined) return text;
    }
    return undefined;
  };
}

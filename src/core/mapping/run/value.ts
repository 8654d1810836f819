import type { Refusal } from '../../fhir/references/refusals.ts';
import type { Environment } from '../../fhirpath/environment.ts';
import type { Item } from '../../fhirpath/item.ts';
import type { ConstantPlan, PartPlan, ReadPlan } from '../plan/plan.ts';
import type { Provenance } from '../result.ts';
import type { Transformed } from '../words/rules.ts';
import { rootOf } from './environment.ts';

/** A run's representation of a body: its values, each with a reference to its origin. It is never modified. */
export type Value = ValueLeaf | PartValue | ListValue | Unusable;

export type ValueLeaf = ReadLeaf | ConstantLeaf | EnteredLeaf;

/** A value that a source of a rule found. */
export class ReadLeaf {
  readonly kind = 'leaf';
  constructor(
    readonly plan: ReadPlan,
    /** The index of the source that found it. */
    readonly source: number,
    /**
     * The item of the value if it is already resolved (`isRead`); otherwise where the path starts, and `item` resolves
     * it on demand.
     */
    private readonly start: Item,
    private readonly isRead: boolean,
    /** The number of further items that the source found. */
    readonly others: number,
    readonly result: Exclude<Transformed<unknown>, { readonly refused: Refusal }>,
  ) {}

  get value(): unknown {
    return this.result.value;
  }

  /** The item of the value, found only when somebody asks for its place. */
  get item(): Item {
    const steps = this.isRead ? undefined : this.plan.sources[this.source]?.path.plain?.steps;
    return steps?.([this.start], noEnvironment)[0] ?? this.start;
  }

  get isMisread(): boolean {
    return this.result.isMisread === true;
  }

  with(result: ReadLeaf['result']): ReadLeaf {
    return new ReadLeaf(this.plan, this.source, this.start, this.isRead, this.others, result);
  }

  get origin(): Provenance['kind'] {
    const root = rootOf(this.start);
    if (root === undefined) return this.item.parent === undefined ? 'constant' : 'chart';
    const kind = root.kind ?? 'chart';
    return kind === 'chart' && this.result.derived === true ? 'derived' : kind;
  }

  /** Whether the value does not depend on the chart: a literal, or a later source from the site. */
  get isDefault(): boolean {
    const { origin } = this;
    return origin === 'constant' || (origin === 'site' && this.source > 0);
  }
}

// The steps of a plain path only read the item, so they need no environment.
const noEnvironment: Environment = { variable: () => [], resolve: () => undefined };

export class ConstantLeaf {
  readonly kind = 'leaf';
  readonly origin = 'constant';
  readonly isMisread = false;
  constructor(readonly plan: ConstantPlan) {}

  get value(): unknown {
    return this.plan.value;
  }
}

export class EnteredLeaf {
  readonly kind = 'leaf';
  readonly origin = 'entered';
  readonly isMisread = false;
  constructor(
    readonly value: unknown,
    readonly rule: string,
    /** The chart's value; undefined if it had none. */
    readonly replaces: unknown,
    readonly replacedKind?: Provenance['replacedKind'],
  ) {}
}

const nothingAdded: ReadonlyMap<string, Value> = new Map();

/** A part of the body, or an item of a list. */
export class PartValue {
  readonly kind = 'part';
  constructor(
    /** Absent for a part that a person entered and that has no rule. */
    readonly plan: PartPlan | undefined,
    /** In the order of the plan's fields. */
    readonly fields: readonly (Value | undefined)[],
    /** Values that a person entered under keys whose rules send nothing. */
    readonly added: ReadonlyMap<string, Value> = nothingAdded,
    /** The list item that the part was made from. */
    readonly node?: Item,
  ) {}
}

export class ListValue {
  readonly kind = 'list';
  constructor(
    /** Undefined where a person's edits left a hole; holes are closed before the list is read. */
    readonly items: readonly (Value | undefined)[],
    /** The number of nodes that were found and could not be used. */
    readonly unused: number,
  ) {}
}

/** Something was found, but none of it could be used. */
export class Unusable {
  readonly kind = 'unusable';
  constructor(
    /** Whether a value was refused; false where the items of a list were simply empty. */
    readonly refused: boolean,
  ) {}
}

/** Whether a value contains any leaf. */
export function hasValue(value: Value | undefined): boolean {
  if (value === undefined || value.kind === 'unusable') return false;
  if (value.kind === 'leaf') return true;
  if (value.kind === 'list') return value.items.some(hasValue);
  return value.fields.some(hasValue) || [...value.added.values()].some(hasValue);
}

export function hasRefusal(value: Value | undefined): boolean {
  if (value === undefined || value.kind === 'leaf') return false;
  if (value.kind === 'unusable') return value.refused;
  return (value.kind === 'list' ? value.items : value.fields).some(hasRefusal);
}

export function valueAtPath(value: Value | undefined, path: readonly PropertyKey[]): Value | undefined {
  let at = value;
  for (const key of path) at = valueUnder(at, key);
  return at;
}

export function valueUnder(parent: Value | undefined, key: PropertyKey): Value | undefined {
  if (parent?.kind === 'list') return typeof key === 'number' ? parent.items[key] : undefined;
  if (parent?.kind !== 'part') return undefined;
  const index = parent.plan?.fields.findIndex((field) => field.key === key) ?? -1;
  return index === -1 ? parent.added.get(String(key)) : parent.fields[index];
}

import { type Environment, type Items, none } from '../../src/core/fhirpath/environment.ts';
import type { Item } from '../../src/core/fhirpath/item.ts';
import type { ListPlan, PartPlan, PlacePlan, Plan, ReadPlan } from '../../src/core/mapping/plan/plan.ts';
import { blank, isTaken, itemsOf, transformed } from '../../src/core/mapping/run/read-items.ts';
import {
  ConstantLeaf,
  hasRefusal,
  hasValue,
  ListValue,
  PartValue,
  ReadLeaf,
  Unusable,
  type Value,
} from '../../src/core/mapping/run/value.ts';

/**
 * What the rules find in a chart, by walking over the plan. An optional part that would hold only defaults while its
 * readers found nothing is left out.
 */
export function interpretValues(plan: Plan, environment: Environment): PartValue {
  const body = findPart(plan.body, [], environment);
  return body.value ?? new PartValue(plan.body, []);
}

/** A part and what its readers did. */
interface FoundPart {
  readonly value: PartValue | undefined;
  /** Whether something was read, not only defaults. */
  readonly hasRead: boolean;
  /** Whether a reader found nothing. */
  readonly hasMissed: boolean;
}

function findPart(plan: PartPlan, context: Items, environment: Environment, node?: Item): FoundPart {
  const fields: (Value | undefined)[] = [];
  let [hasRead, hasMissed, isEmpty] = [false, false, true];
  for (const field of plan.fields) {
    let value: Value | undefined;
    if (field.kind === 'part') {
      const inner = findPart(field, context, environment);
      value = inner.value;
      hasRead ||= inner.hasRead;
      hasMissed ||= inner.hasMissed;
    } else {
      value = find(field, context, environment);
      hasRead ||= isRead(value);
      hasMissed ||= value === undefined || value.kind === 'unusable';
    }
    isEmpty &&= value === undefined;
    fields.push(value);
  }
  if (isEmpty) return { value: undefined, hasRead, hasMissed };
  const isKept = hasRead || !hasMissed || !plan.optional;
  return {
    value: new PartValue(plan, isKept ? fields : fields.map(withoutValues), undefined, node),
    hasRead,
    hasMissed,
  };
}

function isRead(value: Value | undefined): boolean {
  return value?.kind === 'list' || (value instanceof ReadLeaf && !value.isDefault);
}

// What was found and refused is kept even when the part it belongs to is left out.
function withoutValues(value: Value | undefined): Value | undefined {
  if (value?.kind === 'unusable') return value;
  return value?.kind === 'part' ? new PartValue(value.plan, value.fields.map(withoutValues)) : undefined;
}

function find(plan: PlacePlan, context: Items, environment: Environment): Value | undefined {
  switch (plan.kind) {
    case 'read':
      return findLeaf(plan, context, environment);
    case 'list':
      return findList(plan, context, environment);
    case 'constant':
      return new ConstantLeaf(plan);
    case 'part':
      return findPart(plan, context, environment).value;
  }
}

function findLeaf(plan: ReadPlan, context: Items, environment: Environment): ReadLeaf | Unusable | undefined {
  let isRefused = false;
  let index = 0;
  for (const source of plan.sources) {
    const items = itemsOf(source.path, context, environment);
    isRefused ||= items === undefined;
    for (const item of items ?? none) {
      const result = transformed(source, item);
      if (isTaken(result)) return new ReadLeaf(plan, index, item, true, (items?.length ?? 1) - 1, result);
      isRefused ||= result.refused !== blank;
    }
    index += 1;
  }
  return isRefused ? new Unusable(true) : undefined;
}

function findList({ sources }: ListPlan, context: Items, environment: Environment): ListValue | Unusable | undefined {
  const items: Value[] = [];
  let [found, isRefused] = [0, false];
  for (const { path, item } of sources) {
    const nodes = itemsOf(path, context, environment);
    found += nodes?.length ?? 1;
    isRefused ||= nodes === undefined;
    for (const node of nodes ?? []) {
      const value = findItem(item, node, environment);
      if (value !== undefined && hasValue(value)) items.push(value);
      else isRefused ||= hasRefusal(value);
    }
  }
  if (found === 0) return undefined;
  return items.length === 0 ? new Unusable(isRefused) : new ListValue(items, found - items.length);
}

function findItem(plan: PlacePlan, node: Item, environment: Environment): Value | undefined {
  return plan.kind === 'part' ? findPart(plan, [node], environment, node).value : find(plan, [node], environment);
}

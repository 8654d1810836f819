import type { Item } from '../../fhirpath/item.ts';
import type { ReadPlan } from '../plan/plan.ts';
import type { Option } from '../result.ts';
import type { CompiledBeside, CompiledSource } from '../words/tree.ts';
import { holdsDamage } from './clean.ts';
import type { LookScope, RuledPlace } from './looks.ts';
import { isTaken, readItems, transformed, transformedValue } from './read-items.ts';

const mostOptions = 6;

/** Values of the chart that a person may choose for an empty leaf, without duplicates; none of them is certain. */
export function besideAt({ plan, context }: RuledPlace, { environment }: LookScope): Option[] {
  if (plan.kind !== 'read') return [];
  const found = plan.beside.flatMap((beside) =>
    (readItems(beside.path, context, environment) ?? []).flatMap((item) => optionOf(beside, item, plan)),
  );
  return found
    .filter(({ value }, at) => found.findIndex((other) => other.value === value) === at)
    .slice(0, mostOptions);
}

function optionOf(beside: CompiledBeside, item: Item, { sources }: ReadPlan): Option[] {
  const result = transformed(beside, item);
  if (!isTaken(result) || holdsDamage(result.value)) return [];
  // a value that the leaf would refuse is not offered
  if (!sources.some((source) => isTakenBy(source, result.value))) return [];
  const value = String(result.value);
  const note = result.note === undefined ? '' : ` (${result.note})`;
  return [{ value, label: value, reason: `not certain: ${beside.what}${note}` }];
}

// A transform that converts an element (a unit of a Quantity) cannot judge the value alone.
function isTakenBy(source: CompiledSource, value: unknown): boolean {
  return source.transform?.lookup !== undefined || isTaken(transformedValue(source, value));
}

import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import { nodeAt } from '../roles/node.ts';
import { type Around, indicationsOf } from './around.ts';

/**
 * What the drug is for, from the order or a person's choice: one node for each reason, with the concept in the order
 * and the Condition that says the same.
 */
export function indicationsAround(around: Around, facts: Facts): Node[] {
  return indicationsOf(around, facts).map(({ concept, node, condition }): Node => {
    const { source } = node;
    const found = condition === undefined ? undefined : nodeAt(condition, condition.resource).source;
    const parts = {
      ...(source === undefined ? {} : { concept: source }),
      ...(found === undefined ? {} : { condition: found }),
    };
    const value = { concept, ...(condition === undefined ? {} : { condition: condition.resource }) };
    const told = node.told === undefined ? {} : { told: node.told };
    return { value, ...(source === undefined ? {} : { source }), whole: true, parts, ...told };
  });
}

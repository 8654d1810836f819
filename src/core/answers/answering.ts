import { once } from '../fhir/once.ts';
import type { Node, Root } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { Filled } from '../roles/filled.ts';
import { type Around, aroundOf } from './around.ts';
import { type History, historiesOf } from './history.ts';
import type { AnswerKnowledge } from './knowledge.ts';
import { type Measured, measuredIn } from './measured.ts';

/** Values that several cells use, each computed once on first use. */
export interface Answering extends Around {
  readonly histories: () => readonly History[];
  readonly measured: () => ReadonlyMap<string, readonly Measured[]>;
}

/**
 * Returns the function that fills a role with the nodes that `find` returns. It returns no nodes when the order cannot
 * be used.
 */
export function answering(
  knowledge: AnswerKnowledge,
  find: (around: Answering, facts: Facts) => readonly Node[],
  kindOf: (facts: Facts) => Root['kind'] = () => undefined,
): (facts: Facts) => Filled {
  return (facts) => {
    const around = aroundOf(facts, knowledge);
    if (around === undefined) return { root: { nodes: [] } };
    const [histories, measured] = [once(() => historiesOf(around)), once(() => measuredIn(around))];
    return { root: { nodes: find({ ...around, histories, measured }, facts), kind: kindOf(facts) } };
  };
}

import { compilePath } from '../../fhirpath/compile.ts';
import type { Option } from '../../mapping/result.ts';
import type { Derive } from '../computed.ts';
import type { Filled } from '../filled.ts';
import { itemsAt } from '../subject.ts';
import type { Filler } from './filler.ts';

/** A derived value at the order; with a question where the chart states another one. */
export function compileDerive(rule: Derive): Filler {
  const path = compilePath(rule.stated);
  return (facts, role): Filled => {
    const derived = rule.derive.call(facts);
    if ('refused' in derived) {
      const steps = [{ step: rule.derive.sentence, items: 0 }];
      return { root: { nodes: [], looks: [{ expression: `%${role}`, steps, refused: derived.refused }] } };
    }
    const { value, note, from } = derived;
    const source = { resource: facts.request.order, path: from };
    const root = { nodes: [{ value, source }], note };
    const stated = rule.read.call(itemsAt(path, [], facts)[0]?.value);
    if (stated === undefined || stated === value) return { root };
    const message = rule.differ
      .replace('{stated}', String(stated))
      .replace('{derived}', String(value))
      .replace('{note}', () => note);
    const options: Option[] = [
      { value: String(stated), label: String(stated), reason: 'as the order states' },
      { value: String(value), label: String(value), reason: note },
    ];
    return { root, questions: [{ role, severity: 'blocks', reason: 'choice', message, looks: [], options }] };
  };
}

import { compilePath } from '../../fhirpath/compile.ts';
import type { Question } from '../../mapping/input.ts';
import type { Option } from '../../mapping/result.ts';
import type { Derive, Worked } from '../computed.ts';
import type { Filled } from '../filled.ts';
import { itemsAt } from '../subject.ts';
import type { Filler } from './filler.ts';

/**
 * Fills the role with the derived value. A question is asked if the chart states another value, or if one of several
 * sources that differ does.
 */
export function compileDerive(rule: Derive): Filler {
  const path = compilePath(rule.stated);
  return (facts, role): Filled => {
    const derived = rule.derive.call(facts);
    const read = rule.read.apply(itemsAt(path, [], facts)[0]?.value);
    const stated = 'value' in read ? read.value : undefined;
    if ('refused' in derived) {
      const steps = [{ step: rule.derive.sentence, items: 0 }];
      const refused = [{ why: 'not_worked_out', words: derived.refused } as const];
      const looks = [{ expression: `%${role}`, steps, refused }];
      return { root: { nodes: [], looks }, questions: differenceOf(role, rule, stated, derived.otherwise) };
    }
    const { value, note, from } = derived;
    const source = { resource: facts.request.order, path: from };
    return { root: { nodes: [{ value, source }], note }, questions: differenceOf(role, rule, stated, derived) };
  };
}

function differenceOf(
  role: string,
  { differ, sources }: Derive,
  stated: unknown,
  worked: Worked | undefined,
): Question[] {
  if (stated === undefined || worked === undefined || stated === worked.value) return [];
  const { value, note, says } = worked;
  const message = differ.replace('{stated}', String(stated)).replace('{says}', () => says);
  const options: Option[] = [
    { value: String(stated), label: String(stated), reason: sources.stated.replace('{stated}', String(stated)) },
    { value: String(value), label: String(value), reason: sources.derived.replace('{note}', () => note) },
  ];
  return [{ role, severity: 'blocks', reason: 'choice', message, looks: [], options }];
}

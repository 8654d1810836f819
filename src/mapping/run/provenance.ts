import { placeOf } from '../../fhirpath/item.ts';
import type { Provenance } from '../result.ts';
import { rootOf } from './environment.ts';
import { ConstantLeaf, EnteredLeaf, type Leaf, type PartValue, type ReadLeaf, type Value } from './value.ts';

/** Where each leaf of a body came from, in the order of the body. */
export function provenanceOf(values: PartValue): Provenance[] {
  const told: Provenance[] = [];
  tell(values, '', told);
  return told;
}

function tell(value: Value, target: string, told: Provenance[]): void {
  switch (value.kind) {
    case 'leaf':
      told.push(provenanceOfLeaf(value, target));
      return;
    case 'unusable':
      return;
    case 'list':
      for (const [index, item] of value.items.entries())
        if (item !== undefined) tell(item, `${target}[${index}]`, told);
      return;
    case 'part': {
      const at = (key: string) => (target === '' ? key : `${target}.${key}`);
      for (const [index, field] of (value.plan?.fields ?? []).entries()) {
        const inner = value.fields[index];
        if (inner !== undefined) tell(inner, at(field.key), told);
      }
      for (const [key, inner] of value.added) tell(inner, at(key), told);
    }
  }
}

function provenanceOfLeaf(leaf: Leaf, target: string): Provenance {
  if (leaf instanceof ConstantLeaf) return { target, kind: 'constant', rule: leaf.plan.rule, note: leaf.plan.reason };
  if (leaf instanceof EnteredLeaf) {
    const { rule, replaces } = leaf;
    return replaces === undefined ? { target, kind: 'entered', rule } : { target, kind: 'entered', rule, replaces };
  }
  return provenanceOfRead(leaf, target);
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

// Filled key by key: a chart has dozens of leaves, and each conditional spread would copy the whole.
function provenanceOfRead({ plan, source, item, others, taken, origin }: ReadLeaf, target: string): Provenance {
  const rule = plan.sources[source];
  const place = placeOf(item);
  const note = [taken.note, rootOf(item)?.note].filter((one) => one !== undefined && one !== '').join('; ');
  const told: Writable<Provenance> = { target, kind: origin, rule: plan.rule };
  if (rule !== undefined) told.expression = rule.path.expression;
  if (rule?.transform !== undefined) told.transform = rule.transform.name;
  if (place !== undefined) told.source = place;
  if (others > 0) told.others = others;
  if (note !== '') told.note = note;
  return told;
}

import { itemPlace } from '../../fhirpath/item.ts';
import type { Provenance } from '../result.ts';
import { rootOf } from './environment.ts';
import { ConstantLeaf, EnteredLeaf, type PartValue, type ReadLeaf, type Value, type ValueLeaf } from './value.ts';

export function provenanceOf(values: PartValue): Provenance[] {
  const entries: Provenance[] = [];
  collect(values, '', entries);
  return entries;
}

function collect(value: Value, target: string, entries: Provenance[]): void {
  switch (value.kind) {
    case 'leaf':
      entries.push(provenanceOfLeaf(value, target));
      return;
    case 'unusable':
      return;
    case 'list':
      for (const [index, item] of value.items.entries())
        if (item !== undefined) collect(item, `${target}[${index}]`, entries);
      return;
    case 'part': {
      const at = (key: string) => (target === '' ? key : `${target}.${key}`);
      for (const [index, field] of (value.plan?.fields ?? []).entries()) {
        const inner = value.fields[index];
        if (inner !== undefined) collect(inner, at(field.key), entries);
      }
      for (const [key, inner] of value.added) collect(inner, at(key), entries);
    }
  }
}

function provenanceOfLeaf(leaf: ValueLeaf, target: string): Provenance {
  if (leaf instanceof ConstantLeaf) return { target, kind: 'constant', rule: leaf.plan.rule, note: leaf.plan.reason };
  if (leaf instanceof EnteredLeaf) {
    const { rule, replaces, replacedKind } = leaf;
    const entry: Writable<Provenance> = { target, kind: 'entered', rule };
    if (replaces !== undefined) entry.replaces = replaces;
    if (replacedKind !== undefined) entry.replacedKind = replacedKind;
    return entry;
  }
  return provenanceOfRead(leaf, target);
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

// Filled key by key: a chart has dozens of leaves, and each conditional spread would copy the whole entry.
function provenanceOfRead({ plan, source, item, others, result, origin }: ReadLeaf, target: string): Provenance {
  const rule = plan.sources[source];
  const place = itemPlace(item);
  const note = noteOf(result.note, rootOf(item)?.note);
  const entry: Writable<Provenance> = { target, kind: origin, rule: plan.rule };
  if (rule !== undefined) entry.expression = rule.path.expression;
  if (rule?.transform !== undefined) entry.transform = rule.transform.name;
  if (place !== undefined) entry.source = place;
  if (others > 0) entry.others = others;
  if (note !== undefined && note !== '') entry.note = note;
  return entry;
}

function noteOf(ofValue: string | undefined, ofChoice: string | undefined): string | undefined {
  return ofValue === undefined || ofChoice === undefined ? (ofValue ?? ofChoice) : `${ofValue}; ${ofChoice}`;
}

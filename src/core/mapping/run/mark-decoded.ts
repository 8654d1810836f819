import { itemPlace } from '../../fhirpath/item.ts';
import type { MappingInput } from '../input.ts';
import { decoded } from './read-items.ts';
import { ListValue, PartValue, ReadLeaf, type Value } from './value.ts';

type DecodedAt = NonNullable<MappingInput['decodedAt']>;

/** Marks the values that come from a decoded text as derived. */
export function markDecoded(values: PartValue, decodedAt: DecodedAt): PartValue {
  const mark = (value: Value | undefined) => (value === undefined ? undefined : markIn(value, decodedAt));
  const added = new Map([...values.added].map(([key, value]) => [key, markIn(value, decodedAt)] as const));
  return new PartValue(values.plan, values.fields.map(mark), added, values.node);
}

function markIn(value: Value, decodedAt: DecodedAt): Value {
  if (value.kind === 'part') return markDecoded(value, decodedAt);
  if (value.kind === 'list')
    return new ListValue(
      value.items.map((item) => (item === undefined ? undefined : markIn(item, decodedAt))),
      value.unused,
    );
  return value instanceof ReadLeaf ? markLeaf(value, decodedAt) : value;
}

function markLeaf(leaf: ReadLeaf, decodedAt: DecodedAt): ReadLeaf {
  const { value } = leaf;
  const place = typeof value === 'string' ? itemPlace(leaf.item) : undefined;
  const decoding = typeof value !== 'string' || place === undefined ? undefined : decodedAt(value, place);
  return decoding === undefined ? leaf : leaf.with(decoded(leaf.result, decoding));
}

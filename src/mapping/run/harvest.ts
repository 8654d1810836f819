import type { Provenance } from '../result.ts';
import { type Grown, type GrownArray, type GrownObject, hasValue } from './grow.ts';

/** A grown body in plain form: the value, the provenance of every leaf, and the places of which something must be told. */
export interface Harvest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly provenance: readonly Provenance[];
  /** Leaves and lists for which values were found and none was taken. */
  readonly refused: readonly string[];
  /** Lists of which some nodes could not be used. */
  readonly unused: readonly { readonly target: string; readonly unused: number; readonly used: number }[];
}

/** Everything with a value; empty parts and lists are left out, list items close up. */
export function harvest(root: GrownObject): Harvest {
  const basket: Basket = { provenance: [], refused: [], unused: [] };
  const body = gatherObject(root, '', basket);
  return { body, ...basket };
}

/** The plain value of a part, undefined when there is none. */
export function bodyOf(grown: Grown | undefined): unknown {
  if (grown === undefined || !hasValue(grown)) return undefined;
  return gather(grown, '', { provenance: [], refused: [], unused: [] });
}

interface Basket {
  readonly provenance: Provenance[];
  readonly refused: string[];
  readonly unused: { target: string; unused: number; used: number }[];
}

// Undefined for what holds no value.
function gather(grown: Grown, target: string, basket: Basket): unknown {
  switch (grown.kind) {
    case 'leaf':
      basket.provenance.push({ target, ...grown.origin });
      return grown.value;
    case 'refused':
      basket.refused.push(target);
      return undefined;
    case 'array':
      return whenFilled(gatherArray(grown, target, basket));
    case 'object':
      return whenFilled(gatherObject(grown, target, basket));
  }
}

function whenFilled<Part extends object>(part: Part): Part | undefined {
  for (const _ in part) return part;
  return undefined;
}

function gatherArray(grown: GrownArray, target: string, basket: Basket): unknown[] {
  const items: unknown[] = [];
  for (const item of grown.items)
    if (item !== undefined && hasValue(item)) items.push(gather(item, `${target}[${items.length}]`, basket));
  if (grown.unused > 0) basket.unused.push({ target, unused: grown.unused, used: items.length });
  return items;
}

function gatherObject(grown: GrownObject, target: string, basket: Basket): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [key, inner] of grown.fields) {
    const value = gather(inner, target === '' ? key : `${target}.${key}`, basket);
    if (value !== undefined) body[key] = value;
  }
  return body;
}

import { Generated } from '../../fhir/generated.ts';
import { mayGenerate } from '../../fhir/may-generate.ts';
import type { PartPlan } from '../plan/plan.ts';
import { holdsDamage } from './clean.ts';
import type { ListValue, PartValue, Value, ValueLeaf } from './value.ts';

/** A body as plain data, and the places in it that need a remark. */
export interface Body {
  readonly value: Readonly<Record<string, unknown>>;
  /** Leaves and lists where something was found and nothing could be used. */
  readonly unusable: readonly string[];
  /** Lists with some nodes that could not be used. */
  readonly partlyUsed: readonly { readonly target: string; readonly unused: number; readonly used: number }[];
  /** Lists, and leaves outside of lists, with a value that a person must confirm. */
  readonly proposed: ReadonlySet<string>;
  /** Leaves with letters that look misread. */
  readonly misread: readonly string[];
  /** Leaves with damaged text that a person entered. */
  readonly damaged: readonly string[];
}

/** Every place with a value; empty parts and lists are left out. */
export function bodyOf(values: PartValue): Body {
  const places = new Places();
  const value = plainPart(values, '', places) ?? {};
  const { unusable, partlyUsed, misread, damaged, proposed = nowhere } = places;
  return { value, unusable, partlyUsed, misread, damaged, proposed };
}

export function plainOf(value: Value | undefined): unknown {
  return value === undefined ? undefined : plain(value, '', '', new Places());
}

class Places {
  readonly unusable: string[] = [];
  readonly partlyUsed: { target: string; unused: number; used: number }[] = [];
  readonly misread: string[] = [];
  readonly damaged: string[] = [];
  /** Nearly always none, so the set is created on demand. */
  proposed: Set<string> | undefined = undefined;
}

const nowhere: ReadonlySet<string> = new Set();

// A target path is built only if something is reported about it, or if it has places below it.
function plain(value: Value, parent: string, key: string, places: Places): unknown {
  switch (value.kind) {
    case 'leaf':
      recordLeaf(value, parent, key, places);
      return value.value;
    case 'unusable':
      places.unusable.push(under(parent, key));
      return undefined;
    case 'part':
      return plainPart(value, under(parent, key), places);
    case 'list':
      return plainList(value, under(parent, key), places);
  }
}

function recordLeaf(leaf: ValueLeaf, parent: string, key: string, places: Places): void {
  const { origin } = leaf;
  if (origin === 'proposed') propose(under(parent, key).split('[')[0] ?? key, places);
  if (leaf.isMisread) places.misread.push(under(parent, key));
  if (origin === 'entered' && holdsDamage(leaf.value)) places.damaged.push(under(parent, key));
}

function propose(target: string, places: Places): void {
  places.proposed ??= new Set();
  places.proposed.add(target);
}

function under(parent: string, key: string): string {
  return parent === '' || key === '' || key.startsWith('[') ? `${parent}${key}` : `${parent}.${key}`;
}

function plainList({ items, unused }: ListValue, target: string, places: Places): unknown[] | undefined {
  const used: unknown[] = [];
  for (const item of items) {
    const inner = item === undefined ? undefined : plain(item, target, `[${used.length}]`, places);
    if (inner !== undefined) used.push(inner);
  }
  if (unused > 0) places.partlyUsed.push({ target, unused, used: used.length });
  return used.length === 0 ? undefined : used;
}

function plainPart(part: PartValue, target: string, places: Places): Record<string, unknown> | undefined {
  const { plan, fields, added } = part;
  const body: Record<string, unknown> = {};
  const isPlanned = plan !== undefined && fillerOf(plan)(body, fields, target, places);
  const isAdded = added.size > 0 && addMore(body, added, target, places);
  return isPlanned || isAdded ? body : undefined;
}

function addMore(
  body: Record<string, unknown>,
  added: ReadonlyMap<string, Value>,
  target: string,
  places: Places,
): boolean {
  let isAdded = false;
  for (const [key, value] of added) {
    const inner = plain(value, target, key, places);
    if (inner === undefined) continue;
    body[key] = inner;
    isAdded = true;
  }
  return isAdded;
}

/** Writes the fields of a plan into a body; returns whether any had a value. */
type FillBody = (
  body: Record<string, unknown>,
  fields: readonly (Value | undefined)[],
  target: string,
  places: Places,
) => boolean;

const fillers = new WeakMap<PartPlan, FillBody>();

function fillerOf(plan: PartPlan): FillBody {
  const known = fillers.get(plan);
  if (known !== undefined) return known;
  const filler = mayGenerate ? compileFiller(plan) : loopFiller(plan);
  fillers.set(plan, filler);
  return filler;
}

// Generated, because writing a property by a varying key takes as long as finding its value.
function compileFiller({ fields }: PartPlan): FillBody {
  const source = new Generated();
  const read = source.pass(plain);
  const lines = fields.map(
    ({ key }, index) => `if (fields[${index}] !== undefined) {
      inner = ${read}(fields[${index}], target, ${source.pass(key)}, places);
      if (inner !== undefined) { body${source.property(key)} = inner; isFilled = true; }
    }`,
  );
  return source.build(`(body, fields, target, places) => {
    let inner, isFilled = false;
    ${lines.join('\n')}
    return isFilled;
  }`);
}

function loopFiller({ fields: planned }: PartPlan): FillBody {
  return (body, fields, target, places) => {
    let isFilled = false;
    planned.forEach(({ key }, at) => {
      const value = fields[at];
      const inner = value === undefined ? undefined : plain(value, target, key, places);
      if (inner === undefined) return;
      body[key] = inner;
      isFilled = true;
    });
    return isFilled;
  };
}

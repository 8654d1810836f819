import type { z } from 'zod';
import type { Item } from '../../fhirpath/item.ts';
import type { PlacePlan } from '../plan/plan.ts';
import type { Edits, Provenance } from '../result.ts';
import { wantsNumber } from '../schema.ts';
import { formatTarget, parseTarget, type TargetPath } from '../target.ts';
import type { Mapping } from '../words/define.ts';
import type { Agrees, Follows } from '../words/rules.ts';
import type { Follower } from '../words/tree.ts';
import { plainOf } from './body.ts';
import { cleanValue } from './clean.ts';
import {
  EnteredLeaf,
  hasValue,
  ListValue,
  PartValue,
  ReadLeaf,
  type Value,
  type ValueLeaf,
  valueAtPath,
  valueUnder,
} from './value.ts';

export interface Edited {
  readonly values: PartValue;
  /** Values that a person cleared: they are listed in the provenance, because the body has no leaf for them. */
  readonly cleared: readonly Provenance[];
}

/**
 * Applies a person's edits to the values that the rules found. Lists are addressed by the index that the rules gave; an
 * index beyond the end adds an item; empty items are removed after all edits. `null` and blank text clear a value. A
 * leaf that restates another one (`following`) is left out if it may contradict what a person entered for that one.
 * `asked` returns whether a person had to choose the value of a leaf because the chart's sources left it open.
 */
export function editedValues(
  values: PartValue,
  edits: Edits,
  mapping: Mapping<unknown>,
  asked: (target: string) => boolean,
): Edited {
  const entered = Object.entries(edits).reduce<Edited>(
    (before, [target, value]) => withEdit(before, target, value, mapping),
    { values, cleared: [] },
  );
  if (entered.values === values && entered.cleared.length === 0) return entered;
  const followed = mapping.followers.reduce<Edited>(
    (before, follower) => withoutFollower(before, follower, { cleared: entered.cleared, asked }),
    entered,
  );
  return { ...followed, values: withoutHoles(followed.values) };
}

/**
 * The values without these leaves and without their followers, such as the code of a drug: while several values are
 * possible, a draft contains none of them. Values that a person entered are kept.
 */
export function withoutAsked(values: PartValue, targets: readonly string[], followers: readonly Follower[]): PartValue {
  if (targets.length === 0) return values;
  // A follower with a question of its own is kept: its question waits for the person's choice.
  const following = followers.filter(
    ({ follows }) => follows.agrees.asks === undefined && follows.targets.some((target) => targets.includes(target)),
  );
  const read = following.filter(({ target }) => !(valueAtPath(values, parseTarget(target)) instanceof EnteredLeaf));
  return [...targets, ...read.map(({ target }) => target)]
    .map(parseTarget)
    .reduce(
      (rest, path) => (valueAtPath(rest, path)?.kind === 'leaf' ? withValue(rest, path, undefined) : rest),
      values,
    );
}

function withEdit({ values, cleared }: Edited, target: string, entered: unknown, mapping: Mapping<unknown>): Edited {
  const path = parseTarget(target);
  const value = enteredValue(entered, mapping.schema, path);
  const before = valueAtPath(values, path);
  const replaces = plainOf(before);
  const kind = replacedKindOf(before);
  const { name: rule } = mapping;
  if (value !== undefined)
    return {
      values: withValue(values, path, (plan) => valueEntered(value, { plan, rule, replaces, ...kind })),
      cleared,
    };
  if (replaces === undefined) return { values: withValue(values, path, undefined), cleared };
  const note = 'cleared by a person';
  const entry = { target: formatTarget(path), kind: 'entered', rule, replaces, ...kind, note } as const;
  return { values: withValue(values, path, undefined), cleared: [...cleared, entry] };
}

function replacedKindOf(value: Value | undefined): Pick<Provenance, 'replacedKind'> {
  if (value?.kind !== 'leaf' || value.origin === 'chart' || value.origin === 'entered') return {};
  return { replacedKind: value.origin };
}

interface ByPerson {
  readonly cleared: readonly Provenance[];
  readonly asked: (target: string) => boolean;
}

function withoutFollower({ values, cleared }: Edited, { target, follows, rule }: Follower, byPerson: ByPerson): Edited {
  const path = parseTarget(target);
  const leaf = valueAtPath(values, path);
  if (leaf?.kind !== 'leaf' || leaf.origin === 'entered') return { values, cleared };
  const note = whyLeftOut(leaf, follows, values, byPerson);
  if (note === undefined) return { values, cleared };
  return {
    values: withValue(values, path, undefined),
    cleared: [...cleared, { target, kind: 'entered', rule, replaces: leaf.value, ...replacedKindOf(leaf), note }],
  };
}

function whyLeftOut(
  leaf: ValueLeaf,
  { targets, agrees }: Follows,
  values: PartValue,
  { cleared, asked }: ByPerson,
): string | undefined {
  const entered = new Map(
    targets.flatMap((target) => {
      const other = valueAtPath(values, parseTarget(target));
      return other instanceof EnteredLeaf ? [[target, other.value] as const] : [];
    }),
  );
  const said = leaf instanceof ReadLeaf && entered.size > 0 ? agreesWith(leaf.item, agrees, entered) : undefined;
  if (said === false) return 'left out, since it does not say what a person entered';
  if (said === true && agrees.asks !== undefined) return undefined; // no question is needed
  const chosen = [...entered.keys()].find(asked);
  if (chosen !== undefined) return said === true ? undefined : 'left out, since it may not be what a person chose';
  const changed = targets.find((target) => isChanged(values, target, cleared));
  return changed === undefined ? undefined : `left out, since a person changed ${changed}`;
}

function agreesWith(item: Item, agrees: Agrees, entered: ReadonlyMap<string, unknown>): boolean | undefined {
  return agrees.call(item.value, entered, item.parent?.value);
}

// An entry is not a change if the chart had no value.
function isChanged(values: PartValue, target: string, cleared: readonly Provenance[]): boolean {
  const leaf = valueAtPath(values, parseTarget(target));
  if (leaf?.kind !== 'leaf') return cleared.some((one) => one.target === target);
  return leaf instanceof EnteredLeaf && leaf.replaces !== undefined && !isSameText(leaf.replaces, leaf.value);
}

function isSameText(one: unknown, other: unknown): boolean {
  return String(one).trim().toLowerCase() === String(other).trim().toLowerCase();
}

function enteredValue(entered: unknown, schema: z.core.$ZodType, path: TargetPath): unknown {
  const value = cleanValue(entered);
  if (value === null || value === '') return undefined;
  const isNumber = typeof value === 'string' && wantsNumber(schema, path) && /^-?\d+(\.\d+)?$/.test(value);
  return isNumber ? Number(value) : value;
}

interface EnteredAt {
  readonly plan: PlacePlan | undefined;
  readonly rule: string;
  /** Absent for the parts of a replaced value, because the new parts need not correspond to the old ones. */
  readonly replaces?: unknown;
  readonly replacedKind?: Provenance['replacedKind'];
}

function valueEntered(value: unknown, { plan, rule, replaces, replacedKind }: EnteredAt): Value {
  if (Array.isArray(value)) {
    return new ListValue(
      value.map((one) => valueEntered(one, { plan: planUnder(plan, 0), rule })),
      0,
    );
  }
  if (typeof value !== 'object' || value === null) return new EnteredLeaf(value, rule, replaces, replacedKind);
  const part = new PartValue(plan?.kind === 'part' ? plan : undefined, []);
  return Object.entries(value).reduce<PartValue>(
    (before, [key, inner]) => withValue(before, [key], (place) => valueEntered(inner, { plan: place, rule })),
    part,
  );
}

/** Makes the value of a place from its plan; undefined removes the value. */
type Maker = ((plan: PlacePlan | undefined) => Value) | undefined;

function withValue(part: PartValue, path: TargetPath, make: Maker): PartValue {
  const changed = changedAt(part, part.plan, path, make);
  return changed?.kind === 'part' ? changed : part;
}

function changedAt(
  value: Value | undefined,
  plan: PlacePlan | undefined,
  path: TargetPath,
  make: Maker,
): Value | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return make?.(plan);
  if (make === undefined && valueUnder(value, key) === undefined) return value;
  const parent = value?.kind === 'part' || value?.kind === 'list' ? value : emptyFor(key, plan);
  const inner = changedAt(
    valueUnder(parent, key),
    planUnder(parent.kind === 'part' ? parent.plan : plan, key),
    rest,
    make,
  );
  return parent.kind === 'list' ? withItem(parent, key, inner) : withField(parent, key, inner);
}

function emptyFor(key: string | number, plan: PlacePlan | undefined): PartValue | ListValue {
  return typeof key === 'number' ? new ListValue([], 0) : new PartValue(plan?.kind === 'part' ? plan : undefined, []);
}

// An item that a person adds follows the list's first source.
function planUnder(plan: PlacePlan | undefined, key: string | number): PlacePlan | undefined {
  if (plan?.kind === 'list') return typeof key === 'number' ? plan.sources[0]?.item : undefined;
  return plan?.kind === 'part' ? plan.fields.find((field) => field.key === key) : undefined;
}

function withItem(list: ListValue, key: string | number, value: Value | undefined): ListValue {
  if (typeof key !== 'number') return list;
  const items = [...list.items];
  while (items.length <= key) items.push(undefined);
  return new ListValue(items.with(key, value), list.unused);
}

function withField(part: PartValue, key: string | number, value: Value | undefined): PartValue {
  if (typeof key === 'number') return part;
  const index = part.plan?.fields.findIndex((field) => field.key === key) ?? -1;
  if (index === -1) {
    const rest = [...part.added].filter(([known]) => value !== undefined || known !== key);
    const added = new Map(rest);
    if (value !== undefined) added.set(key, value);
    return new PartValue(part.plan, part.fields, added, part.node);
  }
  const fields = [...part.fields];
  while (fields.length <= index) fields.push(undefined);
  return new PartValue(part.plan, fields.with(index, value), part.added, part.node);
}

function withoutHoles(part: PartValue): PartValue {
  const closed = (value: Value | undefined): Value | undefined => {
    if (value?.kind === 'part') return withoutHoles(value);
    if (value?.kind !== 'list') return value;
    return new ListValue(value.items.map(closed).filter(hasValue), value.unused);
  };
  const added = [...part.added].flatMap(([key, value]) => {
    const inner = closed(value);
    return inner === undefined ? [] : [[key, inner] as const];
  });
  return new PartValue(part.plan, part.fields.map(closed), new Map(added), part.node);
}

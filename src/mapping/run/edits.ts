import type { z } from 'zod';
import type { Edits, Provenance } from '../result.ts';
import { wantsNumber } from '../schema.ts';
import { formatTarget, parseTarget, type TargetPath } from '../target.ts';
import type { Follower } from '../words/tree.ts';
import type { Grown, GrownArray, GrownObject, LeafOrigin } from './grow.ts';
import { bodyOf } from './harvest.ts';

/** What `applyEdits` took away: told in the provenance, since no leaf of the body can. */
export type Cleared = Provenance;

/**
 * Lays what a person entered over what the rules found, in place. Arrays are addressed by the index that the rules gave;
 * an index beyond the end adds an item, and holes close afterwards. `null` and blank text clear.
 */
export function applyEdits(
  root: GrownObject,
  edits: Edits,
  { schema, name }: { schema: z.core.$ZodType; name: string },
): Cleared[] {
  const cleared: Cleared[] = [];
  for (const [target, entered] of Object.entries(edits)) {
    const path = parseTarget(target);
    const value = entry(entered, schema, path);
    const before = bodyOf(at(root, path));
    const origin: LeafOrigin = { kind: 'entered', rule: name, ...(before === undefined ? {} : { replaces: before }) };
    put(root, path, value === undefined ? undefined : planted(value, origin));
    if (value === undefined && before !== undefined)
      cleared.push({ target: formatTarget(path), ...origin, note: 'cleared by a person' });
  }
  return cleared;
}

/** Takes away, in place, what follows a leaf that a person changed: `replaces` tells what the chart had. */
export function dropFollowers(
  root: GrownObject,
  followers: readonly Follower[],
  cleared: readonly Cleared[],
): Cleared[] {
  return followers.flatMap(({ target, follows, rule }) => {
    const [path, changed] = [parseTarget(target), follows.find((other) => isChanged(root, other, cleared))];
    const leaf = at(root, path);
    if (changed === undefined || leaf?.kind !== 'leaf' || leaf.origin.kind === 'entered') return [];
    put(root, path, undefined);
    return [
      { target, kind: 'entered', rule, replaces: leaf.value, note: `left out, since a person changed ${changed}` },
    ];
  });
}

// What the chart did not say is added by a person, not changed.
function isChanged(root: GrownObject, target: string, cleared: readonly Cleared[]): boolean {
  const leaf = at(root, parseTarget(target));
  if (leaf?.kind !== 'leaf') return cleared.some((one) => one.target === target);
  const { kind, replaces } = leaf.origin;
  return kind === 'entered' && replaces !== undefined && plain(replaces) !== plain(leaf.value);
}

function plain(value: unknown): string {
  return String(value).trim().toLowerCase();
}

/** Takes leaves away in place: while several values could be meant, none of them stands in a draft. */
export function leaveOut(root: GrownObject, targets: readonly string[]): void {
  for (const path of targets.map(parseTarget)) if (at(root, path)?.kind === 'leaf') put(root, path, undefined);
}

function entry(entered: unknown, schema: z.core.$ZodType, path: TargetPath): unknown {
  if (entered === null || (typeof entered === 'string' && entered.trim() === '')) return undefined;
  if (typeof entered !== 'string') return entered;
  const text = entered.trim();
  return wantsNumber(schema, path) && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function planted(value: unknown, origin: LeafOrigin): Grown {
  if (Array.isArray(value))
    return { kind: 'array', items: value.map((item) => planted(item, withoutReplaced(origin))), unused: 0 };
  if (typeof value !== 'object' || value === null) return { kind: 'leaf', value, origin };
  const inner = withoutReplaced(origin);
  return { kind: 'object', fields: new Map(Object.entries(value).map(([key, part]) => [key, planted(part, inner)])) };
}

// A whole that was replaced says so nowhere below it: its parts need not line up.
function withoutReplaced({ kind, rule }: LeafOrigin): LeafOrigin {
  return { kind, rule };
}

function at(root: Grown, path: TargetPath): Grown | undefined {
  let here: Grown | undefined = root;
  for (const key of path) here = child(here, key);
  return here;
}

function child(grown: Grown | undefined, key: string | number): Grown | undefined {
  if (grown?.kind === 'array') return typeof key === 'number' ? grown.items[key] : undefined;
  return grown?.kind === 'object' ? grown.fields.get(String(key)) : undefined;
}

function put(root: GrownObject, path: TargetPath, value: Grown | undefined): void {
  let here: GrownObject | GrownArray = root;
  for (const [depth, key] of path.slice(0, -1).entries()) {
    const known = child(here, key);
    if (known?.kind === 'object' || known?.kind === 'array') {
      here = known;
      continue;
    }
    if (value === undefined) return;
    const next: GrownObject | GrownArray =
      typeof path[depth + 1] === 'number'
        ? { kind: 'array', items: [], unused: 0 }
        : { kind: 'object', fields: new Map() };
    set(here, key, next);
    here = next;
  }
  const last = path.at(-1);
  if (last !== undefined) set(here, last, value);
}

function set(parent: GrownObject | GrownArray, key: string | number, value: Grown | undefined): void {
  if (parent.kind === 'array' && typeof key === 'number') parent.items[key] = value;
  else if (parent.kind === 'object' && value === undefined) parent.fields.delete(String(key));
  else if (parent.kind === 'object' && value !== undefined) parent.fields.set(String(key), value);
}

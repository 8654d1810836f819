import { isObject } from '../../../core/fhir/is-object.ts';
import type { Source } from '../../../core/mapping/result.ts';

/** One resource of a chart, as in its file. */
export interface CitedEntry {
  readonly resource: object;
  readonly fullUrl?: string;
}

/** The items at a cited path, and the resource that contains them. */
export interface CitedItems {
  readonly resource: object;
  readonly items: readonly unknown[];
}

/**
 * Reads cited elements using only the reference and the path. Returns several if the input has the resource more than
 * once; none if the place does not exist.
 */
export function readCited({ resource, version, path }: Source, entries: readonly CitedEntry[]): CitedItems[] {
  const found = resourcesNamed(resource, entries);
  const current = found.filter((one) => version === undefined || at(at(one, 'meta'), 'versionId') === version);
  return current.map((one) => ({ resource: one, items: walk(one, path) })).filter(({ items }) => items.length > 0);
}

/** The resources that a reference refers to: `Patient/1`, a fullUrl, or `Medication/m1 in MedicationRequest/9`. */
export function resourcesNamed(reference: string, entries: readonly CitedEntry[]): object[] {
  // Several resources of a type without id and address are cited by number (`Patient 2`).
  const plain = reference.replace(/^([A-Z][A-Za-z]+) \d+$/, '$1');
  const named = entries.filter((entry) => entry.fullUrl === reference || nameOf(entry.resource) === plain);
  const [name = '', ...holders] = reference.split(' in ');
  if (named.length > 0 || holders.length === 0) return named.map(({ resource }) => resource);
  return resourcesNamed(holders.join(' in '), entries).flatMap((holder) => containedIn(holder, name));
}

/** `Patient/1`; the type alone if the resource has no id. */
export function nameOf(resource: unknown): string {
  const [type, id] = [at(resource, 'resourceType'), at(resource, 'id')];
  return id === undefined ? String(type) : `${String(type)}/${String(id)}`;
}

/** Returns a property of an object; undefined if there is none. */
export function at(holder: unknown, key: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function containedIn(holder: object, name: string): object[] {
  const contained = at(holder, 'contained');
  const plainName = (one: unknown) => nameOf(one).replace('/#', '/');
  return Array.isArray(contained) ? contained.filter((one) => plainName(one) === name) : [];
}

// A path such as `Patient.name[1].given[0]` starts with the resource type. A name without an index stands for all items
// of a list.
function walk(resource: object, path: string): unknown[] {
  const [type, ...steps] = path.split('.');
  if (type !== at(resource, 'resourceType')) return [];
  return steps.reduce<unknown[]>((items, step) => items.flatMap((item) => stepInto(item, step)), [resource]);
}

function stepInto(item: unknown, step: string): unknown[] {
  const [, name = '', index] = /^(\w+)(?:\[(\d+)\])?$/.exec(step) ?? [];
  const value = elementOf(item, name);
  const list = Array.isArray(value) ? value : [value];
  const chosen = index === undefined ? list : [list[Number(index)]];
  return chosen.filter((one) => one !== undefined && one !== null);
}

// FHIRPath writes `value` for the JSON property `valueString`.
function elementOf(item: unknown, name: string): unknown {
  const direct = at(item, name);
  if (direct !== undefined || !isObject(item)) return direct;
  const typed = Object.keys(item).find((key) => key.startsWith(name) && /^[A-Z]/.test(key.slice(name.length)));
  return typed === undefined ? undefined : item[typed];
}

import { z } from 'zod';

/** One change at a path in JSON: `insurance_content.rx_bin`, `diagnoses[0].code`. */
export const PlaceStep = z.union([
  z.strictObject({ put: z.string().min(1), value: z.unknown() }),
  z.strictObject({ remove: z.string().min(1) }),
]);
export type PlaceStep = z.infer<typeof PlaceStep>;

export function changedPlace(step: PlaceStep): string {
  return 'put' in step ? step.put : step.remove;
}

/**
 * A copy of `value` with the change made at `path`; an index just past the end of a list appends to it. Undefined if
 * the path does not exist.
 */
export function changedAt<T>(value: T, path: string, step: PlaceStep): T | undefined {
  const copy = structuredClone(value);
  const keys = path.split(/\.|(?=\[)/).map((key) => (key.startsWith('[') ? Number(key.slice(1, -1)) : key));
  const last = keys.pop() ?? '';
  const holder = keys.reduce<unknown>((at, key) => (isHolder(at) ? Reflect.get(at, key) : undefined), copy);
  if (!isHolder(holder) || !canChange(holder, last, step)) return undefined;
  if ('put' in step) Reflect.set(holder, last, step.value);
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(holder, last);
  return copy;
}

function canChange(holder: object, key: string | number, step: PlaceStep): boolean {
  if ('remove' in step) return Object.hasOwn(holder, key);
  return !Array.isArray(holder) || (typeof key === 'number' && key <= holder.length);
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

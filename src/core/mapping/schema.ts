import { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';
import { valueAt } from './target.ts';

const unwrapped = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** A schema without its optional, required, nullable, default, readonly and lazy wrappers. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const known = unwrapped.get(schema);
  if (known !== undefined) return known;
  const whole = withoutWrapper(schema);
  unwrapped.set(schema, whole);
  return whole;
}

function withoutWrapper(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  )
    return unwrap(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrap(schema.in) : schema;
}

/** The schema at a path of the target; undefined under free-form parts and for unknown keys. */
export function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  let at: z.core.$ZodType | undefined = schema;
  for (const key of path) {
    const whole: z.core.$ZodType = unwrap(at);
    if (whole instanceof z.ZodObject)
      at = typeof key === 'string' && Object.hasOwn(whole.shape, key) ? whole.shape[key] : undefined;
    else at = whole instanceof z.ZodArray && typeof key === 'number' ? whole.element : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

/** The keys of an object in their order; none for other schemas. */
export function keysOf(schema: z.core.$ZodType | undefined): readonly string[] {
  const whole = schema === undefined ? undefined : unwrap(schema);
  return whole instanceof z.ZodObject ? Object.keys(whole.shape) : [];
}

/** Whether a target has this place: a field, an item of a list, or anything within a free-form part. */
export function hasPlace(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  let at = schema;
  for (const key of path) {
    const whole = unwrap(at);
    if (whole instanceof z.ZodRecord || whole instanceof z.ZodUnknown || whole instanceof z.ZodAny) return true;
    const inner = schemaAt(whole, [key]);
    if (inner === undefined) return false;
    at = inner;
  }
  return true;
}

/** The title that the schema's author gave: `.meta({ title })` or `.describe()`. */
export function titleOf(schema: z.core.$ZodType | undefined): string | undefined {
  for (let at = schema; at !== undefined; at = inside(at)) {
    const meta = z.globalRegistry.get(at);
    const title = meta?.title ?? meta?.description;
    if (title !== undefined) return title;
  }
  return undefined;
}

function inside(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
    ? schema.unwrap()
    : undefined;
}

export function isRequiredPart(schema: z.core.$ZodType): boolean {
  return (
    unwrap(schema) instanceof z.ZodObject && schema._zod.optin === undefined && schema._zod.def.type !== 'nullable'
  );
}

/**
 * The same body with an empty object for every missing required part, so that the schema reports each required leaf of
 * the part instead of only the part. An absent optional part stays absent: its children are not gaps.
 */
export function withRequiredParts(schema: z.core.$ZodType, body: unknown): unknown {
  const whole = unwrap(schema);
  if (whole instanceof z.ZodArray && Array.isArray(body))
    return body.map((item) => withRequiredParts(whole.element, item));
  if (!(whole instanceof z.ZodObject) || !isObject(body)) return body;
  const filled: Record<string, unknown> = { ...body };
  for (const [key, inner] of Object.entries(whole.shape)) {
    const value = valueAt(body, [key]);
    if (value !== undefined || isRequiredPart(inner))
      filled[key] = withRequiredParts(inner, value === undefined ? {} : value);
  }
  return filled;
}

/** Every leaf of the target, with arrays as `name[]`; a free-form part is one leaf. */
export function leavesOf(schema: z.core.$ZodType, path = ''): string[] {
  const whole = unwrap(schema);
  if (whole instanceof z.ZodArray) return leavesOf(whole.element, `${path}[]`);
  if (!(whole instanceof z.ZodObject)) return [path];
  return Object.entries(whole.shape).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`));
}

/** The values that an enum at this place allows; undefined if the place has another type. */
export function enumAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] | undefined {
  const found = schemaAt(schema, path);
  const whole = found === undefined ? undefined : unwrap(found);
  return whole instanceof z.ZodEnum ? whole.options.map(String) : undefined;
}

/** Whether the place requires a whole number. */
export function wantsWhole(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  const found = schemaAt(schema, path);
  const whole = found === undefined ? undefined : unwrap(found);
  return whole instanceof z.ZodNumber && whole.format === 'safeint';
}

/** Whether a target requires this place: neither it nor any part around it is optional. */
export function isRequiredAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  return path.every((_, index) => {
    const found = schemaAt(schema, path.slice(0, index + 1));
    return found !== undefined && found._zod.optin === undefined && found._zod.def.type !== 'nullable';
  });
}

/** Whether the place requires a number (forms send text). */
export function wantsNumber(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  const found = schemaAt(schema, path);
  return found !== undefined && unwrap(found) instanceof z.ZodNumber;
}

import { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';

/** Whether a value is certainly what a schema makes of it: the same keys in the same order, nothing refused. */
export type Accepts = (value: unknown) => boolean;

/**
 * The quick side of a schema. `true` says that parsing would return an equal value; `false` says nothing: the schema
 * itself is asked then, and it alone makes issues. Most bodies are as the contract wants them, and parsing one copies
 * it part by part.
 *
 * Generated code, since loops over keys and checks take several times as long. Its names are keys of the schema;
 * patterns and functions are passed.
 */
export function acceptsOf(schema: z.core.$ZodType): Accepts {
  const known = accepted.get(schema);
  if (known !== undefined) return known;
  const passed: unknown[] = [];
  const test = testOf(schema, 'value', passed);
  const names = passed.map((_, index) => nameOf(index));
  const accepts = new Function(...names, `return (value) => ${test};`)(...passed) as Accepts; // the text above is one
  accepted.set(schema, accepts);
  return accepts;
}

const accepted = new WeakMap<z.core.$ZodType, Accepts>();

/** The text of a test of the value `name`; what it calls is added to `passed`. */
function testOf(schema: z.core.$ZodType, name: string, passed: unknown[]): string {
  const form = formOf(schema, name, passed);
  const checks = form === undefined ? undefined : checksOf(schema).map((check) => checkOf(check, name, passed));
  const known = checks?.filter((check) => check !== undefined);
  // What has no text here is asked of the schema, and only what it leaves as it is counts.
  if (form === undefined || known === undefined || known.length !== checks?.length)
    return `${pass((value: unknown) => leaves(schema, value), passed)}(${name})`;
  return [form, ...known].join(' && ');
}

function formOf(schema: z.core.$ZodType, name: string, passed: unknown[]): string | undefined {
  if (schema instanceof z.core.$ZodString) return `typeof ${name} === 'string'`;
  if (schema instanceof z.core.$ZodNumber) return `typeof ${name} === 'number' && Number.isFinite(${name})`;
  if (schema instanceof z.core.$ZodOptional) return testOf(schema._zod.def.innerType, name, passed);
  if (schema instanceof z.core.$ZodArray) {
    const all = (items: unknown) => Array.isArray(items) && items.every((item) => accepts(item));
    const accepts = acceptsOf(schema._zod.def.element);
    return `${pass(all, passed)}(${name})`;
  }
  if (schema instanceof z.core.$ZodObject) {
    const { catchall, shape } = schema._zod.def;
    return catchall instanceof z.core.$ZodNever ? `${pass(objectOf(shape), passed)}(${name})` : undefined;
  }
  if (schema instanceof z.core.$ZodRecord) {
    const { keyType, valueType } = schema._zod.def;
    const isOpen = keyType instanceof z.core.$ZodString && checksOf(keyType).length === 0;
    return isOpen && valueType instanceof z.core.$ZodUnknown ? `${pass(isPlainRecord, passed)}(${name})` : undefined;
  }
  return undefined;
}

// A format is a schema and a check at once.
function checksOf(schema: z.core.$ZodType): z.core.$ZodCheck[] {
  const own = schema._zod.def.checks ?? [];
  return schema instanceof z.core.$ZodCheck ? [schema as unknown as z.core.$ZodCheck, ...own] : [...own];
}

// Of these formats the pattern is the whole check.
const patternFormats: ReadonlySet<string> = new Set(['regex', 'date', 'datetime', 'email']);

function checkOf(check: z.core.$ZodCheck, name: string, passed: unknown[]): string | undefined {
  if (check instanceof z.core.$ZodCheckStringFormat) {
    const { pattern, format } = check._zod.def;
    const isWhole = pattern !== undefined && patternFormats.has(format) && !/[gy]/.test(pattern.flags);
    return isWhole ? `${pass(pattern, passed)}.test(${name})` : undefined;
  }
  if (check instanceof z.core.$ZodCheckNumberFormat)
    return check._zod.def.format === 'safeint' ? `Number.isSafeInteger(${name})` : undefined;
  if (check instanceof z.core.$ZodCheckMinLength) return `${name}.length >= ${Number(check._zod.def.minimum)}`;
  if (check instanceof z.core.$ZodCheckOverwrite) return `${pass(check._zod.def.tx, passed)}(${name}) === ${name}`;
  if (check instanceof z.core.$ZodCustom) return `${pass(check._zod.def.fn, passed)}(${name}) === true`;
  if (check instanceof z.core.$ZodCheckGreaterThan || check instanceof z.core.$ZodCheckLessThan) {
    const { value, inclusive } = check._zod.def;
    const sign = check instanceof z.core.$ZodCheckGreaterThan ? '>' : '<';
    return typeof value === 'number' ? `${name} ${sign}${inclusive ? '=' : ''} ${value}` : undefined;
  }
  return undefined;
}

// Every key in the order of the schema, each at most once, and all that are required.
function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>): Accepts {
  const passed: unknown[] = [];
  const cases = Object.entries(shape).map(([key, schema], place) => {
    const count = schema._zod.optin === 'optional' ? '' : 'required += 1; ';
    return `case ${JSON.stringify(key)}: if (last >= ${place} || !(${testOf(schema, 'given', passed)})) return false;
      last = ${place}; ${count}break;`;
  });
  const required = Object.values(shape).filter((schema) => schema._zod.optin !== 'optional').length;
  const build = new Function(
    ...passed.map((_, index) => nameOf(index)),
    `return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      let last = -1, required = 0;
      for (const key in value) {
        const given = value[key];
        switch (key) {${cases.join('\n')} default: return false; }
      }
      return required === ${required};
    }`,
  );
  return build(...passed) as Accepts; // the text above is one
}

function isPlainRecord(value: unknown): boolean {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, '__proto__');
}

function leaves(schema: z.core.$ZodType, value: unknown): boolean {
  const parsed = z.core.safeParse(schema, value);
  return parsed.success && Object.is(parsed.data, value);
}

function pass(value: unknown, passed: unknown[]): string {
  return nameOf(passed.push(value) - 1);
}

function nameOf(index: number): string {
  return `p${index}`;
}

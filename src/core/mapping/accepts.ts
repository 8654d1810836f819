import { z } from 'zod';
import { Generated, isObjectText } from '../fhir/generated.ts';
import { isObject } from '../fhir/is-object.ts';
import { mayGenerate } from '../fhir/may-generate.ts';

/** Whether parsing certainly returns the value unchanged: the same keys in the same order, with no issues. */
export type Accepts = (value: unknown) => boolean;

/**
 * A fast check before the schema itself. `true` means that parsing would return an equal value. `false` has no meaning:
 * the schema then decides, and only it creates issues. Most bodies already fit the contract, and parsing would copy
 * them part by part.
 *
 * The check is generated code, because loops over keys and checks take several times as long. Where code generation is
 * not allowed, the schema always decides. Names in the code are keys of the schema; patterns and functions are passed
 * as values.
 */
export function acceptsOf(schema: z.core.$ZodType): Accepts {
  const known = accepted.get(schema);
  if (known !== undefined) return known;
  const accepts = mayGenerate ? compile(schema) : () => false;
  accepted.set(schema, accepts);
  return accepts;
}

const accepted = new WeakMap<z.core.$ZodType, Accepts>();

function compile(schema: z.core.$ZodType): Accepts {
  const source = new Generated();
  return source.build(`(value) => ${testOf(schema, 'value', source)}`);
}

/** Source text that tests the value `name`; the functions that it calls are passed to `source`. */
function testOf(schema: z.core.$ZodType, name: string, source: Generated): string {
  const form = formOf(schema, name, source);
  const checks = form === undefined ? undefined : checksOf(schema).map((check) => checkOf(check, name, source));
  const known = checks?.filter((check) => check !== undefined);
  // A schema without a generated test is run itself, and passes only if it returns the value unchanged.
  if (form === undefined || known === undefined || known.length !== checks?.length)
    return `${source.pass((value: unknown) => leaves(schema, value))}(${name})`;
  return [form, ...known].join(' && ');
}

function formOf(schema: z.core.$ZodType, name: string, source: Generated): string | undefined {
  if (schema instanceof z.core.$ZodString) return `typeof ${name} === 'string'`;
  if (schema instanceof z.core.$ZodNumber) return `typeof ${name} === 'number' && Number.isFinite(${name})`;
  if (schema instanceof z.core.$ZodOptional) return testOf(schema._zod.def.innerType, name, source);
  if (schema instanceof z.core.$ZodArray) {
    const all = (items: unknown) => Array.isArray(items) && items.every((item) => accepts(item));
    const accepts = acceptsOf(schema._zod.def.element);
    return `${source.pass(all)}(${name})`;
  }
  if (schema instanceof z.core.$ZodObject) {
    const { catchall, shape } = schema._zod.def;
    return catchall instanceof z.core.$ZodNever ? `${source.pass(objectOf(shape))}(${name})` : undefined;
  }
  if (schema instanceof z.core.$ZodRecord) {
    const { keyType, valueType } = schema._zod.def;
    const isOpen = keyType instanceof z.core.$ZodString && checksOf(keyType).length === 0;
    return isOpen && valueType instanceof z.core.$ZodUnknown ? `${source.pass(isPlainRecord)}(${name})` : undefined;
  }
  return undefined;
}

// In zod, a format is both a schema and a check.
function checksOf(schema: z.core.$ZodType): z.core.$ZodCheck[] {
  const own = schema._zod.def.checks ?? [];
  return schema instanceof z.core.$ZodCheck ? [schema as unknown as z.core.$ZodCheck, ...own] : [...own];
}

// For these formats, the pattern is the complete check.
const patternFormats: ReadonlySet<string> = new Set(['regex', 'date', 'datetime', 'email']);

function checkOf(check: z.core.$ZodCheck, name: string, source: Generated): string | undefined {
  if (check instanceof z.core.$ZodCheckStringFormat) {
    const { pattern, format } = check._zod.def;
    const isWhole = pattern !== undefined && patternFormats.has(format) && !/[gy]/.test(pattern.flags);
    return isWhole ? `${source.pass(pattern)}.test(${name})` : undefined;
  }
  if (check instanceof z.core.$ZodCheckNumberFormat)
    return check._zod.def.format === 'safeint' ? `Number.isSafeInteger(${name})` : undefined;
  if (check instanceof z.core.$ZodCheckMinLength) return `${name}.length >= ${Number(check._zod.def.minimum)}`;
  if (check instanceof z.core.$ZodCheckOverwrite) return `${source.pass(check._zod.def.tx)}(${name}) === ${name}`;
  if (check instanceof z.core.$ZodCustom) return `${source.pass(check._zod.def.fn)}(${name}) === true`;
  if (check instanceof z.core.$ZodCheckGreaterThan || check instanceof z.core.$ZodCheckLessThan) {
    const { value, inclusive } = check._zod.def;
    const sign = check instanceof z.core.$ZodCheckGreaterThan ? '>' : '<';
    return typeof value === 'number' ? `${name} ${sign}${inclusive ? '=' : ''} ${value}` : undefined;
  }
  return undefined;
}

// Requires the keys in the order of the schema, each at most once, with no required key missing.
function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>): Accepts {
  const source = new Generated();
  const cases = Object.entries(shape).map(([key, schema], place) => {
    const count = schema._zod.optin === 'optional' ? '' : 'required += 1; ';
    return `case ${JSON.stringify(key)}: if (last >= ${place} || !(${testOf(schema, 'given', source)})) return false;
      last = ${place}; ${count}break;`;
  });
  const required = Object.values(shape).filter((schema) => schema._zod.optin !== 'optional').length;
  return source.build(`(value) => {
    if (!(${isObjectText('value')})) return false;
    let last = -1, required = 0;
    for (const key in value) {
      const given = value[key];
      switch (key) {${cases.join('\n')} default: return false; }
    }
    return required === ${required};
  }`);
}

function isPlainRecord(value: unknown): boolean {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, '__proto__');
}

function leaves(schema: z.core.$ZodType, value: unknown): boolean {
  const parsed = z.core.safeParse(schema, value);
  return parsed.success && Object.is(parsed.data, value);
}

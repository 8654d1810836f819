import { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';

/** What a pass answers for a value that its schema may refuse. */
export const refused = Symbol('refused');

/** The parsed value, equal to what the schema makes of it; `refused` where only the schema itself can tell. */
export type Pass = (value: unknown) => unknown;

/**
 * The checks of a schema in one pass over plain JSON, without what zod keeps for values that fail: nearly every body
 * passes, and then nobody asks for issues. Strict objects, lists and texts are walked here, everything else by the
 * schema's own parts.
 *
 * @example
 * const parsed = pass(body);
 * if (parsed === refused) return schema.safeParse(body);
 */
export function compilePass(schema: z.core.$ZodType): Pass {
  if (schema instanceof z.ZodOptional) return compilePass(schema.unwrap());
  if (schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever)
    return checked(objectPass(schema.shape), schema);
  if (schema instanceof z.ZodArray) return checked(listPass(compilePass(schema.element)), schema);
  if (schema instanceof z.ZodString && !schema.def.coerce) return checked(textPass, schema);
  return ownPass(schema);
}

interface Field {
  readonly key: string;
  readonly pass: Pass;
  readonly isOptional: boolean;
}

function objectPass(shape: z.core.$ZodShape): Pass {
  const fields = Object.entries(shape).map(([key, schema]): Field => {
    return { key, pass: compilePass(schema), isOptional: schema._zod.optin === 'optional' };
  });
  return (value) => {
    if (!isObject(value)) return refused;
    const read: Record<string, unknown> = {};
    let found = 0;
    for (const { key, pass, isOptional } of fields) {
      const given = value[key];
      if (given === undefined && isOptional) continue;
      const passed = given === undefined ? refused : pass(given);
      if (passed === refused) return refused;
      read[key] = passed;
      found += 1;
    }
    // what is more has no place in the schema, or says undefined
    return Object.keys(value).length === found ? read : refused;
  };
}

function listPass(pass: Pass): Pass {
  return (value) => {
    if (!Array.isArray(value)) return refused;
    const read: unknown[] = [];
    for (const item of value) {
      const passed = item === undefined ? refused : pass(item);
      if (passed === refused) return refused;
      read.push(passed);
    }
    return read;
  };
}

const textPass: Pass = (value) => (typeof value === 'string' ? value : refused);

// A schema's own parse: what it answers with at once and without issues is the value.
function ownPass(schema: z.core.$ZodType): Pass {
  return (value) => {
    const parsed = schema._zod.run({ value, issues: [] }, { async: false });
    return parsed instanceof Promise || parsed.issues.length > 0 ? refused : parsed.value;
  };
}

function checked(pass: Pass, schema: z.core.$ZodType): Pass {
  const checks = (schema._zod.def.checks ?? []).map(checkPass);
  if (checks.length === 0) return pass;
  return (value) => {
    let read = pass(value);
    for (const check of checks) if (read !== refused) read = check(read);
    return read;
  };
}

// The checks that most texts have are a line each; every other one is zod's own.
function checkPass(check: z.core.$ZodCheck<never>): Pass {
  if (check instanceof z.core.$ZodCheckMinLength) {
    const { minimum } = check._zod.def;
    return (value) => ((value as string | unknown[]).length >= minimum ? value : refused); // of texts and lists only
  }
  if (check instanceof z.core.$ZodCheckOverwrite) return check._zod.def.tx;
  return (value) => {
    const payload = { value: value as never, issues: [] };
    const { when } = check._zod.def;
    if (when !== undefined && !when(payload)) return value;
    const late: unknown = check._zod.check(payload);
    return late instanceof Promise || payload.issues.length > 0 ? refused : payload.value;
  };
}

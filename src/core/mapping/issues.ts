import { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';
import { type Accepts, acceptsOf } from './accepts.ts';
import { isRequiredPart, withRequiredParts } from './schema.ts';
import { valueAt } from './target.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export type Validated<T> = { readonly data: T } | { readonly issues: readonly Issue[] };

/**
 * The value as the schema returns it, or its issues. For a missing required part, each of its required leaves is
 * reported instead of the part. Only the parts that do not fit are passed to zod, which creates all issues: a draft
 * usually lacks a leaf or two, and parsing all of it would add a tenth to the time of the mapping.
 */
export function validated<T>(schema: z.ZodType<T>, value: unknown): Validated<T> {
  // a value that the schema returns unchanged is a T
  if (acceptsOf(schema)(value)) return { data: value as T };
  const issues: Issue[] = [];
  readerOf(schema)(value, [], issues);
  if (issues.length > 0) return { issues };
  const parsed = z.core.safeParse(schema, value);
  return parsed.success ? { data: parsed.data } : { issues: parsed.error.issues };
}

/** Adds the issues of a value that was not accepted. */
type Reader = (value: unknown, path: Path, issues: Issue[]) => void;

const readers = new WeakMap<z.core.$ZodType, Reader>();

function readerOf(schema: z.core.$ZodType): Reader {
  const known = readers.get(schema);
  if (known !== undefined) return known;
  const reader = readerOfPart(schema) ?? readerOfList(schema) ?? whole(schema);
  readers.set(schema, reader);
  return reader;
}

function whole(schema: z.core.$ZodType): Reader {
  return (value, path, issues) => {
    for (const issue of wholeIssues(schema, value)) issues.push(at(path, issue));
  };
}

function wholeIssues(schema: z.core.$ZodType, value: unknown): readonly Issue[] {
  const found = issuesOf(schema, value);
  const lacksPart = found.some(
    (issue) => issue.code === 'invalid_type' && issue.expected === 'object' && valueAt(value, issue.path) === undefined,
  );
  const inside = lacksPart ? issuesOf(schema, withRequiredParts(schema, value)) : [];
  return inside.length > 0 ? inside : found;
}

// Like safeParse, but without creating the error that turns the issues into text.
function issuesOf(schema: z.core.$ZodType, value: unknown): readonly Issue[] {
  const context = { async: false };
  const payload = schema._zod.run({ value, issues: [] }, context);
  if (payload instanceof Promise) throw new z.core.$ZodAsyncError();
  const { issues } = payload;
  return issues.length === 0 ? none : issues.map((issue) => z.core.util.finalizeIssue(issue, context, z.core.config()));
}

const none: readonly Issue[] = [];

function at(path: Path, issue: Issue): Issue {
  return path.length === 0 ? issue : { ...issue, path: [...path, ...issue.path] };
}

interface Field {
  readonly key: string;
  readonly isOptional: boolean;
  readonly accepts: Accepts;
  readonly read: Reader;
  /** The issues of a body without this field; for a required part, those of each of its required leaves. */
  readonly missing: () => readonly Issue[];
}

/**
 * Reads an object field by field, then runs its own checks; undefined for a schema that zod has to parse as a whole.
 */
function readerOfPart(schema: z.core.$ZodType): Reader | undefined {
  const object = schema instanceof z.core.$ZodOptional ? schema._zod.def.innerType : schema;
  if (!(object instanceof z.core.$ZodObject)) return undefined;
  const { shape, catchall, checks = [] } = object._zod.def;
  // zod runs a check without `when` only if all fields are valid, which is not known here
  if (!(catchall instanceof z.core.$ZodNever) || checks.some(({ _zod }) => _zod.def.when === undefined))
    return undefined;
  const fields = Object.entries(shape).map(([key, inner]): Field => {
    const isOptional = inner instanceof z.core.$ZodOptional && inner._zod.def.innerType._zod.optin === undefined;
    const read = readerOf(inner);
    let ofNone: readonly Issue[] | undefined;
    const missing = () => {
      ofNone ??= issuesOfNone(read, isRequiredPart(inner));
      return ofNone;
    };
    return { key, isOptional, accepts: acceptsOf(inner), read, missing };
  });
  const keys = new Set(Object.keys(shape));
  const own = checks.length === 0 ? undefined : z.unknown().check(...(checks as z.core.$ZodCheck<unknown>[]));
  const asWhole = whole(schema);
  return (value, path, issues) => {
    if (!isObject(value)) return asWhole(value, path, issues);
    for (const field of fields) readField(field, value[field.key], path, issues);
    if (hasOther(value, keys)) for (const issue of unknownKeys(schema, value)) issues.push(at(path, issue));
    if (own !== undefined) for (const issue of issuesOf(own, value)) issues.push(at(path, issue));
  };
}

function hasOther(value: object, keys: ReadonlySet<string>): boolean {
  for (const key in value) if (!keys.has(key)) return true;
  return false;
}

function unknownKeys(schema: z.core.$ZodType, value: object): readonly Issue[] {
  return issuesOf(schema, value).filter(({ code, path }) => code === 'unrecognized_keys' && path.length === 0);
}

function readField(field: Field, value: unknown, path: Path, issues: Issue[]): void {
  if (value === undefined) {
    if (!field.isOptional) for (const issue of field.missing()) issues.push(at([...path, field.key], issue));
  } else if (!field.accepts(value)) field.read(value, [...path, field.key], issues);
}

// The issues for a missing value are always the same, so they are computed once.
function issuesOfNone(read: Reader, lacksAll: boolean): readonly Issue[] {
  const issues: Issue[] = [];
  if (lacksAll) read({}, [], issues);
  if (issues.length === 0) read(undefined, [], issues);
  return issues;
}

function readerOfList(schema: z.core.$ZodType): Reader | undefined {
  const list = schema instanceof z.core.$ZodOptional ? schema._zod.def.innerType : schema;
  if (!(list instanceof z.core.$ZodArray) || (list._zod.def.checks ?? []).length > 0) return undefined;
  const { element } = list._zod.def;
  const [accepts, read, asWhole] = [acceptsOf(element), readerOf(element), whole(schema)];
  return (value, path, issues) => {
    if (!Array.isArray(value)) return asWhole(value, path, issues);
    for (const [index, item] of value.entries()) if (!accepts(item)) read(item, [...path, index], issues);
  };
}

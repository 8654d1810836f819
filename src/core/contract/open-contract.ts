import { z } from 'zod';
import { json } from './parts.ts';

/**
 * Schemas for what is read: unknown fields, statuses, codes and activity types are kept; absent and null mean the same.
 */

export type Open<T extends string> = T | (string & {});

export const openUnion = <T extends string>(): z.ZodType<Open<T>> => z.string();
export const loose = z.looseObject;

/** Reads a malformed field as absent, so that it does not hide a whole record. */
export const readLoosely = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
export const looseText = readLoosely(z.string());
export const readJson = readLoosely(json);
/** Leaves out items that do not match the schema. */
export const readList = <Schema extends z.ZodType>(item: Schema) =>
  readLoosely(
    z.array(z.unknown()).transform((items): z.infer<Schema>[] =>
      items.flatMap((one) => {
        const parsed = item.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
    ),
  );

export const ReadAddress = loose({
  street: looseText,
  street_line_2: looseText,
  city: looseText,
  state_province: looseText,
  zip_postal_code: looseText,
  country: looseText,
});

export const Person = loose({ first_name: looseText, last_name: looseText, email: looseText });

/** The same JSON without nulls, because null and absent mean the same in what the service sends. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}

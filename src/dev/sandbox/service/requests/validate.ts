import type { z } from 'zod';

/** The service's response to invalid input: `{ detail: [{ loc, msg, type }] }`. */
export interface ValidationDetail {
  readonly detail: readonly {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
  }[];
}

export function validate<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): { body: z.infer<Schema> } | { invalid: ValidationDetail } {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { body: parsed.data };
  return { invalid: { detail: parsed.error.issues.flatMap((issue) => detailOf(issue, body)) } };
}

function detailOf(issue: z.core.$ZodIssue, body: unknown): ValidationDetail['detail'] {
  const loc = ['body', ...issue.path.filter((part) => typeof part !== 'symbol')];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      loc: [...loc, key],
      msg: 'Extra inputs are not permitted',
      type: 'extra_forbidden',
    }));
  if (isMissing(body, issue.path)) return [{ loc, msg: 'Field required', type: 'missing' }];
  return [{ loc, msg: issue.message, type: issue.code }];
}

function isMissing(body: unknown, path: readonly PropertyKey[]): boolean {
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    body,
  );
  return value === undefined;
}

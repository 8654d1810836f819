import { z } from 'zod';

/** The filter of the list. The search text is not part of it, because names must not be in URLs. */
export const ListFilter = z.object({
  part: z.enum(['needs', 'payer', 'decided']).catch('needs'),
  mine: z.literal('1').optional().catch(undefined),
  /** A colleague by reference (`Practitioner/12`), or `nobody`. */
  holder: z
    .string()
    .regex(/^(nobody|(Practitioner|PractitionerRole)\/[A-Za-z0-9.-]{1,64})$/)
    .optional()
    .catch(undefined),
  ending: z.literal('1').optional().catch(undefined),
  unwritten: z.literal('1').optional().catch(undefined),
  /** Only requests that wait for the reader's signature. */
  sign: z.literal('1').optional().catch(undefined),
  after: z.string().max(200).optional().catch(undefined),
});
export type ListFilter = z.infer<typeof ListFilter>;

const person = /^(Practitioner|PractitionerRole)\/[A-Za-z0-9.-]{1,64}$/;

/** The state of the page besides its filter: the result of the last action, and whether all lines are checked. */
export const ListShown = z.object({
  /** The new assignee. */
  to: z.string().regex(person).optional().catch(undefined),
  all: z.literal('1').optional().catch(undefined),
  did: z.enum(['assign', 'close']).optional().catch(undefined),
  view: z.enum(['saved', 'removed', 'full', 'unnamed']).optional().catch(undefined),
  done: z.coerce.number().int().min(0).max(200).catch(0),
  left: z.coerce.number().int().min(0).max(200).catch(0),
});
export type ListShown = z.infer<typeof ListShown>;

/** The maximum number of views that one person may save, and the maximum length of a name. */
export const mostViews = 12;
export const nameLength = 40;

/** The query of the list with these changes. It starts at the first page unless `after` is given. */
export function queryText(asked: ListFilter, changes: Partial<ListFilter>): string {
  const { after: _, ...rest } = asked;
  const pairs = Object.entries({ ...rest, ...changes }).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(pairs as [string, string][])}`;
}

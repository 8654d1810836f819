import { z } from 'zod';

/** The filter of the list. The search text is not part of it: names must not be in addresses. */
export const ListFilter = z.object({
  part: z.enum(['needs', 'payer', 'decided']).catch('needs'),
  mine: z.literal('1').optional().catch(undefined),
  ending: z.literal('1').optional().catch(undefined),
  unwritten: z.literal('1').optional().catch(undefined),
  after: z.string().max(200).optional().catch(undefined),
});
export type ListFilter = z.infer<typeof ListFilter>;

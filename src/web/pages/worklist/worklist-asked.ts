import { z } from 'zod';

/** What of the list is shown. The search is no part of it: names do not belong into addresses. */
export const Asked = z.object({
  part: z.enum(['needs', 'payer', 'decided']).catch('needs'),
  mine: z.literal('1').optional().catch(undefined),
  ending: z.literal('1').optional().catch(undefined),
  unwritten: z.literal('1').optional().catch(undefined),
  after: z.string().max(200).optional().catch(undefined),
});
export type Asked = z.infer<typeof Asked>;

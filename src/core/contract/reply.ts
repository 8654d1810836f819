import { z } from 'zod';
import { RequestEvidence } from './current.ts';

/**
 * An addition to a prior authorization that was already sent (profile `current`; not in the interface document). New
 * evidence does not end an outreach. `ends` is the name of the field that ends it. That name is not public, so the site
 * has to state it (`service.outreachEndField`).
 */
export const Amendment = z
  .strictObject({ evidence: z.array(RequestEvidence), ends: z.string().min(1).optional() })
  .refine(({ evidence, ends }) => evidence.length > 0 || ends !== undefined, { message: 'something to add or to end' });
export type Amendment = z.infer<typeof Amendment>;

import { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';
import { loose, looseText, openUnion, readLoosely } from './open-contract.ts';

/** The forms of every answer and event, in both profiles. */

// The interface document names an event in words, and has a whole benefit verification as its payload.
function asEvent(body: unknown): unknown {
  if (!isObject(body) || body.event_type !== undefined) return body;
  if (body.object === 'benefit_verification') return { event_type: 'Benefit Verification Updated', data: body };
  return typeof body.title === 'string' ? { ...body, event_type: body.title } : body;
}

/** Every answer's envelope (section 2), with the error object the live service adds. */
export const Envelope = loose({
  status: openUnion<'success' | 'error'>().default('success'),
  data: z.unknown().optional(),
  error: readLoosely(loose({ code: looseText, title: looseText, description: looseText })),
});

/** The two error bodies without an envelope: a text, or a validation list. */
export const DetailError = loose({
  detail: z.union([
    z.string(),
    z.array(
      loose({
        loc: z.array(z.union([z.string(), z.number()])).optional(),
        msg: z.string().optional(),
        type: z.string().optional(),
      }),
    ),
  ]),
});

/** A webhook's body (section 6): a hint to GET the record of `data.id`; only that record is believed. */
export const WebhookEvent = z.preprocess(
  asEvent,
  loose({
    title: looseText,
    description: looseText,
    event_type: z.string(),
    /** Only newer events have the two; see outreach.ts. */
    event_id: looseText,
    occurred_at: looseText,
    data: readLoosely(loose({ id: looseText })),
  }),
);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

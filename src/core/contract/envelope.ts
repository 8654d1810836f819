import { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';
import { loose, looseText, openUnion, readLoosely } from './open-contract.ts';

/** The forms of responses and events, in both profiles. */

// In the interface document, an event has a title instead of a type, and the event of a benefit verification is the
// whole record.
function asEvent(body: unknown): unknown {
  if (!isObject(body) || body.event_type !== undefined) return body;
  if (body.object === 'benefit_verification') return { event_type: 'Benefit Verification Updated', data: body };
  return typeof body.title === 'string' ? { ...body, event_type: body.title } : body;
}

/** The envelope of every response (section 2), with the error object that the live service adds. */
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

/**
 * A webhook's body (section 6). It only shows that the record of `data.id` should be fetched with GET; its other
 * content is not trusted.
 */
export const WebhookEvent = z.preprocess(
  asEvent,
  loose({
    title: looseText,
    description: looseText,
    event_type: z.string(),
    /** Only newer events have `event_id` and `occurred_at`; see outreach.ts. */
    event_id: looseText,
    occurred_at: looseText,
    data: readLoosely(loose({ id: looseText })),
  }),
);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

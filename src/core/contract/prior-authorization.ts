import { z } from 'zod';
import {
  loose,
  looseText,
  type Open,
  openUnion,
  Person,
  ReadAddress,
  readJson,
  readList,
  readLoosely,
} from './open-contract.ts';
import type { genders } from './parts.ts';

/** The record of a prior authorization, as services of both profiles return it. */

/** The statuses that the service is known to use (section 3). Any other is kept and treated as not finished. */
export const statuses = [
  'processing',
  'not_submitted',
  'awaiting_review',
  'awaiting_outcome',
  'awaiting_provider_response',
  'validating_outcome',
  'completed',
  'failed',
  'cancelled',
] as const;
export type KnownStatus = (typeof statuses)[number];
export type Status = Open<KnownStatus>;

export const outcomeResults = ['Approved', 'Denied', 'Other', 'Pending', 'Not Submitted'] as const;

/** `details.url` is signed and short-lived: fetch it at once, never store it in a chart (2.6). */
export const ActivityEntry = loose({
  id: z.string(),
  created_at: z.string(),
  type: readLoosely(openUnion<'sent_fax' | 'received_fax' | 'follow_up_call'>()),
  details: readLoosely(loose({ url: looseText, notes: looseText, recording_url: looseText, transcript: looseText })),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

/** Section 2.1; `authorization_expiration` counts only with the result Approved. outcomes.ts interprets it. */
export const Outcome = loose({
  result: readLoosely(openUnion<(typeof outcomeResults)[number]>()),
  detail: looseText,
  detail_code: looseText,
  client_code: looseText,
  authorization_start_date: looseText,
  authorization_expiration: looseText,
});
export type Outcome = z.infer<typeof Outcome>;

export const DenialReasonAnalysis = loose({
  categories: readList(z.string()),
  explanation: looseText,
  next_steps: looseText,
  next_steps_explanation: looseText,
});

/** The record of `GET /prior-authorization/{id}` (2.1). Only id and status are certain. */
export const PriorAuthorization = loose({
  id: z.string().min(1),
  object: looseText,
  url: looseText,
  status: openUnion<KnownStatus>(),
  diagnoses: readList(loose({ code: looseText })),
  evidence: readList(loose({ title: looseText, date_created: looseText, content: z.unknown().optional() })),
  patient: readLoosely(
    loose({
      first_name: looseText,
      last_name: looseText,
      internal_id: looseText,
      date_of_birth: looseText,
      email: looseText,
      phone: looseText,
      gender: readLoosely(openUnion<(typeof genders)[number]>()),
      address: readLoosely(ReadAddress),
    }),
  ),
  insurance: readList(loose({ scanned_content: readJson, discrete_content: readJson, url: looseText })),
  prescription: readLoosely(
    loose({
      drug_name: looseText,
      ndc: looseText,
      strength: looseText,
      dose_form: looseText,
      route_of_administration: looseText,
      quantity: readLoosely(z.number()),
      days_supply: readLoosely(z.number()),
      directions: looseText,
      dispense_unit: looseText,
      extra: readJson,
      prescription_date: looseText,
    }),
  ),
  provider: readLoosely(
    loose({
      first_name: looseText,
      last_name: looseText,
      npi: looseText,
      internal_id: looseText,
      phone: looseText,
      fax: looseText,
      address: readLoosely(ReadAddress),
    }),
  ),
  pharmacy: readLoosely(loose({ name: looseText, address: readLoosely(ReadAddress) })),
  questionnaires: readList(
    loose({ questions: readList(loose({ question: looseText, answer: looseText })), date_created: looseText }),
  ),
  visit_notes: readList(loose({ content: looseText, date_created: looseText })),
  activity_log: readList(ActivityEntry),
  submitted_by: readLoosely(Person),
  reviewed_by: readLoosely(Person),
  denial_reason_analysis: readLoosely(DenialReasonAnalysis),
  outcome: readLoosely(Outcome),
});
export type PriorAuthorization = z.infer<typeof PriorAuthorization>;

/** `data` of the create response: only `id` is certain (the live service sends nothing else). */
export const CreatedPriorAuthorization = loose({ id: z.string().min(1) });
export type CreatedPriorAuthorization = z.infer<typeof CreatedPriorAuthorization>;

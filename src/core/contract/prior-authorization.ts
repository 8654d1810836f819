import { z } from 'zod';
import { loose, type Open, open, Person, ReadAddress, read, readJson, readList, readText } from './open-contract.ts';
import type { genders } from './parts.ts';

/** The record of a prior authorization, as services of both profiles answer with it. */

/** Statuses the service is known to use (section 3). Anything else is kept and treated as not finished. */
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
  type: read(open<'sent_fax' | 'received_fax' | 'follow_up_call'>()),
  details: read(loose({ url: readText, notes: readText, recording_url: readText, transcript: readText })),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

/**
 * Section 2.1; `authorization_expiration` counts only with the result Approved. outcomes.ts decides what it means.
 */
export const Outcome = loose({
  result: read(open<(typeof outcomeResults)[number]>()),
  detail: readText,
  detail_code: readText,
  client_code: readText,
  authorization_start_date: readText,
  authorization_expiration: readText,
});
export type Outcome = z.infer<typeof Outcome>;

export const DenialReasonAnalysis = loose({
  categories: readList(z.string()),
  explanation: readText,
  next_steps: readText,
  next_steps_explanation: readText,
});

/** The record of `GET /prior-authorization/{id}` (2.1). Only id and status are sure. */
export const PriorAuthorization = loose({
  id: z.string().min(1),
  object: readText,
  url: readText,
  status: open<KnownStatus>(),
  diagnoses: readList(loose({ code: readText })),
  evidence: readList(loose({ title: readText, date_created: readText, content: z.unknown().optional() })),
  patient: read(
    loose({
      first_name: readText,
      last_name: readText,
      internal_id: readText,
      date_of_birth: readText,
      email: readText,
      phone: readText,
      gender: read(open<(typeof genders)[number]>()),
      address: read(ReadAddress),
    }),
  ),
  insurance: readList(loose({ scanned_content: readJson, discrete_content: readJson, url: readText })),
  prescription: read(
    loose({
      drug_name: readText,
      ndc: readText,
      strength: readText,
      dose_form: readText,
      route_of_administration: readText,
      quantity: read(z.number()),
      days_supply: read(z.number()),
      directions: readText,
      dispense_unit: readText,
      extra: readJson,
      prescription_date: readText,
    }),
  ),
  provider: read(
    loose({
      first_name: readText,
      last_name: readText,
      npi: readText,
      internal_id: readText,
      phone: readText,
      fax: readText,
      address: read(ReadAddress),
    }),
  ),
  pharmacy: read(loose({ name: readText, address: read(ReadAddress) })),
  questionnaires: readList(
    loose({ questions: readList(loose({ question: readText, answer: readText })), date_created: readText }),
  ),
  visit_notes: readList(loose({ content: readText, date_created: readText })),
  activity_log: readList(ActivityEntry),
  submitted_by: read(Person),
  reviewed_by: read(Person),
  denial_reason_analysis: read(DenialReasonAnalysis),
  outcome: read(Outcome),
});
export type PriorAuthorization = z.infer<typeof PriorAuthorization>;

/** `data` of create: only `id` is sure (the live service sends nothing else). */
export const CreatedPriorAuthorization = loose({ id: z.string().min(1) });
export type CreatedPriorAuthorization = z.infer<typeof CreatedPriorAuthorization>;

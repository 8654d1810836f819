import { z } from 'zod';
import type { PriorAuthorization } from '../core/contract/prior-authorization.ts';
import type { StoredEvent } from '../store/types.ts';

/** The terms of a request that an approval may change. */
export const approvedTerms = ['quantity', 'days', 'strength'] as const;
export type ApprovedTerm = (typeof approvedTerms)[number];

/** Further facts in a letter of approval: its first and last day (YYYY-MM-DD), and the payer's number for it. */
export const letterFacts = ['from', 'until', 'number'] as const;
export type LetterFact = (typeof letterFacts)[number];

/** The terms as a person read them in the payer's letter; '' for terms that are as requested or not in the letter. */
export type ApprovedTerms = Readonly<Record<ApprovedTerm, string> & Partial<Record<LetterFact, string>>>;

/** The terms that a person entered from the payer's letter; undefined if none were entered, or if they were removed. */
export function approvedNote(events: readonly StoredEvent[]): Required<ApprovedTerms> | undefined {
  const last = events.findLast(({ type }) => type === 'approved_noted');
  const terms = Terms.safeParse(last?.facts).data;
  return terms === undefined || Object.values(terms).every((text) => text === '') ? undefined : terms;
}

// Notes from older versions have only the first three terms.
const Terms = z.object({
  quantity: z.string(),
  days: z.string(),
  strength: z.string(),
  from: z.string().default(''),
  until: z.string().default(''),
  number: z.string().default(''),
});

/**
 * The record with the dates that a person entered from the payer's letter. They replace the record's own dates, because
 * the letter comes from the payer.
 */
export function withLetterDates(record: PriorAuthorization, events: readonly StoredEvent[]): PriorAuthorization {
  const { from = '', until = '' } = approvedNote(events) ?? {};
  if (from + until === '') return record;
  const dates = {
    ...(from === '' ? {} : { authorization_start_date: from }),
    ...(until === '' ? {} : { authorization_expiration: until }),
  };
  return { ...record, outcome: { ...record.outcome, ...dates } };
}

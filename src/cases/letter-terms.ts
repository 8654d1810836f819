import { z } from 'zod';
import type { PriorAuthorization } from '../core/contract/prior-authorization.ts';
import type { StoredEvent } from '../store/types.ts';

/** What an approval may change of a request. */
export const approvedTerms = ['quantity', 'days', 'strength'] as const;
export type ApprovedTerm = (typeof approvedTerms)[number];

/** What else a letter of approval says: from when until when (YYYY-MM-DD), and the payer's number of it. */
export const letterFacts = ['from', 'until', 'number'] as const;
export type LetterFact = (typeof letterFacts)[number];

/** As a person read it in the payer's letter; '' for what is as it was asked for, or not in the letter. */
export type ApprovedTerms = Readonly<Record<ApprovedTerm, string> & Partial<Record<LetterFact, string>>>;

/** The terms that a person entered from the payer's letter; undefined while none are, or they were taken back. */
export function approvedNote(events: readonly StoredEvent[]): Required<ApprovedTerms> | undefined {
  const last = events.findLast(({ type }) => type === 'approved_noted');
  const terms = Terms.safeParse(last?.facts).data;
  return terms === undefined || Object.values(terms).every((text) => text === '') ? undefined : terms;
}

// Older notes have only the first three.
const Terms = z.object({
  quantity: z.string(),
  days: z.string(),
  strength: z.string(),
  from: z.string().default(''),
  until: z.string().default(''),
  number: z.string().default(''),
});

/** The record with the dates of the letter in place of its own: the letter is the payer's word, and they differ. */
export function withLetterDates(record: PriorAuthorization, events: readonly StoredEvent[]): PriorAuthorization {
  const { from = '', until = '' } = approvedNote(events) ?? {};
  if (from + until === '') return record;
  const dates = {
    ...(from === '' ? {} : { authorization_start_date: from }),
    ...(until === '' ? {} : { authorization_expiration: until }),
  };
  return { ...record, outcome: { ...record.outcome, ...dates } };
}

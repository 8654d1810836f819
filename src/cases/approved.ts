import { z } from 'zod';
import { visibleOutcome } from '../service/outcome-words.ts';
import { type AskedTerms, type ListedCase, recordOf } from './case.ts';
import { type ApprovedTerm, approvedNote, approvedTerms } from './letter-terms.ts';

/** One term that was approved differently from the request. */
export interface ApprovedDifference {
  readonly term: ApprovedTerm;
  readonly approved: string;
  /** Absent if the request does not state the term. */
  readonly asked?: string;
  /** `letter`: a person entered it from the payer's letter; `record`: the service's record. */
  readonly source: 'letter' | 'record';
}

export function isApproved(one: ListedCase): boolean {
  const record = recordOf(one);
  return one.state === 'ended' && record !== undefined && visibleOutcome(record)?.kind === 'approved';
}

/**
 * The differences between an approval and its request: from the letter if a person entered it, else from the
 * prescription in the service's record. Empty if the request is not approved.
 */
export function approvedDifferences(one: ListedCase): readonly ApprovedDifference[] {
  if (!isApproved(one)) return [];
  const { askedTerms: asked = {} } = one;
  const recorded = termsIn(recordOf(one));
  const noted = approvedNote(one.events);
  return approvedTerms.flatMap((term): ApprovedDifference[] => {
    const fromLetter = noted?.[term] ?? '';
    const approved = fromLetter === '' ? recorded[term] : fromLetter;
    if (approved === undefined || isSame(approved, asked[term])) return [];
    // A term that only the record states is not a difference.
    if (fromLetter === '' && asked[term] === undefined) return [];
    const source = fromLetter === '' ? 'record' : 'letter';
    return [{ term, approved, source, ...(asked[term] === undefined ? {} : { asked: asked[term] }) }];
  });
}

/** `quantity 15 (ordered 30)` */
export function differenceText({ term, approved, asked }: ApprovedDifference): string {
  const name = { quantity: 'quantity', days: 'days of supply', strength: 'strength' }[term];
  return `${name} ${approved}${asked === undefined ? '' : ` (ordered ${asked})`}`;
}

const Stated = z.object({
  prescription: z.object({
    quantity: z.number().optional().catch(undefined),
    days_supply: z.number().optional().catch(undefined),
    strength: z.string().optional().catch(undefined),
  }),
});

/** The terms that a request, or the service's record of it, states. */
export function termsIn(stated: unknown): AskedTerms {
  const { quantity, days_supply, strength } = Stated.safeParse(stated).data?.prescription ?? {};
  return {
    ...(quantity === undefined ? {} : { quantity: String(quantity) }),
    ...(days_supply === undefined ? {} : { days: String(days_supply) }),
    ...(strength === undefined || strength.trim() === '' ? {} : { strength: strength.trim() }),
  };
}

// `40 MG/0.4 ML` and `40 mg/0.4 mL` are the same.
function isSame(one: string, other: string | undefined): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/\s/g, '');
  return other !== undefined && (plain(one) === plain(other) || Number(one) === Number(other));
}

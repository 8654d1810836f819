import type { Kind, KindRecord } from '../core/contract/kinds.ts';
import { benefitFacts, benefitOutcome } from './benefits.ts';
import { type OutcomeView, visibleOutcome } from './outcome-words.ts';

/** The status of a request after it was accepted and before its record is read. */
export function firstStatusOf(kind: Kind): string {
  return kind === 'benefit-verification' ? 'pending' : 'processing';
}

export function outcomeIn(one: KindRecord): OutcomeView | undefined {
  return one.kind === 'benefit-verification' ? benefitOutcome(one.record) : visibleOutcome(one.record);
}

/** Returns everything of an outcome that people see. If it differs, the outcome has changed. */
export function contentOfOutcome(one: KindRecord): unknown {
  return one.kind === 'benefit-verification'
    ? { outcome: benefitOutcome(one.record), facts: benefitFacts(one.record) }
    : one.record.outcome;
}

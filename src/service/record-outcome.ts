import type { Kind, KindRecord } from '../core/contract/kinds.ts';
import { benefitFacts, benefitOutcome } from './benefits.ts';
import { type OutcomeView, visibleOutcome } from './outcome-words.ts';

/** The status of a request from its confirmation until its record is read. */
export function firstStatusOf(kind: Kind): string {
  return kind === 'benefit-verification' ? 'pending' : 'processing';
}

/** The outcome that may be shown and written; undefined while there is none. */
export function outcomeIn(one: KindRecord): OutcomeView | undefined {
  return one.kind === 'benefit-verification' ? benefitOutcome(one.record) : visibleOutcome(one.record);
}

/** All parts of an outcome that people see. The outcome has changed when this differs. */
export function contentOfOutcome(one: KindRecord): unknown {
  return one.kind === 'benefit-verification'
    ? { outcome: benefitOutcome(one.record), facts: benefitFacts(one.record) }
    : one.record.outcome;
}

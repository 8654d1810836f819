import { evidenceDay } from './dates.ts';
import type { Finding } from './finding.ts';
import type { DrugClass } from './knowledge.ts';

export interface SuggestedBy {
  readonly classes: readonly DrugClass[];
  /** The tests that reviewers commonly ask for with the drug and the diagnosis of the order. */
  readonly tests: readonly string[];
}

/**
 * Why a finding is worth sending for a drug, or undefined. A finding is never suggested if it is sensitive, if its
 * sensitivity is unknown, if it has no full date, or if it cannot be sent.
 */
export function suggestionFor({ classes, tests }: SuggestedBy, finding: Finding): string | undefined {
  const { type, topic, called, sensitive, unjudged, unfit, date } = finding;
  if ((sensitive ?? unjudged ?? unfit) !== undefined || evidenceDay(date) === undefined) return undefined;
  if (called !== undefined) return called;
  if (topic === undefined) return undefined;
  if (type === 'Continuation') return 'the patient was on the ordered drug before';
  if (type === 'Prior Therapy' || type === 'Current Therapy' || type === 'Allergy') {
    if (!classes.some(({ comesFirst }) => comesFirst(topic))) return undefined;
    return type === 'Allergy'
      ? 'a treatment that usually comes first is not tolerated'
      : 'a treatment that usually comes before this drug';
  }
  return tests.includes(topic) ? 'commonly asked for with this drug' : undefined;
}

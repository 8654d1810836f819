import { classesOf } from './drug-classes.ts';
import type { Finding } from './item.ts';

/** Why a finding is worth sending for this drug, or undefined. What is sensitive or cannot be sent is never suggested. */
export function suggestionFor(drug: string): (finding: Finding) => string | undefined {
  const classes = classesOf(drug);
  return ({ type, topic, called, sensitive, unfit, date }) => {
    if (sensitive !== undefined || unfit !== undefined || date === undefined) return undefined;
    if (called !== undefined) return called;
    if (type === 'Continuation') return 'the patient was on the ordered drug before';
    if (topic === undefined) return undefined;
    if (type === 'Prior Therapy' || type === 'Current Therapy' || type === 'Allergy') {
      const isBefore = classes.some(({ before }) => before.test(topic));
      return isBefore
        ? type === 'Allergy'
          ? 'a treatment that usually comes first is not tolerated'
          : 'a treatment that usually comes before this drug'
        : undefined;
    }
    return classes.some(({ asks }) => asks.includes(topic)) ? 'commonly asked for with this drug' : undefined;
  };
}

import { isSent, type ListedEnded } from '../../cases/case.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import type { Deps } from '../http/deps.ts';
import { review } from '../pages/review/words.ts';
import type { Draft } from './draft.ts';
import { leavesOf } from './leaves.ts';
import type { Likely } from './likely.ts';

/** What a person answered in the last request of the same order, by target, for questions that are open again. */
export async function earlierAnswers(
  { cases }: Pick<Deps, 'cases'>,
  { result, case: { site } }: Pick<Draft, 'result' | 'case'>,
  [last]: readonly ListedEnded[],
): Promise<ReadonlyMap<string, Likely>> {
  const asked = result.gaps.flatMap(({ target, severity }) => (severity === 'blocks' ? [target] : []));
  const other = last === undefined || asked.length === 0 ? undefined : await cases.get(last.id);
  if (other === undefined || !isSent(other) || other.site !== site) return new Map();
  const values = leavesOf(other.body);
  const entered = other.provenance.filter(({ target, kind }) => kind === 'entered' && asked.includes(target));
  return new Map(
    entered.flatMap(({ target }) => {
      const value = values.get(target)?.toString() ?? '';
      const label = review.sentBefore(value, dayText(other.sentAt.slice(0, 10)));
      return value === '' ? [] : [[target, { value, label }] as const];
    }),
  );
}

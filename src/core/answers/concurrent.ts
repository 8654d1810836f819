import { cite, nodeOf } from '../evidence/cite.ts';
import { present } from '../evidence/finding.ts';
import { sensitivityOf } from '../evidence/therapies.ts';
import type { Node } from '../mapping/input.ts';
import type { Answering } from './answering.ts';
import { relationByClass } from './around.ts';
import { attemptsOf, courseOfAttempt, directionsIn, isOfOrdered } from './history.ts';

/** Other drugs that the patient takes now, of the same class or of one that usually comes before it. One node each. */
export function concurrentAround(around: Answering): Node[] {
  const { privacy } = around;
  return around
    .histories()
    .filter((history) => !history.isSample && !isOfOrdered(history, around))
    .flatMap((history) => {
      const related = relationByClass(around, history.ingredients);
      const attempt = attemptsOf(history, around).at(-1);
      if (related === undefined || attempt === undefined) return [];
      const { entries } = attempt;
      const course = courseOfAttempt(attempt, around);
      const last = entries.at(-1);
      if (course.isOver || last === undefined) return [];
      const facts = {
        concurrent: {
          drug: last.drug.product,
          ...related,
          since: course.start,
          ordered: course.firstOrdered,
          status: course.status,
          directions: entries.map(directionsIn).findLast((told) => told !== undefined),
          sources: entries.map(({ located }) => cite(located, located.reference)),
          ...present({ sensitive: sensitivityOf(entries, privacy) }),
        },
      };
      return [nodeOf(facts, last.located)];
    });
}

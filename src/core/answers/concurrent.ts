import { cite, nodeOf } from '../evidence/cite.ts';
import { presentReasons } from '../evidence/finding.ts';
import { sensitivityOf } from '../evidence/therapies.ts';
import type { Node } from '../mapping/input.ts';
import type { Answering } from './answering.ts';
import { relationByClass } from './around.ts';
import { courseOfAttempt, directionsIn, earlierAttempts, isOfOrdered } from './history.ts';

/**
 * Other drugs that the patient takes now and that are of the same class or of one that usually precedes it. One node
 * each.
 */
export function concurrentAround(around: Answering): Node[] {
  const { privacy } = around;
  return around
    .histories()
    .filter((history) => !history.isSample && !isOfOrdered(history, around))
    .flatMap((history) => {
      const related = relationByClass(around, history.ingredients);
      const attempt = earlierAttempts(history, around).at(-1);
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
          directions: entries.map(directionsIn).findLast((text) => text !== undefined),
          sources: entries.map(({ located }) => cite(located, located.reference)),
          ...presentReasons({ sensitive: sensitivityOf(entries, privacy) }),
        },
      };
      return [nodeOf(facts, last.located)];
    });
}

import { nameOf } from '../plan/questions.ts';
import type { Severity } from '../result.ts';
import type { Mapping } from '../words/define.ts';

/** One question that a role of a mapping can ask, and where it stands in the body. */
export interface DescribedQuestion {
  readonly role: string;
  readonly part?: string;
  readonly severity: Severity;
  /** Absent when this target does not ask it. */
  readonly target?: string;
  /** Why it is not asked, where the mapping says so. */
  readonly unasked?: string;
}

/**
 * Every question that the roles of a mapping can ask, by role, with its place; empty for a mapping without roles.
 * @example describeQuestions(priorAuth)
 * // [{ role: 'drug', part: 'strength', severity: 'blocks', target: 'prescription.strength' }, ...]
 */
export function describeQuestions<T>(mapping: Mapping<T>): DescribedQuestion[] {
  const { roles, plan, unasked = {} } = mapping;
  if (roles === undefined) return [];
  const filled = new Set(plan.roles.flatMap((role) => [...roles.dependsOn(role)]));
  return [...filled].flatMap((role) =>
    roles.questions(role).map(({ part, severity }) => {
      const asked = part === undefined ? { role } : { role, part };
      const target = mapping.questionPlace(asked)?.target;
      const reason = unasked[nameOf(asked)];
      const described = target === undefined ? { ...asked, severity } : { ...asked, severity, target };
      return reason === undefined ? described : { ...described, unasked: reason };
    }),
  );
}

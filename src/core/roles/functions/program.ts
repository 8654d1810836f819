import type { Question } from '../../mapping/input.ts';
import type { Facts } from '../facts.ts';
import type { Filled } from '../filled.ts';

/** The support program of an enrollment: the requested program, or else the only one of the site. */
export function chooseProgram({ request: { site, programId: wanted } }: Facts): Filled {
  const programs = site.enrollment?.programs ?? [];
  const [only, ...more] = programs;
  const programId = wanted ?? (more.length === 0 ? only?.programId : undefined);
  if (programId !== undefined) return { root: { nodes: [{ value: { programId } }], kind: 'site' } };
  if (programs.length === 0) return { root: { nodes: [], kind: 'site' } };
  const options = programs.map((program) => ({ value: program.programId, label: program.name }));
  const question: Question = {
    role: 'program',
    severity: 'blocks',
    reason: 'choice',
    message: 'Choose the support program.',
    looks: [],
    options,
  };
  return { root: { nodes: [], kind: 'site' }, questions: [question] };
}

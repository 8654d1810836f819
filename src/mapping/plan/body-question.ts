import type { PlacePlan, Plan } from './plan.ts';
import type { QuestionPlace } from './questions.ts';

const prefix = 'body:';

/** The role of a question that a chart asks of a field of the body itself; for charts whose questions do not belong to roles yet. */
export function roleOfBody(target: string): string {
  return `${prefix}${target}`;
}

/** Where such a question stands; undefined when the body has no such field, `none` when the question is another kind. */
export function placeInBody({ body }: Plan, role: string): QuestionPlace | undefined | 'none' {
  if (!role.startsWith(prefix)) return 'none';
  const target = role.slice(prefix.length);
  let at: PlacePlan = body;
  for (const key of target.split('[')[0]?.split('.') ?? []) {
    if (at.kind !== 'part' || at.omitted.includes(key)) break;
    const inner: PlacePlan | undefined = at.fields.find((field) => field.key === key);
    if (inner === undefined) return undefined;
    at = inner;
  }
  return { target, leaves: [target] };
}

import { systems } from '../../fhir/codes/systems.ts';
import type { Expression, Head, PathExpression, PathStep } from '../../fhirpath/ast.ts';

/** One place under a role that an expression reads: `%coverage.class.value` reads `class`, `value` of `coverage`. */
export interface RoleRead {
  readonly role: string;
  /** The members from the role down; filters, indexes and types between them are left out. */
  readonly members: readonly string[];
}

/**
 * The reads of roles in an expression, including its filters. Relative paths start at `context`: inside an `each`, the
 * reads of the `each` expression.
 * @example readsOf(parse("%coverage.class.where(type.exists()).value"))
 * // coverage: class.value, and class.type of the filter
 */
export function readsOf(expression: Expression, context: readonly RoleRead[] = []): RoleRead[] {
  const reads: RoleRead[] = [];
  reads.push(...endsOf(expression, context, reads));
  return distinct(reads);
}

// The reads that produce the expression's own items; other reads on the way are added to `aside`.
function endsOf(expression: Expression, context: readonly RoleRead[], aside: RoleRead[]): readonly RoleRead[] {
  if (expression.kind === 'path') return pathEnds(expression, context, aside);
  if (expression.kind === 'type') return endsOf(expression.operand, context, aside);
  return [...endsOf(expression.left, context, aside), ...endsOf(expression.right, context, aside)];
}

function pathEnds(path: PathExpression, context: readonly RoleRead[], aside: RoleRead[]): readonly RoleRead[] {
  let ends = headEnds(path.head, context, aside);
  for (const step of path.steps) ends = stepEnds(step, ends, { context, aside });
  return ends;
}

function headEnds(head: Head, context: readonly RoleRead[], aside: RoleRead[]): readonly RoleRead[] {
  switch (head.kind) {
    case 'variable':
      return Object.hasOwn(systems, head.name) ? [] : [{ role: head.name, members: [] }];
    case 'context':
    case 'this':
      return context;
    case 'group':
      return endsOf(head.inner, context, aside);
    default:
      return [];
  }
}

const filters = ['where', 'exists', 'all', 'iif'];
const sameItems = ['where', 'first', 'last', 'tail', 'distinct'];

function stepEnds(
  step: PathStep,
  ends: readonly RoleRead[],
  { context, aside }: { readonly context: readonly RoleRead[]; readonly aside: RoleRead[] },
): readonly RoleRead[] {
  if (step.kind === 'member') return ends.map(({ role, members }) => ({ role, members: [...members, step.name] }));
  if (step.kind !== 'call') return ends;
  const inner = filters.includes(step.name) ? ends : context;
  for (const argument of step.args) aside.push(...endsOf(argument, inner, aside));
  if (sameItems.includes(step.name)) return ends;
  // The result is no longer an element of the role: another resource, an extension's value, a boolean.
  aside.push(...ends);
  return [];
}

function distinct(reads: readonly RoleRead[]): RoleRead[] {
  return [...new Map(reads.map((read) => [`${read.role}.${read.members.join('.')}`, read])).values()];
}

import type { Expression, PathExpression, PathStep } from '../fhirpath/ast.ts';
import { compilePath } from '../fhirpath/compile.ts';
import { PathError } from '../fhirpath/error.ts';

export interface RefusedExpression {
  readonly reason: string;
  readonly position: number;
}

// Types without patient data, so an overlay may follow a reference to them. Patient data is read only through its role,
// which leaves out refuted, erroneous and sensitive data and other patients' data.
const shared = ['Practitioner', 'PractitionerRole', 'Organization', 'Location', 'HealthcareService'];

/**
 * Why an overlay's expression is refused: it does not compile, or it follows a reference to patient data. Undefined
 * when the expression is allowed.
 */
export function refusalOfExpression(expression: string): RefusedExpression | undefined {
  try {
    return refusalOfTree(compilePath(expression).tree);
  } catch (thrown) {
    if (thrown instanceof PathError) return { reason: thrown.reason, position: thrown.position };
    throw thrown;
  }
}

function refusalOfTree(tree: Expression): RefusedExpression | undefined {
  if (tree.kind === 'binary') return refusalOfTree(tree.left) ?? refusalOfTree(tree.right);
  if (tree.kind === 'type') return refusalOfTree(tree.operand);
  const head = tree.head.kind === 'group' ? refusalOfTree(tree.head.inner) : refusalOfContact(tree);
  return head ?? firstOf(tree.steps, (step, index) => refusalOfStep(step, tree.steps[index + 1]));
}

// The name, address and gender of a contact are not the patient's.
function refusalOfContact({ head, steps: [first, second] }: PathExpression): RefusedExpression | undefined {
  const isContact = head.kind === 'variable' && head.name === 'patient' && isMember(first, 'contact');
  if (first === undefined || !isContact || isMember(second, 'telecom')) return undefined;
  return { reason: 'a contact is another person; an overlay reads its telecom only', position: first.position };
}

function isMember(step: PathStep | undefined, name: string): boolean {
  return step?.kind === 'member' && step.name === name;
}

function refusalOfStep(step: PathStep, next: PathStep | undefined): RefusedExpression | undefined {
  if (isMember(step, 'contained'))
    return {
      reason: 'what a resource contains may be about somebody else; an overlay reads it through its role',
      position: step.position,
    };
  if (step.kind !== 'call') return undefined;
  const isShared = next?.kind === 'typed' && next.name === 'ofType' && shared.includes(next.type);
  if (step.name === 'resolve' && !isShared)
    return {
      reason: `an overlay follows references to ${shared.join(', ')} only: resolve().ofType(...)`,
      position: step.position,
    };
  return firstOf(step.args, refusalOfTree);
}

function firstOf<T, R>(list: readonly T[], look: (item: T, index: number) => R | undefined): R | undefined {
  for (const [index, item] of list.entries()) {
    const found = look(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether an expression can return a value that is written in the expression instead of a value from the chart. */
export function endsInLiteral(tree: Expression): boolean {
  if (tree.kind === 'binary') return tree.operator !== '|' || endsInLiteral(tree.left) || endsInLiteral(tree.right);
  if (tree.kind === 'type') return tree.operator === 'is' || endsInLiteral(tree.operand);
  const last = tree.steps.at(-1);
  if (last?.kind === 'typed' && last.name === 'is') return true;
  if (last?.kind === 'call')
    return !passing.includes(last.name) && (last.name !== 'iif' || last.args.slice(1).some(endsInLiteral));
  if (tree.steps.some((step) => step.kind === 'member')) return false;
  return tree.head.kind === 'literal' || (tree.head.kind === 'group' && endsInLiteral(tree.head.inner));
}

// Calls that return items of the chart. Every other call returns a boolean or a number.
const passing = ['where', 'first', 'last', 'tail', 'distinct', 'extension', 'resolve', 'ofType'];

import { choiceKeysOf, isA, isTypeName } from '../fhir/model/model.ts';
import type { Expression, PathStep } from './ast.ts';
import type { StepRun } from './environment.ts';
import { noItems } from './environment.ts';
import { EvaluationError, PathError } from './error.ts';
import type { Item } from './item.ts';
import { typeOf } from './item-types.ts';
import { onlyItem, toItems } from './truth.ts';

type TypeFunction = 'ofType' | 'as' | 'is';

/**
 * ofType, as and is. They are refused if the data does not contain the type of a value: JSON has types only for
 * resources and choice elements.
 */
export function compileTyped(
  name: TypeFunction,
  type: string,
  knowsType: boolean,
  position: number,
  source: string,
): StepRun {
  if (!isTypeName(type)) throw new PathError(source, position, `"${type}" is not a FHIR R4 type`);
  if (!knowsType)
    throw new PathError(
      source,
      position,
      `${name}(${type}) can only follow a choice element (value, medication, ...), a resource or resolve()`,
    );
  const matches = (item: Item) => isA(knownType(item), type);
  if (name === 'ofType') {
    return (input) => {
      const [only] = input;
      if (only === undefined || input.length > 1) return input.filter(matches);
      return matches(only) ? input : noItems;
    };
  }
  if (name === 'as') {
    return (input) => {
      const item = onlyItem(input);
      return item !== undefined && matches(item) ? input : noItems;
    };
  }
  return (input) => {
    const item = onlyItem(input);
    return item === undefined ? noItems : toItems(matches(item));
  };
}

/**
 * Whether the data contains the types of an expression's items; `outer` answers this for the context and for
 * `%variables`.
 */
export function knowsType(operand: Expression, outer: boolean): boolean {
  if (operand.kind === 'type') return knowsType(operand.operand, outer);
  if (operand.kind === 'binary')
    return operand.operator === '|' && knowsType(operand.left, outer) && knowsType(operand.right, outer);
  const last = operand.steps.findLast((step) => !keepsItems(step));
  if (last?.kind === 'member')
    return (
      choiceKeysOf(last.name) !== undefined ||
      last.name === 'contained' ||
      last.name === 'resource' ||
      /^[A-Z]/.test(last.name)
    );
  if (last !== undefined) return last.kind === 'call' && last.name === 'resolve';
  if (operand.head.kind === 'group') return knowsType(operand.head.inner, outer);
  return operand.head.kind !== 'literal' && outer;
}

function keepsItems(step: PathStep): boolean {
  if (step.kind === 'index') return true;
  if (step.kind === 'typed') return step.name !== 'is';
  return step.kind === 'call' && ['where', 'first', 'last', 'tail', 'distinct'].includes(step.name);
}

function knownType(item: Item): string {
  const type = typeOf(item);
  if (type === undefined) throw new EvaluationError('the type of a value is not known');
  return type;
}

import type { BinaryOperator } from './ast.ts';
import { equalCollections, equalItems, order, type Truth } from './compare.ts';
import type { Items, Run } from './environment.ts';
import type { Item } from './item.ts';
import { onlyItem, toItems, truthOf } from './truth.ts';

export function compileBinary(operator: BinaryOperator, left: Run, right: Run): Run {
  if (operator === '|')
    return (context, environment) => distinct([...left(context, environment), ...right(context, environment)]);
  const answer = answers[operator];
  return (context, environment) => toItems(answer(left(context, environment), right(context, environment)));
}

export function distinct(items: Items): Items {
  if (items.length < 2) return items;
  const kept: Item[] = [];
  for (const item of items) if (!kept.some((other) => equalItems(other, item) === true)) kept.push(item);
  return kept;
}

const answers: Readonly<Record<Exclude<BinaryOperator, '|'>, (left: Items, right: Items) => Truth>> = {
  '=': equalCollections,
  '!=': (left, right) => negated(equalCollections(left, right)),
  '<': (left, right) => ordered(left, right, (result) => result < 0),
  '<=': (left, right) => ordered(left, right, (result) => result <= 0),
  '>': (left, right) => ordered(left, right, (result) => result > 0),
  '>=': (left, right) => ordered(left, right, (result) => result >= 0),
  and: (left, right) => and(truthOf(left), truthOf(right)),
  or: (left, right) => or(truthOf(left), truthOf(right)),
  xor: (left, right) => xor(truthOf(left), truthOf(right)),
  implies: (left, right) => or(negated(truthOf(left)), truthOf(right)),
  in: (left, right) => isMember(onlyItem(left), right),
  contains: (left, right) => isMember(onlyItem(right), left),
};

function ordered(left: Items, right: Items, holds: (result: number) => boolean): Truth {
  const [a, b] = [onlyItem(left), onlyItem(right)];
  const result = a === undefined || b === undefined ? undefined : order(a, b);
  return result === undefined ? undefined : holds(result);
}

function isMember(item: Item | undefined, items: Items): Truth {
  return item === undefined ? undefined : items.some((other) => equalItems(item, other) === true);
}

export function negated(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

export function and(left: Truth, right: Truth): Truth {
  if (left === false || right === false) return false;
  return left === undefined || right === undefined ? undefined : true;
}

export function or(left: Truth, right: Truth): Truth {
  if (left === true || right === true) return true;
  return left === undefined || right === undefined ? undefined : false;
}

function xor(left: Truth, right: Truth): Truth {
  return left === undefined || right === undefined ? undefined : left !== right;
}

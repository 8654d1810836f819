import { isObject } from '../../src/core/fhir/is-object.ts';
import { choiceKeysOf, isA } from '../../src/core/fhir/model/model.ts';
import { systems } from '../../src/core/fhir/systems.ts';
import type { BinaryExpression, Expression, Head, PathExpression, PathStep } from '../../src/core/fhirpath/ast.ts';
import { equalCollections, equalItems, order, type Truth } from '../../src/core/fhirpath/compare.ts';
import { type Environment, type Items, variableNamed } from '../../src/core/fhirpath/environment.ts';
import { EvaluationError } from '../../src/core/fhirpath/error.ts';
import { Item, literal, resourceTypeOf, Step } from '../../src/core/fhirpath/item.ts';
import { typeOf } from '../../src/core/fhirpath/types.ts';

/** What an expression is evaluated on. */
export interface World {
  /** `$this` and what relative paths start from. */
  readonly context: Items;
  readonly environment: Environment;
  /** Whether a first name may be the type of the context (`Patient.name`). */
  readonly start: boolean;
}

/**
 * The subset by walking the tree at each evaluation: every collection is made in full, every criterion is asked item by
 * item. The plain reading of the FHIRPath specification that the compiled form is compared with.
 */
export function evaluate(tree: Expression, world: World): Items {
  if (tree.kind === 'binary') return evaluateBinary(tree, world);
  if (tree.kind === 'type') return evaluateType(tree.operator, tree.type, evaluate(tree.operand, world));
  let items = evaluateHead(tree.head, world);
  for (const index of tree.steps.keys()) items = evaluateStep(tree, index, items, world);
  return items;
}

export function evaluateHead(head: Head, world: World): Items {
  switch (head.kind) {
    case 'context':
    case 'this':
      return world.context;
    case 'empty':
      return [];
    case 'literal':
      return [literal(head.value)];
    case 'group':
      return evaluate(head.inner, world);
    case 'variable': {
      const system = Object.entries(systems).find(([name]) => name === head.name);
      return system === undefined ? world.environment.variable(variableNamed(head.name)) : [literal(system[1])];
    }
  }
}

export function evaluateStep(tree: PathExpression, index: number, input: Items, world: World): Items {
  const step = tree.steps[index] as PathStep; // index is one of the steps
  const isFirst = index === 0 && world.start && tree.head.kind === 'context';
  switch (step.kind) {
    case 'member':
      if (isFirst && /^[A-Z]/.test(step.name)) return input.filter(({ value }) => resourceTypeOf(value) === step.name);
      return input.flatMap((item) => childrenOf(item, step.name));
    case 'index':
      return input.slice(step.index, step.index + 1);
    case 'typed':
      return evaluateType(step.name, step.type, input);
    case 'call':
      return evaluateCall(step, input, { ...world, start: isFirst }, { ...world, start: false });
  }
}

type Call = Extract<PathStep, { readonly kind: 'call' }>;

function evaluateCall({ name, args }: Call, input: Items, inner: World, outer: World): Items {
  const [first, second, third] = args;
  const meeting = (criterion: Expression) =>
    input.filter((item) => truthOf(evaluate(criterion, { ...inner, context: [item] })) === true);
  switch (name) {
    case 'where':
      return first === undefined ? input : meeting(first);
    case 'exists':
      return truth((first === undefined ? input : meeting(first)).length > 0);
    case 'all':
      return truth(first === undefined || meeting(first).length === input.length);
    case 'empty':
      return truth(input.length === 0);
    case 'not':
      return truth(negated(truthOf(input)));
    case 'count':
      return [literal(input.length)];
    case 'first':
      return input.slice(0, 1);
    case 'last':
      return input.slice(-1);
    case 'tail':
      return input.slice(1);
    case 'distinct':
      return distinct(input);
    case 'hasValue':
      return truth(input.length === 1 && input[0]?.value !== undefined && typeof input[0].value !== 'object');
    case 'resolve':
      return input.flatMap((item) => resolved(item, outer.environment));
    case 'extension': {
      const url = first === undefined ? undefined : textOf(evaluate(first, outer));
      if (url === undefined) return [];
      const extensions = input.flatMap((item) => childrenOf(item, 'extension'));
      return extensions.filter(({ value }) => isObject(value) && value.url === url);
    }
    case 'startsWith':
    case 'endsWith':
    case 'contains': {
      const [text, part] = [textOf(input), first === undefined ? undefined : textOf(evaluate(first, outer))];
      return text === undefined || part === undefined ? [] : truth(tests[name](text, part));
    }
    case 'iif': {
      const context = input.length === 0 ? outer.context : input;
      only(input);
      const world = { ...inner, context };
      const holds = first !== undefined && truthOf(evaluate(first, world)) === true;
      const chosen = holds ? second : third;
      return chosen === undefined ? [] : evaluate(chosen, world);
    }
    default:
      throw new TypeError(`no function ${name}`);
  }
}

const tests = {
  startsWith: (text: string, part: string) => text.startsWith(part),
  endsWith: (text: string, part: string) => text.endsWith(part),
  contains: (text: string, part: string) => text.includes(part),
};

function resolved(item: Item, environment: Environment): Items {
  const target = typeof item.value === 'string' || isObject(item.value) ? environment.resolve(item) : undefined;
  return target === undefined ? [] : [target];
}

function evaluateType(name: 'ofType' | 'as' | 'is', type: string, input: Items): Items {
  const matches = (item: Item) => {
    const known = typeOf(item);
    if (known === undefined) throw new EvaluationError('the type of a value is not known');
    return isA(known, type);
  };
  if (name === 'ofType') return input.filter(matches);
  const item = only(input);
  if (item === undefined) return [];
  if (name === 'is') return truth(matches(item));
  return matches(item) ? input : [];
}

// FHIR JSON, "JSON representation of primitive elements": what stands beside a value or a list of values.
function childrenOf(item: Item, name: string): Items {
  const holder = item.value;
  if (!isObject(holder)) return isObject(item.element) ? childrenAt(item, name, item.element[name], undefined) : [];
  const [value, beside] = [holder[name], holder[`_${name}`]];
  const choices = choiceKeysOf(name);
  if (value !== undefined || beside !== undefined || choices === undefined)
    return childrenAt(item, name, value, beside);
  return choices.flatMap(({ key, type, plainIn }) => {
    const isOther = plainIn?.includes(resourceTypeOf(holder) ?? item.key) === true;
    if (isOther || Array.isArray(holder[key])) return [];
    return childrenAt(item, key, holder[key], holder[`_${key}`], type);
  });
}

function childrenAt(parent: Item, key: string, value: unknown, beside: unknown, type?: string): Items {
  if (!Array.isArray(value) && !Array.isArray(beside)) {
    if (value !== undefined && value !== null) return [new Item(value, new Step(key, -1, type), parent)];
    return isObject(beside) ? [new Item(undefined, new Step(key, -1, type), parent)] : [];
  }
  if (value !== undefined && value !== null && !Array.isArray(value))
    return [new Item(value, new Step(key, -1, type), parent)];
  const values: readonly unknown[] = Array.isArray(value) ? value : [];
  const besides: readonly unknown[] = Array.isArray(beside) ? beside : [];
  return Array.from({ length: Math.max(values.length, besides.length) }, (_, index) => index).flatMap((index) => {
    const one = values[index] ?? undefined;
    return one === undefined && !isObject(besides[index]) ? [] : [new Item(one, new Step(key, index, type), parent)];
  });
}

function evaluateBinary({ operator, left, right }: BinaryExpression, world: World): Items {
  const [one, other] = [evaluate(left, world), evaluate(right, world)];
  switch (operator) {
    case '|':
      return distinct([...one, ...other]);
    case '=':
      return truth(equalCollections(one, other));
    case '!=':
      return truth(negated(equalCollections(one, other)));
    case '<':
      return truth(compared(one, other, (result) => result < 0));
    case '<=':
      return truth(compared(one, other, (result) => result <= 0));
    case '>':
      return truth(compared(one, other, (result) => result > 0));
    case '>=':
      return truth(compared(one, other, (result) => result >= 0));
    case 'in':
      return truth(isIn(only(one), other));
    case 'contains':
      return truth(isIn(only(other), one));
    default:
      return truth(logical[operator](truthOf(one), truthOf(other)));
  }
}

// FHIRPath, "Boolean logic": undefined stands for the empty collection.
const logical = {
  and: (a: Truth, b: Truth): Truth =>
    a === false || b === false ? false : a === true && b === true ? true : undefined,
  or: (a: Truth, b: Truth): Truth => (a === true || b === true ? true : a === false && b === false ? false : undefined),
  xor: (a: Truth, b: Truth): Truth => (a === undefined || b === undefined ? undefined : a !== b),
  implies: (a: Truth, b: Truth): Truth => logical.or(negated(a), b),
};

function compared(left: Items, right: Items, holds: (result: number) => boolean): Truth {
  const [one, other] = [only(left), only(right)];
  const result = one === undefined || other === undefined ? undefined : order(one, other);
  return result === undefined ? undefined : holds(result);
}

function isIn(item: Item | undefined, items: Items): Truth {
  return item === undefined ? undefined : items.some((other) => equalItems(item, other) === true);
}

function distinct(items: Items): Items {
  return items.filter((item, at) => !items.slice(0, at).some((earlier) => equalItems(earlier, item) === true));
}

function negated(value: Truth): Truth {
  return value === undefined ? undefined : !value;
}

function truth(value: Truth): Items {
  return value === undefined ? [] : [literal(value)];
}

function truthOf(items: Items): Truth {
  const item = only(items);
  if (item === undefined) return undefined;
  return typeof item.value === 'boolean' ? item.value : true;
}

function only(items: Items): Item | undefined {
  if (items.length > 1) throw new EvaluationError(`${items.length} items where one is expected`);
  return items[0];
}

function textOf(items: Items): string | undefined {
  const value = only(items)?.value;
  if (value !== undefined && typeof value !== 'string') throw new EvaluationError('a text is expected');
  return value;
}

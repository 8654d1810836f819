import { Generated, isObjectText } from '../fhir/generated.ts';
import { isObject } from '../fhir/is-object.ts';
import { type Environment, type Items, noItems, type Run, type StepRun } from './environment.ts';
import { type Item, literal } from './item.ts';
import { extensionsOf } from './member.ts';
import { distinct, negated } from './operators.ts';
import type { Predicate } from './predicate.ts';
import { onlyItem, singleText, toItems, truthOf } from './truth.ts';

/**
 * The closure of a function call. The parser has already checked the name and the number of arguments. `holds` is the
 * fast form of a criterion.
 */
export function compileCall(name: string, args: readonly Run[], holds?: Predicate): StepRun {
  const [criteria] = args;
  if (criteria !== undefined && holds !== undefined) {
    const filter = filters[name];
    if (filter !== undefined) return filter(criteria, holds);
  }
  const build = functions[name];
  if (build === undefined) throw new TypeError(`no function ${name}`);
  return build(...args);
}

const functions: Readonly<Record<string, (...args: readonly (Run | undefined)[]) => StepRun>> = {
  where: (criteria) => (input, _, environment) => filter(input, criteria, environment),
  exists: (criteria) => (input, _, environment) =>
    toItems(criteria === undefined ? input.length > 0 : filter(input, criteria, environment).length > 0),
  all: (criteria) => (input, _, environment) => toItems(filter(input, criteria, environment).length === input.length),
  empty: () => (input) => toItems(input.length === 0),
  not: () => (input) => toItems(negated(truthOf(input))),
  count: () => (input) => [literal(input.length)],
  first: () => (input) => (input.length < 2 ? input : input.slice(0, 1)),
  last: () => (input) => (input.length < 2 ? input : input.slice(-1)),
  tail: () => (input) => input.slice(1),
  distinct: () => distinct,
  hasValue: () => (input) => toItems(input.length === 1 && isPrimitive(input[0]?.value)),
  resolve: () => (input, _, environment) => resolveAll(input, environment),
  extension: (url) => (input, context, environment) => {
    const wanted = singleText(run(url, context, environment));
    return wanted === undefined ? noItems : extensionsOf(input, wanted);
  },
  startsWith: textTest((text, part) => text.startsWith(part)),
  endsWith: textTest((text, part) => text.endsWith(part)),
  contains: textTest((text, part) => text.includes(part)),
  iif: (criterion, then, otherwise) => (input, context, environment) => {
    const inner = input.length === 0 ? context : input;
    onlyItem(input);
    return truthOf(run(criterion, inner, environment)) === true
      ? run(then, inner, environment)
      : run(otherwise, inner, environment);
  },
};

// Generated for each criterion, so that no function is shared between criteria.
const filters: Readonly<Record<string, (criteria: Run, holds: Predicate) => StepRun>> = {
  where: (criteria, holds) => {
    const { build, passes, nothing } = passing(criteria, holds);
    return build(`(input, _, environment) => {
      if (input.length < 2) return input.length === 0 || ${passes('input[0]')} ? input : ${nothing};
      return input.filter((item) => ${passes('item')});
    }`);
  },
  exists: (criteria, holds) => {
    const { build, passes } = passing(criteria, holds);
    const run = build<(input: Items, environment: Environment) => boolean>(
      `(input, environment) => {
        for (let at = 0; at < input.length; at += 1) if (${passes('input[at]')}) return true;
        return false;
      }`,
    );
    return (input, _, environment) => toItems(run(input, environment));
  },
  all: (criteria, holds) => {
    const { build, passes } = passing(criteria, holds);
    const run = build<(input: Items, environment: Environment) => boolean>(
      `(input, environment) => {
        for (let at = 0; at < input.length; at += 1) if (!${passes('input[at]')}) return false;
        return true;
      }`,
    );
    return (input, _, environment) => toItems(run(input, environment));
  },
};

interface Passing {
  readonly build: <T>(text: string) => T;
  readonly passes: (item: string) => string;
  /** The name of the empty collection in the generated code. */
  readonly nothing: string;
}

function passing(criteria: Run, holds: Predicate): Passing {
  const source = new Generated();
  const byItem = (item: Item, environment: Environment) => truthOf(criteria([item], environment)) === true;
  const [quick, slow] = [source.pass(holds), source.pass(byItem)];
  return {
    build: (text) => source.build(text),
    nothing: source.pass(noItems),
    passes: (item) =>
      `(${isObjectText(`${item}.value`)} ? ${quick}(${item}.value) === true : ${slow}(${item}, environment))`,
  };
}

function run(argument: Run | undefined, context: Items, environment: Environment): Items {
  return argument === undefined ? noItems : argument(context, environment);
}

function filter(input: Items, criteria: Run | undefined, environment: Environment): Items {
  return keep(input, (item) => truthOf(run(criteria, [item], environment)) === true);
}

function keep(input: Items, holds: (item: Item) => boolean): Items {
  const [first] = input;
  if (first === undefined) return noItems;
  if (input.length === 1) return holds(first) ? input : noItems;
  return input.filter(holds);
}

function textTest(holds: (text: string, part: string) => boolean): (part: Run | undefined) => StepRun {
  return (part) => (input, context, environment) => {
    const [text, wanted] = [singleText(input), singleText(run(part, context, environment))];
    return text === undefined || wanted === undefined ? noItems : toItems(holds(text, wanted));
  };
}

function resolveAll(input: Items, environment: Environment): Items {
  const found: Item[] = [];
  for (const item of input) {
    const target = typeof item.value === 'string' || isObject(item.value) ? environment.resolve(item) : undefined;
    if (target !== undefined) found.push(target);
  }
  return found;
}

function isPrimitive(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

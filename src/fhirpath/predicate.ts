import { isObject } from '../fhir/is-object.ts';
import { choiceKeysOf, dateNames, timeNames } from '../fhir/model/model.ts';
import { systems } from '../fhir/systems.ts';
import type { Expression, PathExpression, PathStep } from './ast.ts';
import type { Truth } from './compare.ts';
import { and, not, or } from './operators.ts';

/** Whether a criterion holds for a JSON value, without making items for what it looks at. */
export type Predicate = (value: unknown) => Truth;

/**
 * The common criteria of where(), exists() and all() as plain functions over JSON: names compared with a constant
 * (`code = 'MR'`), `exists()` and `empty()` of names, and `and` and `or` of such. Undefined for every other criterion,
 * which then runs
 * as any expression does; both ways give the same answers.
 */
export function compilePredicate(tree: Expression): Predicate | undefined {
  if (tree.kind === 'path') return compilePathPredicate(tree);
  if (tree.kind === 'type') return undefined;
  if (tree.operator === '=' || tree.operator === '!=')
    return compileEquality(tree.left, tree.right, tree.operator === '!=');
  if (tree.operator !== 'and' && tree.operator !== 'or') return undefined;
  const [left, right] = [compilePredicate(tree.left), compilePredicate(tree.right)];
  if (left === undefined || right === undefined) return undefined;
  return tree.operator === 'and' ? bothOf(left, right) : eitherOf(left, right);
}

// The second is looked at only where the first does not decide.
function bothOf(left: Predicate, right: Predicate): Predicate {
  return (value) => {
    const first = left(value);
    return first === false ? false : and(first, right(value));
  };
}

function eitherOf(left: Predicate, right: Predicate): Predicate {
  return (value) => {
    const first = left(value);
    return first === true ? true : or(first, right(value));
  };
}

function compilePathPredicate(tree: PathExpression): Predicate | undefined {
  if (tree.head.kind === 'group' && tree.steps.length === 0) return compilePredicate(tree.head.inner);
  const last = tree.steps.at(-1);
  const names = namesOf(tree, tree.steps.slice(0, -1));
  if (last?.kind !== 'call' || names === undefined || names.length === 0) return undefined;
  if (last.name === 'empty') return (value) => !some(value, names, 0, always);
  if (last.name !== 'exists') return undefined;
  const [criteria] = last.args;
  if (criteria === undefined) return (value) => some(value, names, 0, always);
  const holds = compilePredicate(criteria);
  if (holds === undefined) return undefined;
  const meets = (item: unknown) => isObject(item) && holds(item) === true;
  return (value) => some(value, names, 0, meets);
}

function compileEquality(left: Expression, right: Expression, negated: boolean): Predicate | undefined {
  const names = left.kind === 'path' ? namesOf(left, left.steps) : undefined;
  const wanted = constantOf(right);
  const name = names?.at(-1)?.name;
  if (names === undefined || name === undefined || wanted === undefined || dateNames.has(name) || timeNames.has(name))
    return undefined;
  const [only] = names;
  const holds: Predicate =
    only !== undefined && names.length === 1
      ? (value) => equalsElement(value, only, wanted)
      : (value) => equals(value, names, wanted);
  return negated ? (value) => not(holds(value)) : holds;
}

/** Looks at values until one holds. */
export type Search = (value: unknown, holds: (found: unknown) => boolean) => boolean;

/**
 * Whether one of the values that a path finds holds, without making items of them. For paths of plain names and of
 * `where` with a criterion that is a predicate; undefined for others, which need items.
 */
export function compileSearch(tree: Expression): Search | undefined {
  if (tree.kind !== 'path' || tree.steps.length === 0) return undefined;
  if (tree.steps[0]?.kind !== 'member') return undefined;
  const steps = stepsOf(tree.steps).map((step) => (Array.isArray(step) ? namesStep(tree, step) : whereStep(step)));
  const known = steps.filter((step) => step !== undefined);
  return known.length < steps.length ? undefined : known.reduceRight<Search>((next, step) => step(next), atEnd);
}

/** The steps of a path, names that follow one another as one. */
function stepsOf(steps: readonly PathStep[]): (PathStep | PathStep[])[] {
  const together: (PathStep | PathStep[])[] = [];
  for (const step of steps) {
    const last = together.at(-1);
    if (step.kind !== 'member') together.push(step);
    else if (Array.isArray(last)) last.push(step);
    else together.push([step]);
  }
  return together;
}

const atEnd: Search = (value, holds) => holds(value);

type SearchStep = (next: Search) => Search;

function namesStep(tree: PathExpression, steps: readonly PathStep[]): SearchStep | undefined {
  const names = namesOf(tree, steps);
  if (names === undefined) return undefined;
  return (next) =>
    next === atEnd
      ? (value, holds) => some(value, names, 0, holds)
      : (value, holds) => some(value, names, 0, (found) => next(found, holds));
}

function whereStep(step: PathStep): SearchStep | undefined {
  const [criterion] = step.kind === 'call' && step.name === 'where' ? step.args : [];
  const isMet = criterion === undefined ? undefined : compilePredicate(criterion);
  if (isMet === undefined) return undefined;
  return (next) => (value, holds) => isObject(value) && isMet(value) === true && next(value, holds);
}

interface Name {
  readonly name: string;
  readonly beside: string;
  /** The properties that the name stands for where it is a choice element there (`medication`, but also `code`). */
  readonly choices: readonly string[];
}

// Choices of primitives know types, a choice that is a plain element elsewhere needs to know where it stands,
// primitives have extensions and
// ids of their own, and a name in capitals may be the context's type: those need items.
function namesOf(tree: PathExpression, steps: readonly PathStep[]): Name[] | undefined {
  if (tree.head.kind !== 'context' && tree.head.kind !== 'this') return undefined;
  const names = steps.map((step) => (step.kind === 'member' && isPlain(step.name) ? step.name : undefined));
  const known = names.filter((name) => name !== undefined);
  return known.length === names.length
    ? known.map((name) => ({ name, beside: `_${name}`, choices: (choiceKeysOf(name) ?? []).map(({ key }) => key) }))
    : undefined;
}

function isPlain(name: string): boolean {
  return (
    choiceKeysOf(name)?.some(({ type, plainIn }) => /^[a-z]/.test(type) || plainIn !== undefined) !== true &&
    name !== 'extension' &&
    name !== 'id' &&
    !/^[A-Z]/.test(name)
  );
}

function constantOf(tree: Expression): string | boolean | undefined {
  if (tree.kind !== 'path' || tree.steps.length > 0) return undefined;
  if (tree.head.kind === 'literal')
    return typeof tree.head.value === 'string' || typeof tree.head.value === 'boolean' ? tree.head.value : undefined;
  const { head } = tree;
  return head.kind === 'variable' ? Object.entries(systems).find(([name]) => name === head.name)?.[1] : undefined;
}

// FHIRPath `=`: nothing found is empty, and one value alone can equal one constant.
function equals(value: unknown, names: readonly Name[], wanted: string | boolean): Truth {
  let count = 0;
  let found: unknown;
  some(value, names, 0, (item) => {
    count += 1;
    found = item;
    return count > 1;
  });
  return count === 0 ? undefined : count === 1 && found === wanted;
}

// Nearly every criterion compares one plain element.
function equalsElement(holder: unknown, name: Name, wanted: string | boolean): Truth {
  const value = isObject(holder) ? holder[name.name] : undefined;
  return typeof value === typeof wanted ? value === wanted : equals(holder, [name], wanted);
}

/**
 * Whether any item that the names lead to holds; stops at the first. A primitive that has only extensions is an item
 * without a value.
 */
function some(holder: unknown, names: readonly Name[], at: number, holds: (item: unknown) => boolean): boolean {
  const next = names[at];
  if (next === undefined) return holds(holder);
  if (!isObject(holder)) return false;
  const value = holder[next.name];
  if (value !== undefined && value !== null && !Array.isArray(value)) return some(value, names, at + 1, holds);
  const element = holder[next.beside];
  if (element !== undefined) return itemsWith(value, element).some((item) => some(item, names, at + 1, holds));
  if (Array.isArray(value)) {
    for (const item of value) if (item !== null && item !== undefined && some(item, names, at + 1, holds)) return true;
    return false;
  }
  if (value === null) return false;
  for (const choice of next.choices)
    if (isObject(holder[choice]) && some(holder[choice], names, at + 1, holds)) return true;
  return false;
}

function itemsWith(value: unknown, element: unknown): unknown[] {
  if (!Array.isArray(value) && !Array.isArray(element)) {
    if (value !== undefined && value !== null) return [value];
    return isObject(element) ? [undefined] : [];
  }
  const [values, elements]: unknown[][] = [Array.isArray(value) ? value : [], Array.isArray(element) ? element : []];
  const items = Array.from({ length: Math.max(values?.length ?? 0, elements?.length ?? 0) }, (_, index) => ({
    value: values?.[index] ?? undefined,
    element: elements?.[index],
  }));
  return items.filter((item) => item.value !== undefined || isObject(item.element)).map((item) => item.value);
}

const always = () => true;

import { systems } from '../fhir/codes/systems.ts';
import { Generated, isObjectText } from '../fhir/generated.ts';
import { isObject } from '../fhir/is-object.ts';
import { mayGenerate } from '../fhir/may-generate.ts';
import { choiceKeysOf, dateNames, timeNames } from '../fhir/model/model.ts';
import type { Expression, PathExpression, PathStep } from './ast.ts';
import type { Truth } from './compare.ts';

/** Whether a criterion holds for a JSON value, without making items for the values that it reads. */
export type Predicate = (value: unknown) => Truth;

/**
 * The common criteria of where(), exists() and all() as plain functions over JSON: names compared with a constant
 * (`code = 'MR'`), `exists()` and `empty()` of names, and `and` and `or` of these. Undefined for any other criterion,
 * which then runs like any expression. Both forms return the same results.
 *
 * Criteria are generated code, because a loop over names takes several times as long. If code generation is not
 * allowed, the result is always undefined.
 */
export function compilePredicate(tree: Expression): Predicate | undefined {
  if (!mayGenerate) return undefined;
  const source = new Generated();
  const holds = defineCriterion(tree, source);
  return holds === undefined ? undefined : source.build(holds);
}

/** Defines a function from a value to true, false or undefined, and returns its name in the generated code. */
function defineCriterion(tree: Expression, source: Generated): string | undefined {
  if (tree.kind === 'path') return definePath(tree, source);
  if (tree.kind === 'type') return undefined;
  const { operator, left, right } = tree;
  if (operator === '=') return defineEquality(left, right, source);
  if (operator === '!=') {
    const equals = defineEquality(left, right, source);
    return equals && source.define(`(value) => { const is = ${equals}(value); return is === undefined ? is : !is; }`);
  }
  if (operator !== 'and' && operator !== 'or') return undefined;
  const [one, other] = [defineCriterion(left, source), defineCriterion(right, source)];
  if (one === undefined || other === undefined) return undefined;
  // The second operand is evaluated only if the first does not decide.
  const decides = operator === 'or';
  return source.define(`(value) => {
    const first = ${one}(value);
    if (first === ${decides}) return ${decides};
    const second = ${other}(value);
    return second === ${decides} ? ${decides} : first === undefined ? undefined : second;
  }`);
}

function definePath(tree: PathExpression, source: Generated): string | undefined {
  if (tree.head.kind === 'group' && tree.steps.length === 0) return defineCriterion(tree.head.inner, source);
  const last = tree.steps.at(-1);
  const names = namesOf(tree, tree.steps.slice(0, -1));
  if (last?.kind !== 'call' || names === undefined || names.length === 0) return undefined;
  const [criteria] = last.args;
  if (last.name === 'empty') return source.define(`(value) => !${defineNames(names, anything, source)}(value)`);
  if (last.name !== 'exists') return undefined;
  if (criteria === undefined) return defineNames(names, anything, source);
  const holds = defineCriterion(criteria, source);
  if (holds === undefined) return undefined;
  return defineNames(names, source.define(`(item) => ${isObjectText('item')} && ${holds}(item) === true`), source);
}

const anything = '(() => true)';

// FHIRPath `=`: if one side is empty, the result is empty, and only a single value can equal a constant.
function defineEquality(left: Expression, right: Expression, source: Generated): string | undefined {
  const names = left.kind === 'path' ? namesOf(left, left.steps) : undefined;
  const wanted = constantOf(right);
  const name = names?.at(-1)?.name;
  if (names === undefined || name === undefined || wanted === undefined || dateNames.has(name) || timeNames.has(name))
    return undefined;
  const constant = source.pass(wanted);
  const seen = source.pass({ count: 0, found: undefined });
  const each = source.define(`(item) => { ${seen}.count += 1; ${seen}.found = item; return ${seen}.count > 1; }`);
  const all = source.define(`(value) => {
    ${seen}.count = 0;
    ${defineNames(names, each, source)}(value);
    const { count, found } = ${seen};
    ${seen}.found = undefined;
    return count === 0 ? undefined : count === 1 && found === ${constant};
  }`);
  if (names.length > 1) return all;
  // A fast path: nearly every criterion compares one plain element.
  return source.define(`(value) => {
    if (!(${isObjectText('value')})) return undefined;
    const found = value${source.property(name)};
    return typeof found === '${typeof wanted}' ? found === ${constant} : ${all}(value);
  }`);
}

/** Whether one of the values that a path finds in a JSON value passes a check. `asked` is passed on to the check. */
export type Search<Asked> = (value: unknown, asked: Asked) => boolean;

/** A `Search` that returns undefined if the path has to run with items. `holds` may have been called before that. */
export type OpenSearch<Asked> = (value: unknown, asked: Asked) => boolean | undefined;

export interface Wanted<Asked> {
  readonly tree: Expression;
  readonly holds: (found: unknown, asked: Asked) => boolean;
}

/**
 * Checks the values of a path until one passes, without creating items for them. Works for paths with names and `where`
 * with a criterion that is a predicate; undefined for other paths, which need items. A choice of primitives (`value`,
 * `name`) is read directly if it is a plain element, as it nearly always is. If `valueString` is present instead, the
 * path needs items.
 */
export function compileSearch<Asked>(
  tree: Expression,
  holds: (found: unknown, asked: Asked) => boolean,
): OpenSearch<Asked> | undefined {
  return isSearchable(tree) ? compileSearches([{ tree, holds }]) : undefined;
}

/** Whether the values of a path can be checked without items: never where code generation is not allowed. */
export function isSearchable(tree: Expression): tree is PathExpression {
  return (
    mayGenerate &&
    tree.kind === 'path' &&
    (tree.head.kind === 'context' || tree.head.kind === 'this') &&
    tree.steps[0]?.kind === 'member' &&
    tree.steps.every((step) => (step.kind === 'member' ? isReadable(step.name) : compileCriterion(step) !== undefined))
  );
}

/**
 * Whether one of several checks passes, for searchable paths. A beginning that several paths share is read once: for
 * `type.text` and `type.coding.code`, the type.
 */
export function compileSearches<Asked>(all: readonly Wanted<Asked>[]): OpenSearch<Asked> {
  const source = new Generated();
  const met: Met = { isOpen: false };
  const wanted = all.flatMap(({ tree, holds }) =>
    isSearchable(tree) ? [{ steps: tree.steps, holds: source.pass(holds) }] : [],
  );
  const find = source.build<Search<Asked>>(defineSearches(wanted, source, met));
  if (!wanted.some(({ steps }) => steps.some((step) => step.kind === 'member' && isOpenChoice(step.name)))) return find;
  return (value, asked) => {
    const isFound = find(value, asked);
    if (!met.isOpen) return isFound;
    met.isOpen = false;
    return undefined;
  };
}

/** Whether a search met a value that needs items. */
interface Met {
  isOpen: boolean;
}

interface WantedSteps {
  readonly steps: readonly PathStep[];
  readonly holds: string;
}

/** One function for all paths, which branches where their steps differ. */
function defineSearches(wanted: readonly WantedSteps[], source: Generated, met: Met): string {
  const ended = wanted.filter(({ steps }) => steps.length === 0).map(({ holds }) => holds);
  const going = wanted.filter(({ steps }) => steps.length > 0);
  const branches = [...Map.groupBy(going, ({ steps }) => stepText(steps[0])).values()].map((alike) => {
    const next = defineSearches(
      alike.map(({ steps, holds }) => ({ steps: steps.slice(1), holds })),
      source,
      met,
    );
    return defineStep(alike[0]?.steps[0], next, source, met);
  });
  const all = [...ended, ...branches];
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  return source.define(`(value, asked) => ${all.map((one) => `${one}(value, asked)`).join(' || ')}`);
}

// The text of a step without its position, so that equal steps have equal text.
function stepText(step: PathStep | undefined): string {
  return JSON.stringify(step, (key, value) => (key === 'position' || key === 'end' ? undefined : value));
}

function defineStep(step: PathStep | undefined, next: string, source: Generated, met: Met): string {
  if (step?.kind === 'member') return defineName(nameOf(step.name), next, source, met);
  const isMet = step && defineCriterionOf(step, source);
  return source.define(
    `(value, asked) => ${isObjectText('value')} && ${isMet}(value) === true && ${next}(value, asked)`,
  );
}

function compileCriterion(step: PathStep): Predicate | undefined {
  const [criterion] = step.kind === 'call' && step.name === 'where' ? step.args : [];
  return criterion === undefined ? undefined : compilePredicate(criterion);
}

function defineCriterionOf(step: PathStep, source: Generated): string | undefined {
  const [criterion] = step.kind === 'call' && step.name === 'where' ? step.args : [];
  return criterion === undefined ? undefined : defineCriterion(criterion, source);
}

interface Name {
  readonly name: string;
  readonly beside: string;
  /** The properties of the choice element with this name, if FHIR has one (`medication`, but also `code`). */
  readonly choices: readonly string[];
}

// The names of a path that can be read without items; undefined for any other path. These need items: a choice of
// primitives, because its values have types; a choice that is a plain element elsewhere, because it depends on its
// parent; a member of a primitive, which may be in its extensions or its id; and a capitalized name, which may be the
// type of the context.
function namesOf(tree: PathExpression, steps: readonly PathStep[]): Name[] | undefined {
  if (tree.head.kind !== 'context' && tree.head.kind !== 'this') return undefined;
  const names = steps.map((step) => (step.kind === 'member' && isPlain(step.name) ? step.name : undefined));
  const known = names.filter((name) => name !== undefined);
  return known.length === names.length ? known.map(nameOf) : undefined;
}

function nameOf(name: string): Name {
  return { name, beside: `_${name}`, choices: (choiceKeysOf(name) ?? []).map(({ key }) => key) };
}

function isPlain(name: string): boolean {
  return !isOpenChoice(name) && isReadable(name);
}

function isReadable(name: string): boolean {
  return name !== 'extension' && name !== 'id' && !/^[A-Z]/.test(name);
}

function isOpenChoice(name: string): boolean {
  return choiceKeysOf(name)?.some(({ type, plainIn }) => /^[a-z]/.test(type) || plainIn !== undefined) === true;
}

function constantOf(tree: Expression): string | boolean | undefined {
  if (tree.kind !== 'path' || tree.steps.length > 0) return undefined;
  if (tree.head.kind === 'literal')
    return typeof tree.head.value === 'string' || typeof tree.head.value === 'boolean' ? tree.head.value : undefined;
  const { head } = tree;
  return head.kind === 'variable' ? Object.entries(systems).find(([name]) => name === head.name)?.[1] : undefined;
}

/**
 * Whether any item that the names find passes; stops at the first one. A primitive that has only extensions is an item
 * without a value.
 */
function defineNames(names: readonly Name[], holds: string, source: Generated): string {
  return names.reduceRight((next, name) => defineName(name, next, source, undefined), holds);
}

function defineName(named: Name, next: string, source: Generated, met: Met | undefined): string {
  const { name, beside } = named;
  return source.define(`(holder, asked) => {
    if (!(${isObjectText('holder')})) return false;
    const value = holder${source.property(name)};
    if (value !== undefined && value !== null && !Array.isArray(value)) return ${next}(value, asked);
    const element = holder${source.property(beside)};
    if (element !== undefined) return ${source.pass(itemsWith)}(value, element).some((item) => ${next}(item, asked));
    if (value === null) return false;
    if (value !== undefined) {
      for (let at = 0; at < value.length; at += 1) {
        const item = value[at];
        if (item !== null && item !== undefined && ${next}(item, asked)) return true;
      }
      return false;
    }
    ${choicesText(named, next, source, met)}
    return false;
  }`);
}

function choicesText({ name, choices }: Name, next: string, source: Generated, met: Met | undefined): string {
  if (met !== undefined && isOpenChoice(name)) {
    const keys = source.pass(choices.flatMap((key) => [key, `_${key}`]));
    return `if (${source.pass(hasOne)}(holder, ${keys})) { ${source.pass(met)}.isOpen = true; return true; }`;
  }
  return choices
    .map((key) => `holder${source.property(key)}`)
    .map((chosen) => `if (${isObjectText(chosen)} && ${next}(${chosen}, asked)) return true;`)
    .join('\n');
}

function hasOne(holder: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  for (const key of keys) if (holder[key] !== undefined) return true;
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

import { systems } from '../fhir/codes/systems.ts';
import { Generated, isObjectText } from '../fhir/generated.ts';
import { mayGenerate } from '../fhir/may-generate.ts';
import type { Expression, PathExpression, PathStep } from './ast.ts';
import { type Items, type Run, type Variable, variableNamed } from './environment.ts';
import { type Item, literal } from './item.ts';
import { choicesOf, mostChoices } from './member.ts';
import { compilePredicate, type Predicate } from './predicate.ts';

/** The result of a plain path that finds no item. */
export const nothing = Symbol('nothing');
/** The result when the path has to run with items: it found several values, or an item without a value. */
export const open = Symbol('open');

/** The item in which the last value was found. */
export interface Cursor {
  start: Item;
}

/** The value of `cursor.start` before anything was read. */
export const nowhere = literal(undefined);

/** A path whose single value can be read without making an item at each step. */
export interface PlainPath {
  /** The role that the path starts from; undefined for a path from the context. */
  readonly variable: Variable | undefined;
  /**
   * The value of the only item that the steps find, or `nothing` or `open`. When a value is found, `cursor.start` is
   * the element of `items` that contains it.
   */
  readonly read: (items: Items, cursor: Cursor) => unknown;
  /** The steps without the head, compiled like any path. Run from `cursor.start`, they find the item of the value. */
  readonly steps: Run;
}

/**
 * The fast form of paths with names, `[0]`, `first()`, and `where` with a criterion that is a predicate; undefined for
 * any other path. `compileSteps` compiles the steps as a path from the context.
 */
export function compilePlain(tree: Expression, compileSteps: (steps: PathExpression) => Run): PlainPath | undefined {
  if (!mayGenerate || tree.kind !== 'path' || !startsPlainly(tree)) return undefined;
  const steps = plainSteps(tree.steps);
  if (steps === undefined) return undefined;
  const { head } = tree;
  const from = { ...head, kind: 'context' } as const;
  return {
    variable: head.kind === 'variable' ? variableNamed(head.name) : undefined,
    read: define(steps),
    steps: compileSteps({ ...tree, head: from }),
  };
}

function startsPlainly({ head }: PathExpression): boolean {
  if (head.kind === 'variable') return !Object.hasOwn(systems, head.name);
  return head.kind === 'context' || head.kind === 'this';
}

type PlainStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'where'; readonly criterion: Predicate };

function plainSteps(steps: readonly PathStep[]): PlainStep[] | undefined {
  const plain = steps.map(plainStep);
  const known = plain.filter((step) => step !== undefined);
  return known.length === plain.length ? known : undefined;
}

// A capitalized name may be the type of the context, so it has no fast form.
function plainStep(step: PathStep): PlainStep | undefined {
  if (step.kind === 'member') return /^[A-Z]/.test(step.name) ? undefined : { kind: 'member', name: step.name };
  if (step.kind === 'index') return { kind: 'index', index: step.index };
  if (step.kind !== 'call') return undefined;
  if (step.name === 'first') return { kind: 'index', index: 0 };
  const [argument] = step.args;
  const criterion = step.name === 'where' && argument !== undefined ? compilePredicate(argument) : undefined;
  return criterion && { kind: 'where', criterion };
}

/**
 * In the generated code, `value` is the current value on the way down from `start`, and `found` is the content of one
 * of its properties: a single value or a list.
 */
function define(steps: readonly PlainStep[]): PlainPath['read'] {
  const source = new Generated();
  const words: Words = { source, nothing: source.pass(nothing), open: source.pass(open) };
  const lines: string[] = [];
  const [first] = steps;
  let at = 0;
  if (first?.kind === 'where' || first?.kind === 'index') {
    lines.push(first.kind === 'where' ? onlyItem(first.criterion, words) : itemAt(first.index, words));
    at = 1;
  } else lines.push(onlyHolder(first, words));
  lines.push('value = start.value;');
  while (at < steps.length) {
    const [step, next] = [steps[at], steps[at + 1]];
    if (step?.kind === 'member') {
      lines.push(memberText(step.name, next, words));
      at += next === undefined || next.kind === 'member' ? 1 : 2;
    } else {
      lines.push(singleText(step, words));
      at += 1;
    }
  }
  return source.build(`(items, cursor) => {
    let start, value, found;
    ${lines.join('\n')}
    if (value === undefined) return ${words.open};
    cursor.start = start;
    return value;
  }`);
}

interface Words {
  readonly source: Generated;
  readonly nothing: string;
  readonly open: string;
}

function onlyItem(criterion: Predicate, { source, nothing: none, open: several }: Words): string {
  return `for (let at = 0; at < items.length; at += 1) {
      value = items[at].value;
      if (!(${isObjectText('value')})) return ${several};
      if (${source.pass(criterion)}(value) !== true) continue;
      if (start !== undefined) return ${several};
      start = items[at];
    }
    if (start === undefined) return ${none};`;
}

/**
 * The only item that has a child of this name. A role may have several nodes, of which often only one has such a child.
 */
function onlyHolder(first: PlainStep | undefined, words: Words): string {
  const isSearched = first?.kind === 'member' && choicesOf(first.name) === undefined;
  return `if (items.length === 0) return ${words.nothing};
    if (items.length === 1) start = items[0];
    else { ${isSearched ? holderOf(first.name, words) : `return ${words.open};`} }`;
}

function holderOf(name: string, { source, nothing: none, open: several }: Words): string {
  const [value, beside] = [`value${source.property(name)}`, `value${source.property(`_${name}`)}`];
  return `for (let at = 0; at < items.length; at += 1) {
      value = items[at].value;
      if (!(${isObjectText('value')})) return ${several};
      if (${value} === undefined && ${beside} === undefined) continue;
      if (start !== undefined) return ${several};
      start = items[at];
    }
    if (start === undefined) return ${none};`;
}

function itemAt(index: number, { nothing: none }: Words): string {
  return `if (items.length <= ${index}) return ${none};
    start = items[${index}];`;
}

/** Code that moves from `value` to its child `name`, and applies the next step if that is an index or a filter. */
function memberText(name: string, next: PlainStep | undefined, words: Words): string {
  const { source, nothing: none, open: several } = words;
  const beside = `value${source.property(`_${name}`)}`;
  return `if (!(${isObjectText('value')})) return ${several};
    found = value${source.property(name)};
    if (found === undefined) {
      if (${beside} !== undefined) return ${several};
      ${choiceText(name, words)}
      if (found === undefined) return ${none};
      value = found;
      ${singleText(next, words)}
    } else if (!Array.isArray(found)) {
      if (found === null) return ${several};
      value = found;
      ${singleText(next, words)}
    } else {
      if (${beside} !== undefined) return ${several};
      ${listText(next, words)}
    }`;
}

function choiceText(name: string, { source, open: several }: Words): string {
  const choices = choicesOf(name) ?? [];
  if (choices.length > mostChoices) return `return ${several};`;
  const looks = choices.map(({ key, beside, plainIn }) => {
    const chosen = `value${source.property(key)}`;
    const isPlain = `found === undefined && ${chosen} !== undefined && ${chosen} !== null && !Array.isArray(${chosen})`;
    return `if (${chosen} !== undefined || value${source.property(beside)} !== undefined) {
      if (!(${plainIn === undefined ? isPlain : 'false'})) return ${several};
      found = ${chosen};
    }`;
  });
  return looks.join('\n');
}

/** Code that applies an index or a filter to the single value in `value`. */
function singleText(step: PlainStep | undefined, { source, nothing: none, open: several }: Words): string {
  if (step === undefined || step.kind === 'member') return '';
  if (step.kind === 'index') return step.index === 0 ? '' : `return ${none};`;
  return `if (!(${isObjectText('value')})) return ${several};
    if (${source.pass(step.criterion)}(value) !== true) return ${none};`;
}

/** Code that applies `step` to the list in `found`. A null in the list is not an item. */
function listText(step: PlainStep | undefined, { source, nothing: none, open: several }: Words): string {
  if (step === undefined || step.kind === 'member')
    return `if (found.length !== 1 || found[0] === undefined || found[0] === null) return ${several};
      value = found[0];`;
  if (step.kind === 'index')
    return `for (let at = 0; at < found.length && at <= ${step.index}; at += 1)
        if (found[at] === undefined || found[at] === null) return ${several};
      if (found.length <= ${step.index}) return ${none};
      value = found[${step.index}];`;
  return `value = undefined;
    for (let at = 0; at < found.length; at += 1) {
      const item = found[at];
      if (!(${isObjectText('item')})) return ${several};
      if (${source.pass(step.criterion)}(item) !== true) continue;
      if (value !== undefined) return ${several};
      value = item;
    }
    if (value === undefined) return ${none};`;
}

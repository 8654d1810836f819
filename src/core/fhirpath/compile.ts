import { systems } from '../fhir/codes/systems.ts';
import { Generated } from '../fhir/generated.ts';
import { mayGenerate } from '../fhir/may-generate.ts';
import { dateNames } from '../fhir/model/model.ts';
import type { BinaryExpression, Expression, Head, PathExpression, PathStep } from './ast.ts';
import { type Environment, type Items, noItems, type Run, type StepRun, variableNamed } from './environment.ts';
import { EvaluationError, PathError } from './error.ts';
import { compileCall } from './functions.ts';
import { literal, resourceTypeOf } from './item.ts';
import { compileMember, type Member } from './member.ts';
import { compileBinary } from './operators.ts';
import { parse } from './parse.ts';
import { compilePlain, type PlainPath } from './plain.ts';
import { compilePredicate, type Predicate } from './predicate.ts';
import { compileTyped, knowsType } from './typed.ts';

/** One step of a trace: a part of the expression, and the number of items after it. */
export interface TraceStep {
  readonly step: string;
  readonly items: number;
}

export interface Trace {
  readonly steps: readonly TraceStep[];
  /** FHIRPath's "signal an error": why the expression could not be evaluated on this data. */
  readonly failed?: string;
}

/** A compiled expression. It is immutable and can be run on any number of charts. */
export interface CompiledPath {
  readonly expression: string;
  readonly tree: Expression;
  /** All items, in order. Throws EvaluationError where FHIRPath signals an error. */
  readonly run: Run;
  /** The fast form, if the expression has one. */
  readonly plain: PlainPath | undefined;
  /** Runs step by step with counts, up to the step that left no items. This is slower, so only gaps use it. */
  readonly trace: (context: Items, environment: Environment) => Trace;
}

/**
 * Compiles an expression of the FHIRPath subset to closures; throws PathError with position and reason for any other
 * expression.
 */
export function compilePath(expression: string): CompiledPath {
  const tree = parse(expression);
  const scope = { source: expression, outer: true, start: true };
  const run = compileExpression(tree, scope);
  const plain = compilePlain(tree, (steps) => compileExpression(steps, scope));
  return { expression, tree, run, plain, trace: compileTrace(tree, expression, run) };
}

/**
 * The operands of `a | b | c`, in order, for callers that stop at the first usable value. An expression without `|` is
 * its only operand.
 */
export function compileSides(expression: string): readonly Run[] {
  return sidesOf(parse(expression)).map((side) =>
    compileExpression(side, { source: expression, outer: true, start: true }),
  );
}

function sidesOf(tree: Expression): Expression[] {
  return tree.kind === 'binary' && tree.operator === '|' ? [...sidesOf(tree.left), ...sidesOf(tree.right)] : [tree];
}

interface Scope {
  readonly source: string;
  /** Whether the data contains the type of the context. */
  readonly outer: boolean;
  /** Whether a first name may be the type of the context (`Patient.name`). */
  readonly start: boolean;
}

function compileExpression(tree: Expression, scope: Scope): Run {
  if (tree.kind === 'binary') {
    refuseDateAsText(tree, scope);
    return compileBinary(tree.operator, compileExpression(tree.left, scope), compileExpression(tree.right, scope));
  }
  if (tree.kind === 'path') return chain(tree, compileHead(tree.head, scope), compileSteps(tree, scope));
  const operand = compileExpression(tree.operand, scope);
  const step = compileTyped(
    tree.operator,
    tree.type,
    knowsType(tree.operand, scope.outer),
    tree.position,
    scope.source,
  );
  return (context, environment) => step(operand(context, environment), context, environment);
}

// A date never equals a string, so such a comparison would always be false.
function refuseDateAsText({ operator, left, right }: BinaryExpression, scope: Scope): void {
  if (operator !== '=' && operator !== '!=') return;
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const name = side.kind === 'path' ? side.steps.at(-1) : undefined;
    const text =
      other.kind === 'path' && other.steps.length === 0 && other.head.kind === 'literal' ? other.head.value : undefined;
    if (name?.kind === 'member' && dateNames.has(name.name) && typeof text === 'string' && /^\d{4}/.test(text))
      throw new PathError(scope.source, other.position, `${name.name} is a date; write @${text}`);
  }
}

function chain(tree: PathExpression, first: Run, compiled: readonly CompiledStep[]): Run {
  if (compiled.length === 0) return first;
  if (mayGenerate) return generatedChain(tree, first, compiled);
  return (context, environment) => {
    let items = first(context, environment);
    for (const { run } of compiled) items = run(items, context, environment);
    return items;
  };
}

// Generated as code, so that each step has its own call site that V8 can inline.
function generatedChain({ head, steps }: PathExpression, first: Run, compiled: readonly CompiledStep[]): Run {
  const source = new Generated();
  const lines: string[] = [];
  for (let at = 0; at < compiled.length; ) {
    const names = membersFrom(compiled, at);
    if (steps.slice(at).every(keepsNothing)) lines.push('if (items.length === 0) return items;');
    const next = compiled[at + names.length]?.criterion;
    const call = names.length > 0 ? `${defineMembers(source, names, next)}(items)` : undefined;
    lines.push(`items = ${call ?? `${source.pass(compiled[at]?.run)}(items, context, environment)`};`);
    at += Math.max(1, names.length);
  }
  const begin =
    head.kind === 'variable' && !Object.hasOwn(systems, head.name)
      ? `environment.variable(${source.pass(variableNamed(head.name))})`
      : `${source.pass(first)}(context, environment)`;
  return source.build(`(context, environment) => {
    let items = ${begin};
    ${lines.join('\n')}
    return items;
  }`);
}

interface CompiledStep {
  readonly run: StepRun;
  /** Set for a step to the children of one name. */
  readonly member?: Member;
  /** Set for a `where` whose criterion is a predicate. */
  readonly criterion?: Predicate | undefined;
}

/** The consecutive child steps that begin at `start`. */
function membersFrom(compiled: readonly CompiledStep[], start: number): Member[] {
  const found: Member[] = [];
  for (const { member } of compiled.slice(start)) {
    if (member === undefined) break;
    found.push(member);
  }
  return found;
}

// No list is created while each item has exactly one child. From the first item with none or several, all children are
// collected. The criterion of a following `where` is checked before items are created, because most children fail it: a
// plan has ten classes, and each number is in one of them.
function defineMembers(source: Generated, members: readonly Member[], criterion: Predicate | undefined): string {
  const last = members.length - 1;
  const allOf = (member: Member, index: number) =>
    index === last && criterion !== undefined ? member.meeting(criterion) : member.all;
  const only = members.map(
    (member, index) => `child = ${source.pass(member.only)}(item);
      if (child === null) return ${source.pass(noItems)};
      if (child === undefined) { items = [item]; at = ${index}; break walk; }
      item = child;`,
  );
  const all = members.map((member, index) => `case ${index}: items = ${source.pass(allOf(member, index))}(items);`);
  return source.define(`(items) => {
    let at = 0;
    walk: if (items.length === 1) {
      let item = items[0], child;
      ${only.join('\n')}
      return [item];
    }
    switch (at) { ${all.join('\n')} }
    return items;
  }`);
}

/** Whether a step returns no items if it gets none, whatever the context. */
function keepsNothing(step: PathStep): boolean {
  return step.kind !== 'call' || keeping.has(step.name);
}

const keeping = new Set(['where', 'first', 'last', 'tail', 'distinct', 'resolve', 'not']);

function compileHead(head: Head, scope: Scope): Run {
  switch (head.kind) {
    case 'context':
    case 'this':
      return (context) => context;
    case 'empty':
      return () => noItems;
    case 'literal':
      return constantly(head.value);
    case 'group':
      return compileExpression(head.inner, scope);
    case 'variable':
      return compileVariable(head.name, head.position, scope.source);
  }
}

const unsupported = ['resource', 'rootResource', 'context', 'terminologies', 'factory'];

function compileVariable(name: string, position: number, source: string): Run {
  const system = Object.entries(systems).find(([known]) => known === name)?.[1];
  if (system !== undefined) return constantly(system);
  if (unsupported.includes(name) || !/^\w+$/.test(name))
    throw new PathError(source, position, `%${name} is not part of the subset`);
  const variable = variableNamed(name);
  return (_, environment) => environment.variable(variable);
}

function constantly(value: unknown): Run {
  const items: Items = [literal(value)];
  return () => items;
}

function compileSteps(tree: PathExpression, scope: Scope): CompiledStep[] {
  return tree.steps.map((step, index) => compileStep(step, { tree, index, scope }));
}

function compileStep(
  step: PathStep,
  at: { readonly tree: PathExpression; readonly index: number; readonly scope: Scope },
): CompiledStep {
  if (step.kind !== 'member') return compileOther(step, at);
  const { tree, index, scope } = at;
  if (step.name in Object.prototype)
    throw new PathError(scope.source, step.position, `"${step.name}" is not the name of an element`);
  if (index === 0 && scope.start && tree.head.kind === 'context' && /^[A-Z]/.test(step.name))
    return { run: (input) => input.filter((item) => resourceTypeOf(item.value) === step.name) };
  const member = compileMember(step.name);
  return { run: member.all, member };
}

function compileOther(
  step: Exclude<PathStep, { readonly kind: 'member' }>,
  { tree, index, scope }: { readonly tree: PathExpression; readonly index: number; readonly scope: Scope },
): CompiledStep {
  const before = { ...tree, steps: tree.steps.slice(0, index) };
  if (step.kind === 'index')
    return { run: (input) => (step.index < input.length ? input.slice(step.index, step.index + 1) : noItems) };
  if (step.kind === 'typed')
    return { run: compileTyped(step.name, step.type, knowsType(before, scope.outer), step.position, scope.source) };
  const inner = {
    source: scope.source,
    outer: knowsType(before, scope.outer),
    start: scope.start && index === 0 && tree.head.kind === 'context',
  };
  const args = step.args.map((argument) =>
    compileExpression(argument, iterates.has(step.name) ? inner : { ...scope, start: false }),
  );
  const criterion = step.args[0] === undefined ? undefined : compilePredicate(step.args[0]);
  return { run: compileCall(step.name, args, criterion), criterion: step.name === 'where' ? criterion : undefined };
}

const iterates = new Set(['where', 'exists', 'all', 'iif']);

// Compiled on first use, because most expressions are never traced.
function compileTrace(tree: Expression, source: string, run: Run): CompiledPath['trace'] {
  let steps: readonly TracedStep[] | undefined;
  return (context, environment) => {
    steps ??= tracedSteps(tree, source, run);
    return traced(steps, context, environment);
  };
}

function tracedSteps(tree: Expression, source: string, run: Run): TracedStep[] {
  if (tree.kind !== 'path') return [{ label: source, step: (_, outer, environment) => run(outer, environment) }];
  const scope = { source, outer: true, start: true };
  const head = compileHead(tree.head, scope);
  const start: TracedStep = {
    label: source.slice(tree.head.position, tree.head.end),
    step: (_, context, environment) => head(context, environment),
  };
  const steps = compileSteps(tree, scope).map(({ run: step }, index) => ({
    label: source.slice(tree.steps[index]?.position, tree.steps[index]?.end),
    step,
  }));
  return tree.head.kind === 'context' ? steps : [start, ...steps];
}

interface TracedStep {
  readonly label: string;
  readonly step: StepRun;
}

function traced(steps: readonly TracedStep[], context: Items, environment: Environment): Trace {
  const trace: TraceStep[] = [];
  let items: Items = context;
  for (const { label, step } of steps) {
    try {
      items = step(items, context, environment);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      return { steps: trace, failed: error.message };
    }
    // `Coverage (2)` says more than `%coverage (2)`.
    trace.push({
      step: label.startsWith('%') ? (resourceTypeOf(items[0]?.value) ?? label) : label,
      items: items.length,
    });
    if (items.length === 0) break;
  }
  return { steps: trace };
}

/** The roles in an expression: all `%names` that are not system URIs. */
export function variablesOf(tree: Expression): string[] {
  if (tree.kind === 'binary') return [...variablesOf(tree.left), ...variablesOf(tree.right)];
  if (tree.kind === 'type') return variablesOf(tree.operand);
  const { head } = tree;
  const inHead =
    head.kind === 'variable' && !Object.hasOwn(systems, head.name)
      ? [head.name]
      : head.kind === 'group'
        ? variablesOf(head.inner)
        : [];
  return [...inHead, ...tree.steps.flatMap((step) => (step.kind === 'call' ? step.args.flatMap(variablesOf) : []))];
}

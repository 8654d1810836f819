import { Generated } from '../../fhir/generated.ts';
import { mayGenerate } from '../../fhir/may-generate.ts';
import { type Environment, type Items, noItems } from '../../fhirpath/environment.ts';
import { type Cursor, nothing, nowhere, open } from '../../fhirpath/plain.ts';
import type { ReadPlan } from '../plan/plan.ts';
import { blankText, isTaken, readItems, transformed, transformedValue } from './read-items.ts';
import { ReadLeaf, Unusable } from './value.ts';

export type FindLeaf = (context: Items, environment: Environment) => ReadLeaf | Unusable | undefined;

// Set right before a leaf is read and used right after; one cursor is enough, because nothing else runs in between.
const cursor: Cursor = { start: nowhere };

/** Must be called after a run, because the last value read would otherwise keep its chart alive. */
export function forgetStart(): void {
  cursor.start = nowhere;
}

/** The function that fills a leaf: the first source whose value its transform accepts wins. */
export function compileLeaf(plan: ReadPlan): FindLeaf {
  return mayGenerate ? generatedLeaf(plan) : loopLeaf(plan);
}

// Each source calls its own path and transform directly; in a loop over sources, every call would have to look up its
// function.
function generatedLeaf(plan: ReadPlan): FindLeaf {
  const source = new Generated();
  const [ofPlan, read] = [source.pass(plan), source.pass(readSource)];
  const sources = plan.sources.map((one, index) => {
    const { plain } = one.path;
    const slow = `const slow = ${read}(${ofPlan}, ${index}, context, environment);
      if (typeof slow !== 'boolean') return slow;
      if (slow) isRefused = true;`;
    if (plain === undefined) return `{ ${slow} }`;
    const items = plain.variable === undefined ? 'context' : `environment.variable(${source.pass(plain.variable)})`;
    const take = (value: unknown) => transformedValue(one, value);
    return `value = ${source.pass(plain.read)}(${items}, ${source.pass(cursor)});
    if (value === ${source.pass(open)}) { ${slow} }
    else if (value !== ${source.pass(nothing)}) {
      const result = ${source.pass(take)}(value);
      if (result.refused === undefined)
        return new ${source.pass(ReadLeaf)}(${ofPlan}, ${index}, ${source.pass(cursor)}.start, false, 0, result);
      if (result.refused !== ${source.pass(blankText)}) isRefused = true;
    }`;
  });
  return source.build(`(context, environment) => {
    let isRefused = false, value;
    ${sources.join('\n')}
    return isRefused ? new ${source.pass(Unusable)}(true) : undefined;
  }`);
}

function loopLeaf(plan: ReadPlan): FindLeaf {
  return (context, environment) => {
    let isRefused = false;
    for (let index = 0; index < plan.sources.length; index += 1) {
      const found = readSource(plan, index, context, environment);
      if (typeof found !== 'boolean') return found;
      if (found) isRefused = true;
    }
    return isRefused ? new Unusable(true) : undefined;
  };
}

/** Reads one source item by item. Returns the leaf, or whether a value was refused. */
function readSource(plan: ReadPlan, index: number, context: Items, environment: Environment): ReadLeaf | boolean {
  const source = plan.sources[index];
  if (source === undefined) return false;
  const items = readItems(source.path, context, environment);
  let isRefused = items === undefined;
  for (const item of items ?? noItems) {
    const result = transformed(source, item);
    if (isTaken(result)) return new ReadLeaf(plan, index, item, true, (items?.length ?? 1) - 1, result);
    isRefused ||= result.refused !== blankText;
  }
  return isRefused;
}

import type { Path, Trace, TraceStep } from '../../src/core/fhirpath/compile.ts';
import type { Environment, Items } from '../../src/core/fhirpath/environment.ts';
import { EvaluationError } from '../../src/core/fhirpath/error.ts';
import { resourceTypeOf } from '../../src/core/fhirpath/item.ts';
import { parse } from '../../src/core/fhirpath/parse.ts';
import { evaluate, evaluateHead, evaluateStep, type World } from './evaluate.ts';

/** An expression as a path whose every run walks its tree. */
export function interpretedPath(expression: string): Path {
  const tree = parse(expression);
  const worldOf = (context: Items, environment: Environment): World => ({ context, environment, start: true });
  return {
    expression,
    tree,
    plain: undefined,
    run: (context, environment) => evaluate(tree, worldOf(context, environment)),
    trace: (context, environment) => traced(expression, tree, worldOf(context, environment)),
  };
}

function traced(expression: string, tree: Path['tree'], world: World): Trace {
  const told: TraceStep[] = [];
  try {
    if (tree.kind !== 'path') return { steps: [{ step: expression, items: evaluate(tree, world).length }] };
    let items = evaluateHead(tree.head, world);
    const tell = ({ position, end }: { readonly position: number; readonly end: number }) => {
      const text = expression.slice(position, end);
      const step = text.startsWith('%') ? (resourceTypeOf(items[0]?.value) ?? text) : text;
      told.push({ step, items: items.length });
    };
    if (tree.head.kind !== 'context') tell(tree.head);
    for (const [index, step] of tree.steps.entries()) {
      if (items.length === 0 && told.length > 0) break;
      items = evaluateStep(tree, index, items, world);
      tell(step);
    }
    return { steps: told };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { steps: told, failed: error.message };
  }
}

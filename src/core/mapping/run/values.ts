import type { Environment, Items } from '../../fhirpath/environment.ts';
import type { MappingInput } from '../input.ts';
import type { PartPlan, Plan } from '../plan/plan.ts';
import { environmentOf } from './environment.ts';
import { forgetStart } from './find-leaf.ts';
import { compileFields, compilePart } from './find-part.ts';
import { PartValue, type Value } from './value.ts';

export interface FoundValues {
  readonly input: MappingInput;
  readonly environment: Environment;
  readonly values: PartValue;
}

/** The values that the rules find in each of several charts, in order. */
export function valuesOf({ body }: Plan, inputs: readonly MappingInput[]): FoundValues[] {
  const charts = inputs.map((input) => ({ input, environment: input.environment ?? environmentOf(input) }));
  const found = finderOf(body)(charts);
  forgetStart();
  return found;
}

type FindBodies = (charts: readonly Omit<FoundValues, 'values'>[]) => FoundValues[];

const finders = new WeakMap<PartPlan, FindBodies>();

// Compiled at the first run, because most of the loaded mappings are never run.
function finderOf(body: PartPlan): FindBodies {
  const known = finders.get(body);
  if (known !== undefined) return known;
  const finder = body.optional ? oneByOne(body) : fieldByField(body);
  finders.set(body, finder);
  return finder;
}

const nothing: Items = [];

// Whether an optional body is left out depends on all of its fields, so it is filled as a whole.
function oneByOne(body: PartPlan): FindBodies {
  const find = compilePart(body);
  return (charts) =>
    charts.map(({ input, environment }) => {
      const values = find(nothing, environment, { hasRead: false, hasMissed: false });
      return { input, environment, values: values ?? new PartValue(body, []) };
    });
}

/**
 * Runs each field for all charts before the next field, so that the code of the field stays in the processor's caches.
 */
function fieldByField(body: PartPlan): FindBodies {
  const fields = compileFields(body);
  return (charts) => {
    const begun = charts.map((chart) => ({ chart, values: new Array<Value | undefined>(fields.length) }));
    for (const [at, find] of fields.entries())
      for (const { chart, values } of begun) values[at] = find(nothing, chart.environment);
    return begun.map(({ chart: { input, environment }, values }) => ({
      input,
      environment,
      values: new PartValue(body, values),
    }));
  };
}

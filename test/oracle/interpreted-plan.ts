import type { PartPlan, PlacePlan, Plan } from '../../src/core/mapping/plan/plan.ts';
import { interpretedPath } from './interpreted-path.ts';

/** The same plan with every path interpreted. */
export function interpretedPlan(plan: Plan): Plan {
  return { ...plan, body: interpretedPart(plan.body) };
}

function interpretedPart(plan: PartPlan): PartPlan {
  return { ...plan, fields: plan.fields.map(interpretedPlace) };
}

function interpretedPlace(plan: PlacePlan): PlacePlan {
  switch (plan.kind) {
    case 'part':
      return interpretedPart(plan);
    case 'list':
      return {
        ...plan,
        sources: plan.sources.map((source) => ({
          ...source,
          path: interpretedPath(source.path.expression),
          item: interpretedPlace(source.item),
        })),
      };
    case 'read':
      return {
        ...plan,
        sources: plan.sources.map((source) => ({ ...source, path: interpretedPath(source.path.expression) })),
      };
    case 'constant':
      return plan;
  }
}

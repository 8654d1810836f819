import type { Gap, Look, MappingResult, Provenance } from './result.ts';
import { parseTarget, valueAt } from './target.ts';

/** `Coverage (2) > class (3) > where(…) (0)`, and why found values were not taken. */
export function formatLook(look: Look): string {
  const steps = look.steps.length === 0 ? look.expression : look.steps.map(({ step, items }) => `${step} (${items})`).join(' > ');
  return look.refused === undefined ? steps : `${steps}: ${look.refused}`;
}

import type { Resource } from 'fhir/r4.js';

/**
 * Whether a resource says that it has ended: nothing is asked for such an order, so the rest of its chart is not read.
 */
export function hasEnded(resource: Resource): boolean {
  return ended.has(Reflect.get(resource, 'status'));
}

const ended: ReadonlySet<unknown> = new Set(['cancelled', 'completed', 'entered-in-error', 'stopped']);

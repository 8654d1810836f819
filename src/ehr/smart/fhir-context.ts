import { nameAt } from '../../core/fhir/address.ts';
import { isObject } from '../../core/fhir/is-object.ts';

/** A Task in `fhirContext`, named by its reference or only by an identifier. */
export type NamedTask =
  | { readonly reference: string }
  | { readonly identifier: { readonly system: string; readonly value: string } };

export interface ContextNames {
  /** `MedicationRequest/9`, in the EHR's order. Their patient is checked when they are read. */
  readonly orders: readonly string[];
  readonly tasks: readonly NamedTask[];
}

const mostItems = 50;

/**
 * Returns the orders and Tasks in a launch's `fhirContext`. Items of another form, with a role other than `launch`, or
 * at another server are ignored.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html#fhircontext-exp
 */
export function contextNames(fhirContext: unknown, iss: string): ContextNames {
  const items = (Array.isArray(fhirContext) ? fhirContext : []).slice(0, mostItems).filter(isOfLaunch);
  const references = items.flatMap((item) => referenceIn(item, iss) ?? []);
  const tasks = items.flatMap((item) => taskIn(item, referenceIn(item, iss)) ?? []);
  return {
    orders: [...new Set(references.filter((reference) => /^MedicationRequest\//.test(reference)))],
    tasks: tasks.filter((one, index) => tasks.findIndex((other) => keyOf(other) === keyOf(one)) === index),
  };
}

// In SMART 1 items are plain strings.
function isOfLaunch(item: unknown): boolean {
  return typeof item === 'string' || (isObject(item) && (item.role === undefined || item.role === 'launch'));
}

function referenceIn(item: unknown, iss: string): string | undefined {
  const stated = isObject(item) ? item.reference : item;
  if (typeof stated !== 'string') return undefined;
  return /^(?:MedicationRequest|Task)\/[A-Za-z0-9.-]{1,64}$/.exec(nameAt(iss, stated) ?? '')?.[0];
}

function taskIn(item: unknown, reference: string | undefined): NamedTask | undefined {
  if (reference !== undefined) return reference.startsWith('Task/') ? { reference } : undefined;
  if (!isObject(item) || item.type !== 'Task' || !isObject(item.identifier)) return undefined;
  const { system, value } = item.identifier;
  return typeof system === 'string' && typeof value === 'string' && system.length + value.length <= 1000
    ? { identifier: { system, value } }
    : undefined;
}

function keyOf(task: NamedTask): string {
  return 'reference' in task ? task.reference : `${task.identifier.system}|${task.identifier.value}`;
}

import type { DocumentReference, Extension, Task } from 'fhir/r4.js';
import type { Takes } from '../../config/presets/preset.ts';
import { systems } from '../../core/fhir/codes/systems.ts';
import type { Identifier } from './common.ts';
import type { DocumentReferenceShape, TaskShape } from './shapes.ts';

/**
 * Returns the text that takes the place of an identifier, in EHRs that store no identifiers. Only the bridge writes it.
 */
export function markOf({ value }: Identifier): string {
  return `(${value})`;
}

/** Returns the Task in the form that this EHR accepts. Values whose elements the EHR lacks go into the description. */
export function taskTaken(task: TaskShape, identifier: Identifier, takes: Takes['task'] | undefined): Task {
  if (takes === undefined) return task;
  const { businessStatus, statusReason, requester } = task;
  const said = [businessStatus.text, statusReason?.text].filter((text) => text !== undefined);
  const whole: Task = {
    ...task,
    status: takes.statuses[task.status] ?? task.status,
    intent: takes.intent,
    description: `${task.description}: ${[...new Set(said)].join('. ')} ${markOf(identifier)}`,
    ...(requester === undefined ? {} : { requester: { reference: requester.reference } }),
  };
  return only(whole, takes.only);
}

/**
 * Returns the document in the form that this EHR accepts. The EHR has one title per type, so the bridge's title goes
 * into the comment. `reviewer`: the person who is asked to review the document.
 */
export function documentTaken(
  document: DocumentReferenceShape,
  identifier: Identifier,
  reviewer: string | undefined,
  takes: Takes['document'] | undefined,
): DocumentReference {
  if (takes === undefined) return document;
  const extension: Extension[] = [
    { url: `${takes.extensions}comment`, valueString: `${document.description} ${markOf(identifier)}` },
    { url: `${takes.extensions}clinical-date`, valueDate: document.date.slice(0, 10) },
    { url: `${takes.extensions}review-mode`, valueCode: 'RN' },
    ...(reviewer === undefined
      ? []
      : [{ url: `${takes.extensions}reviewer`, valueReference: { reference: reviewer, type: 'Practitioner' } }]),
    { url: `${takes.extensions}requires-signature`, valueBoolean: false },
  ];
  const whole: DocumentReference = {
    ...document,
    extension,
    type: { coding: [{ system: systems.loinc, code: takes.type.code }] },
    category: [{ coding: [takes.category] }],
    description: takes.type.title,
  };
  return only(whole, takes.only);
}

function only<T extends object>(resource: T, names: readonly string[]): T {
  const kept = Object.entries(resource).filter(([name]) => names.includes(name));
  return Object.fromEntries(kept) as T; // the same type with fewer members
}

import { z } from 'zod';

/**
 * The elements of FHIR R4's Task and DocumentReference that the bridge writes, as strict objects. The mappings `task`
 * and `document-reference` must state every key, and the bridge sends no other key.
 */

const text = z.string().min(1);
/** Relative to the EHR's FHIR base, such as `MedicationRequest/9`. */
const reference = z.string().regex(/^[A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}$/, 'a relative FHIR reference');
const instant = z.iso.datetime({ offset: true });

const Identifier = z.strictObject({ system: text, value: text });
const Coding = z.strictObject({ system: text, code: text, display: text.optional() });
const Reference = z.strictObject({ reference });
const Coded = z.strictObject({ coding: z.array(Coding).min(1), text });

/** The Task.status values that the bridge uses (required binding in R4). */
export const taskStatuses = [
  'requested',
  'received',
  'rejected',
  'in-progress',
  'on-hold',
  'completed',
  'failed',
  'cancelled',
] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Task.status values after which the bridge does not make a Task unfinished again. */
export const finishedTaskStatuses: ReadonlySet<string> = new Set([
  'completed',
  'failed',
  'rejected',
  'cancelled',
  'entered-in-error',
]);

export const TaskShape = z.strictObject({
  resourceType: z.literal('Task'),
  /** `<bridge>/fhir/ns/case|<case id>`, by which the case's Task is found, and the id at the service. */
  identifier: z.array(Identifier).min(1),
  basedOn: z.array(Reference).optional(),
  /** The Task that this Task replaces, if the EHR does not let the bridge update it. */
  partOf: z.array(Reference).optional(),
  status: z.enum(taskStatuses),
  statusReason: z.strictObject({ text }).optional(),
  businessStatus: z.strictObject({ coding: z.array(Coding).min(1).optional(), text }),
  intent: z.literal('order'),
  code: Coded,
  description: text,
  focus: Reference.optional(),
  for: Reference,
  encounter: Reference.optional(),
  authoredOn: instant,
  /** Never before `authoredOn` (inv-1). */
  lastModified: instant,
  requester: z.strictObject({ reference, display: text.optional() }).optional(),
  owner: z.strictObject({ display: text }),
  insurance: z.array(Reference).optional(),
  output: z
    .array(
      z.strictObject({
        type: z.strictObject({ text }),
        valueCodeableConcept: z.strictObject({ coding: z.array(Coding).min(1).optional(), text }).optional(),
        valueString: text.optional(),
        valueDate: z.iso.date().optional(),
        valueReference: Reference.optional(),
      }),
    )
    .optional(),
});
export type TaskShape = z.infer<typeof TaskShape>;
export type TaskOutput = NonNullable<TaskShape['output']>[number];

export const DocumentReferenceShape = z.strictObject({
  resourceType: z.literal('DocumentReference'),
  /** The first identifier is of this version of the letter, the second of the case. */
  identifier: z.array(Identifier).min(1),
  status: z.literal('current'),
  docStatus: z.literal('final'),
  type: Coded,
  category: z.array(z.strictObject({ coding: z.array(Coding).min(1) })).min(1),
  subject: Reference,
  date: instant,
  author: z.array(z.strictObject({ reference: reference.optional(), display: text.optional() })).min(1),
  relatesTo: z.array(z.strictObject({ code: z.literal('replaces'), target: Reference })).optional(),
  description: text,
  content: z
    .array(
      z.strictObject({
        attachment: z.strictObject({
          contentType: text,
          data: z.base64().min(1),
          size: z.int().positive(),
          /** SHA-1 of the bytes in base64, as R4 defines it. */
          hash: z.base64().min(1),
          title: text,
          creation: instant,
        }),
        format: Coding,
      }),
    )
    .length(1),
  context: z.strictObject({
    encounter: z.array(Reference).optional(),
    period: z.strictObject({ start: instant, end: instant }),
    related: z.array(Reference).optional(),
  }),
});
export type DocumentReferenceShape = z.infer<typeof DocumentReferenceShape>;
export type DocumentContent = DocumentReferenceShape['content'][number];
export type Category = DocumentReferenceShape['category'][number];
export type RelatesTo = NonNullable<DocumentReferenceShape['relatesTo']>[number];

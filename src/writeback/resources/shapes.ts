import { z } from 'zod';

/**
 * The part of FHIR R4's Task and DocumentReference that the bridge writes, strictly: the mappings `task` and
 * `document-reference` must state every key here, and the bridge sends no other key.
 */

const text = z.string().min(1);
/** `MedicationRequest/9`, relative to the EHR's FHIR base. */
const reference = z.string().regex(/^[A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}$/, 'a relative FHIR reference');
const instant = z.iso.datetime({ offset: true });

const Identifier = z.strictObject({ system: text, value: text });
const Coding = z.strictObject({ system: text, code: text, display: text.optional() });
const Reference = z.strictObject({ reference });
const Coded = z.strictObject({ coding: z.array(Coding).min(1), text });

/** The Task.status values (required binding of R4) that the bridge uses. */
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

/** Task.status values after which the bridge never returns to an unfinished one. */
export const finishedTaskStatuses: ReadonlySet<string> = new Set([
  'completed',
  'failed',
  'rejected',
  'cancelled',
  'entered-in-error',
]);

export const TaskShape = z.strictObject({
  resourceType: z.literal('Task'),
  /**
   * `<bridge>/fhir/ns/case|<case id>`: one Task per case, which is found by this identifier; and the id at the service.
   */
  identifier: z.array(Identifier).min(1),
  basedOn: z.array(Reference).optional(),
  /** The Task that this one replaces, if the EHR does not allow it to be updated. */
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
  /** Not before `authoredOn` (inv-1). */
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
  /** One per version of the letter; the second identifies the case. */
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

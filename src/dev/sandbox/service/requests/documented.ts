import { z } from 'zod';
import { datetime, object, PartialAddress, patient, provider, shared, text } from './body-parts.ts';

/** `POST /prior-authorization` in the profile `documented`, section 4.1 of the interface document. */
export const DocumentedCreateBody = z.strictObject({
  ...shared,
  is_training_data: z.boolean().optional(),
  evidence: z.array(z.strictObject({ title: text, date_created: datetime, content: object })).optional(),
  patient: z.strictObject(patient),
  prescription: z.strictObject({
    drug_name: text,
    strength: text,
    dose_form: text,
    route_of_administration: text,
    quantity: z.number().positive(),
    days_supply: z.int().positive().optional(),
    directions: text,
    dispense_unit: text,
    extra: object.optional(),
    prescription_date: datetime.optional(),
  }),
  provider: z.strictObject({ ...provider, address: PartialAddress.optional() }),
});
export type DocumentedCreateBody = z.infer<typeof DocumentedCreateBody>;

export const DocumentedCancelBody = z.strictObject({ cancellation_reason: text.optional() });

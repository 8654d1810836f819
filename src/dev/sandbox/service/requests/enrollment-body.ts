import { z } from 'zod';
import { Address, date, datetime, object, optional, text } from './body-parts.ts';

/** `POST /patient-enrollment`, section 4.4 of the interface document. */

const Asset = z.strictObject({ name: optional, type: text, url: z.url() });

export const EnrollmentBody = z.strictObject({
  programId: text,
  patient: z.strictObject({
    first_name: text,
    last_name: text,
    date_of_birth: date,
    address: Address,
    email: z.email().optional(),
    phone: optional,
    insurance_details: z
      .strictObject({
        data: z
          .strictObject({
            group_number: optional,
            payer: optional,
            membership_number: optional,
            rx_bin: optional,
            rx_group: optional,
          })
          .optional(),
        assets: z.array(Asset).optional(),
      })
      .optional(),
    metadata: z.strictObject({ patient_id: optional }).optional(),
  }),
  prescription: z
    .strictObject({ drug_name: optional, dosage: optional, directions: optional, extra: object.optional() })
    .optional(),
  evidence: z
    .array(z.strictObject({ type: text, date_created: datetime, content: object, assets: z.array(Asset).optional() }))
    .optional(),
  metadata: z.strictObject({ enrollment_id: optional }).optional(),
});
export type EnrollmentBody = z.infer<typeof EnrollmentBody>;

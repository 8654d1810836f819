import { z } from 'zod';
import { loose, looseText } from './open-contract.ts';
import { Address, date, datetime, json, rxBin, strength, text } from './parts.ts';

/** `POST /patient-enrollment` (4.4), in both profiles. */

export const EnrollmentAsset = z.strictObject({ name: text.optional(), type: text, url: z.url() });

export const EnrollmentPlan = z.strictObject({
  group_number: text.optional(),
  payer: text.optional(),
  membership_number: text.optional(),
  rx_bin: rxBin.optional(),
  rx_group: text.optional(),
});

export const enrollmentDrug = { drug_name: text, dosage: strength };

export const CreateEnrollmentRequest = z.strictObject({
  programId: text,
  patient: z.strictObject({
    first_name: text,
    last_name: text,
    date_of_birth: date,
    address: Address,
    email: z.email().optional(),
    phone: text.optional(),
    insurance_details: z
      .strictObject({
        data: EnrollmentPlan.optional(),
        assets: z.array(EnrollmentAsset).optional(),
      })
      .optional(),
    metadata: z.strictObject({ patient_id: text }).optional(),
  }),
  prescription: z.strictObject({ ...enrollmentDrug, directions: text, extra: json.optional() }).optional(),
  evidence: z
    .array(
      z.strictObject({
        type: text,
        date_created: datetime,
        content: json,
        assets: z.array(EnrollmentAsset).optional(),
      }),
    )
    .optional(),
  metadata: z.strictObject({ enrollment_id: text }).optional(),
});
export type CreateEnrollmentRequest = z.infer<typeof CreateEnrollmentRequest>;

/** The response to an enrollment. Its shape is not published; an id is kept when there is one. */
export const EnrollmentConfirmation = loose({ id: looseText }).optional();
export type EnrollmentConfirmation = z.infer<typeof EnrollmentConfirmation>;

import { z } from 'zod';
import {
  base64,
  datetime,
  InsuranceContent,
  icd10cm,
  json,
  RequestPatient,
  RequestPharmacy,
  RequestProvider,
  strength,
  text,
  withInsurance,
} from './parts.ts';

/** What the profile `documented` sends; section numbers refer to the service's interface document. */

export const documentedDrug = { drug_name: text, strength, dose_form: text };

export const RequestPrescription = z.strictObject({
  ...documentedDrug,
  route_of_administration: text,
  quantity: z.number().positive(),
  days_supply: z.int().positive().optional(),
  directions: text,
  dispense_unit: text,
  extra: json.optional(),
  prescription_date: datetime.optional(),
});

export const RequestEvidence = z.strictObject({ title: text, date_created: datetime, content: json });

/** `POST /prior-authorization` (4.1) */
export const CreatePriorAuthRequest = withInsurance(
  z.strictObject({
    is_training_data: z.boolean().optional(),
    diagnoses: z.array(z.strictObject({ code: icd10cm })).min(1),
    evidence: z.array(RequestEvidence).optional(),
    patient: RequestPatient,
    insurance: z.array(z.strictObject({ file_content: base64 })).optional(),
    insurance_content: InsuranceContent.optional(),
    prescription: RequestPrescription,
    provider: RequestProvider,
    pharmacy: RequestPharmacy.optional(),
    /** Integer 0 (critical) to 3 (low); only when a person chose it. */
    priority: z.int().min(0).max(3).optional(),
    mock_result: z.unknown().optional(),
  }),
);
export type CreatePriorAuthRequest = z.infer<typeof CreatePriorAuthRequest>;

import { CreateEnrollmentRequest } from '../src/core/contract/enrollment.ts';
import { systems } from '../src/core/fhir/codes/systems.ts';
import { defineMapping } from '../src/core/mapping/words/define.ts';
import { following, from, omit } from '../src/core/mapping/words/rules.ts';
import { drugCode } from './drug-codes.ts';
import { evidence } from './evidence.ts';
import { adviseEnrollment } from './request-warnings.ts';
import { roles } from './roles.ts';
import {
  birthDate,
  directions,
  drugName,
  firstName,
  lastName,
  memberNumber,
  ndc,
  patientAddress,
  payerName,
  recordNumber,
  rxnorm,
  strength,
} from './shared-rules.ts';
import { datetimeValue, email, phone, text } from './value-transforms.ts';

type EvidenceEntry = NonNullable<CreateEnrollmentRequest['evidence']>[number];

const drugLeaves = { name: 'prescription.drug_name', strength: 'prescription.dosage' };

/**
 * Enrolls the patient in a support program (service interface, 4.4). Consent is part of the case, not of the body.
 *
 * @example const result = runMapping(enrollment, chart);
 */
export const enrollment = defineMapping(
  'enrollment',
  // The contract allows an enrollment without a prescription, but one that is made from an order must have it.
  CreateEnrollmentRequest.required({ prescription: true }),
  {
    programId: from('%program.programId'),
    patient: {
      first_name: firstName,
      last_name: lastName,
      date_of_birth: birthDate,
      address: patientAddress(),
      email: from(email, "%contact.where(system = 'email').value"),
      phone: from(phone, "%contact.where(system = 'phone').value"),
      insurance_details: {
        data: {
          group_number: from(text, '%group.value'),
          payer: payerName,
          membership_number: memberNumber,
          rx_bin: from(text, '%rxBin.value'),
          rx_group: from(text, '%rxGroup.value'),
        },
        assets: omit('assets are links here; the bridge publishes no patient file'),
      },
      metadata: { patient_id: recordNumber },
    },
    prescription: {
      drug_name: drugName,
      dosage: strength,
      directions,
      extra: {
        rxnorm: following(drugCode(systems.rxnorm, drugLeaves), rxnorm),
        ndc: following(drugCode(systems.ndc, drugLeaves), ndc),
        submission_id: from('%submission.id'),
      },
    },
    evidence: evidence<EvidenceEntry>((content) => ({
      type: from(text, 'type'),
      date_created: from(datetimeValue, 'date'),
      content,
      assets: omit('assets are links here; the bridge publishes no patient file'),
    })),
    metadata: { enrollment_id: from('%submission.id') },
  },
  { advise: adviseEnrollment, roles },
);

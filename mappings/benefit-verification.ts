import { CreateBenefitVerificationRequest } from '../src/core/contract/benefit-verification.ts';
import { defineMapping } from '../src/core/mapping/words/define.ts';
import { omit, single } from '../src/core/mapping/words/rules.ts';
import { adviseBenefits } from './request-warnings.ts';
import { roles } from './roles.ts';
import {
  address,
  cards,
  diagnoses,
  dispensed,
  drugName,
  insuranceContent,
  patient,
  provider,
  strength,
} from './shared-rules.ts';

/**
 * A benefit verification of a plan for the ordered drug, from the same chart and parts as a prior authorization. The
 * service's interface document does not define it, so it is sent only in the profile `current`.
 *
 * @example const result = runMapping(benefitVerification, chart);
 */
export const benefitVerification = defineMapping(
  'benefit-verification',
  CreateBenefitVerificationRequest,
  {
    priority: omit('sent only when a person chooses it'),
    replaces: omit('sent only when a person names the cancelled verification that this one stands in place of'),
    drugs: single('%order', { name: drugName, dosage: strength, quantity: dispensed }),
    drug_history: omit('the plan is asked about one drug; what else the patient takes is not told without need'),
    diagnoses,
    patient: patient(),
    provider: { ...provider(), address: address('%prescriberAddress', '%prescriberCountry') },
    insurance: cards,
    insurance_content: insuranceContent(),
    entity: omit('the service knows the practice by its token'),
    mock_result: omit('only for the service’s sandbox'),
    use_patient_plan_fund_source_check: omit('sent only when a person chooses it'),
  },
  { advise: adviseBenefits, roles },
);

import { leavesOf } from '../mapping/schema.ts';
import { verifiedDrug } from './benefit-verification.ts';
import { codedDrug, currentDrug } from './current.ts';
import { documentedDrug } from './documented.ts';
import { EnrollmentPlan, enrollmentDrug } from './enrollment.ts';
import { InsuranceContent, RequestPharmacy } from './parts.ts';

/** Leaves that change together, of every contract: no request may have some of one pharmacy and some of another. */

export const pharmacyTargets: readonly string[] = leavesOf(RequestPharmacy, 'pharmacy');

/** What belongs to one coverage of the patient. */
export const coverageTargets: readonly string[] = [
  ...leavesOf(InsuranceContent, 'insurance_content'),
  ...leavesOf(EnrollmentPlan, 'patient.insurance_details.data'),
];

const drugWords = { ...documentedDrug, ...currentDrug, ...enrollmentDrug };

/** What names the drug, in the order in which it is said. */
export const drugTargets: readonly string[] = [
  ...Object.keys(drugWords).map((key) => `prescription.${key}`),
  ...Object.keys(verifiedDrug).map((key) => `drugs[0].${key}`),
  // the words for a drug that goes by its code
  ...['prescription.extra.drug_name', 'prescription.extra.strength'],
  ...Object.keys(codedDrug).map((key) => `prescription.${key}`),
];

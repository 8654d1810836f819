import { leavesOf } from '../mapping/schema.ts';
import { verifiedDrug } from './benefit-verification.ts';
import { codedDrug, currentDrug } from './current.ts';
import { documentedDrug } from './documented.ts';
import { EnrollmentPlan, enrollmentDrug } from './enrollment.ts';
import { InsuranceContent, RequestPharmacy, type RequestProvider } from './parts.ts';

/** Leaves that change together, in every contract: a request must not mix the fields of two pharmacies. */

export const pharmacyTargets: readonly string[] = leavesOf(RequestPharmacy, 'pharmacy');

export const coverageTargets: readonly string[] = [
  ...leavesOf(InsuranceContent, 'insurance_content'),
  ...leavesOf(EnrollmentPlan, 'patient.insurance_details.data'),
];

const drugWords = { ...documentedDrug, ...currentDrug, ...enrollmentDrug };

/** The fields that identify the drug, in the order in which they are shown. */
export const drugTargets: readonly string[] = [
  ...Object.keys(drugWords).map((key) => `prescription.${key}`),
  ...Object.keys(verifiedDrug).map((key) => `drugs[0].${key}`),
  // the name and strength beside the code of a coded drug
  ...['prescription.extra.drug_name', 'prescription.extra.strength'],
  ...Object.keys(codedDrug).map((key) => `prescription.${key}`),
];

/** The fields that name the drug; without those of its strength and form. */
export const drugNameTargets: readonly string[] = drugTargets.filter(
  (target) => !/\.(strength|dosage|dose_form)$/.test(target),
);

/** The fields that tell one prescriber from another. */
export const prescriberTargets: readonly string[] = (
  ['npi', 'last_name'] as const satisfies readonly ProviderField[]
).map((field) => `provider.${field}`);

type ProviderField = keyof typeof RequestProvider.shape;

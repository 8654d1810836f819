import { type From, firstOf, from, type Rules } from '../src/mapping/words/rules.ts';
import type { CreatePriorAuthRequest } from '../src/service/contract.ts';
import {
  country,
  furtherLines,
  identifier,
  ingredientStrength,
  ndc11,
  rxnormDrug,
  rxnormStrength,
  singleRxNorm,
  state,
  text,
} from './values.ts';

/** Reusable parts: rules that several bodies share. */

type PatientAddress = CreatePriorAuthRequest['patient']['address'];

/** An address from one FHIR Address; the country is the site's when the chart names none. */
export function address(role: string): Rules<PatientAddress> {
  return {
    street: from(text, `${role}.line[0]`),
    street_line_2: from(furtherLines, `${role}.where(line[1].exists())`),
    city: from(text, `${role}.city`),
    state_province: from(state, `${role}.state`),
    zip_postal_code: from(identifier, `${role}.postalCode`),
    country: from(country, `${role}.country`, '%site.country'),
  };
}

/** The name of what was ordered: as RxNorm names it, else as the chart names it. */
export const drugName: From<string> = firstOf(
  from(
    rxnormDrug,
    '%drug.coding.where(system = %rxnorm).display',
    '%drug.text',
    '%order.medication.ofType(Reference).display',
  ),
  from(text, '%drug.text', '%drug.coding.display', '%order.medication.ofType(Reference).display'),
);

/** Strength: structured first, then the RxNorm name. */
export const strength: From<string> = firstOf(
  from(ingredientStrength, '%medication.where(ingredient.exists())'),
  from(
    rxnormStrength,
    '%drug.coding.where(system = %rxnorm).display',
    '%drug.text',
    '%order.medication.ofType(Reference).display',
  ),
);

/** The codes of what was ordered. They follow the words for it: a person who orders another drug on the page changes those. */
export const rxnorm: From<string> = from(singleRxNorm, '%drug.where(coding.where(system = %rxnorm).exists())');
export const ndc: From<string> = from(ndc11, '%drug.coding.where(system = %ndc).code');

/** What the patient is told: all instructions in their sequence. */
export const directions: From<string> = from(text, '%sig.patientInstruction', '%sig.text');

/** The practice's own number of the patient: by the site's system, by type MR, else the FHIR id. */
export const recordNumber: From<string> = from(
  identifier,
  "%patient.identifier.where(system = %site.mrnSystem and use.where($this = 'old').empty()).value",
  "%patient.identifier.where(type.coding.exists(code = 'MR') and use.where($this = 'old').empty()).value",
  '%patient.id',
);

/** A value of `Coverage.class` by its code, whatever the code's system. */
export function coverageClass(code: string, element: 'value' | 'name' = 'value'): string {
  return `%coverage.class.where(type.coding.exists(code = '${code}')).${element}`;
}

export const memberNumber: From<string> = from(
  identifier,
  "%coverage.identifier.where(type.coding.exists(code = 'MB')).value",
  '%coverage.subscriberId',
);
export const payerName: From<string> = from(text, '%payer.name', '%coverage.payor.display');

import { type Each, each, type From, from, omit, type Rules } from '../src/mapping/words/rules.ts';
import type { CreatePriorAuthRequest } from '../src/service/contract/documented.ts';
import { gender } from './tables.ts';
import {
  base64,
  country,
  email,
  familyName,
  fullDate,
  furtherLines,
  icd10,
  identifier,
  npi,
  phone,
  postalCode,
  quantity,
  singleNdc,
  singleRxNorm,
  state,
  statedStrength,
  text,
} from './values.ts';

/** Reusable parts: rules that several bodies share. */

type PatientAddress = CreatePriorAuthRequest['patient']['address'];

/**
 * An address from one FHIR Address. `country` is the role of the country to send when the chart names none.
 * @example address('%address', '%addressCountry')
 */
export function address(role: string, countryRole: string): Rules<PatientAddress> {
  return {
    street: from(text, `${role}.line[0]`),
    street_line_2: from(furtherLines, role),
    city: from(text, `${role}.city`),
    state_province: from(state, `${role}.state`),
    zip_postal_code: from(postalCode, `${role}.postalCode`),
    country: from(country, `${role}.country`, countryRole),
  };
}

/**
 * The first given name that says something: `NA` before `Ada` is none.
 * @example givenName('%name')
 */
export function givenName(role: string): From<string> {
  return from(text, `${role}.given.first()`, `${role}.given.tail()`);
}

/**
 * The name of what was ordered, from sources that agree: the RxNorm name's words before others. The brand in brackets,
 * else the ingredient, and the kind of release behind it: `Xeljanz`, `upadacitinib Extended Release`.
 */
export const drugName: From<string> = from(
  text,
  "%drug.where(source = 'rxnorm').name",
  "%drug.where(source != 'structure').name",
);

/**
 * Strength, from sources that agree; one that the chart states is sent before one that is computed (`statedStrength`),
 * and the sum before the salts that it is of: `20 mg` of Adderall. In the words of its source: `15 MG` of an RxNorm
 * name, `15 mg` of a text. Of several ingredients each is beside its name, in the order of the text: `sitagliptin 50 MG
 * / metformin hydrochloride 1000 MG`.
 */
export const strength: From<string> = from(
  statedStrength,
  "%drug.where(strength.exists() and isDerived = false and isInSalts = false and source != 'text')",
  '%drug.where(strength.exists() and isDerived = false and isInSalts = false)',
  '%drug.where(strength.exists() and isDerived = false)',
  '%drug.where(strength.exists() or refused.exists())',
);

/**
 * The codes of what was ordered. They follow the words for it: a person who orders another drug on the page changes
 * those, and the codes fall. While the words are only asked, codes that agree stay.
 */
export const rxnorm: From<string> = from(singleRxNorm, '%drugConcept.where(coding.where(system = %rxnorm).exists())');
export const ndc: From<string> = from(singleNdc, '%drugConcept.where(coding.where(system = %ndc).exists())');

/** What the patient is told: all instructions in their sequence. */
export const directions: From<string> = from(text, '%directions');

/** The practice's own number of the patient: by the site's system, by type MR, else the FHIR id. */
export const recordNumber: From<string> = from(identifier, '%recordNumber.value', '%patient.id');

/** Of a prior authorization and a benefit verification alike: each an ICD-10-CM code. */
export const diagnoses: Each<{ code: string }> = each('%diagnosis', {
  code: from(icd10, 'coding.where(system = %icd10).code'),
});

/** The patient as a prior authorization and a benefit verification name one. */
export function patient(): Rules<CreatePriorAuthRequest['patient']> {
  return {
    first_name: givenName('%name'),
    last_name: from(familyName, '%name.family'),
    internal_id: recordNumber,
    date_of_birth: from(fullDate, '%patient.birthDate'),
    email: from(email, "%contact.where(system = 'email').value"),
    phone: from(phone, "%contact.where(system = 'phone').value"),
    // without one `not_specified` is sent, and nothing asks
    gender: from(gender, '%patient.gender', "'unknown'"),
    address: address('%address', '%addressCountry'),
  };
}

/** The prescriber, alike. */
export function provider(): Rules<CreatePriorAuthRequest['provider']> {
  return {
    first_name: givenName('%prescriberName'),
    last_name: from(familyName, '%prescriberName.family'),
    npi: from(npi, '%prescriberNpi.value'),
    internal_id: from(text, '%prescriber.id'),
    phone: from(phone, "%prescriberContact.where(system = 'phone').value"),
    fax: from(phone, "%prescriberContact.where(system = 'fax').value", '%site.fax'),
    address: address('%prescriberAddress', '%prescriberCountry'),
  };
}

/** Images of the insurance card. */
export const cards: Each<{ file_content: string }> = each('%card', { file_content: from(base64, 'data') });

/** What the chart says of the plan. */
export function insuranceContent(): Rules<NonNullable<CreatePriorAuthRequest['insurance_content']>> {
  return {
    client_name: from(text, '%coverage.policyHolder.resolve().ofType(Organization).name'),
    group_number: from(text, '%group.value'),
    member_name: omit('FHIR Coverage names no member; the patient’s name is sent under patient'),
    member_number: memberNumber,
    payer_name: payerName,
    plan_name: from(text, '%plan.name', '%plan.value'),
    rx_bin: from(text, '%rxBin.value'),
    rx_group: from(text, '%rxGroup.value'),
    rx_pcn: from(text, '%rxPcn.value'),
  };
}

/** How much is dispensed. */
export const dispensed: From<number> = from(quantity, '%supply.quantity.where(comparator.empty()).value');

export const memberNumber: From<string> = from(identifier, '%cardNumber.value', '%coverage.subscriberId');
export const payerName: From<string> = from(text, '%payer.name', '%payor.display');

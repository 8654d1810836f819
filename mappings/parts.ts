import { type From, from, type Rules } from '../src/mapping/words/rules.ts';
import type { CreatePriorAuthRequest } from '../src/service/contract.ts';
import {
  country,
  furtherLines,
  identifier,
  postalCode,
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
    street_line_2: from(furtherLines, `${role}.where(line[1].exists())`),
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
 * Strength, from sources that agree; one that the chart states is sent before one that is computed (`statedStrength`).
 * In the words of its source: `15 MG` of an RxNorm name, `15 mg` of a text.
 */
export const strength: From<string> = from(
  statedStrength,
  "%drug.where(strength.exists() and isDerived = false and source != 'text')",
  '%drug.where(strength.exists() and isDerived = false)',
  '%drug.where(strength.exists() or note.exists())',
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

export const memberNumber: From<string> = from(identifier, '%cardNumber.value', '%coverage.subscriberId');
export const payerName: From<string> = from(text, '%payer.name', '%payor.display');

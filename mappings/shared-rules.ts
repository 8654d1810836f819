import type { z } from 'zod';
import type { InsuranceContent, RequestPatient, RequestProvider } from '../src/core/contract/parts.ts';
import {
  type Beside,
  type Each,
  each,
  type From,
  from,
  offering,
  omit,
  type Rules,
  type Transform,
} from '../src/core/mapping/words/rules.ts';
import { gender } from './tables.ts';
import {
  cityOf,
  countryOf,
  dayOf,
  familyOf,
  givenOf,
  planNumber,
  stateOf,
  streetOf,
  zipOf,
} from './uncertain-values.ts';
import {
  base64Value,
  city,
  country,
  email,
  familyName,
  fullDate,
  furtherLines,
  icd10,
  identifier,
  npiValue,
  personName,
  phone,
  postalCode,
  quantity,
  singleNdc,
  singleRxNorm,
  state,
  statedStrength,
  text,
} from './value-transforms.ts';

type PatientAddress = z.infer<typeof RequestPatient>['address'];

/**
 * An address from one FHIR Address. `country` is the role of the country to send when the chart has none.
 * @example address('%address', '%addressCountry')
 */
export function address(role: string, countryRole: string): Rules<PatientAddress> {
  return {
    street: from(text, `${role}.line[0]`),
    street_line_2: from(furtherLines, role),
    city: from(city, `${role}.city`),
    state_province: from(state, `${role}.state`),
    zip_postal_code: from(postalCode, `${role}.postalCode`),
    country: from(country, `${role}.country`, countryRole),
  };
}

/**
 * The patient's address. A request requires it, so an address that is one text, or no longer in use, is offered to a
 * person.
 */
export function patientAddress(): Rules<PatientAddress> {
  const rules = address('%address', '%addressCountry');
  const of = (transform: Transform<string>): Beside => ({
    expression: '%patient.address',
    transform,
    what: 'an address that is one text, or not in use',
  });
  return {
    ...rules,
    street: offering(from(text, '%address.line[0]'), of(streetOf)),
    city: offering(from(city, '%address.city'), of(cityOf)),
    state_province: offering(from(state, '%address.state'), of(stateOf)),
    zip_postal_code: offering(from(postalCode, '%address.postalCode'), of(zipOf)),
    country: offering(from(country, '%address.country', '%addressCountry'), of(countryOf)),
  };
}

function ofName(expression: string, transform: Transform<string>): Beside {
  return { expression, transform, what: 'a name that is one text, or not in use' };
}

// Without the prescriber's record, the order's display is the only name.
function ofPrescriber(transform: Transform<string>): [Beside, Beside] {
  return [
    ofName('%prescriber.name', transform),
    { expression: '%order.requester.display', transform, what: 'the order’s words for its prescriber' },
  ];
}

/**
 * The first given name that is not a placeholder: `Ada` after `NA`.
 * @example givenName('%name')
 */
export function givenName(role: string): From<string> {
  return from(personName, `${role}.given.first()`, `${role}.given.tail()`);
}

// The names of the ingredients, for a Medication without a code.
const ingredients = [
  '%medication.ingredient.item.ofType(CodeableConcept).text',
  '%medication.ingredient.item.ofType(CodeableConcept).coding.display',
  '%medication.ingredient.item.ofType(Reference).display',
  '%medication.ingredient.item.ofType(Reference).resolve().ofType(Medication).code.text',
  '%medication.ingredient.item.ofType(Reference).resolve().ofType(Medication).code.coding.display',
  '%medication.ingredient.item.ofType(Reference).resolve().ofType(Substance).code.text',
  '%medication.ingredient.item.ofType(Reference).resolve().ofType(Substance).code.coding.display',
].join(' | ');

/**
 * The drug name from sources that agree, an RxNorm name first: the brand, or else the ingredient, with the kind of
 * release (`Xeljanz`, `upadacitinib ER`).
 */
export const drugName: From<string> = offering(
  from(
    text,
    "%drug.where(source = 'rxnorm').name",
    "%drug.where(source != 'structure').name",
    "%drug.where(source = 'structure').named",
  ),
  { expression: ingredients, transform: text, what: 'named only among the ingredients' },
);

/**
 * The strength from sources that agree: a stated strength before a computed one (`statedStrength`), and a sum before
 * the strengths of the salts (`20 mg` of Adderall).
 *
 * It is spelled as in its source: `15 MG` in an RxNorm name, `15 mg` in a text. With several ingredients, each strength
 * follows its name: `sitagliptin 50 MG / metformin hydrochloride 1000 MG`.
 */
export const strength: From<string> = from(
  statedStrength,
  "%drug.where(strength.exists() and isDerived = false and isInSalts = false and source != 'text')",
  '%drug.where(strength.exists() and isDerived = false and isInSalts = false)',
  '%drug.where(strength.exists() and isDerived = false)',
  '%drug.where(strength.exists() or refused.exists())',
);

/**
 * The codes of the ordered drug. They are dropped when a person enters another drug on the page, and left out of the
 * draft while a question about the drug's name is open.
 */
export const rxnorm: From<string> = from(singleRxNorm, '%drugConcept.where(coding.where(system = %rxnorm).exists())');
export const ndc: From<string> = from(singleNdc, '%drugConcept.where(coding.where(system = %ndc).exists())');

export const directions: From<string> = offering(
  from(text, '%directions'),
  { expression: '%order.dosageInstruction.text', transform: text, what: 'one of the instructions' },
  {
    expression: '%order.dosageInstruction.additionalInstruction.text',
    transform: text,
    what: 'an additional instruction of the order',
  },
  { expression: '%order.note.text', transform: text, what: 'a note of the order' },
);

/** The practice's record number of the patient: by the site's system, by type MR, else the FHIR id. */
export const recordNumber: From<string> = from(identifier, '%recordNumber.value', '%patient.id');

export const diagnoses: Each<{ code: string }> = each('%diagnosis', {
  code: from(icd10, 'coding.where(system = %icd10).code'),
});

export const firstName: From<string> = offering(givenName('%name'), ofName('%patient.name', givenOf));
export const lastName: From<string> = offering(from(familyName, '%name.family'), ofName('%patient.name', familyOf));
export const birthDate: From<string> = offering(from(fullDate, '%patient.birthDate'), {
  expression: '%patient.birthDate',
  transform: dayOf,
  what: 'the date is written in another way',
});

export function patient(): Rules<z.infer<typeof RequestPatient>> {
  return {
    first_name: firstName,
    last_name: lastName,
    internal_id: recordNumber,
    date_of_birth: birthDate,
    email: from(email, "%contact.where(system = 'email').value"),
    phone: from(phone, "%contact.where(system = 'phone').value"),
    // a missing gender is sent as `not_specified` without a question
    gender: from(gender, '%patient.gender', "'unknown'"),
    address: patientAddress(),
  };
}

export function provider(): Rules<z.infer<typeof RequestProvider>> {
  return {
    first_name: offering(givenName('%prescriberName'), ...ofPrescriber(givenOf)),
    last_name: offering(from(familyName, '%prescriberName.family'), ...ofPrescriber(familyOf)),
    npi: offering(from(npiValue, '%prescriberNpi.value'), {
      expression: '%prescriber.identifier.value',
      transform: npiValue,
      what: 'the prescriber’s record does not say that this number is an NPI',
    }),
    internal_id: from(text, '%prescriber.id'),
    phone: from(phone, "%prescriberContact.where(system = 'phone').value"),
    fax: from(phone, "%prescriberContact.where(system = 'fax').value", '%site.fax'),
    address: address('%prescriberAddress', '%prescriberCountry'),
  };
}

export const cards: Each<{ file_content: string }> = each('%card', { file_content: from(base64Value, 'data') });

export function insuranceContent(): Rules<z.infer<typeof InsuranceContent>> {
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

export const dispensed: From<number> = offering(
  from(quantity, '%supply.quantity.where(comparator.empty()).value'),
  ...otherQuantities(quantity),
);

/** Other quantities of the order. They are only offered to a person, if `transform` accepts them. */
export function otherQuantities(transform: Transform<number>): [Beside, Beside] {
  return [
    {
      expression: '%supply.quantity.where(comparator.exists()).value',
      transform,
      what: 'the order gives a limit, not an amount',
    },
    {
      expression: '%order.dispenseRequest.initialFill.quantity.value',
      transform,
      what: 'the quantity of the first fill',
    },
  ];
}

export const memberNumber: From<string> = offering(from(identifier, '%cardNumber.value', '%coverage.subscriberId'), {
  expression: '%coverage.identifier',
  transform: planNumber,
  what: 'the plan has it as a number of another kind',
});
export const payerName: From<string> = from(text, '%payer.name', '%payor.display');

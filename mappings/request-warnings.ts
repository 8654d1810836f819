import type { CreateBenefitVerificationRequest } from '../src/core/contract/benefit-verification.ts';
import type {
  CreateCodedPriorAuthRequest,
  CreatePriorAuthRequest as CurrentRequest,
} from '../src/core/contract/current.ts';
import type { CreatePriorAuthRequest as DocumentedRequest } from '../src/core/contract/documented.ts';
import type { CreateEnrollmentRequest } from '../src/core/contract/enrollment.ts';
import { dispenseUnits, doseForms, type Route, routes } from '../src/core/contract/lists.ts';
import { routesSaid } from '../src/core/drug/dosage/route-said.ts';
import { isUsPhone } from '../src/core/fhir/us-phone.ts';
import type { Advice, Advising } from '../src/core/mapping/words/define.ts';
import type { DeepPartial } from '../src/core/mapping/words/rules.ts';
import { routeKinds, routesAlike, routesNotOfForm } from './tables/route-kind.ts';
import { routeOfDirections } from './tables.ts';

/**
 * Warnings for values that may be sent but should be checked. A required leaf without a value blocks sending by itself
 * and is not included. `target` is a path in the body, as in provenance.
 */

type Shared = DeepPartial<
  Pick<DocumentedRequest, 'patient' | 'provider' | 'insurance' | 'insurance_content' | 'diagnoses'>
> & { readonly prescription?: { readonly prescription_date?: string | undefined } | undefined };

/** Warnings for a request of the profile `documented`, complete or not. */
export function advisePriorAuth(body: DeepPartial<DocumentedRequest>, advising: Advising): Advice[] {
  return [...advisePeople(body, advising), ...advisePrescription(body), ...adviseRest(body)];
}

/**
 * Warnings for the profile `current`. Its contract already requires the prescription leaves that `documented` only
 * recommends.
 */
export function adviseCurrentPriorAuth(
  body: DeepPartial<CurrentRequest | CreateCodedPriorAuthRequest>,
  advising: Advising,
): Advice[] {
  return [...advisePeople(body, advising), ...adviseRest(body)];
}

function advisePeople({ patient, provider, prescription }: Shared, advising: Advising): Advice[] {
  const advice = [
    ...adviseBirthDate(patient?.date_of_birth, advising),
    ...advisePhone('patient.phone', patient?.phone, patient?.address, advising),
    ...advisePhone('provider.phone', provider?.phone, provider?.address, advising),
    ...advisePhone('provider.fax', provider?.fax, provider?.address, advising),
    ...advisePrescriptionDate(prescription?.prescription_date, advising),
  ];
  if (patient?.phone === undefined)
    advice.push({ target: 'patient.phone', message: 'No phone number: the payer cannot reach the patient.' });
  return advice;
}

function advisePrescription({ prescription }: DeepPartial<DocumentedRequest>): Advice[] {
  const advice: Advice[] = [];
  const say = (target: string, message: string) => advice.push({ target, message });
  if (prescription?.days_supply === undefined)
    say('prescription.days_supply', 'Days supply is missing. Many payers require it.');
  if (prescription?.prescription_date === undefined) say('prescription.prescription_date', 'No prescription date.');
  if (prescription?.quantity !== undefined && !Number.isInteger(prescription.quantity))
    say('prescription.quantity', 'The quantity is not a whole number; the service may round or refuse it.');
  for (const [key, list] of closedListEntries)
    if (isOffList(prescription?.[key], list))
      say(
        `prescription.${key}`,
        `“${prescription?.[key]}” is not a standard ${key.replaceAll('_', ' ')}. ` +
          'Choose one from the list to avoid a delay.',
      );
  if (unitContradictsForm(prescription?.dispense_unit, prescription?.dose_form))
    say('prescription.dispense_unit', 'The dispense unit does not fit the dose form.');
  return [...advice, ...adviseRoute(prescription)];
}

type Prescription = DeepPartial<DocumentedRequest>['prescription'];

// A person may have chosen the wrong route, so it is compared with the directions and the form.
function adviseRoute(prescription: Prescription): Advice[] {
  const { route_of_administration: route, dose_form: form, directions } = prescription ?? {};
  const known = routes.find((one) => one === route);
  if (known === undefined) return [];
  const target = 'prescription.route_of_administration';
  const said = routeInsteadOf(known, directions);
  if (said !== undefined)
    return [{ target, message: `The directions are for another route (${said}). Check which is right.` }];
  const kind = routeKinds[known];
  const isWrong = kind !== undefined && routesNotOfForm[form ?? '']?.includes(kind) === true;
  return isWrong ? [{ target, message: 'The route does not fit the dose form.' }] : [];
}

/** The route that the directions certainly state, if it is not `route`. */
function routeInsteadOf(route: Route, directions: unknown): string | undefined {
  const named = typeof directions === 'string' ? routesSaid(directions) : [];
  const isNamed = (one: string) => {
    const own = routes.find((listed) => listed === one) ?? route;
    return own === route || routesAlike.some((words) => words.includes(own) && words.includes(route));
  };
  if (named.length > 0) return named.some(isNamed) ? undefined : named.join(', ');
  const found = routeOfDirections.apply(directions);
  const [said, kind] = ['value' in found ? found.value : undefined, routeKinds[route]];
  return said === undefined || kind === undefined || said === kind ? undefined : said;
}

function adviseRest(body: Shared): Advice[] {
  const advice: Advice[] = [];
  const say = (target: string, message: string) => advice.push({ target, message });
  if (body.provider?.fax === undefined)
    say('provider.fax', 'No fax number: the payer’s answer may not reach the practice.');
  const insurance = body.insurance_content;
  if ((body.insurance?.length ?? 0) === 0) {
    if (insurance?.payer_name === undefined)
      say('insurance_content.payer_name', 'Payer is missing. Enter the name of the plan that pays for the drug.');
    if (insurance?.rx_bin === undefined)
      say('insurance_content.rx_bin', 'RxBIN is missing. Without it the request may go to the wrong payer.');
    if (insurance?.rx_pcn === undefined)
      say('insurance_content.rx_pcn', 'RxPCN is missing. Enter it if the card shows one.');
  }
  // A draft may contain entries of any shape; the schema reports the errors.
  const diagnoses = Array.isArray(body.diagnoses) ? body.diagnoses : [];
  for (const [index, diagnosis] of diagnoses.entries()) {
    const code = diagnosis?.code;
    if (code !== undefined && isUnspecifiedOrHeader(code))
      say(`diagnoses[${index}].code`, 'This code is unspecified. If the chart supports a more specific one, use it.');
  }
  return advice;
}

/** Warnings for an enrollment. It may be sent without insurance, so missing insurance only warns. */
export function adviseEnrollment({ patient }: DeepPartial<CreateEnrollmentRequest>, advising: Advising): Advice[] {
  const insurance = patient?.insurance_details?.data;
  const advice = [
    ...adviseBirthDate(patient?.date_of_birth, advising),
    ...advisePhone('patient.phone', patient?.phone, patient?.address, advising),
  ];
  if (patient?.phone === undefined)
    advice.push({ target: 'patient.phone', message: 'No phone number: the program cannot reach the patient.' });
  if (insurance?.payer === undefined && insurance?.membership_number === undefined)
    advice.push({ target: 'patient.insurance_details', message: 'No insurance: the program may ask for it.' });
  return advice;
}

/** Warnings for a benefit verification: missing values that make it harder to query the plan. */
export function adviseBenefits(body: DeepPartial<CreateBenefitVerificationRequest>, advising: Advising): Advice[] {
  const { patient, provider, insurance = [], insurance_content: plan, diagnoses = [] } = body;
  const advice = [
    ...adviseBirthDate(patient?.date_of_birth, advising),
    ...advisePhone('patient.phone', patient?.phone, patient?.address, advising),
    ...advisePhone('provider.phone', provider?.phone, provider?.address, advising),
    ...advisePhone('provider.fax', provider?.fax, provider?.address, advising),
  ];
  const say = (target: string, message: string) => advice.push({ target, message });
  if (diagnoses.length === 0)
    say('diagnoses', 'No diagnosis: what the plan covers may depend on it, and it may ask for one.');
  if (insurance.length === 0 && plan?.rx_bin === undefined)
    say('insurance_content.rx_bin', 'RxBIN is missing. Without it the wrong plan may be asked.');
  if (insurance.length === 0 && plan?.payer_name === undefined)
    say('insurance_content.payer_name', 'No payer name: the plan is harder to find.');
  return advice;
}

// Checks a date that a person entered or confirmed. A date in the chart is checked by its role.
function adviseBirthDate(date: string | undefined, { today }: Advising): Advice[] {
  const target = 'patient.date_of_birth';
  if (typeof date !== 'string') return [];
  if (today !== undefined && date > today)
    return [{ target, severity: 'blocks', message: 'The birth date is in the future. Enter the right one.' }];
  return date < '1900-01-01' ? [{ target, message: 'The birth date is before 1900.' }] : [];
}

/**
 * Blocks a number that a person typed and that cannot be called. A chart's number is sent unchanged, and a number with
 * a foreign country code is not checked.
 */
function advisePhone(
  target: string,
  number: string | undefined,
  address: { readonly country?: string | undefined } | undefined,
  { isEntered }: Advising,
): Advice[] {
  if (typeof number !== 'string' || !isEntered(target)) return [];
  const isAmerican = (address?.country ?? 'USA') === 'USA' && !/^\s*\+(?!1)/.test(number);
  if (!isAmerican || isUsPhone(number)) return [];
  return [{ target, severity: 'blocks', message: 'Enter a 10-digit number with its area code, such as 217-555-0142.' }];
}

// Checks only a date that a person entered. The date of the order is checked by its role.
function advisePrescriptionDate(date: string | undefined, { today, isEntered }: Advising): Advice[] {
  const target = 'prescription.prescription_date';
  const isLate = typeof date === 'string' && today !== undefined && date.slice(0, 10) > today;
  if (!isLate || !isEntered(target)) return [];
  return [{ target, severity: 'blocks', message: 'The date written is in the future. Enter the day of the order.' }];
}

const closedLists: Readonly<Record<'dose_form' | 'route_of_administration' | 'dispense_unit', ReadonlySet<string>>> = {
  dose_form: new Set(doseForms),
  route_of_administration: new Set(routes),
  dispense_unit: new Set(dispenseUnits),
};

// `Object.entries` types the keys as strings.
const closedListEntries = Object.entries(closedLists) as [keyof typeof closedLists, ReadonlySet<string>][];

function isOffList(word: string | undefined, list: ReadonlySet<string>): boolean {
  return word !== undefined && !list.has(word.toLowerCase());
}

/** The forms that are counted in each unit. Measured forms, and forms counted in packs or units, are not checked. */
const formsOfPiece: Readonly<Record<string, readonly string[]>> = {
  tablet: ['tablet', 'vaginal_tablet', 'pill', 'lozenge', 'troche', 'wafer'],
  capsule: ['capsule', 'pill', 'bead', 'pellet'],
  patch: ['patch', 'tape', 'plaster'],
  film: ['film', 'strip'],
};
const measures = ['milliliter', 'liter', 'gram', 'vial', 'inhaler'];
/** A kit or a miscellaneous form may contain anything. */
const openForms = ['kit', 'miscellaneous', 'food'];

// Tablets are not dispensed as capsules or milliliters, nor injections as tablets.
function unitContradictsForm(unit: string | undefined, form: string | undefined): boolean {
  if (unit === undefined || form === undefined) return false;
  const forms = formsOfPiece[unit];
  if (forms === undefined) return measures.includes(unit) && Object.hasOwn(formsOfPiece, form);
  // A form that is not on the service's list is not checked.
  return doseForms.some((known) => known === form) && !openForms.includes(form) && !forms.includes(form);
}

// A three-character code may be complete (I10), so warnings cover only the unspecified ending ".9" and categories that
// ICD-10-CM always divides.
function isUnspecifiedOrHeader(code: string): boolean {
  return (
    /^[A-Z]\d[0-9A-Z]\.9$/.test(code) ||
    /^(E08|E09|E10|E11|E13|M05|M06|M07|M08|L40|K50|K51|G43|J45|F32|F33|C50|G35)$/.test(code)
  );
}

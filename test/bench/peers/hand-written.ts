import type {
  CodeableConcept,
  Coding,
  Condition,
  ContactPoint,
  Coverage,
  MedicationRequest,
  Patient,
  Practitioner,
} from 'fhir/r4.js';
import type { Body, Resolved } from './leaves.ts';

/** The leaves as a programmer writes them down for one service: property access, nothing else. */
export function handWritten(resolved: Resolved): Body {
  const patient = resolved.patient as Patient | undefined; // the host looks resources up by their type
  const coverage = resolved.coverage as Coverage | undefined; // likewise
  const order = resolved.order as MedicationRequest | undefined; // likewise
  const drug = resolved.drug as CodeableConcept | undefined; // likewise
  const condition = resolved.condition as Condition | undefined; // likewise
  const prescriber = resolved.prescriber as Practitioner | undefined; // likewise
  const rxNorm = codingOf(drug, 'http://www.nlm.nih.gov/research/umls/rxnorm');
  return {
    first_name: patient?.name?.[0]?.given?.[0],
    last_name: patient?.name?.[0]?.family,
    internal_id: patient?.identifier?.[0]?.value,
    date_of_birth: patient?.birthDate,
    gender: patient?.gender,
    email: telecomOf(patient?.telecom, 'email'),
    phone: telecomOf(patient?.telecom, 'phone'),
    street: patient?.address?.[0]?.line?.[0],
    city: patient?.address?.[0]?.city,
    state: patient?.address?.[0]?.state,
    zip: patient?.address?.[0]?.postalCode,
    member_number: coverage?.subscriberId,
    plan_name: coverage?.class?.[0]?.name,
    group_number: coverage?.class?.[0]?.value,
    payer_name: coverage?.payor?.[0]?.display,
    prescription_date: order?.authoredOn,
    quantity: order?.dispenseRequest?.quantity?.value,
    days_supply: order?.dispenseRequest?.expectedSupplyDuration?.value,
    directions: order?.dosageInstruction?.[0]?.text,
    route: order?.dosageInstruction?.[0]?.route?.text,
    drug_name: rxNorm?.display,
    rxnorm: rxNorm?.code,
    diagnosis: codingOf(condition?.code, 'http://hl7.org/fhir/sid/icd-10-cm')?.code,
    provider_first_name: prescriber?.name?.[0]?.given?.[0],
    provider_last_name: prescriber?.name?.[0]?.family,
    provider_npi: prescriber?.identifier?.find(({ system }) => system === 'http://hl7.org/fhir/sid/us-npi')?.value,
    provider_phone: telecomOf(prescriber?.telecom, 'phone'),
    provider_fax: telecomOf(prescriber?.telecom, 'fax'),
    provider_street: prescriber?.address?.[0]?.line?.[0],
    provider_city: prescriber?.address?.[0]?.city,
  };
}

function telecomOf(telecom: readonly ContactPoint[] | undefined, wanted: string): string | undefined {
  return telecom?.find(({ system }) => system === wanted)?.value;
}

function codingOf(concept: CodeableConcept | undefined, wanted: string): Coding | undefined {
  return concept?.coding?.find(({ system }) => system === wanted);
}

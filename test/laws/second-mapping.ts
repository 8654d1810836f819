import type {
  Address,
  ContactPoint,
  Coverage,
  DocumentReference,
  FhirResource,
  Medication,
  MedicationRequest,
  Patient,
  Quantity,
} from 'fhir/r4.js';

/**
 * Both requests of a sandbox patient, written straight from the contract (service interface 4.1 and 4.4) and the table
 * of what is sent:
 * plain reading of plain JSON, nothing of src and nothing of mappings. It knows what the sandbox's charts hold and no
 * more.
 */

export interface SecondResult {
  readonly complete: boolean;
  readonly body: Record<string, unknown>;
}

/** The resources of one chart. */
interface Resources {
  readonly all: readonly FhirResource[];
  /** The resource of that type that a reference of the holder names. */
  readonly find: <Type extends FhirResource['resourceType']>(
    type: Type,
    reference: string | undefined,
    holder?: { readonly contained?: readonly { readonly id?: string | undefined }[] | undefined },
  ) => (FhirResource & { readonly resourceType: Type }) | undefined;
}

const day = '2026-11-21';
const icd10 = 'http://hl7.org/fhir/sid/icd-10-cm';
const rxnorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const ndcSystem = 'http://hl7.org/fhir/sid/ndc';

export function secondPriorAuth(bundle: unknown, orderId: string): SecondResult {
  const chart = resourcesOf(bundle);
  const order = chart.find('MedicationRequest', `MedicationRequest/${orderId}`)!;
  const coverage = coverageOf(chart, order);
  const body = {
    diagnoses: diagnosesOf(chart, order),
    patient: {
      ...person(chart, order),
      gender: patientOf(chart, order).gender ?? 'not_specified',
      internal_id: recordNumber(chart, order),
    },
    insurance: cardsOf(chart, order),
    insurance_content: present(insuranceOf(chart, coverage)),
    prescription: prescriptionOf(chart, order),
    provider: providerOf(chart, order),
    pharmacy: pharmacyOf(chart, order),
  };
  return { complete: isComplete(body), body: without(body) };
}

export function secondEnrollment(bundle: unknown, orderId: string, programId: string): SecondResult {
  const chart = resourcesOf(bundle);
  const order = chart.find('MedicationRequest', `MedicationRequest/${orderId}`)!;
  const { group_number, payer_name, member_number, rx_bin, rx_group } = insuranceOf(chart, coverageOf(chart, order));
  const { drug_name, strength, directions, extra } = prescriptionOf(chart, order);
  const data = { group_number, payer: payer_name, membership_number: member_number, rx_bin, rx_group };
  const patient = {
    ...person(chart, order),
    insurance_details: present({ data: present(data) }),
    metadata: { patient_id: recordNumber(chart, order) },
  };
  const body = { programId, patient, prescription: { drug_name, dosage: strength, directions, extra } };
  const isAsked = coveragesInForce(chart, order).length > 1;
  const complete = strength !== undefined && directions !== undefined && isWhole(patient.address) && !isAsked;
  return { complete, body: without(body) };
}

function resourcesOf(bundle: unknown): Resources {
  const entries = (bundle as { entry: { resource: FhirResource }[] }).entry; // a fixture of the sandbox is a Bundle
  const all = entries.map(({ resource }) => resource);
  const find: Resources['find'] = (type, reference, holder) => {
    // a contained resource is one
    const inside = holder?.contained?.find(({ id }) => `#${id}` === reference) as FhirResource | undefined;
    const found = inside ?? all.find(({ resourceType, id }) => `${resourceType}/${id}` === reference);
    return found?.resourceType === type ? (found as never) : undefined; // the type was just compared
  };
  return { all, find };
}

function patientOf(chart: Resources, order: MedicationRequest): Patient {
  return chart.find('Patient', order.subject.reference)!;
}

function person(chart: Resources, order: MedicationRequest) {
  const patient = patientOf(chart, order);
  const name = patient.name?.find(({ use }) => use === 'official') ?? patient.name?.[0];
  return {
    first_name: name?.given?.[0],
    last_name: name?.family,
    date_of_birth: patient.birthDate,
    email: telecom(patient, 'email'),
    phone: telecom(patient, 'phone'),
    address: address(patient.address?.find(({ use }) => use === 'home')),
  };
}

function recordNumber(chart: Resources, order: MedicationRequest): string | undefined {
  return patientOf(chart, order).identifier?.find(({ type }) => type?.coding?.some(({ code }) => code === 'MR'))?.value;
}

function telecom(holder: { readonly telecom?: ContactPoint[] | undefined }, system: string): string | undefined {
  return holder.telecom?.find((point) => point.system === system)?.value;
}

function address(from: Address | undefined) {
  if (from === undefined) return undefined;
  const [street, ...more] = from.line ?? [];
  return {
    street,
    street_line_2: more.length === 0 ? undefined : more.join(', '),
    city: from.city,
    state_province: from.state,
    zip_postal_code: from.postalCode,
    country: from.country === 'US' || from.country === undefined ? 'USA' : from.country,
  };
}

// In force on the day, active, of this patient; none where there are two, since a person chooses between them.
function coverageOf(chart: Resources, order: MedicationRequest): Coverage | undefined {
  const inForce = coveragesInForce(chart, order);
  return inForce.length === 1 ? inForce[0] : undefined;
}

function coveragesInForce(chart: Resources, order: MedicationRequest): Coverage[] {
  const isMine = (one: FhirResource): one is Coverage =>
    one.resourceType === 'Coverage' && one.beneficiary.reference === order.subject.reference;
  return chart.all
    .filter(isMine)
    .filter(
      ({ status, period }) => status === 'active' && (period?.start ?? day) <= day && (period?.end ?? day) >= day,
    );
}

function insuranceOf(chart: Resources, coverage: Coverage | undefined): Partial<Record<string, string | undefined>> {
  if (coverage === undefined) return {};
  const byCode = (code: string) =>
    coverage.class?.find(({ type }) => type?.coding?.some((coding) => coding.code === code));
  const plan = byCode('plan');
  return {
    group_number: byCode('group')?.value,
    member_number:
      coverage.identifier?.find(({ type }) => type?.coding?.some(({ code }) => code === 'MB'))?.value ??
      coverage.subscriberId,
    payer_name: chart.find('Organization', coverage.payor[0]?.reference, coverage)?.name,
    plan_name: plan?.name ?? plan?.value,
    rx_bin: byCode('rxbin')?.value,
    rx_group: byCode('rxgroup')?.value,
    rx_pcn: byCode('rxpcn')?.value,
  };
}

function cardsOf(chart: Resources, order: MedicationRequest): { file_content: string | undefined }[] | undefined {
  const isCard = (one: FhirResource): one is DocumentReference =>
    one.resourceType === 'DocumentReference' &&
    one.type?.coding?.some(({ code }) => code === '64290-0') === true &&
    one.subject?.reference === order.subject.reference;
  const attachments = chart.all.filter(isCard).flatMap(({ content }) => content.map(({ attachment }) => attachment));
  const images = attachments.map(({ data, url }) => ({ file_content: data ?? chart.find('Binary', url)?.data }));
  return images.length === 0 ? undefined : images;
}

function diagnosesOf(chart: Resources, order: MedicationRequest): { code: string | undefined }[] | undefined {
  const conditions = (order.reasonReference ?? []).map(
    ({ reference }) => chart.find('Condition', reference, order)?.code,
  );
  const codings = [...(order.reasonCode ?? []), ...conditions].flatMap((concept) => concept?.coding ?? []);
  const codes = codings.filter(({ system }) => system === icd10).map(({ code }) => ({ code }));
  return codes.length === 0 ? undefined : codes;
}

function prescriptionOf(chart: Resources, order: MedicationRequest) {
  const medication = chart.find('Medication', order.medicationReference?.reference, order);
  const concept = order.medicationCodeableConcept ?? medication?.code;
  const codeOf = (wanted: string) => concept?.coding?.find(({ system }) => system === wanted);
  const name = readName(codeOf(rxnorm)?.display ?? concept?.text ?? '');
  const isAsked = contradictsText(name.strength, concept?.text);
  const { quantity, expectedSupplyDuration } = order.dispenseRequest ?? {};
  const doses = [...(order.dosageInstruction ?? [])].sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
  return {
    drug_name: name.drug,
    strength: isAsked ? undefined : (structuredStrength(medication) ?? name.strength),
    dose_form: formWord(medication?.form?.text ?? name.form),
    route_of_administration: doses[0]?.route?.text?.toLowerCase(),
    quantity: quantity?.value,
    days_supply: expectedSupplyDuration?.value,
    directions: doses.map(({ patientInstruction, text }) => patientInstruction ?? text).join('; ') || undefined,
    dispense_unit: unitWord(quantity),
    prescription_date: order.authoredOn?.length === 10 ? `${order.authoredOn}T00:00:00.000000` : order.authoredOn,
    extra: isAsked ? undefined : present({ rxnorm: codeOf(rxnorm)?.code, ndc: elevenDigits(codeOf(ndcSystem)?.code) }),
  };
}

/** The parts of an RxNorm name: `[Brand]` or the ingredients with the kinds of release and tablet, strengths, form. */
function readName(name: string): { drug: string; strength: string; form: string } {
  const brand = /\[(.+)\]/.exec(name)?.[1];
  const body = name.replace(/\s*\[.+\]/, '').replace(/^\d+(\.\d+)? (HR|ML) /, '');
  const parts = body.split(' / ').map((part) => /^(.+?) ([\d.]+ [A-Z]+(?:\/[A-Z]+)?)(?: (.+))?$/.exec(part));
  const ingredients = parts.map((part) => part?.[1] ?? '').join(' / ');
  const form = parts.at(-1)?.[3] ?? '';
  const hours = /^\d+ HR/.exec(name)?.[0];
  const kind = form.includes('Extended Release') ? 'ER' : form.includes('Delayed Release') ? 'DR' : undefined;
  const released = hours === undefined ? kind : `${kind} ${hours}`;
  const taken = /ODT|Chewable|Effervescent|for Oral Suspension/.exec(form.replace('Disintegrating', 'ODT'))?.[0];
  const release = [released, taken].filter((words) => words !== undefined).join(' ');
  const drug = brand ?? ingredients;
  return {
    drug: release === '' ? drug : `${drug} ${release}`,
    // of several ingredients, each strength stands beside its ingredient's name
    strength: parts.map((part) => (parts.length === 1 ? part?.[2] : `${part?.[1]} ${part?.[2]}`) ?? '').join(' / '),
    form,
  };
}

// "25 mg" beside "10 MG": then nobody knows which strength is ordered.
function contradictsText(strength: string, text: string | undefined): boolean {
  const milligrams = (words: string) => /([\d.]+) ?mg\b(?!\/)/i.exec(words)?.[1];
  const [coded, written] = [milligrams(strength), milligrams(text ?? '')];
  return coded !== undefined && written !== undefined && coded !== written;
}

function structuredStrength(medication: Medication | undefined): string | undefined {
  const { numerator, denominator } = medication?.ingredient?.[0]?.strength ?? {};
  if (numerator === undefined) return undefined;
  const amount = `${numerator.value} ${numerator.unit}`;
  if (denominator?.unit === 'tablet') return amount;
  return denominator?.value === 1
    ? `${amount}/${denominator.unit}`
    : `${amount}/${denominator?.value} ${denominator?.unit}`;
}

// Sandbox charts have tablets, capsules, and what is injected.
function formWord(form: string | undefined): string {
  if (/tablet/i.test(form ?? '')) return 'tablet';
  return /capsule/i.test(form ?? '') ? 'capsule' : 'injection';
}

function unitWord(quantity: Quantity | undefined): string | undefined {
  const known: Readonly<Record<string, string>> = {
    tablet: 'tablet',
    capsule: 'capsule',
    mL: 'milliliter',
    pack: 'pack',
  };
  return known[quantity?.unit ?? ''];
}

function elevenDigits(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  const [labeler = '', product = '', pack = ''] = code.split('-');
  return `${labeler.padStart(5, '0')}-${product.padStart(4, '0')}-${pack.padStart(2, '0')}`;
}

function providerOf(chart: Resources, order: MedicationRequest) {
  const prescriber = chart.find('Practitioner', order.requester?.reference, order)!;
  return {
    first_name: prescriber.name?.[0]?.given?.[0],
    last_name: prescriber.name?.[0]?.family,
    npi: prescriber.identifier?.find(({ system }) => system === 'http://hl7.org/fhir/sid/us-npi')?.value,
    internal_id: prescriber.id,
    phone: telecom(prescriber, 'phone'),
    fax: telecom(prescriber, 'fax'),
    address: address(prescriber.address?.[0]),
  };
}

function pharmacyOf(chart: Resources, order: MedicationRequest) {
  const pharmacy = chart.find('Organization', order.dispenseRequest?.performer?.reference, order);
  return pharmacy === undefined ? undefined : { name: pharmacy.name, address: address(pharmacy.address?.[0]) };
}

function isComplete({
  diagnoses,
  patient,
  insurance,
  insurance_content,
  prescription,
}: {
  diagnoses: unknown;
  patient: { address: ReturnType<typeof address> };
  insurance: unknown;
  insurance_content: { member_number?: string | undefined } | undefined;
  prescription: { dispense_unit: unknown; strength: unknown };
}): boolean {
  // a card or a member number says who is insured
  const isInsured = insurance !== undefined || insurance_content?.member_number !== undefined;
  const { dispense_unit, strength } = prescription;
  return (
    diagnoses !== undefined &&
    isInsured &&
    isWhole(patient.address) &&
    dispense_unit !== undefined &&
    strength !== undefined
  );
}

function isWhole(from: ReturnType<typeof address>): boolean {
  const { street, city, state_province, zip_postal_code } = from ?? {};
  return [street, city, state_province, zip_postal_code].every((part) => part !== undefined);
}

function present<T extends object>(part: T): T | undefined {
  return Object.values(part).every((value) => value === undefined) ? undefined : part;
}

// What is absent is left out.
function without<T>(value: T): T & Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

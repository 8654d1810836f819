/** What a leaf is read from; every engine gets these resources, found by the same code. */
export interface Resolved {
  readonly patient: unknown;
  readonly coverage: unknown;
  readonly order: unknown;
  readonly drug: unknown;
  readonly condition: unknown;
  readonly prescriber: unknown;
}

/** One step into an element, or into the first of several; `where` names an element and the text that it must be. */
export interface LeafStep {
  readonly name: string;
  readonly where?: readonly [element: string, text: string];
}

export interface Leaf {
  readonly target: string;
  readonly root: keyof Resolved;
  readonly steps: readonly LeafStep[];
}

const icd10 = 'http://hl7.org/fhir/sid/icd-10-cm';
const npi = 'http://hl7.org/fhir/sid/us-npi';
const rxNorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';

/** The leaves of a prior authorization that are read without a choice or a transform: the same for every engine. */
export const leaves: readonly Leaf[] = [
  leaf('first_name', 'patient', 'name', 'given'),
  leaf('last_name', 'patient', 'name', 'family'),
  leaf('internal_id', 'patient', 'identifier', 'value'),
  leaf('date_of_birth', 'patient', 'birthDate'),
  leaf('gender', 'patient', 'gender'),
  leaf('email', 'patient', 'telecom[system=email]', 'value'),
  leaf('phone', 'patient', 'telecom[system=phone]', 'value'),
  leaf('street', 'patient', 'address', 'line'),
  leaf('city', 'patient', 'address', 'city'),
  leaf('state', 'patient', 'address', 'state'),
  leaf('zip', 'patient', 'address', 'postalCode'),
  leaf('member_number', 'coverage', 'subscriberId'),
  leaf('plan_name', 'coverage', 'class', 'name'),
  leaf('group_number', 'coverage', 'class', 'value'),
  leaf('payer_name', 'coverage', 'payor', 'display'),
  leaf('prescription_date', 'order', 'authoredOn'),
  leaf('quantity', 'order', 'dispenseRequest', 'quantity', 'value'),
  leaf('days_supply', 'order', 'dispenseRequest', 'expectedSupplyDuration', 'value'),
  leaf('directions', 'order', 'dosageInstruction', 'text'),
  leaf('route', 'order', 'dosageInstruction', 'route', 'text'),
  leaf('drug_name', 'drug', `coding[system=${rxNorm}]`, 'display'),
  leaf('rxnorm', 'drug', `coding[system=${rxNorm}]`, 'code'),
  leaf('diagnosis', 'condition', 'code', `coding[system=${icd10}]`, 'code'),
  leaf('provider_first_name', 'prescriber', 'name', 'given'),
  leaf('provider_last_name', 'prescriber', 'name', 'family'),
  leaf('provider_npi', 'prescriber', `identifier[system=${npi}]`, 'value'),
  leaf('provider_phone', 'prescriber', 'telecom[system=phone]', 'value'),
  leaf('provider_fax', 'prescriber', 'telecom[system=fax]', 'value'),
  leaf('provider_street', 'prescriber', 'address', 'line'),
  leaf('provider_city', 'prescriber', 'address', 'city'),
];

/** What an engine makes of one chart: the leaves that are there. */
export type Body = Readonly<Record<string, unknown>>;

/** A body without what is not there, so that engines which say so in different ways can be compared. */
export function withoutAbsent(body: Readonly<Record<string, unknown>>): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null));
}

function leaf(target: string, root: keyof Resolved, ...steps: readonly string[]): Leaf {
  return { target, root, steps: steps.map(stepOf) };
}

function stepOf(text: string): LeafStep {
  const [, name = text, element, wanted] = /^(\w+)\[(\w+)=(.*)\]$/.exec(text) ?? [];
  return element === undefined || wanted === undefined ? { name } : { name, where: [element, wanted] };
}

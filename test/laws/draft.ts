import type {
  CodeableConcept,
  Coverage,
  Dosage,
  FhirResource,
  Medication,
  MedicationRequest,
  MedicationRequestDispenseRequest,
  Patient,
  Practitioner,
  Resource,
} from 'fhir/r4.js';

/** A chart that changes are made to, with the resources that most of them are about. */
export interface Draft {
  readonly entries: { resource: Resource; fullUrl?: string }[];
  readonly order: MedicationRequest;
  readonly supply: MedicationRequestDispenseRequest;
  readonly dosage: Dosage;
  readonly patient: Patient;
  readonly coverage: Coverage;
  readonly practitioner: Practitioner;
  /** The concept that names the drug: of the order, of its contained Medication, of the one it refers to. */
  readonly drug: CodeableConcept;
  readonly medication: Medication | undefined;
  /** The site's policy of the request. */
  readonly site: Record<string, unknown>;
}

/** What a change does to the request that the base gives. Absent means: nothing. */
export interface Effect {
  /**
   * Leaves that become another value; `undefined` for one that is no longer sent, `anything` for one that this change
   * does not decide.
   */
  readonly sent?: Readonly<Record<string, unknown>>;
  /** Leaves that must not have this value, whatever else they have. */
  readonly never?: Readonly<Record<string, unknown>>;
  /** Leaves that are warned about from now on. */
  readonly warned?: readonly string[];
  /** What the gaps or the warnings of the chart must say, in some words of their own. */
  readonly told?: RegExp;
}

export const anything: unique symbol = Symbol('anything');

/**
 * One small change of a chart. `agrees`: sources still say one thing, so the request stays complete without a question;
 * `asks`: they no longer do, or something that must be known is gone; `open`: both are right, and the other laws judge.
 */
export interface Change {
  readonly name: string;
  /** Defects of reference/review-core.md, rows of the acceptance matrix, or `3` for its section 3. */
  readonly about: string;
  readonly verdict: 'agrees' | 'asks' | 'open';
  /** Whether the enrollment asks too; it has no supply, prescriber or diagnosis. */
  readonly enrollment?: 'agrees' | 'asks' | 'open';
  /** Elements that it touches; two changes of one element are not combined. */
  readonly touches: readonly string[];
  /** Undefined when the chart has nothing that it could change. */
  readonly apply: (draft: Draft) => Effect | undefined;
}

export function change(
  name: string,
  about: string,
  verdict: Change['verdict'],
  touches: string,
  apply: Change['apply'],
  enrollment: Change['verdict'] = verdict,
): Change {
  return { name, about, verdict, enrollment, touches: touches.split(' '), apply };
}

/** The chart of a bundle and an order, found by nothing but ids; undefined when one of the resources is missing. */
export function openDraft(entries: Draft['entries'], orderId: string, site: Record<string, unknown>): Draft {
  const order = named(entries, `MedicationRequest/${orderId}`) as MedicationRequest;
  const medication = medicationOf(entries, order);
  const drug = order.medicationCodeableConcept ?? medication?.code;
  const [dosage] = order.dosageInstruction ?? [];
  const practitioner = practitionerOf(entries, order.requester?.reference ?? '');
  const coverage = entries
    .map(({ resource }) => resource)
    .find((resource) => resource.resourceType === 'Coverage' && inForce(resource as Coverage)) as Coverage | undefined;
  if (drug === undefined || dosage === undefined || practitioner === undefined || coverage === undefined)
    throw new Error(`${orderId} is no base for changes`);
  order.dispenseRequest ??= {};
  return {
    entries,
    order,
    supply: order.dispenseRequest,
    dosage,
    patient: named(entries, order.subject.reference ?? '') as Patient,
    coverage,
    practitioner,
    drug,
    medication,
    site,
  };
}

/** Adds a resource behind the others, on the order's server. */
export function add({ entries, order }: Draft, resource: FhirResource): void {
  const own = entries.find((entry) => entry.resource === order)?.fullUrl;
  const server = own?.slice(0, -`MedicationRequest/${order.id}`.length);
  const named = server === undefined ? {} : { fullUrl: `${server}${resource.resourceType}/${resource.id}` };
  entries.push({ resource, ...named });
}

/** Puts anything at a place, whatever FHIR says. */
export function put(holder: object, key: string, value: unknown): void {
  Reflect.set(holder, key, value);
}

function named(entries: Draft['entries'], reference: string): Resource | undefined {
  return entries.map(({ resource }) => resource).find((one) => `${one.resourceType}/${one.id}` === reference);
}

function medicationOf(entries: Draft['entries'], order: MedicationRequest): Medication | undefined {
  const reference = order.medicationReference?.reference;
  if (reference === undefined) return undefined;
  if (!reference.startsWith('#')) return named(entries, reference) as Medication | undefined;
  return order.contained?.find(({ id }) => `#${id}` === reference) as Medication | undefined;
}

function practitionerOf(entries: Draft['entries'], reference: string): Practitioner | undefined {
  const found = named(entries, reference);
  if (found?.resourceType !== 'PractitionerRole') return found as Practitioner | undefined;
  return named(entries, String(Reflect.get(Reflect.get(found, 'practitioner') as object, 'reference'))) as Practitioner;
}

function inForce({ status, period }: Coverage): boolean {
  return status === 'active' && (period?.end === undefined || period.end > '2026-11-21');
}

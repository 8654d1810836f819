import type {
  AllergyIntolerance,
  CodeableConcept,
  Condition,
  Coverage,
  DocumentReference,
  HumanName,
  MedicationRequest,
  Patient,
  Reference,
  Resource,
  Task,
} from '@medplum/fhirtypes';
import { BridgeError } from '../../../../core/errors.ts';
import type { EhrStore } from '../fhir/ehr-store.ts';
import type { TokenContext } from '../oauth/launches.ts';
import type { EhrUser } from '../users.ts';

/** What a patient's chart page shows, newest first. */
export interface PatientChart {
  readonly patient: Patient;
  readonly orders: readonly MedicationRequest[];
  readonly coverages: readonly Coverage[];
  readonly problems: readonly Condition[];
  readonly allergies: readonly AllergyIntolerance[];
  readonly documents: readonly DocumentReference[];
  readonly tasks: readonly Task[];
}

/** Throws not_found if there is no such patient. */
export function chartOf(store: EhrStore, id: string): PatientChart {
  const patient = storedPatient(store, id);
  const about = `Patient/${id}`;
  const mine = store.all().filter((resource) => subjectOf(resource) === about);
  return {
    patient,
    orders: byDate(
      mine.filter(
        (resource): resource is MedicationRequest & { id: string } => resource.resourceType === 'MedicationRequest',
      ),
      (order) => order.authoredOn,
    ),
    coverages: byDate(
      mine.filter((resource): resource is Coverage & { id: string } => resource.resourceType === 'Coverage'),
      (coverage) => coverage.period?.start,
    ),
    problems: byDate(
      mine.filter((resource): resource is Condition & { id: string } => resource.resourceType === 'Condition'),
      (condition) => condition.onsetDateTime,
    ),
    allergies: mine.filter(
      (resource): resource is AllergyIntolerance & { id: string } => resource.resourceType === 'AllergyIntolerance',
    ),
    documents: byDate(
      mine.filter(
        (resource): resource is DocumentReference & { id: string } => resource.resourceType === 'DocumentReference',
      ),
      (document) => document.date,
    ),
    tasks: byDate(
      mine.filter((resource): resource is Task & { id: string } => resource.resourceType === 'Task'),
      (task) => task.meta?.lastUpdated,
    ),
  };
}

export function storedPatient(store: EhrStore, id: string): Patient & { id: string } {
  const patient = store.peek(`Patient/${id}`);
  if (patient?.resourceType !== 'Patient') throw new BridgeError('not_found');
  return patient;
}

/** What a user launches: a patient, and the part of the chart that the user came from. */
export interface LaunchChoice {
  readonly patient: string;
  /** Id of one of the patient's MedicationRequests. */
  readonly order?: string | undefined;
  /** Id of one of the patient's Tasks. */
  readonly task?: string | undefined;
  readonly intent?: string | undefined;
  /** Replaces the context of `order` and `task`. Passed on unchecked, as some EHRs do. */
  readonly fhirContext?: readonly unknown[] | undefined;
  /** The user who opens the launch; the order's prescriber by default. */
  readonly user?: EhrUser | undefined;
  /** Whether the app must show the patient banner. */
  readonly banner: boolean;
}

/**
 * Returns the context of the launch that a button of the chart makes: patient, encounter, order or Task, and by default
 * the prescriber as user. Throws not_found for an order or a Task of another patient.
 */
export function contextOf(store: EhrStore, choice: LaunchChoice): TokenContext {
  const patient = storedPatient(store, choice.patient);
  const order = choice.order === undefined ? undefined : ofPatient(store, `MedicationRequest/${choice.order}`, patient);
  const task = choice.task === undefined ? undefined : ofPatient(store, `Task/${choice.task}`, patient);
  const request = order?.resourceType === 'MedicationRequest' ? order : undefined;
  const encounter = idIn(request?.encounter, 'Encounter');
  const named = [task, order].flatMap((one) =>
    one === undefined ? [] : [{ reference: `${one.resourceType}/${one.id}` }],
  );
  const fhirContext = choice.fhirContext ?? (named.length === 0 ? undefined : named);
  return {
    patient: patient.id,
    ...(encounter === undefined ? {} : { encounter }),
    ...(fhirContext === undefined ? {} : { fhirContext }),
    ...(choice.intent === undefined ? {} : { intent: choice.intent }),
    need_patient_banner: choice.banner,
    practitioner: choice.user?.practitioner ?? idIn(request?.requester, 'Practitioner') ?? anyPractitioner(store),
  };
}

function ofPatient(store: EhrStore, reference: string, { id }: Patient): Resource {
  const found = store.peek(reference);
  if (found === undefined || subjectOf(found) !== `Patient/${id}`) throw new BridgeError('not_found');
  return found;
}

/**
 * Whether a prior authorization can be started. That is only for an active order of a prescriber, not for an order that
 * a patient reports.
 */
export function canStart(order: MedicationRequest): boolean {
  return order.status === 'active' && order.intent === 'order' && order.reportedBoolean !== true;
}

export function anyPractitioner(store: EhrStore): string {
  const practitioner = store.all().find((resource) => resource.resourceType === 'Practitioner');
  if (practitioner === undefined) throw new BridgeError('not_found');
  return practitioner.id;
}

function subjectOf(resource: Resource): string | undefined {
  switch (resource.resourceType) {
    case 'MedicationRequest':
    case 'Condition':
    case 'DocumentReference':
      return resource.subject?.reference;
    case 'Coverage':
      return resource.beneficiary.reference;
    case 'AllergyIntolerance':
      return resource.patient.reference;
    case 'Task':
      return resource.for?.reference;
    default:
      return undefined;
  }
}

function byDate<T extends Resource>(resources: readonly T[], dateOf: (resource: T) => string | undefined): T[] {
  return [...resources].sort((a, b) => (dateOf(b) ?? '').localeCompare(dateOf(a) ?? ''));
}

function idIn(reference: Reference | undefined, type: string): string | undefined {
  const [found, id] = (reference?.reference ?? '').split('/');
  return found === type ? id : undefined;
}

// ---------------------------------------------------------------- words for people

export function fullName(name: HumanName | undefined): string {
  return name === undefined
    ? 'No name'
    : (name.text ?? [...(name.given ?? []), name.family].filter((part) => part !== undefined).join(' '));
}

export function shownConcept(concept: CodeableConcept | undefined): string {
  const coding = concept?.coding?.[0];
  return concept?.text ?? coding?.display ?? coding?.code ?? '';
}

/** Example: `ICD-10-CM M05.79`, for each coding of a known system. */
export function codesText(concept: CodeableConcept | undefined): string {
  const names: Readonly<Record<string, string>> = {
    'http://hl7.org/fhir/sid/icd-10-cm': 'ICD-10-CM',
    'http://snomed.info/sct': 'SNOMED CT',
    'http://www.nlm.nih.gov/research/umls/rxnorm': 'RxNorm',
    'http://hl7.org/fhir/sid/ndc': 'NDC',
  };
  return (concept?.coding ?? [])
    .flatMap((coding) =>
      names[coding.system ?? ''] === undefined ? [] : [`${names[coding.system ?? '']} ${coding.code}`],
    )
    .join(', ');
}

/** The text of an order's medication, from the CodeableConcept or the Reference. */
export function medicationText(store: EhrStore, order: MedicationRequest): string {
  if (order.medicationCodeableConcept !== undefined) return shownConcept(order.medicationCodeableConcept);
  const reference = order.medicationReference?.reference ?? '';
  const found = reference.startsWith('#')
    ? order.contained?.find((resource) => resource.id === reference.slice(1))
    : store.peek(reference);
  return (
    (found?.resourceType === 'Medication' ? shownConcept(found.code) : '') ||
    (order.medicationReference?.display ?? 'Unnamed medication')
  );
}

/** Returns `Nov 17, 2026`: the day as written, whatever this machine's time zone is. */
export function localDayText(value: string | undefined): string {
  if (value === undefined) return '';
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(day.getTime())
    ? value
    : new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(day);
}

/** Returns `Nov 17, 2026, 9:58:03 AM` in this machine's time zone. */
export function localTimeText(value: string | undefined): string {
  return value === undefined
    ? ''
    : new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(value));
}

export function ageAt(birthDate: string, now: Date): number {
  const today = now.toISOString().slice(0, 10);
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

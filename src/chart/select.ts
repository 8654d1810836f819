import type { CodeableConcept, FhirResource, MedicationRequest, Patient, Resource } from 'fhir/r4.js';
import { noReadings, type Readings } from '../documents/readings.ts';
import { BridgeError } from '../errors.ts';
import { chooseEvidence } from '../evidence/index.ts';
import type { Entry } from '../fhir/bundle.ts';
import type { Located } from '../fhir/graph.ts';
import { type Graph, graphOf } from '../fhir/graph.ts';
import { shapeWarnings } from '../fhir/shape/shape-warnings.ts';
import type { Node, Root } from '../mapping/input.ts';
import type { Gap } from '../mapping/result.ts';
import { type Answers, type Chart, type Role, roles } from '../roles/chart.ts';
import type { SitePolicy } from '../roles/policy.ts';
import { type Decision, emptyRoot, nodeAt, rootOf, type Scene } from '../roles/scene.ts';
import { chooseCard } from './card.ts';
import { chooseCoverage } from './coverage.ts';
import { chooseDiagnoses } from './diagnosis.ts';
import { chooseDose } from './dose.ts';
import { chooseMedication, drugLabel } from './medication.ts';
import { orderRefusal, orderWarnings } from './order.ts';
import { choosePatient } from './patient.ts';
import { choosePharmacy } from './pharmacy.ts';
import { choosePrescriber } from './prescriber.ts';

export interface ChartRequest {
  /** `Patient/123`; resources of anyone else are dropped loudly. Without it, the order's subject is the patient. */
  readonly patient?: string;
  /** `MedicationRequest/9` */
  readonly order: string;
  readonly now: Date;
  readonly site: SitePolicy;
  readonly answers?: Answers;
  /** What `readDocuments` made of the same resources; without it no card image and no note is sent. */
  readonly readings?: Readings;
  /** Our id of the case, once it is about to be sent. */
  readonly submission?: string;
  /** The support program of an enrollment, when the site has several. */
  readonly programId?: string;
}

/** An order of a chart and whether a prior authorization can be made for it. */
export interface CandidateOrder {
  /** `MedicationRequest/9` */
  readonly order: string;
  /** `Patient/123`; empty when the order names none. */
  readonly patient: string;
  /** The drug's name, for lists. */
  readonly label: string;
  readonly fits: boolean;
  /** Why it is a candidate, or why not. */
  readonly reason: string;
}

/**
 * The resources of one request, each with its reason. The same resources in any order give the same chart.
 * Throws `bad_request` when the order is not among them, `patient_mismatch` when it is another patient's.
 */
export function selectChart(resources: readonly (Resource | Entry)[], request: ChartRequest): Chart {
  const graph = graphOf(resources);
  const order = graph.located.find(({ reference }) => reference === request.order);
  if (order === undefined || !isOrder(order)) throw new BridgeError('bad_request', { missing: request.order });
  const patient = request.patient ?? patientOf(graph, order);
  if (graph.ownerOf(order.resource) !== patient) throw new BridgeError('patient_mismatch', { order: request.order });
  return chartOf(sceneOf(graph, order, patient, request), patient, request, [
    ...graph.warnings,
    ...misshapen(graph, patient),
    ...strangers(graph, patient),
  ]);
}

/** Every MedicationRequest with its patient, label, and whether it is a candidate; those that are come first, then by reference. */
export function candidateOrders(
  resources: readonly (Resource | Entry)[],
  request: { readonly patient?: string } = {},
): CandidateOrder[] {
  const graph = graphOf(resources);
  const mine = graph
    .ofType('MedicationRequest')
    .filter(isOrder)
    .filter(({ resource }) => request.patient === undefined || graph.ownerOf(resource) === request.patient);
  return mine.map((order) => candidateOf(graph, order)).sort((left, right) => Number(right.fits) - Number(left.fits));
}

function candidateOf(graph: Graph, order: Located<MedicationRequest>): CandidateOrder {
  const medication = graph.resolve(order.resource.medicationReference, order);
  const label = drugLabel(
    order.resource,
    medication?.resource.resourceType === 'Medication'
      ? { resource: medication.resource, reference: medication.reference }
      : undefined,
  );
  const refusal = order.resource.subject === undefined ? 'it names no patient' : orderRefusal(order.resource);
  return {
    order: order.reference,
    patient: patientOf(graph, order),
    label,
    fits: refusal === undefined,
    reason: refusal ?? 'an active order',
  };
}

function patientOf(graph: Graph, order: Located<MedicationRequest>): string {
  return graph.ownerOf(order.resource) ?? '';
}

// A type predicate, so that a filter narrows.
function isOrder(located: Located): located is Located<MedicationRequest> {
  return located.resource.resourceType === 'MedicationRequest';
}

function sceneOf(graph: Graph, order: Located<MedicationRequest>, patient: string, request: ChartRequest): Scene {
  const found = graph.ofType('Patient').find((located): located is Located<Patient> => located.reference === patient);
  const all: Scene['all'] = (type) => graph.ofType(type) as never; // ofType gives that type only
  const linked = new Set(
    found?.resource.link?.flatMap(({ other }) =>
      found === undefined ? [] : (graph.resolve(other, found)?.reference ?? other.reference ?? []),
    ),
  );
  const resolve: Scene['resolve'] = (reference, from, ...types) => {
    const target = graph.resolve(reference, from);
    return target !== undefined &&
      types.some((type) => type === target.resource.resourceType) &&
      isOpenTo(graph, target.resource, patient)
      ? (target as never)
      : undefined;
  };
  return {
    ...(found === undefined ? {} : { patient: found }),
    order,
    now: request.now,
    site: request.site,
    answers: request.answers ?? {},
    readings: request.readings ?? noReadings,
    ...(request.submission === undefined ? {} : { submission: request.submission }),
    all,
    mine: (type) => all(type).filter((located) => isMine(graph, located.resource, patient)),
    linked: (type) => all(type).filter((located) => linked.has(graph.ownerOf(located.resource) ?? '')),
    resolve,
  };
}

function isMine(graph: Graph, resource: FhirResource, patient: string): boolean {
  return graph.ownerOf(resource) === patient;
}

// A reference never leads into another patient's record, whoever wrote it.
function isOpenTo(graph: Graph, resource: FhirResource, patient: string): boolean {
  const owner = graph.ownerOf(resource);
  return owner === undefined || owner === patient;
}

const personal = [
  'Coverage',
  'MedicationRequest',
  'Condition',
  'DocumentReference',
  'Observation',
  'AllergyIntolerance',
  'MedicationStatement',
  'MedicationDispense',
  'Encounter',
  'DiagnosticReport',
  'Procedure',
];

function misshapen(graph: Graph, patient: string): string[] {
  return [...graph.shapes].flatMap(([{ resource, reference }, shape]) =>
    isOpenTo(graph, resource, patient) ? shapeWarnings(reference, shape) : [],
  );
}

// Only what hides among one patient's resources is strange; an export of several patients is not.
function strangers(graph: Graph, patient: string): string[] {
  if (graph.ofType('Patient').length > 1) return [];
  const others = personal
    .flatMap((type) => graph.ofType(type))
    .filter(({ resource }) => !isMine(graph, resource, patient));
  return [...Map.groupBy(others, ({ resource }) => resource.resourceType)].map(
    ([type, { length }]) =>
      `${length} ${type} ${length === 1 ? 'is' : 'are'} not this patient’s and ${length === 1 ? 'was' : 'were'} left out.`,
  );
}

function chartOf(scene: Scene, patient: string, request: ChartRequest, warnings: readonly string[]): Chart {
  const medication = chooseMedication(scene);
  const coverage = chooseCoverage(scene);
  const drug = medication.roots.drug?.nodes[0]?.value as CodeableConcept | undefined;
  const decisions: Decision[] = [
    chooseOrder(scene),
    choosePatient(scene),
    medication,
    chooseDose(scene, drug),
    choosePrescriber(scene),
    coverage,
    chooseCard(scene, coverage.choices?.[0]?.chosen),
    chooseDiagnoses(scene),
    choosePharmacy(scene),
    chooseEvidence(scene),
    ownFacts(scene, request),
  ];
  return {
    patient,
    order: scene.order.reference,
    roots: allRoots(decisions),
    resolve: (reference, from) => resolveNode(scene, reference, from),
    questions: decisions.flatMap((decision) => decision.questions ?? []),
    choices: decisions.flatMap((decision) => decision.choices ?? []),
    warnings: [...warnings, ...decisions.flatMap((decision) => decision.warnings ?? [])],
  };
}

function chooseOrder(scene: Scene): Decision {
  const { order } = scene;
  const refusal = orderRefusal(order.resource);
  const question: Gap = {
    target: 'prescription',
    severity: 'blocks',
    reason: 'invalid',
    message: `This order is not a candidate: ${refusal}.`,
    looks: [],
  };
  const encounter = scene.resolve(order.resource.encounter, order, 'Encounter');
  return {
    roots: {
      order: rootOf([nodeAt(order, order.resource)]),
      encounter: encounter === undefined ? emptyRoot() : rootOf([nodeAt(encounter, encounter.resource)]),
    },
    choices: [{ role: 'order', chosen: order.reference, reason: refusal ?? 'an active order', candidates: [] }],
    questions: refusal === undefined ? [] : [question],
    warnings: orderWarnings(order, scene),
  };
}

// What no chart holds: the site's configuration and our own id.
function ownFacts({ site, submission }: Scene, request: ChartRequest): Decision {
  const programs = site.enrollment?.programs ?? [];
  const programId = request.programId ?? (programs.length === 1 ? programs[0]?.programId : undefined);
  const { country, mrnSystem, fax } = site;
  const facts = Object.fromEntries(
    Object.entries({ country, mrnSystem, fax, programId }).filter(([, value]) => value !== undefined),
  );
  const question: Gap = {
    target: 'programId',
    severity: 'blocks',
    reason: 'choice',
    message: 'Choose the support program.',
    looks: [],
    options: programs.map((program) => ({ value: program.programId, label: program.name })),
  };
  return {
    roots: {
      site: { nodes: [{ value: facts }], kind: 'site' },
      submission: { nodes: submission === undefined ? [] : [{ value: { id: submission } }], kind: 'site' },
    },
    questions: programId === undefined && programs.length > 1 ? [question] : [],
  };
}

const noRoots = Object.fromEntries(roles.map((role) => [role, emptyRoot()])) as Chart['roots'];

function allRoots(decisions: readonly Decision[]): Chart['roots'] {
  const all: Record<Role, Root> = { ...noRoots };
  for (const { roots: own } of decisions) Object.assign(all, own);
  return all;
}

function resolveNode(scene: Scene, reference: unknown, from: Node): Node | undefined {
  const holder = from.source?.resource ?? scene.order.reference;
  const owner =
    [scene.order, ...scene.all('Coverage'), ...scene.all('Encounter'), ...scene.all('PractitionerRole')].find(
      (located) => located.reference === holder,
    ) ?? scene.order;
  const text = typeof reference === 'string' ? { reference } : reference;
  if (typeof text !== 'object' || text === null) return undefined;
  const target = scene.resolve(
    text,
    owner,
    'Patient',
    'Practitioner',
    'PractitionerRole',
    'Organization',
    'Location',
    'Medication',
    'Coverage',
    'Condition',
    'Encounter',
    'RelatedPerson',
    'Binary',
    'DocumentReference',
    'Observation',
  );
  return target === undefined ? undefined : nodeAt(target, target.resource);
}

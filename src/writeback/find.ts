import type { Attachment, Communication, DocumentReference, Provenance, Reference, Resource, Task } from 'fhir/r4.js';
import { BridgeError } from '../core/errors.ts';
import type { ChannelStep, Reach, Writable } from './channel-plan.ts';
import { type Delivery, noteRefusal } from './delivery.ts';
import { type LedgerEntry, type WrittenKind, withoutReason } from './ledger.ts';
import { type Identifier, identifierOf } from './resources/common.ts';
import { markOf } from './resources/takes.ts';
import { judgeFailure } from './retry.ts';

export type Ours = Task | DocumentReference | Communication | Provenance;

export interface Sought {
  readonly what: Exclude<WrittenKind, 'double'>;
  readonly identifier: Identifier;
  /** Identifies a document among all documents of the patient; absent if its bytes are not available. */
  readonly document?: DocumentReference;
  /** Identifies a message in the same way. */
  readonly message?: Communication;
  /** The target by which a Provenance is searched for. */
  readonly target?: string;
}

/** Returns what to search for, before the resource itself is built. */
export function soughtBy(
  request: Pick<Delivery, 'bridgeUrl' | 'facts'>,
  what: Sought['what'],
  version: string,
): Sought {
  const sought = { what, identifier: identifierOf(request, what, version) };
  return what === 'provenance' ? { ...sought, target: version } : sought;
}

/** A resource in the chart that matches the search. */
export interface FoundInChart {
  readonly reference: string;
  readonly versionId?: string;
  /** Undefined for a Provenance, which has no status. */
  readonly status: string | undefined;
  /** Whether it has the bridge's identifier, so that only the bridge can have written it. */
  readonly carriesIdentifier: boolean;
  /** SHA-1 of a document's bytes, if the EHR returns it. */
  readonly hash?: string;
}

export interface ChartLook {
  /** Resources not marked as entered in error, in the EHR's order. */
  readonly live: readonly FoundInChart[];
  readonly inError: readonly FoundInChart[];
  /** Whether the EHR was searched and showed everything. If false, an empty result proves nothing. */
  readonly isWhole: boolean;
}

const notSearched: ChartLook = { live: [], inError: [], isWhole: false };

/** Searches the chart for a resource that the bridge wrote. Resources about another patient are ignored. */
export async function find(delivery: Delivery, { type, reach }: ChannelStep, sought: Sought): Promise<ChartLook> {
  if (reach.search === 'none') return notSearched;
  try {
    return await search(delivery, type, reach.search, sought);
  } catch (error) {
    const judgement = judgeFailure(error);
    if (judgement.reaches === undefined) throw error;
    // The EHR advertises a search that it refuses. Resources are still written.
    noteRefusal(delivery, `${type}.search`, judgement);
    return notSearched;
  }
}

async function search(delivery: Delivery, type: Writable, by: Reach['search'], sought: Sought): Promise<ChartLook> {
  const { what, identifier, document } = sought;
  const byPatient = [['patient', delivery.facts.patient.replace('Patient/', '')]] as const;
  const byIdentifier = [...byPatient, ['identifier', `${identifier.system}|${identifier.value}`]] as const;
  const asked = await delivery.api.search(
    type,
    sought.target !== undefined ? [['target', sought.target]] : by === 'identifier' ? byIdentifier : byPatient,
  );
  // The payer's letter is searched for among all documents, because somebody else may have put it there.
  const isElsewhere = what === 'determination' && document !== undefined && asked.resources.length === 0;
  const { resources, truncated } =
    isElsewhere && by === 'identifier' ? await delivery.api.search(type, byPatient) : asked;
  const found = resources
    .filter((resource) => isWritable(resource))
    .filter((resource) => resource.resourceType === type && isAbout(delivery, resource))
    .filter((resource) => isSought(resource, sought))
    .flatMap((resource) => asFound(resource, sought) ?? []);
  return {
    live: found.filter(({ status }) => status !== 'entered-in-error'),
    inError: found.filter(({ status }) => status === 'entered-in-error'),
    isWhole: !truncated,
  };
}

/** Compares references without regard to case, because some servers change the case of an id. */
export function isSameResource(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && left.toLowerCase() === right.toLowerCase();
}

/** Returns `Patient/1` from a reference that is relative, absolute, or has a version. */
export function patientIn(subject: Reference | undefined): string | undefined {
  return /(?:^|\/)(Patient\/[A-Za-z0-9\-.]{1,64})(?:\/_history\/.*)?$/.exec(subject?.reference ?? '')?.[1];
}

/** Returns the patient of a resource. A Provenance has the patient in `entity`. */
export function subjectOf(resource: Ours): Reference | undefined {
  if (resource.resourceType === 'Task') return resource.for;
  if (resource.resourceType !== 'Provenance') return resource.subject;
  return resource.entity?.map(({ what }) => what).find((what) => patientIn(what) !== undefined);
}

export function patientOf(resource: Ours): string | undefined {
  return patientIn(subjectOf(resource));
}

/** Throws patient_mismatch for a resource about another patient, before it is changed. */
export function assertAbout(delivery: Delivery, resource: Ours): void {
  if (!isAbout(delivery, resource)) throw new BridgeError('patient_mismatch', { case: delivery.facts.id });
}

// An EHR may drop the `entity` of a Provenance, which refers to the patient. The target of the Provenance was written
// by the bridge for this patient.
function isAbout({ facts }: Delivery, resource: Ours): boolean {
  const patient = patientOf(resource);
  return patient === facts.patient || (resource.resourceType === 'Provenance' && patient === undefined);
}

export function isWritable(resource: Resource): resource is Ours {
  return ['Task', 'DocumentReference', 'Communication', 'Provenance'].includes(resource.resourceType);
}

/** Returns the row of a resource that is in the chart. */
export function inChart(
  delivery: Delivery,
  row: LedgerEntry,
  { reference, versionId }: Pick<FoundInChart, 'reference' | 'versionId'>,
): LedgerEntry {
  const { versionId: _, looks: __, ...rest } = withoutReason(row);
  return {
    ...rest,
    state: 'done',
    reference,
    ...(versionId === undefined ? {} : { versionId }),
    token: delivery.token,
    at: delivery.now(),
  };
}

function asFound(resource: Ours, sought: Sought): FoundInChart | undefined {
  if (resource.id === undefined) return undefined;
  const versionId = resource.meta?.versionId;
  const hash = resource.resourceType === 'DocumentReference' ? resource.content?.[0]?.attachment?.hash : undefined;
  return {
    reference: `${resource.resourceType}/${resource.id}`,
    ...(versionId === undefined ? {} : { versionId }),
    status: resource.resourceType === 'Provenance' ? undefined : resource.status,
    carriesIdentifier: carries(resource, sought),
    ...(hash === undefined ? {} : { hash }),
  };
}

function isSought(found: Ours, sought: Sought): boolean {
  const { what, document, message } = sought;
  if (carries(found, sought)) return true;
  if (found.resourceType === 'Communication' && message !== undefined) return isSameMessage(message, found);
  if (found.resourceType !== 'DocumentReference' || document === undefined) return false;
  const [mine, theirs] = [document.content[0]?.attachment, found.content?.[0]?.attachment];
  // The payer's letter is the same letter, whoever put it into the chart.
  if (what === 'determination' && theirs?.hash !== undefined) return theirs.hash === mine?.hash;
  return isSameSummary(document, found, mine, theirs);
}

// In EHRs that drop identifiers, documents with the same bytes, title and description are the same letter, since the
// description identifies the request.
function isSameSummary(
  document: DocumentReference,
  found: DocumentReference,
  mine: Attachment | undefined,
  theirs: Attachment | undefined,
): boolean {
  if (found.description !== undefined && found.description !== document.description) return false;
  // If an EHR stores neither description nor hash, the size tells apart the letters of two requests for one drug on one
  // day.
  const differs = (['hash', 'size'] as const).some((key) => theirs?.[key] !== undefined && theirs[key] !== mine?.[key]);
  return theirs?.title !== undefined && theirs.title === mine?.title && !differs;
}

// The text identifies the request, and `about` the order.
function isSameMessage(message: Communication, found: Communication): boolean {
  const text = ({ payload }: Communication) => payload?.[0]?.contentString?.replaceAll(/\s+/g, ' ').trim();
  const about = found.about?.map(({ reference }) => reference) ?? [];
  const isAbout = about.length === 0 || about.includes(message.about?.[0]?.reference);
  return isAbout && text(found) !== undefined && text(found) === text(message);
}

// In EHRs that store no identifiers, a text ends with the identifier.
function carries(resource: Ours, { identifier, target }: Sought): boolean {
  const { system, value } = identifier;
  if (resource.resourceType === 'Provenance') return isProvenanceOf(resource, target, identifier);
  const texts = [
    ...(resource.resourceType === 'Task' ? [resource.description] : []),
    ...(resource.extension ?? []).map(({ valueString }) => valueString),
  ];
  return (
    resource.identifier?.some((one) => one.system === system && one.value === value) === true ||
    texts.some((text) => text?.endsWith(markOf(identifier)) === true)
  );
}

// EHRs add Provenances of their own.
function isProvenanceOf(found: Provenance, target: string | undefined, agent: Identifier): boolean {
  const isTarget = found.target.some(({ reference }) => isSameResource(withoutVersion(reference), target));
  // An EHR that drops the agent's identifier keeps its name.
  const isAgent = ({ identifier, display }: Reference) =>
    identifier === undefined
      ? display === agent.value
      : identifier.system === agent.system && identifier.value === agent.value;
  return isTarget && found.agent.some(({ who }) => isAgent(who));
}

/** Returns `DocumentReference/12` from a reference that is relative, absolute, or has a version. */
function withoutVersion(reference: string | undefined): string | undefined {
  return /([A-Za-z]+\/[A-Za-z0-9\-.]{1,64})(?:\/_history\/.*)?$/.exec(reference ?? '')?.[1];
}

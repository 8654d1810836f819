import type { Attachment, Communication, DocumentReference, Reference, Resource, Task } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import type { Delivery } from './delivery.ts';
import type { Step } from './ladder.ts';
import type { LedgerEntry, Written } from './ledger.ts';
import type { Identifier } from './resources/common.ts';

export type Ours = Task | DocumentReference | Communication;

/** What is looked for in the chart. */
export interface Sought {
  readonly what: Exclude<Written, 'double'>;
  readonly identifier: Identifier;
  /** By which a document is known among all of the patient; absent when its bytes are not at hand. */
  readonly document?: DocumentReference;
}

/** One of the bridge's resources, as the chart holds it. */
export interface Found {
  readonly reference: string;
  readonly versionId?: string;
  readonly status: string;
  /** It carries the identifier that the bridge gave it: nobody else can have written it. */
  readonly carriesIdentifier: boolean;
  /** SHA-1 of a document’s bytes, where the EHR tells it. */
  readonly hash?: string;
}

export interface Search {
  /** What is in force, in the order in which the EHR gives it. */
  readonly live: readonly Found[];
  /** What is marked as entered in error. */
  readonly inError: readonly Found[];
  /** false when the EHR cannot be asked, or did not show everything: nothing found then means nothing. */
  readonly isWhole: boolean;
}

/** Looks for a resource of ours in the chart; only what is about the same patient counts. */
export async function find(delivery: Delivery, { type, reach }: Step, sought: Sought): Promise<Search> {
  if (reach.search === 'none') return { live: [], inError: [], isWhole: false };
  const { what, identifier, document } = sought;
  const byPatient = [['patient', delivery.facts.patient.replace('Patient/', '')]] as const;
  const byIdentifier = [...byPatient, ['identifier', `${identifier.system}|${identifier.value}`]] as const;
  const asked = await delivery.api.search(type, reach.search === 'identifier' ? byIdentifier : byPatient);
  // The payer’s letter is looked for among all documents once: somebody may have put it there.
  const isElsewhere = what === 'determination' && document !== undefined && asked.resources.length === 0;
  const { resources, truncated } =
    isElsewhere && reach.search === 'identifier' ? await delivery.api.search(type, byPatient) : asked;
  const found = resources
    .filter((resource) => isWritable(resource))
    .filter((resource) => resource.resourceType === type && patientOf(resource) === delivery.facts.patient)
    .filter((resource) => isSought(resource, sought))
    .flatMap((resource) => asFound(resource, sought) ?? []);
  return {
    live: found.filter(({ status }) => status !== 'entered-in-error'),
    inError: found.filter(({ status }) => status === 'entered-in-error'),
    isWhole: !truncated,
  };
}

/** The same resource: some servers change the case of an id. */
export function isSame(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && left.toLowerCase() === right.toLowerCase();
}

/** `Patient/1` of a reference that is relative, absolute, or names a version. */
export function patientIn(subject: Reference | undefined): string | undefined {
  return /(?:^|\/)(Patient\/[A-Za-z0-9\-.]{1,64})(?:\/_history\/.*)?$/.exec(subject?.reference ?? '')?.[1];
}

export function patientOf(resource: Ours): string | undefined {
  return patientIn(resource.resourceType === 'Task' ? resource.for : resource.subject);
}

/** Stops the change of a resource that is about another patient. */
export function assertAbout(delivery: Delivery, resource: Ours): void {
  if (patientOf(resource) !== delivery.facts.patient)
    throw new BridgeError('patient_mismatch', { case: delivery.facts.id });
}

export function isWritable(resource: Resource): resource is Ours {
  return ['Task', 'DocumentReference', 'Communication'].includes(resource.resourceType);
}

/** The row of something that is in the chart. */
export function inChart(
  delivery: Delivery,
  row: LedgerEntry,
  { reference, versionId }: Pick<Found, 'reference' | 'versionId'>,
): LedgerEntry {
  const { reason: _, versionId: __, looks: ___, ...rest } = row;
  return {
    ...rest,
    state: 'done',
    reference,
    ...(versionId === undefined ? {} : { versionId }),
    token: delivery.token,
    at: delivery.now(),
  };
}

function asFound(resource: Ours, { identifier }: Sought): Found | undefined {
  if (resource.id === undefined) return undefined;
  const versionId = resource.meta?.versionId;
  const hash = resource.resourceType === 'DocumentReference' ? resource.content?.[0]?.attachment?.hash : undefined;
  return {
    reference: `${resource.resourceType}/${resource.id}`,
    ...(versionId === undefined ? {} : { versionId }),
    status: resource.status,
    carriesIdentifier: carries(resource, identifier),
    ...(hash === undefined ? {} : { hash }),
  };
}

function isSought(found: Ours, { what, identifier, document }: Sought): boolean {
  if (carries(found, identifier)) return true;
  if (found.resourceType !== 'DocumentReference' || document === undefined) return false;
  const [mine, theirs] = [document.content[0]?.attachment, found.content?.[0]?.attachment];
  // The payer’s letter is the same letter whoever put it there.
  if (what === 'determination' && theirs?.hash !== undefined) return theirs.hash === mine?.hash;
  return isSameSummary(document, found, mine, theirs);
}

// Some EHRs drop identifiers: the same bytes under the same title and description, which names the request, are the
// same letter.
function isSameSummary(
  document: DocumentReference,
  found: DocumentReference,
  mine: Attachment | undefined,
  theirs: Attachment | undefined,
): boolean {
  if (found.description !== undefined && found.description !== document.description) return false;
  return (
    theirs?.title !== undefined &&
    theirs.title === mine?.title &&
    (theirs.hash === undefined || theirs.hash === mine?.hash)
  );
}

function carries(resource: Ours, { system, value }: Identifier): boolean {
  return resource.identifier?.some((one) => one.system === system && one.value === value) === true;
}

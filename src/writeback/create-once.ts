import type { Communication, DocumentReference, Identifier, Resource, Task } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import type { Written as Accepted } from '../fhir/api.ts';
import { assertSamePatient } from './case-facts.ts';
import type { Delivery } from './delivery.ts';
import type { Reach, Writable } from './ladder.ts';
import type { LedgerEntry } from './ledger.ts';

export type Ours = Task | DocumentReference | Communication;

export interface Target {
  readonly row: LedgerEntry;
  readonly resource: Ours;
  readonly identifier: { readonly system: string; readonly value: string };
  readonly reach: Reach;
}

/**
 * Creates a resource at most once: the ledger row is durable before the POST, the chart is searched before every POST,
 * and
 * after a lost answer the search decides. Ends `done`, `unknown` when it is to be tried again, or `failed` when only a
 * person can find out.
 * Throws the EHR's definite refusals.
 */
export async function createOnce(delivery: Delivery, target: Target): Promise<LedgerEntry> {
  const { reach } = target;
  const mayExist = target.row.state === 'in_flight' || target.row.state === 'unknown';
  if (target.row.state === 'in_flight')
    await delivery.put({
      ...target.row,
      state: 'unknown',
      reason: 'the bridge stopped before the answer came',
      at: delivery.now(),
    });
  const before = await find(delivery, target);
  if (before !== undefined) return await delivery.put(done(delivery, target.row, before));
  if (mayExist && (reach.search === 'none' || target.row.attempts >= mostPosts))
    return await delivery.put(needsPerson(delivery, target.row));
  let row = target.row;
  for (let posts = 0; posts < 2; posts += 1) {
    row = await delivery.put({ ...inFlight(row, delivery.now()), attempts: row.attempts + 1 });
    const accepted = await post(delivery, target);
    if (!(accepted instanceof BridgeError))
      return await delivery.put(
        done(delivery, row, { reference: `${target.resource.resourceType}/${accepted.id}`, ...version(accepted) }),
      );
    row = await delivery.put({ ...row, state: 'unknown', reason: 'the answer was lost', at: delivery.now() });
    if (reach.search === 'none') return await delivery.put(needsPerson(delivery, row));
    const found = await find(delivery, target);
    if (found !== undefined) return await delivery.put(done(delivery, row, found));
    // The EHR says that there is one already, and it is not ours.
    if (accepted.code === 'ehr_conflict')
      throw new BridgeError('ehr_write_refused', accepted.facts, { cause: accepted });
  }
  return row;
}

const mostPosts = 4;

// Sending again could double it, and not sending could lose it: somebody looks into the chart and decides.
function needsPerson(delivery: Delivery, row: LedgerEntry): LedgerEntry {
  return {
    ...row,
    state: 'failed',
    reason: 'sent, but its answer was lost: look for it in the chart before trying again',
    at: delivery.now(),
  };
}

/** What the EHR made of it, or the error after which it may exist. Throws definite refusals. */
async function post(delivery: Delivery, { resource, identifier, reach }: Target): Promise<Accepted | BridgeError> {
  assertSamePatient(delivery.facts, resource.resourceType === 'Task' ? resource.for : resource.subject);
  const condition = reach.conditionalCreate
    ? { ifNoneExist: `identifier=${encodeURIComponent(`${identifier.system}|${identifier.value}`)}` }
    : {};
  try {
    return await delivery.api.create(resource, condition);
  } catch (error) {
    if (error instanceof BridgeError && mayExistAfter.has(error.code)) return error;
    throw error;
  }
}

// An EHR that fails, or answers what cannot be read, may have stored it; one that reports a duplicate has stored it
// before.
const mayExistAfter: ReadonlySet<string> = new Set(['ehr_write_unclear', 'ehr_error', 'ehr_not_fhir', 'ehr_conflict']);

interface Found {
  readonly reference: string;
  readonly versionId?: string;
}

/** Our resource in the chart; only one about the same patient counts. */
async function find(delivery: Delivery, { resource, identifier, reach }: Target): Promise<Found | undefined> {
  if (reach.search === 'none') return undefined;
  const type: Writable = resource.resourceType;
  const by = reach.search === 'identifier' ? [['identifier', `${identifier.system}|${identifier.value}`] as const] : [];
  const { resources } = await delivery.api.search(type, [
    ['patient', delivery.facts.patient.replace('Patient/', '')],
    ...by,
  ]);
  const ours = resources.find((found) => isOurs(found, resource, identifier));
  if (ours?.id === undefined) return undefined;
  return {
    reference: `${type}/${ours.id}`,
    ...(ours.meta?.versionId === undefined ? {} : { versionId: ours.meta.versionId }),
  };
}

function isOurs(found: Resource, resource: Ours, identifier: Target['identifier']): boolean {
  if (!isSameType(found, resource) || subjectOf(found) !== subjectOf(resource)) return false;
  const identifiers: readonly Identifier[] = found.identifier ?? [];
  if (identifiers.some(({ system, value }) => system === identifier.system && value === identifier.value)) return true;
  // Some EHRs drop identifiers: the same bytes under the same title and description, which names the request, are the
  // same letter.
  if (found.resourceType !== 'DocumentReference' || resource.resourceType !== 'DocumentReference') return false;
  const [mine, theirs] = [resource.content[0]?.attachment, found.content[0]?.attachment];
  if (found.description !== undefined && found.description !== resource.description) return false;
  return (
    theirs?.title !== undefined &&
    theirs.title === mine?.title &&
    (theirs.hash === undefined || theirs.hash === mine?.hash)
  );
}

function isSameType(found: Resource, resource: Ours): found is Ours {
  return found.resourceType === resource.resourceType;
}

function subjectOf(resource: Ours): string | undefined {
  const subject = resource.resourceType === 'Task' ? resource.for : resource.subject;
  return /(?:^|\/)(Patient\/[A-Za-z0-9\-.]{1,64})(?:\/_history\/.*)?$/.exec(subject?.reference ?? '')?.[1];
}

function done(delivery: Delivery, row: LedgerEntry, { reference, versionId }: Found): LedgerEntry {
  const { reason: _, versionId: __, ...rest } = row;
  return {
    ...rest,
    state: 'done',
    reference,
    ...(versionId === undefined ? {} : { versionId }),
    token: delivery.token,
    at: delivery.now(),
  };
}

export function inFlight(row: LedgerEntry, at: string): LedgerEntry {
  const { reason: _, ...rest } = row;
  return { ...rest, state: 'in_flight', at };
}

export function version(accepted: Accepted): { versionId?: string } {
  return accepted.versionId === undefined ? {} : { versionId: accepted.versionId };
}

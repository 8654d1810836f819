import { setTimeout as sleep } from 'node:timers/promises';
import type { Coverage, DocumentReference, Resource } from 'fhir/r4.js';
import type { FhirApi } from '../../core/fhir/api.ts';
import type { Entry } from '../../core/fhir/bundle.ts';
import { carriesCard } from '../../core/fhir/documents/attachments.ts';
import { isCard } from '../../core/fhir/documents/kinds.ts';
import { readOutsideFiles } from './outside-files.ts';
import { EhrReader } from './reader.ts';
import { type ChartSearch, searches } from './searches.ts';

/** All resources of one patient that a request may need, as currently in the EHR. */
export interface EhrChart {
  /** Each entry has its `fullUrl` at this EHR, so that a reference to another server never matches. */
  readonly entries: readonly Entry[];
  /** The number of request rounds that reading took, one to three. */
  readonly rounds: number;
  /**
   * Sentences without clinical values about truncated searches, references left unread, dropped resources of other
   * patients, and OperationOutcome codes.
   */
  readonly warnings: readonly string[];
  /** Resource types that the EHR does not let this user read, for example `Coverage`. */
  readonly forbidden: readonly string[];
  /**
   * Resource types that were not read completely, including forbidden types. That none was found does not mean that the
   * chart has none.
   */
  readonly unread: readonly string[];
  /** Set as long as some optional searches have no answer. */
  readonly late?: Late;
}

export interface Late {
  /** Resource types whose searches have no answer yet, for example `Observation`. */
  readonly types: readonly string[];
  /** The complete chart, once the EHR has answered all searches. Rejects if the access ended before that. */
  readonly whole: Promise<EhrChart>;
}

export interface Focus {
  readonly patient: string;
  /** If absent, only the patient's orders are read, for a list of them. */
  readonly order?: string;
  readonly encounter?: string;
  /**
   * Milliseconds to wait for the CapabilityStatement, and again for optional searches after the needed ones; 2000 by
   * default.
   */
  readonly patience?: number;
  /** Resources that were already read to list the patient's orders. They are not requested again. */
  readonly known?: Pick<EhrChart, 'entries' | 'warnings' | 'forbidden' | 'unread'>;
}

const maxRounds = 3;
/** References followed in one round. Only the list of all orders of a long record comes near this limit. */
const maxReferences = 60;
const usualPatience = 2_000;

/**
 * Reads the chart of one patient in at most three rounds of parallel requests: searches, with `_include` where the EHR
 * supports it, then references, starting with those of the focal order. Unread references become warnings. Slow
 * optional searches are not waited for; `late` has their results. Throws patient_mismatch if the Patient or the focal
 * order belongs to another patient. All other resources of other patients, and of a patient with the same id on another
 * server, are dropped with a warning.
 */
export async function readChart(api: FhirApi, focus: Focus): Promise<EhrChart> {
  const reader = new EhrReader(api, idOf(focus.patient), focus.order === undefined ? undefined : idOf(focus.order));
  const patience = focus.patience ?? usualPatience;
  // until the statement arrives, searches use only parameters that every server supports
  const statement = within(patience, reader.capabilities());
  if (focus.known !== undefined) reader.take(focus.known);
  const isListed = ({ type }: ChartSearch) => type === 'MedicationRequest';
  const ofOrder = focus.known === undefined ? searches : searches.filter((search) => !isListed(search));
  const wanted = focus.order === undefined ? searches.filter(isListed) : ofOrder;
  const started = (search: ChartSearch) => ({ type: search.type, done: reader.search(search, statement) });
  const needed = wanted.filter(isAwaited).map(started);
  const optional = wanted.filter((search) => !isAwaited(search)).map(started);
  const open = new Set(optional);
  for (const search of optional)
    search.done.then(
      () => open.delete(search),
      // whoever awaits `whole` gets the failure; this handler prevents an unhandled rejection if another request fails
      // first
      () => undefined,
    );
  await Promise.all([
    ...(focus.known === undefined ? [reader.readPatient()] : []),
    ...needed.map(({ done }) => done),
    ...(focus.encounter === undefined || focus.known !== undefined
      ? []
      : [reader.read(`Encounter/${idOf(focus.encounter)}`)]),
  ]);
  const all = Promise.all(optional.map(({ done }) => done));
  await within(patience, all);
  const rounds = await follow(reader, statement, 1);
  const early = { ...reader.found(), rounds };
  const lateTypes = [...open].map(({ type }) => type);
  const whole = all.then(() => finished(reader, statement, rounds, api));
  whole.catch(() => undefined);
  // card images outside the EHR get the same time; if nothing is outstanding, the chart is complete at once
  const chart = lateTypes.length > 0 ? undefined : await within(patience, whole);
  if (chart !== undefined) return chart;
  const types = lateTypes.length > 0 ? [...new Set(lateTypes)].sort() : ['DocumentReference'];
  return { ...early, late: { types, whole } };
}

function isAwaited({ when }: ChartSearch): boolean {
  return when === 'needed' || when === 'awaited';
}

/** Reads missing references until none are left or the rounds are used up; returns the number of rounds. */
async function follow(
  reader: EhrReader,
  statement: ReturnType<EhrReader['capabilities']>,
  before: number,
): Promise<number> {
  let rounds = before;
  for (let missing = reader.missing(); missing.length > 0 && rounds < maxRounds; missing = reader.missing()) {
    rounds += 1;
    await reader.readAll(missing.slice(0, maxReferences), await statement);
  }
  return rounds;
}

async function finished(
  reader: EhrReader,
  statement: ReturnType<EhrReader['capabilities']>,
  before: number,
  api: FhirApi,
): Promise<EhrChart> {
  const rounds = await follow(reader, statement, before);
  reader.leave(reader.missing());
  const { entries, ...rest } = reader.found();
  const outside = await readOutsideFiles(api, entries, holdsCard, 'An insurance card image');
  return { ...rest, entries: outside.entries, rounds, warnings: [...rest.warnings, ...outside.warnings] };
}

function holdsCard(resource: Resource): boolean {
  const { resourceType } = resource;
  if (resourceType === 'Coverage') return carriesCard(resource as Coverage);
  return resourceType === 'DocumentReference' && isCard(resource as DocumentReference);
}

/**
 * Waits for `work`, but at most `ms`, then returns undefined. If `work` fails within that time, its error is thrown.
 */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const soon = new AbortController();
  const late = sleep(ms, undefined, { signal: soon.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    soon.abort();
  }
}

function idOf(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}

import type { CapabilityStatement } from 'fhir/r4.js';
import type { Clock, Log } from '../base/log.ts';
import type { Site } from '../config/config.ts';
import type { BridgeError } from '../core/errors.ts';
import type { FhirApi } from '../core/fhir/api.ts';
import type { Mapping } from '../core/mapping/words/define.ts';
import type { CaseFacts } from './case-facts.ts';
import type { Refusals } from './create-refusals.ts';
import { type LedgerEntry, plannedRow, record, rowBefore, type WrittenKind } from './ledger.ts';
import type { DocumentReferenceShape, TaskShape } from './resources/shapes.ts';
import type { Judgement } from './retry.ts';

/** The dependencies and data of one delivery to one chart. */
export interface DeliveryRequest {
  readonly site: Site;
  /** The bridge's own URL, the namespace of its identifiers. */
  readonly bridgeUrl: string;
  readonly facts: CaseFacts;
  readonly api: FhirApi;
  /** Which kind of token `api` uses, for the ledger. */
  readonly token: string;
  /** The user whose token writes, if that is not the sender: some EHRs accept only the authorized user as author. */
  readonly author?: { readonly fhirUser: string; readonly name?: string };
  readonly mappings: WritebackMappings;
  /** The payer's own letters as received by fax, oldest first. The last one is the letter of the outcome. */
  readonly letters?: readonly Uint8Array[];
  /**
   * Resolves once the row is durable; no request is sent before. `before`: the row that this delivery knows. Throws if
   * the ledger has another row by now (`follows`).
   */
  readonly save: (entry: LedgerEntry, before: LedgerEntry | undefined) => Promise<void>;
  /** Operations that the site's EHR refused although it advertises them. All deliveries to the site share them. */
  readonly refusals: Refusals;
  /** Seconds until the first retry of a write that the EHR could not process; 30 by default. */
  readonly retrySeconds?: number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface WritebackMappings {
  readonly task: Mapping<TaskShape>;
  readonly documentReference: Mapping<DocumentReferenceShape>;
}

/** A DeliveryRequest with the ledger, which changes during the delivery. */
export interface Delivery extends DeliveryRequest {
  readonly statement: CapabilityStatement;
  readonly rows: () => readonly LedgerEntry[];
  readonly row: (what: WrittenKind, version: string) => LedgerEntry;
  /** Stores a row and returns it. Throws Unsaved, which must end the delivery. */
  readonly put: (entry: LedgerEntry) => Promise<LedgerEntry>;
  readonly now: () => string;
  /** Rows that wait for a token, by `what version`. They are not retried automatically. */
  readonly paused: Set<string>;
  /** Rows that this delivery has processed, by `what version`. */
  readonly touched: Set<string>;
  /** Errors in which the EHR asked not to be called for a while. After the first, no more requests are sent. */
  readonly busy: BridgeError[];
}

/** A row could not be stored, so the delivery must end: the content of the ledger is unknown. */
export class Unsaved extends Error {
  override readonly name = 'Unsaved';
}

/** Reads the EHR's capabilities. Throws their errors. */
export async function beginDelivery(request: DeliveryRequest): Promise<Delivery> {
  const statement = await request.api.capabilities();
  let rows = request.facts.writes;
  const now = () => request.clock().toISOString();
  return {
    ...request,
    api: reportingSuccess(request.api, request.refusals),
    statement,
    now,
    rows: () => rows,
    row: (what, version) => plannedRow(rows, what, version, now()),
    async put(entry) {
      const before = rowBefore(rows, entry);
      rows = record(rows, entry);
      try {
        await request.save(entry, before);
      } catch (cause) {
        throw new Unsaved('a ledger row could not be stored', { cause });
      }
      return entry;
    },
    paused: new Set(),
    touched: new Set(),
    busy: [],
  };
}

/** Returns the same API, which also reports each success, because a success cancels earlier refusals. */
function reportingSuccess(api: FhirApi, { accepted }: Refusals): FhirApi {
  const noted = async <T>(asked: string, done: Promise<T>): Promise<T> => {
    const answer = await done;
    accepted(asked);
    return answer;
  };
  return {
    ...api,
    search: (type, params, options) => noted(`${type}.search`, api.search(type, params, options)),
    create: (resource, options) => noted(resource.resourceType, api.create(resource, options)),
    update: (resource, options) => noted(`${resource.resourceType}.update`, api.update(resource, options)),
    patch: (resource, operations, options) =>
      noted(`${resource.resourceType}.patch`, api.patch(resource, operations, options)),
    delete: (resource) => noted(`${resource.resourceType}.delete`, api.delete(resource)),
  };
}

/** Records a refusal for the case or for the whole site. */
export function noteRefusal(
  { refusals, facts }: Pick<Delivery, 'refusals' | 'facts'>,
  asked: string,
  { reaches, reason }: Pick<Judgement, 'reaches' | 'reason'>,
): void {
  if (reaches !== undefined) refusals.note(asked, { caseId: facts.id, reason, of: reaches });
}

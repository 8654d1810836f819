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

/** Everything that one delivery to one chart works with. */
export interface DeliveryRequest {
  readonly site: Site;
  /** The bridge's own address; namespace of its identifiers. */
  readonly bridgeUrl: string;
  readonly facts: CaseFacts;
  readonly api: FhirApi;
  /** Whose token `api` uses, for the ledger. */
  readonly token: string;
  /** The user whose token writes, when it is not the sender: some EHRs take only the authorised user as author. */
  readonly author?: { readonly fhirUser: string; readonly name?: string };
  readonly mappings: WritebackMappings;
  /** The payer's own letters as they came by fax, oldest first; the last one is that of the outcome. */
  readonly letters?: readonly Uint8Array[];
  /**
   * Resolves once the row is durable: no request leaves before. `before` is the row as this delivery knows it; throws
   * where the ledger says something else by now (`follows`).
   */
  readonly save: (entry: LedgerEntry, before: LedgerEntry | undefined) => Promise<void>;
  /** What this EHR refused although it advertises it; shared by all deliveries to the site. */
  readonly refusals: Refusals;
  /** Seconds until the first retry of what the EHR could not take now; 30 when left out. */
  readonly retrySeconds?: number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface WritebackMappings {
  readonly task: Mapping<TaskShape>;
  readonly documentReference: Mapping<DocumentReferenceShape>;
}

/** A DeliveryRequest with the ledger as it grows during the delivery. */
export interface Delivery extends DeliveryRequest {
  readonly statement: CapabilityStatement;
  readonly rows: () => readonly LedgerEntry[];
  /** The row as it stands, or a planned one. */
  readonly row: (what: WrittenKind, version: string) => LedgerEntry;
  /** Stores a row and gives it back; throws Unsaved, after which nothing more may be done. */
  readonly put: (entry: LedgerEntry) => Promise<LedgerEntry>;
  readonly now: () => string;
  /** Rows that wait for a token, by `what version`: no retry by itself. */
  readonly paused: Set<string>;
  /** Rows that this delivery has worked on, by `what version`. */
  readonly touched: Set<string>;
  /** Answers of an EHR that asked to be left alone for a while: after the first one nothing more is asked. */
  readonly busy: BridgeError[];
}

/** A row could not be stored: what the ledger says is not known any more, so the delivery ends here. */
export class Unsaved extends Error {
  override readonly name = 'Unsaved';
}

/** Asks the EHR what it offers; throws as it does. */
export async function beginDelivery(request: DeliveryRequest): Promise<Delivery> {
  const statement = await request.api.capabilities();
  let rows = request.facts.writes;
  const now = () => request.clock().toISOString();
  return {
    ...request,
    api: toldOf(request.api, request.refusals),
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

/** The same EHR; what it does is told, since it takes back what it refused before. */
function toldOf(api: FhirApi, { accepted }: Refusals): FhirApi {
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

/** Remembers a refusal for everything it applies to: the case, or the whole site. */
export function noteRefusal(
  { refusals, facts }: Pick<Delivery, 'refusals' | 'facts'>,
  asked: string,
  { reaches, reason }: Pick<Judgement, 'reaches' | 'reason'>,
): void {
  if (reaches !== undefined) refusals.note(asked, { caseId: facts.id, reason, of: reaches });
}

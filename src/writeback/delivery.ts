import type { CapabilityStatement } from 'fhir/r4.js';
import type { Site } from '../config.ts';
import type { FhirApi } from '../fhir/api.ts';
import type { Clock, Log } from '../log.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { CaseFacts } from './case-facts.ts';
import type { LedgerEntry, Written } from './ledger.ts';
import { rowOf } from './ledger.ts';
import type { DocumentReferenceShape, TaskShape } from './resources/shapes.ts';

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
  /** The payer's letter as it came by fax. */
  readonly determination?: Uint8Array;
  /** Resolves once the row is durable: no request leaves before. */
  readonly save: (entry: LedgerEntry) => Promise<void>;
  /** What this EHR refused although it advertises it; shared by all deliveries to the site. */
  readonly refused: Map<string, string>;
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
  readonly row: (what: Written, version: string) => LedgerEntry;
  readonly put: (entry: LedgerEntry) => Promise<LedgerEntry>;
  readonly now: () => string;
}

export function plannedRow(rows: readonly LedgerEntry[], what: Written, version: string, at: string): LedgerEntry {
  const found = rowOf(rows, what, what === 'task' ? undefined : version);
  return found === undefined ? { what, version, state: 'planned', attempts: 0, at } : { ...found, version };
}

import type { Kysely } from 'kysely';
import type { Queue } from 'pg-boss';
import type { Actor } from '../../../src/cases/case.ts';
import type { Clock, Log } from '../../../src/log.ts';
import type { ServiceClient } from '../../../src/service/client.ts';
import type { OldCase } from '../../../src/store/migrations/0003-old-case.ts';

/** What the build ca2e819 stored and offered, as far as its data folder is made, restored and compared here. */

export interface EarlierCase extends OldCase {
  readonly edits: Readonly<Record<string, unknown>>;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly provenance?: readonly {
    readonly target: string;
    readonly source?: readonly { readonly resource: string; readonly path: string }[];
  }[];
  readonly gaps?: readonly unknown[];
}

export interface EarlierJob {
  readonly queue: string;
  readonly data: {
    readonly case?: string;
    readonly launch?: string;
    readonly site?: string;
    readonly serviceId?: string;
  };
  readonly afterSeconds?: number;
}

type Value = string | number | boolean | null;

/** Its rows, by column. */
export interface EarlierRow {
  [column: string]: Value;
}

export interface EarlierTables {
  cases: { id: string; state: string; sealed: string };
  files: EarlierRow;
  webhooks: EarlierRow;
  launches: EarlierRow;
  allowances: EarlierRow;
}

export interface EarlierStore {
  readonly vault: { open(sealed: string, about: string): string };
  read<T>(work: (db: Kysely<EarlierTables>) => Promise<T>): Promise<T>;
}

export interface EarlierCases {
  get(id: string): Promise<EarlierCase>;
  openDraft(request: object): Promise<EarlierCase>;
  saveDraft(id: string, draft: object): Promise<EarlierCase>;
  send(id: string, submission: object): Promise<EarlierCase>;
  retryWriteback(id: string, by: Actor): Promise<EarlierCase>;
  patientMark(site: string, patient: string): string;
}

/** The modules of that build that are used. */
export interface EarlierBuild {
  openStore(options: {
    readonly config: { readonly keys: readonly string[]; readonly dataDir: string };
    readonly log: Log;
  }): Promise<EarlierStore>;
  createCases(options: {
    readonly store: EarlierStore;
    readonly config: object;
    readonly services: () => ServiceClient;
    readonly access: () => Promise<{ readonly waiting: 'next-launch' }>;
    readonly mappings: object;
    readonly clock: Clock;
    readonly log: Log;
  }): EarlierCases;
  readonly migrations: Readonly<Record<string, unknown>>;
}

const common = { policy: 'short', retryLimit: 5, retryDelay: 2, retryBackoff: true, retryDelayMax: 300 } as const;

export const earlierQueues: readonly (Queue & { readonly name: string })[] = [
  { ...common, name: 'look', notify: true, expireInSeconds: 120, deleteAfterSeconds: 3600 },
  { ...common, name: 'poll', notify: false, expireInSeconds: 120, deleteAfterSeconds: 3600 },
  { ...common, name: 'match', notify: true, expireInSeconds: 120, deleteAfterSeconds: 3600 },
  { ...common, name: 'settle', notify: false, expireInSeconds: 120, deleteAfterSeconds: 3600 },
  { ...common, name: 'deliver', notify: true, expireInSeconds: 300, deleteAfterSeconds: 3600 },
];

export function earlierKeyOf({ queue, data }: EarlierJob): string {
  if (queue === 'match') return `${data.site}|${data.serviceId}`;
  if (queue === 'deliver') return `${data.case}|${data.launch ?? ''}`;
  return data.case ?? '';
}

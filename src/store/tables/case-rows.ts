import { type Kysely, type Selectable, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { LedgerEntry } from '../../writeback/ledger.ts';
import { iso } from '../database.ts';
import type { Database, PartName } from '../schema.ts';
import type { Seals } from '../seals.ts';
import type { CaseColumns, ListedStoredCase, Sealed, StoredCase, StoredEvent, StoredSubmission } from '../types.ts';

export type CaseRow = Selectable<Database['cases']>;

/** Returns the plain columns. A column without a value is absent. */
export function toColumns(row: CaseRow): CaseColumns {
  return {
    id: row.id,
    site: row.site,
    kind: row.kind,
    state: row.state,
    attempt: row.attempt,
    version: row.version,
    unwritten: row.unwritten,
    waiting: row.waiting,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    ...stated({
      status: row.status,
      serviceId: row.service_id,
      problem: row.problem,
      notArrivedAt: maybe(row.not_arrived_at),
      sentAt: maybe(row.sent_at),
      readAt: maybe(row.read_at),
      changedAt: maybe(row.changed_at),
      endedAt: maybe(row.ended_at),
    }),
  };
}

/** Returns the columns to write. `undefined` clears a column. */
export function fromColumns(
  columns: Omit<CaseColumns, 'id' | 'site' | 'kind' | 'createdAt' | 'updatedAt' | 'version'>,
) {
  return {
    state: columns.state,
    status: columns.status ?? null,
    service_id: columns.serviceId ?? null,
    attempt: columns.attempt,
    unwritten: columns.unwritten,
    waiting: columns.waiting,
    problem: columns.problem ?? null,
    not_arrived_at: columns.notArrivedAt ?? null,
    sent_at: columns.sentAt ?? null,
    read_at: columns.readAt ?? null,
    changed_at: columns.changedAt ?? null,
    ended_at: columns.endedAt ?? null,
  };
}

/**
 * Selects cases with everything that belongs to them, in one statement and so as of one point in time. If `bodies` is
 * false, sealed requests are not loaded.
 */
export function selectWhole(db: Kysely<Database>, options: { readonly bodies: boolean }) {
  return db
    .selectFrom('cases')
    .selectAll('cases')
    .select((one) => [
      jsonArrayFrom(
        one.selectFrom('parts').select(['part', 'hash', 'sealed']).whereRef('parts.case_id', '=', 'cases.id'),
      ).as('parts'),
      jsonArrayFrom(
        one
          .selectFrom('submissions')
          .select([
            'submissions.attempt',
            'submissions.state',
            'submissions.service_id',
            'submissions.sent_at',
            'submissions.settled_at',
            'submissions.hash',
          ])
          .select(options.bodies ? 'submissions.sealed' : sql<string>`''`.as('sealed'))
          .whereRef('submissions.case_id', '=', 'cases.id')
          .orderBy('submissions.attempt'),
      ).as('submissions'),
      jsonArrayFrom(
        one
          .selectFrom('events')
          .select(['events.id', 'events.at', 'events.type', 'events.actor', 'events.facts'])
          .whereRef('events.case_id', '=', 'cases.id')
          .orderBy('events.id'),
      ).as('events'),
      jsonArrayFrom(
        one.selectFrom('writes').selectAll('writes').whereRef('writes.case_id', '=', 'cases.id').orderBy('writes.id'),
      ).as('writes'),
    ]);
}

export interface WholeRow extends CaseRow {
  readonly parts: readonly { readonly part: PartName; readonly hash: string; readonly sealed: string }[];
  readonly submissions: readonly SubmissionRow[];
  readonly events: readonly EventRow[];
  readonly writes: readonly WriteRow[];
}

interface SubmissionRow {
  readonly attempt: number;
  readonly state: string;
  readonly service_id: string | null;
  readonly sent_at: string;
  readonly settled_at: string | null;
  readonly hash: string;
  readonly sealed: string;
}

interface EventRow {
  readonly id: string | number;
  readonly at: Date | string;
  readonly type: string;
  readonly actor: string;
  readonly facts: StoredEvent['facts'];
}

export interface WriteRow {
  readonly what: string;
  readonly version: string;
  readonly state: string;
  readonly reference: string | null;
  readonly version_id: string | null;
  readonly reason: string | null;
  readonly says: string | null;
  readonly token: string | null;
  readonly attempts: number;
  readonly looks: number | null;
  readonly tries: number | null;
  readonly tried_at: Date | string | null;
  readonly at: Date | string;
}

export function toCase(row: WholeRow, seals: Seals): StoredCase {
  const part = (name: PartName): Sealed | undefined => {
    const found = row.parts.find((each) => each.part === name);
    return found === undefined ? undefined : seals.lazily(found, `case|${row.id}|${name}`);
  };
  const parts = { draft: part('draft'), record: part('record'), rounds: part('rounds'), work: part('work') };
  return {
    ...toColumns(row),
    head: part('head') ?? seals.lazily({ hash: '', sealed: '' }, `case|${row.id}|head`),
    ...stated(parts),
    submissions: row.submissions.map((each) => toSubmission(each, row.id, seals)),
    events: row.events.map(toEvent),
    writes: row.writes.map((each) => toWrite(each, row.id, seals)),
  };
}

/** The listed case of a row that was selected without bodies. */
export function toListed(row: WholeRow, seals: Seals): ListedStoredCase {
  return { ...toCase(row, seals), submissions: row.submissions.map(toListedSubmission) };
}

function toSubmission(row: SubmissionRow, id: string, seals: Seals): StoredSubmission {
  const sealed = row.sealed === '' ? notLoaded(row.hash) : seals.lazily(row, submissionAbout(id, row.attempt));
  return { ...toListedSubmission(row), sealed };
}

function toListedSubmission(row: SubmissionRow): ListedStoredCase['submissions'][number] {
  return {
    attempt: row.attempt,
    state: row.state,
    sentAt: iso(row.sent_at),
    ...stated({ serviceId: row.service_id, settledAt: maybe(row.settled_at) }),
  };
}

export function submissionAbout(id: string, attempt: number): string {
  return `case|${id}|submission|${attempt}`;
}

function notLoaded(hash: string): Sealed {
  return {
    hash,
    value() {
      throw new TypeError('the case was read without its bodies: find it');
    },
  };
}

export function toEvent({ id, at, type, actor, facts }: EventRow): StoredEvent {
  return { id: Number(id), at: iso(at), type, actor, facts };
}

/** The context to which the EHR's message about a write is sealed. */
export function writeAbout(id: string, what: string, version: string): string {
  return `case|${id}|write|${what}|${version}`;
}

function toWrite(row: WriteRow, id: string, seals: Seals): LedgerEntry {
  return {
    // Only write-back writes this column, so the value is one of these.
    what: row.what as LedgerEntry['what'],
    version: row.version,
    state: row.state as LedgerEntry['state'],
    attempts: row.attempts,
    at: iso(row.at),
    ...stated({
      reference: row.reference,
      versionId: row.version_id,
      reason: row.reason,
      says: row.says === null ? null : seals.openText(row.says, writeAbout(id, row.what, row.version)),
      token: row.token,
      looks: row.looks,
      tries: row.tries,
      triedAt: maybe(row.tried_at),
    }),
  };
}

function maybe(moment: Date | string | null): string | null {
  return moment === null ? null : iso(moment);
}

type Stated<T> = { [Key in keyof T]?: NonNullable<T[Key]> };

/** Returns the members that have a value. */
function stated<T extends Readonly<Record<string, unknown>>>(members: T): Stated<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as Stated<T>;
}

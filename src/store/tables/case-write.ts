import type { Transaction } from 'kysely';
import { type LedgerEntry, record } from '../../writeback/ledger.ts';
import { orderMark, patientMark } from '../keyed-marks.ts';
import type { Database, PartName } from '../schema.ts';
import type { Seals } from '../seals.ts';
import type { CaseWrite, Sealed, StoredCase, StoredEvent, StoredSubmission } from '../types.ts';
import { fromColumns, submissionAbout, toColumns, toEvent, writeAbout } from './case-rows.ts';

type Trx = Transaction<Database>;

/** Returns false and writes nothing if the order has another live case. */
export async function insertCase(
  trx: Trx,
  seals: Seals,
  { id, site, kind, at }: { readonly id: string; readonly site: string; readonly kind: string; readonly at: string },
  write: CaseWrite,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('cases')
    .values({
      id,
      site,
      kind,
      ...fromColumns(write.columns),
      ...marksOf(seals, { site, kind }, write),
      version: 1,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  if (inserted.length === 0) return false;
  await writeRest(trx, seals, { id, submissions: [], events: [], writes: [] }, at, write);
  return true;
}

/** Writes what differs and returns the updated case. */
export async function updateCase(
  trx: Trx,
  seals: Seals,
  current: StoredCase,
  at: string,
  write: CaseWrite,
): Promise<StoredCase> {
  const { id, version } = current;
  const row = await trx
    .updateTable('cases')
    .set({
      ...fromColumns(write.columns),
      ...marksOf(seals, current, write),
      version: write.visible === false ? version : version + 1,
      updated_at: at,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...toColumns(row), ...(await writeRest(trx, seals, current, at, write)) };
}

function marksOf(seals: Seals, { site, kind }: { readonly site: string; readonly kind: string }, { keys }: CaseWrite) {
  return {
    patient_mark: patientMark(seals, site, keys.patient),
    order_mark: orderMark(seals, site, kind, keys),
  };
}

type Rest = Pick<StoredCase, PartName | 'submissions' | 'events' | 'writes'>;

async function writeRest(
  trx: Trx,
  seals: Seals,
  current: Pick<StoredCase, 'id' | 'submissions' | 'events' | 'writes'> & Partial<Rest>,
  at: string,
  write: CaseWrite,
): Promise<Rest> {
  const part = (name: PartName, content: unknown) => writePart(trx, seals, current, name, content);
  const head = await part('head', write.head);
  const draft = await part('draft', write.draft);
  const record = await part('record', write.record);
  const rounds = await part('rounds', write.rounds);
  const work = await part('work', write.work);
  return {
    head: head ?? missing(),
    ...(draft === undefined ? {} : { draft }),
    ...(record === undefined ? {} : { record }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(work === undefined ? {} : { work }),
    submissions: await writeSubmissions(trx, seals, current, write.submissions ?? []),
    events: [...current.events, ...(await insertEvents(trx, current.id, at, write.events ?? []))],
    writes: await writeLedger(trx, seals, current, write.writes ?? []),
  };
}

function missing(): never {
  throw new TypeError('a case is written with its head');
}

/** undefined leaves the part unchanged; null removes it. A part with equal content is not written again. */
async function writePart(
  trx: Trx,
  seals: Seals,
  current: { readonly id: string } & Partial<Rest>,
  name: PartName,
  content: unknown,
): Promise<Sealed | undefined> {
  const before = current[name];
  if (content === undefined) return before;
  if (content === null) {
    if (before !== undefined)
      await trx.deleteFrom('parts').where('case_id', '=', current.id).where('part', '=', name).execute();
    return undefined;
  }
  if (before?.hash === seals.hashOf(content)) return before;
  const about = `case|${current.id}|${name}`;
  const row = seals.seal(content, about);
  await trx
    .insertInto('parts')
    .values({ case_id: current.id, part: name, ...row })
    .onConflict((conflict) => conflict.columns(['case_id', 'part']).doUpdateSet(row))
    .execute();
  return seals.lazily(row, about);
}

async function writeSubmissions(
  trx: Trx,
  seals: Seals,
  { id, submissions }: Pick<StoredCase, 'id' | 'submissions'>,
  changes: NonNullable<CaseWrite['submissions']>,
): Promise<StoredSubmission[]> {
  const after = new Map(submissions.map((each) => [each.attempt, each]));
  for (const change of changes) {
    const before = after.get(change.attempt);
    const written =
      'content' in change
        ? await insertSubmission(trx, seals, id, change)
        : await settleSubmission(trx, id, change, before);
    after.set(change.attempt, written);
  }
  return [...after.values()].sort((one, other) => one.attempt - other.attempt);
}

type SubmissionChange = NonNullable<CaseWrite['submissions']>[number];
type NewSubmission = Extract<SubmissionChange, { readonly content: unknown }>;

async function insertSubmission(trx: Trx, seals: Seals, id: string, given: NewSubmission): Promise<StoredSubmission> {
  const { content, attempt, state, sentAt, serviceId } = given;
  const about = submissionAbout(id, attempt);
  const row = seals.seal(content, about);
  await trx
    .insertInto('submissions')
    .values({ case_id: id, attempt, state, service_id: serviceId ?? null, sent_at: sentAt, ...row })
    .execute();
  const stored = { attempt, state, sentAt, sealed: seals.lazily(row, about) };
  return serviceId === undefined ? stored : { ...stored, serviceId };
}

async function settleSubmission(
  trx: Trx,
  id: string,
  { attempt, state, ...given }: Exclude<SubmissionChange, NewSubmission>,
  before: StoredSubmission | undefined,
): Promise<StoredSubmission> {
  if (before === undefined) throw new TypeError(`the case has no submission ${attempt}`);
  const after = { ...before, ...given, state };
  await trx
    .updateTable('submissions')
    .set({ state, service_id: after.serviceId ?? null, settled_at: after.settledAt ?? null })
    .where('case_id', '=', id)
    .where('attempt', '=', attempt)
    .execute();
  return after;
}

async function insertEvents(
  trx: Trx,
  id: string,
  at: string,
  events: NonNullable<CaseWrite['events']>,
): Promise<StoredEvent[]> {
  if (events.length === 0) return [];
  const rows = await trx
    .insertInto('events')
    .values(events.map(({ type, actor, facts }) => ({ case_id: id, at, type, actor, facts: JSON.stringify(facts) })))
    .returning(['id', 'at', 'type', 'actor', 'facts'])
    .execute();
  return rows.map(toEvent).sort((one, other) => one.id - other.id);
}

async function writeLedger(
  trx: Trx,
  seals: Seals,
  { id, writes }: Pick<StoredCase, 'id' | 'writes'>,
  entries: readonly LedgerEntry[],
): Promise<readonly LedgerEntry[]> {
  if (entries.length === 0) return writes;
  let after = writes;
  for (const entry of entries) {
    const next = record(after, entry);
    const isReplaced = next.length <= after.length;
    after = next;
    if (isReplaced)
      await trx
        .deleteFrom('writes')
        .where('case_id', '=', id)
        .where('what', '=', entry.what)
        .$if(entry.what !== 'task', (query) => query.where('version', '=', entry.version))
        .execute();
    await trx
      .insertInto('writes')
      .values({
        case_id: id,
        what: entry.what,
        version: entry.version,
        state: entry.state,
        reference: entry.reference ?? null,
        version_id: entry.versionId ?? null,
        reason: entry.reason ?? null,
        says: entry.says === undefined ? null : seals.sealText(entry.says, writeAbout(id, entry.what, entry.version)),
        token: entry.token ?? null,
        attempts: entry.attempts,
        looks: entry.looks ?? null,
        tries: entry.tries ?? null,
        tried_at: entry.triedAt ?? null,
        at: entry.at,
      })
      .execute();
  }
  return after;
}

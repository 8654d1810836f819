import { type Kysely, sql, type Transaction } from 'kysely';
import { asBridgeError, BridgeError } from '../../core/errors.ts';
import { builtOnce } from '../built-query.ts';
import { type Connection, iso, timeNow } from '../database.ts';
import { orderMark, patientMark } from '../keyed-marks.ts';
import type { Database } from '../schema.ts';
import type { Seals } from '../seals.ts';
import type { AuditEntry, CaseFilter, CaseKeys, CaseTable, CaseWrite, Job, StoredCase } from '../types.ts';
import { appendAudit } from './audit-table.ts';
import { selectWhole, toCase, toColumns, toListed, type WholeRow } from './case-rows.ts';
import { insertCase, updateCase } from './case-write.ts';

export interface CaseTableOptions {
  readonly connection: Connection;
  readonly seals: Seals;
  readonly enqueue: (jobs: readonly Job[], trx: Transaction<Database>) => Promise<void>;
  readonly list: (trx: Transaction<Database>, changed: StoredCase, keys: CaseKeys) => Promise<void>;
}

export function createCaseTable({ connection, seals, enqueue, list }: CaseTableOptions): CaseTable {
  const { read, transaction, now } = connection;
  const whole = (row: WholeRow) => toCase(row, seals);
  const listed = (row: WholeRow) => toListed(row, seals);
  const wholeOf = builtOnce<WholeRow>((db, id) => selectWhole(db, { bodies: true }).where('id', '=', id));
  const byId = async (db: Kysely<Database>, id: string) => {
    const [row] = await wholeOf(db, id);
    return row === undefined ? undefined : whole(row);
  };
  const ofPatient = builtOnce<WholeRow>((db, mark) =>
    selectWhole(db, { bodies: false }).where('patient_mark', '=', mark).orderBy('created_at', 'desc'),
  );
  const anyOfOrder = builtOnce<WholeRow>((db, mark) => ofOrder(db, mark, false));
  const liveOfOrder = builtOnce<WholeRow>((db, mark) => ofOrder(db, mark, true));
  return {
    async open({ site, kind, ...keys }, make, { anew = false } = {}) {
      const mark = orderMark(seals, site, kind, keys);
      const found = anew ? liveOfOrder : anyOfOrder;
      const [known] = await read((db) => found(db, mark));
      if (known !== undefined) return whole(known);
      return await transaction(async (trx) => {
        const at = await timeNow(connection, trx);
        const { id, ...write } = made(() => make(at));
        if (await insertCase(trx, seals, { id, site, kind, at }, write)) {
          await enqueue(write.jobs ?? [], trx);
          await appendAudit(trx, seals, at, auditOf({ id, site }, write));
          const made = present(await byId(trx, id));
          await list(trx, made, write.keys);
          return made;
        }
        // Another window was faster. Its case is committed by now.
        const [other] = await liveOfOrder(trx, mark);
        if (other === undefined) throw new BridgeError('store_unavailable', { record: 'case' });
        return whole(other);
      });
    },
    find: (id) => read((db) => byId(db, id)),
    async columns(id) {
      const row = await read((db) => db.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirst());
      return row === undefined ? undefined : toColumns(row);
    },
    async change(id, transition, { bodies = true } = {}) {
      return await transaction(async (trx) => {
        await lock(trx, id);
        const found = await selectWhole(trx, { bodies })
          .select(now().as('now'))
          .where('id', '=', id)
          .executeTakeFirst();
        if (found === undefined) throw new BridgeError('case_not_found');
        const current = whole(found);
        const at = iso(found.now);
        const write = made(() => transition(current, at));
        if (write === undefined) return current;
        const changed = await updateCase(trx, seals, current, at, write);
        await enqueue(write.jobs ?? [], trx);
        await list(trx, changed, write.keys);
        await appendAudit(trx, seals, at, auditOf(current, write));
        return changed;
      });
    },
    async touchRecord(id, hash) {
      const touched = await read((db) =>
        db
          .updateTable('cases')
          .set({ read_at: now() })
          .where('id', '=', id)
          .where('problem', 'is', null)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('parts')
                .select('part')
                .where('parts.case_id', '=', id)
                .where('parts.part', '=', 'record')
                .where('parts.hash', '=', hash),
            ),
          )
          .returning('id')
          .execute(),
      );
      return touched.length === 1;
    },
    hashOf: seals.hashOf,
    async byServiceId(site, serviceId) {
      const row = await read((db) =>
        db
          .selectFrom('cases')
          .selectAll()
          .where('site', '=', site)
          .where('service_id', '=', serviceId)
          .executeTakeFirst(),
      );
      return row === undefined ? undefined : toColumns(row);
    },
    async forPatient(site, patient) {
      const rows = await read((db) => ofPatient(db, patientMark(seals, site, patient)));
      return rows.map(listed);
    },
    async list({ limit = 500, ...filter }) {
      const rows = await read((db) =>
        selectWhole(db, { bodies: false })
          .where('cases.id', 'in', matching(db, filter, now).select('id').orderBy('created_at', 'desc').limit(limit))
          .orderBy('created_at', 'desc')
          .execute(),
      );
      return rows.map(listed);
    },
    ids: async (filter) =>
      (await read((db) => matching(db, filter, now).select('id').orderBy('created_at').execute())).map(({ id }) => id),
    async unattended(filter, queues) {
      // Jobs state the id of their case in plain text. The list of these ids is made once for all cases.
      const attended = sql<string>`(select data ->> 'case' from ${sql.table(`${connection.schema}_jobs.job`)}
        where name in (${sql.join(queues)}) and state < 'completed' and data ? 'case')`;
      const rows = await read((db) =>
        matching(db, filter, now)
          .selectAll()
          .$if(queues.length > 0, (query) => query.where('id', 'not in', attended))
          .orderBy('created_at')
          .execute(),
      );
      return rows.map(toColumns);
    },
    async counts() {
      const rows = await read((db) =>
        db
          .selectFrom('cases')
          .select([
            'site',
            'state',
            sql<number>`count(*)::int`.as('count'),
            sql<number>`extract(epoch from ${now()} - min(coalesce(changed_at, created_at)))::double precision`.as(
              'oldestSeconds',
            ),
          ])
          .groupBy(['site', 'state'])
          .orderBy('site')
          .orderBy('state')
          .execute(),
      );
      return rows.map((row) => ({ ...row, oldestSeconds: Math.max(0, row.oldestSeconds) }));
    },
    async putFile(id, name, bytes) {
      const sealed = seals.sealText(Buffer.from(bytes).toString('base64'), `file|${id}|${name}`);
      await read((db) =>
        db
          .insertInto('files')
          .values({ case_id: id, name, created_at: now(), sealed })
          .onConflict((conflict) => conflict.columns(['case_id', 'name']).doUpdateSet({ created_at: now(), sealed }))
          .execute(),
      );
    },
    async file(id, name) {
      const row = await read((db) =>
        db.selectFrom('files').select('sealed').where('case_id', '=', id).where('name', '=', name).executeTakeFirst(),
      );
      return row === undefined ? undefined : Buffer.from(seals.openText(row.sealed, `file|${id}|${name}`), 'base64');
    },
    async removeFile(id, name) {
      await read((db) => db.deleteFrom('files').where('case_id', '=', id).where('name', '=', name).execute());
    },
  };
}

/** The live case of an order. If `live` is false and there is none, the order's last ended case. */
function ofOrder(db: Kysely<Database>, mark: string, live: boolean) {
  return selectWhole(db, { bodies: true })
    .where('order_mark', '=', mark)
    .$if(live, (query) => query.where('state', '<>', 'ended'))
    .orderBy(sql`state = 'ended'`)
    .orderBy('created_at', 'desc')
    .limit(1);
}

// A separate statement, so that the next statement sees everything that the previous lock holder committed, in every
// table.
async function lock(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.selectFrom('cases').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
}

function matching(
  db: Kysely<Database>,
  { site, kind, states, unwritten, hasWork, notArrivedSince, unreadAfter }: Omit<CaseFilter, 'limit'>,
  now: Connection['now'],
) {
  return db
    .selectFrom('cases')
    .$if(site !== undefined, (query) => query.where('site', '=', site!))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .$if(states !== undefined, (query) => query.where('state', 'in', states!))
    .$if(unwritten !== undefined, (query) => query.where('unwritten', '=', unwritten!))
    .$if(hasWork === true, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('parts')
            .select('parts.part')
            .whereRef('parts.case_id', '=', 'cases.id')
            .where('parts.part', '=', 'work'),
        ),
      ),
    )
    .$if(notArrivedSince !== undefined, (query) =>
      query.where('not_arrived_at', '>', sql<Date>`${notArrivedSince}::timestamptz`),
    )
    .$if(unreadAfter !== undefined, (query) =>
      query.where('service_id', 'is not', null).where(isUnread(unreadAfter!, now)),
    );
}

function isUnread({ seconds, untilSeconds }: NonNullable<CaseFilter['unreadAfter']>, now: Connection['now']) {
  const changed = sql`coalesce(changed_at, ended_at)`;
  const after = (each: number) => sql`${changed} + ${each} * interval '1 second'`;
  const missed = seconds.map(
    (each) => sql`(${after(each)} <= ${now()} and coalesce(read_at, ${changed}) < ${after(each)})`,
  );
  return sql<boolean>`${now()} < ${after(untilSeconds)} and (${sql.join(missed, sql` or `)})`;
}

/** Audit entries for each event of a case, and for each resource that is now stored in the chart. */
function auditOf(
  { id, site, writes: before = [] }: Pick<StoredCase, 'id' | 'site'> & Partial<Pick<StoredCase, 'writes'>>,
  { events = [], writes = [], keys }: CaseWrite,
): AuditEntry[] {
  const common = { site, patient: keys.patient, caseId: id };
  const wasDone = (what: string, version: string) =>
    before.some((row) => row.what === what && row.version === version && row.state === 'done');
  const written = writes.filter(({ what, version, state }) => state === 'done' && !wasDone(what, version));
  return [
    ...events.map(({ type, actor, facts }) => ({ ...common, action: type, actor, facts })),
    ...written.map(({ what, token = '' }) => ({
      ...common,
      action: 'chart_written',
      actor: 'bridge',
      facts: { what, token },
    })),
  ];
}

/** Runs a transition. Its errors are not database errors, so they are thrown as they are. */
function made<T>(transition: () => T): T {
  try {
    return transition();
  } catch (thrown) {
    throw asBridgeError(thrown);
  }
}

function present(found: StoredCase | undefined): StoredCase {
  if (found === undefined) throw new BridgeError('case_not_found');
  return found;
}

import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { BridgeError } from '../core/errors.ts';
import { type Connection, timeNow } from './database.ts';
import { patientMark, serviceMark } from './keyed-marks.ts';
import type { Database } from './schema.ts';
import type { Seals } from './seals.ts';
import { appendAudit } from './tables/audit-table.ts';
import type { Erased } from './types.ts';

type Trx = Transaction<Database>;

const underWay = new Set(['sending', 'unknown', 'open']);

export async function erasePatient(
  connection: Connection,
  seals: Seals,
  site: string,
  patient: string,
): Promise<Erased> {
  const mark = patientMark(seals, site, patient);
  return await connection.transaction(async (trx) => {
    const cases = await trx
      .selectFrom('cases')
      .select(['id', 'state', 'unwritten', 'service_id'])
      .where('patient_mark', '=', mark)
      .orderBy('id')
      .forUpdate()
      .execute();
    const open = cases.filter(({ state, unwritten }) => underWay.has(state) || unwritten);
    if (open.length > 0) throw new BridgeError('erase_refused', { site, cases: open.map(({ id }) => id) });
    const ids = cases.map(({ id }) => id);
    const serviceIds = await serviceIdsOf(trx, seals, ids);
    const at = await timeNow(connection, trx);
    const launches = await trx.deleteFrom('launches').where('patient_mark', '=', mark).executeTakeFirst();
    const erased = {
      cases: cases.length,
      launches: Number(launches.numDeletedRows),
      ...(await removeTraces(connection, trx, site, ids, serviceIds)),
    };
    const marks = [mark, ...serviceIds.map((id) => serviceMark(seals, site, id))];
    await trx
      .insertInto('erasures')
      .values(marks.map((each) => ({ mark: each, site, at })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const entry = { site, action: 'erased', actor: 'operator', patient, facts: { ...erased } };
    await appendAudit(trx, seals, at, [entry]);
    return erased;
  });
}

// Cases per transaction, so that each transaction stays short.
const batch = 100;

/** Implements `Maintenance.purgeCases`. */
export async function purgeCases(connection: Connection, seals: Seals, site: string, before: string): Promise<number> {
  let total = 0;
  for (let removed = batch; removed === batch; total += removed)
    removed = await connection.transaction(async (trx) => {
      const cases = await trx
        .selectFrom('cases')
        .select('id')
        .where('site', '=', site)
        .where('unwritten', '=', false)
        // Cases that wait for the next launch or for a person are kept.
        .where('waiting', '=', false)
        .where((one) => one.not(one.exists(leftToPerson(one))))
        .where((one) =>
          one.or([
            one.and([one('state', '=', 'ended'), one('ended_at', '<', sql<Date>`${before}::timestamptz`)]),
            one.and([one('state', '=', 'draft'), one('updated_at', '<', sql<Date>`${before}::timestamptz`)]),
          ]),
        )
        .orderBy('id')
        .limit(batch)
        .forUpdate()
        .skipLocked()
        .execute();
      const ids = cases.map(({ id }) => id);
      if (ids.length === 0) return 0;
      await removeTraces(connection, trx, site, ids, await serviceIdsOf(trx, seals, ids));
      const at = await timeNow(connection, trx);
      const entry = { site, action: 'purged', actor: 'bridge', facts: { cases: ids.length, before } };
      await appendAudit(trx, seals, at, [entry]);
      return ids.length;
    });
  return total;
}

function leftToPerson({ selectFrom }: ExpressionBuilder<Database, 'cases'>) {
  return selectFrom('writes')
    .select('writes.id')
    .whereRef('writes.case_id', '=', 'cases.id')
    .where('writes.state', '=', 'failed');
}

/** Returns every id that the service has for requests of these cases, including repeated requests. */
async function serviceIdsOf(trx: Trx, seals: Seals, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const ofCases = trx.selectFrom('cases').select('service_id').where('id', 'in', ids);
  const ofSubmissions = trx.selectFrom('submissions').select('service_id').where('case_id', 'in', ids);
  const rows = await ofCases.union(ofSubmissions).execute();
  const heads = await trx
    .selectFrom('parts')
    .select(['case_id', 'sealed'])
    .where('case_id', 'in', ids)
    .where('part', '=', 'head')
    .execute();
  const others = heads.flatMap(({ case_id, sealed }) => {
    // The head of a case lists more requests of the case that were found at the service.
    const head = seals.open(sealed, `case|${case_id}|head`) as { readonly others?: readonly string[] };
    return head.others ?? [];
  });
  const named = rows.flatMap(({ service_id }) => (service_id === null ? [] : [service_id]));
  return [...new Set([...named, ...others])];
}

/** Deletes the cases with everything that belongs to them, their webhooks, and the jobs that refer to either. */
async function removeTraces(
  { schema }: Connection,
  trx: Trx,
  site: string,
  ids: readonly string[],
  serviceIds: readonly string[],
): Promise<{ readonly webhooks: number; readonly jobs: number }> {
  if (ids.length === 0) return { webhooks: 0, jobs: 0 };
  await trx.deleteFrom('cases').where('id', 'in', ids).execute();
  const webhooks =
    serviceIds.length === 0
      ? 0
      : Number(
          (
            await trx
              .deleteFrom('webhooks')
              .where('site', '=', site)
              .where('service_id', 'in', serviceIds)
              .executeTakeFirst()
          ).numDeletedRows,
        );
  const named = sql.join([...ids, ...serviceIds]);
  const jobs = await sql`delete from ${sql.table(`${schema}_jobs.job`)}
    where data ->> 'case' in (${named}) or data ->> 'serviceId' in (${named})`.execute(trx);
  return { webhooks, jobs: Number(jobs.numAffectedRows ?? 0) };
}

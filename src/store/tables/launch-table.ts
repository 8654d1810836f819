import type { Selectable } from 'kysely';
import type { LaunchRecord, LaunchStore } from '../../ehr/smart/store.ts';
import { builtOnce } from '../built-query.ts';
import type { Connection } from '../database.ts';
import { patientMark } from '../keyed-marks.ts';
import type { Database } from '../schema.ts';
import type { Seals } from '../seals.ts';
import type { Exclusively } from '../types.ts';

type Row = Selectable<Database['launches']>;

/** Launches. Hashes, marks and times are plain text; everything else is sealed. They survive a restart. */
export function createLaunchTable({ read }: Connection, seals: Seals, exclusively: Exclusively): LaunchStore {
  const open = (row: Row | undefined) => (row === undefined ? undefined : unseal(seals, row));
  const byId = builtOnce<Row>((db, id) => db.selectFrom('launches').selectAll().where('id', '=', id));
  return {
    async get(id) {
      const [row] = await read((db) => byId(db, id));
      return open(row);
    },
    async some(ids) {
      if (ids.length === 0) return [];
      const rows = await read((db) => db.selectFrom('launches').selectAll().where('id', 'in', ids).execute());
      return rows.map((row) => unseal(seals, row));
    },
    byState: async (stateHash) =>
      open(
        await read((db) =>
          db.selectFrom('launches').selectAll().where('state_hash', '=', stateHash).executeTakeFirst(),
        ),
      ),
    async put(record) {
      const row = seal(seals, record);
      await read((db) =>
        db
          .insertInto('launches')
          .values(row)
          .onConflict((conflict) =>
            // A used state stays used, whichever record is stored later.
            conflict.column('id').doUpdateSet((set) => ({
              ...row,
              consumed_at: set.fn.coalesce('launches.consumed_at', 'excluded.consumed_at'),
            })),
          )
          .execute(),
      );
    },
    async consume(stateHash, at) {
      const consumed = await read((db) =>
        db
          .updateTable('launches')
          .set({ consumed_at: at })
          .where('state_hash', '=', stateHash)
          .where('consumed_at', 'is', null)
          .returning('id')
          .execute(),
      );
      return consumed.length === 1;
    },
    async delete(id) {
      await read((db) => db.deleteFrom('launches').where('id', '=', id).execute());
    },
    async due(now) {
      const rows = await read((db) => db.selectFrom('launches').selectAll().where('due_at', '<=', now).execute());
      return rows.map((row) => unseal(seals, row));
    },
    async ofPatient(site, patient) {
      const mark = patientMark(seals, site, patient);
      const rows = await read((db) => db.selectFrom('launches').selectAll().where('patient_mark', '=', mark).execute());
      return rows.map((row) => unseal(seals, row));
    },
    exclusive: (key, work) => exclusively(`launch|${key}`, work),
  };
}

function seal(seals: Seals, record: LaunchRecord): Row {
  const { id, site, context } = record;
  return {
    id,
    site,
    state_hash: record.stateHash,
    patient_mark: context === undefined ? null : patientMark(seals, site, `Patient/${context.patient}`),
    consumed_at: record.consumedAt ?? null,
    due_at: record.dueAt,
    sealed: seals.seal(record, `launch|${id}`).sealed,
  };
}

function unseal(seals: Seals, row: Row): LaunchRecord {
  // Only this module seals launches, and the seal is bound to the id, so the value has the type that was stored.
  const record = seals.open(row.sealed, `launch|${row.id}`) as LaunchRecord;
  return { ...record, ...(row.consumed_at === null ? {} : { consumedAt: row.consumed_at }) };
}

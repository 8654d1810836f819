import type { Selectable } from 'kysely';
import { BridgeError } from '../errors.ts';
import type { LaunchRecord, LaunchStore } from '../smart/store.ts';
import { createLeases } from './leases.ts';
import type { Database } from './schema.ts';
import type { Store } from './store.ts';

/** Launches in the bridge's store: hashes and times in the clear, everything else sealed. They survive a restart. */
export function createLaunchStore(store: Store): LaunchStore {
  const exclusively = createLeases(store);
  const open = (row: Selectable<Database['launches']> | undefined) =>
    row === undefined ? undefined : unseal(store, row);
  return {
    get: async (id) =>
      open(await store.read((db) => db.selectFrom('launches').selectAll().where('id', '=', id).executeTakeFirst())),
    byState: async (stateHash) =>
      open(
        await store.read((db) =>
          db.selectFrom('launches').selectAll().where('state_hash', '=', stateHash).executeTakeFirst(),
        ),
      ),
    async put(record) {
      const row = seal(store, record);
      await store.read((db) =>
        db
          .insertInto('launches')
          .values(row)
          .onConflict((conflict) =>
            // A state that was used stays used, whatever record is put later.
            conflict.column('id').doUpdateSet((set) => ({
              ...row,
              consumed_at: set.fn.coalesce('launches.consumed_at', 'excluded.consumed_at'),
            })),
          )
          .execute(),
      );
    },
    async consume(stateHash, at) {
      const consumed = await store.read((db) =>
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
      await store.read((db) => db.deleteFrom('launches').where('id', '=', id).execute());
    },
    async due(now) {
      const rows = await store.read((db) => db.selectFrom('launches').selectAll().where('due_at', '<=', now).execute());
      return rows.map((row) => unseal(store, row));
    },
    exclusive: (key, work) => exclusively(`launch|${key}`, work),
  };
}

function seal({ vault }: Store, record: LaunchRecord): Selectable<Database['launches']> {
  return {
    id: record.id,
    state_hash: record.stateHash,
    session_hash: record.sessionHash,
    consumed_at: record.consumedAt ?? null,
    due_at: record.dueAt,
    sealed: vault.seal(JSON.stringify(record), `launch|${record.id}`),
  };
}

function unseal({ vault }: Store, row: Selectable<Database['launches']>): LaunchRecord {
  try {
    // Only this module seals launches, and the seal is bound to the id: what opens is what was put.
    const record = JSON.parse(vault.open(row.sealed, `launch|${row.id}`)) as LaunchRecord;
    return { ...record, ...(row.consumed_at === null ? {} : { consumedAt: row.consumed_at }) };
  } catch (cause) {
    throw new BridgeError('store_unavailable', { record: 'launch' }, { cause });
  }
}

import type { Kysely } from 'kysely';
import type { Vault } from '../base/vault.ts';
import { BridgeError } from '../core/errors.ts';
import type { Database } from './schema.ts';
import { opened } from './seals.ts';

/**
 * Unsealed facts about the store itself: `schema_version` and `app_version` of the process that last opened it, and
 * `mark_key`. Only the value of `mark_key`, the key of marks, is sealed under the content keys.
 */
export type MetaName = 'schema_version' | 'app_version' | 'mark_key';

export async function readMeta(db: Kysely<Database>, name: MetaName): Promise<string | undefined> {
  return (await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst())?.value;
}

export async function writeMeta(db: Kysely<Database>, name: MetaName, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Throws `config_invalid` if no configured key opens the mark key: then nothing else can be opened either. */
export async function readMarkKey(db: Kysely<Database>, vault: Vault): Promise<Buffer> {
  const sealed = await readMeta(db, 'mark_key');
  if (sealed === undefined) throw new BridgeError('store_unavailable', { record: 'meta' });
  return Buffer.from(String(openedByKey(vault, sealed)), 'base64');
}

function openedByKey(vault: Vault, sealed: string): unknown {
  try {
    return opened(vault, sealed, 'meta|mark_key');
  } catch (cause) {
    const problems = ['BRIDGE_KEYS: none of them opens this store; it needs the one under which it was sealed'];
    throw new BridgeError('config_invalid', { problems }, { cause });
  }
}

import type { Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Database } from './schema.ts';
import type { Exclusively } from './types.ts';

/** The differences between the embedded database and a PostgreSQL server; all other code is the same for both. */
export interface Engine {
  readonly db: Kysely<Database>;
  /**
   * `db` without a statement timeout: a schema migration may take long, and a process that starts meanwhile waits
   * for it.
   */
  unhurried<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /** Not started yet. */
  readonly boss: PgBoss;
  /** true if no other process can use this store. */
  readonly exclusive: boolean;
  readonly exclusively: Exclusively;
  /** Returns the space of removed rows to the database, if the database has no process of its own that does. */
  tidy(): Promise<void>;
  /** Releases connections, files and locks. */
  release(): Promise<void>;
}

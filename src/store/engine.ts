import type { Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Database } from './schema.ts';
import type { Exclusively } from './types.ts';

/** What differs between the embedded database and a PostgreSQL server. */
export interface Engine {
  readonly db: Kysely<Database>;
  /**
   * Runs `work` without a statement timeout: a schema migration may take long, and other starting processes wait for
   * it.
   */
  unhurried<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /** The queue library, not started yet. */
  readonly boss: PgBoss;
  /** true if no other process can use this store. */
  readonly exclusive: boolean;
  readonly exclusively: Exclusively;
  /** Returns the space of deleted rows to the database. PostgreSQL servers do that by themselves. */
  tidy(): Promise<void>;
  /** Releases connections, files and locks. */
  release(): Promise<void>;
}

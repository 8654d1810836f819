import type { Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Database } from './schema.ts';
import type { Exclusively } from './types.ts';

/** What differs between the embedded database and a PostgreSQL server; everything above is one code for both. */
export interface Engine {
  readonly db: Kysely<Database>;
  /**
   * The same without time limits for a statement: bringing the tables up to date takes as long as it takes, and a
   * process that starts meanwhile waits for it.
   */
  unhurried<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /** Not started yet. */
  readonly boss: PgBoss;
  /** true when no other process can use this store. */
  readonly exclusive: boolean;
  readonly exclusively: Exclusively;
  /** Gives the space of removed rows back, where the database has no process of its own that does. */
  tidy(): Promise<void>;
  /** Lets go of connections, files and locks. */
  release(): Promise<void>;
}

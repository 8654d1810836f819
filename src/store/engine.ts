import type { Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Database } from './schema.ts';
import type { Exclusively } from './types.ts';

/** What differs between the embedded database and a PostgreSQL server; everything above is one code for both. */
export interface Engine {
  readonly db: Kysely<Database>;
  /** Not started yet. */
  readonly boss: PgBoss;
  /** true when no other process can use this store. */
  readonly exclusive: boolean;
  readonly exclusively: Exclusively;
  /** Lets go of connections, files and locks. */
  release(): Promise<void>;
}

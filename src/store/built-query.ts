import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

type Built<Row> = (db: Kysely<Database>, value: string) => Promise<Row[]>;

/** A placeholder value, replaced by a parameter once the query is built. */
const place = '(the value that this query is built for)';

/**
 * A query with one parameter, built on first use. Its text never changes, and building it takes longer than the
 * embedded database takes to answer. For one schema.
 */
export function builtOnce<Row>(
  build: (db: Kysely<Database>, value: string) => { compile(): CompiledQuery },
): Built<Row> {
  const state: { built?: CompiledQuery } = {};
  return async (db, value) => {
    state.built ??= build(db, place).compile();
    const { sql, parameters } = state.built;
    const given = parameters.map((one) => (one === place ? value : one));
    // the type of the rows that `build` selects
    return (await db.executeQuery(CompiledQuery.raw(sql, given))).rows as Row[];
  };
}

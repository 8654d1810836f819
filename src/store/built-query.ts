import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

type Built<Row> = (db: Kysely<Database>, value: string) => Promise<Row[]>;

/** Takes the place of the parameter's value while the query is built. */
const place = '(the value that this query is built for)';

/**
 * Returns a query with one parameter that is compiled on first use. Its text never changes, and compiling takes longer
 * than the embedded database takes to answer. Use it with one schema only.
 */
export function builtOnce<Row>(
  build: (db: Kysely<Database>, value: string) => { compile(): CompiledQuery },
): Built<Row> {
  const state: { built?: CompiledQuery } = {};
  return async (db, value) => {
    state.built ??= build(db, place).compile();
    const { sql, parameters } = state.built;
    const given = parameters.map((one) => (one === place ? value : one));
    // `build` selects rows of this type
    return (await db.executeQuery(CompiledQuery.raw(sql, given))).rows as Row[];
  };
}

import type { PGlite } from '@electric-sql/pglite';
import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PGliteDialect,
  type QueryResult,
} from 'kysely';
import { createStatements, type StatementResult } from './pglite-statements.ts';

/**
 * Kysely's dialect for PGlite, with prepared statements, and with transactions that begin together with their first
 * statement.
 */
export class PreparedDialect extends PGliteDialect {
  readonly #pglite: PGlite;

  constructor(pglite: PGlite) {
    super({ pglite });
    this.#pglite = pglite;
  }

  override createDriver(): Driver {
    return createDriver(this.#pglite);
  }
}

/** A transaction. All other users of the database wait until `end` is called. */
interface Turn {
  hasBegun: boolean;
  end(): void;
}

// Kysely gives its only connection to one query or transaction at a time. Other code of this process uses PGlite
// directly.
function createDriver(pglite: PGlite): Driver {
  const { run } = createStatements(pglite);
  const alone = <T>(work: () => Promise<T>) => pglite._runExclusiveQuery(work);
  const state: { turn?: Turn } = {};

  const connection: DatabaseConnection = {
    // kysely derives the row type from the columns that the query selects.
    executeQuery: async <Row>(query: CompiledQuery) => (await answerTo(query)) as QueryResult<Row>,
    streamQuery() {
      throw new TypeError('the embedded database gives whole answers');
    },
  };

  const answerTo = async ({ sql, parameters }: CompiledQuery): Promise<StatementResult> => {
    const { turn } = state;
    if (turn === undefined) return await pglite._runExclusiveTransaction(() => alone(() => run(sql, parameters)));
    const first = turn.hasBegun ? undefined : 'begin';
    turn.hasBegun = true;
    return await alone(() => run(sql, parameters, first));
  };

  const end = async (how: 'commit' | 'rollback'): Promise<void> => {
    const { turn } = state;
    try {
      if (turn?.hasBegun !== true) return;
      const { command } = await alone(() => run(how, []));
      // The caller ignored a failed statement, so the database has rolled back and not committed.
      if (command.toLowerCase() !== how) throw new AbortedTransactionError();
    } finally {
      delete state.turn;
      turn?.end();
    }
  };

  return {
    init: async () => await pglite.waitReady,
    acquireConnection: async () => connection,
    async beginTransaction() {
      state.turn = await turnAt(pglite);
    },
    commitTransaction: () => end('commit'),
    rollbackTransaction: () => end('rollback'),
    releaseConnection: async () => {},
    destroy: async () => {
      if (!pglite.closed) await pglite.close();
    },
  };
}

async function turnAt(pglite: PGlite): Promise<Turn> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin, reject } = Promise.withResolvers<void>();
  pglite
    ._runExclusiveTransaction(() => {
      begin();
      return over;
    })
    .catch(reject);
  await begun;
  return { hasBegun: false, end };
}

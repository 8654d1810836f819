import { messages, type PGlite, protocol, types } from '@electric-sql/pglite';
import type { QueryResult } from 'kysely';

const { serialize } = protocol;
type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number];

/** A statement that the database has parsed and, after some uses, planned. */
interface Prepared {
  readonly name: string;
  readonly paramTypes: readonly number[];
  readonly fields: readonly messages.RowDescriptionMessage['fields'][number][];
  /** When to prepare the statement again, in milliseconds of this process's clock. */
  readonly until: number;
  uses: number;
}

export interface StatementResult extends QueryResult<Record<string, unknown>> {
  /** PostgreSQL's command tag: `UPDATE 3`, `ROLLBACK`. */
  readonly command: string;
}

/** The prepared statements of the embedded database, by their text. */
export interface Statements {
  /**
   * Runs one statement; `first` runs before it in the same round trip. No other caller may use the database at that
   * time. Throws what PGlite throws.
   */
  run(text: string, values: readonly unknown[], first?: string): Promise<StatementResult>;
}

// A plan suits the table sizes at the time when it was made, so it is kept only for a while.
const longestMs = 60_000;
const mostUses = 200;
const mostStatements = 100;

/**
 * PGlite calls its database five times for one statement: parse, describe (twice), bind and execute. Here a prepared
 * statement is bound and executed in one call.
 */
export function createStatements(pglite: PGlite): Statements {
  // least recently used first
  const prepared = new Map<string, Prepared>();
  // messages that close statements, sent together with the next statement that is prepared
  const closing: Uint8Array[] = [];
  const made = { count: 0 };

  const ask = (...parts: readonly Uint8Array[]): Promise<Message[]> =>
    pglite.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false });

  const forget = (text: string): void => {
    const one = prepared.get(text);
    if (one === undefined) return;
    prepared.delete(text);
    closing.push(serialize.close({ type: 'S', name: one.name }));
  };

  const prepare = async (text: string): Promise<Prepared> => {
    made.count += 1;
    const name = `s${made.count}`;
    const parts = [...closing.splice(0), serialize.parse({ name, text }), serialize.describe({ type: 'S', name })];
    const replies = await ask(...parts);
    return {
      name,
      paramTypes: replies.find((one) => one instanceof messages.ParameterDescriptionMessage)?.dataTypeIDs ?? [],
      fields: replies.find((one) => one instanceof messages.RowDescriptionMessage)?.fields ?? [],
      until: performance.now() + longestMs,
      uses: 0,
    };
  };

  const preparedOf = async (text: string): Promise<Prepared> => {
    const known = prepared.get(text);
    if (known !== undefined && known.uses < mostUses && performance.now() < known.until) {
      prepared.delete(text);
      prepared.set(text, known);
      known.uses += 1;
      return known;
    }
    forget(text);
    const [oldest] = prepared.keys();
    if (oldest !== undefined && prepared.size >= mostStatements) forget(oldest);
    const one = await prepare(text);
    prepared.set(text, one);
    return one;
  };

  const bound = (one: Prepared, values: readonly unknown[]): Uint8Array[] => {
    const texts = values.map((value, index) => textOf(pglite, value, one.paramTypes[index]));
    return [serialize.bind({ statement: one.name, values: texts }), serialize.execute({})];
  };

  return {
    async run(text, values, first) {
      const before = first === undefined ? [] : bound(await preparedOf(first), []);
      const one = await preparedOf(text);
      const replies = await ask(...before, ...bound(one, values)).catch((thrown: unknown) => {
        forget(text);
        throw thrown;
      });
      const command = replies.findLast((each) => each instanceof messages.CommandCompleteMessage)?.text ?? '';
      // The tables have changed, so a prepared statement may return the old columns.
      if (!keepsTables.test(command)) for (const each of [...prepared.keys()]) forget(each);
      const rows = replies.flatMap((each): Record<string, unknown>[] =>
        each instanceof messages.DataRowMessage ? [rowOf(pglite, one.fields, each.fields)] : [],
      );
      return { command, rows, numAffectedRows: BigInt(countIn(command)) };
    },
  };
}

const keepsTables = /^(?:SELECT|INSERT|UPDATE|DELETE|MERGE|BEGIN|COMMIT|ROLLBACK|SHOW|SET|LOCK)\b/;

function textOf({ serializers }: PGlite, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null;
  const serializer = type === undefined ? undefined : serializers[type];
  return serializer === undefined ? String(value) : serializer(value);
}

function rowOf(
  { parsers }: PGlite,
  fields: Prepared['fields'],
  texts: readonly (string | null)[],
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  fields.forEach(({ name, dataTypeID }, index) => {
    row[name] = types.parseType(texts[index] ?? null, dataTypeID, parsers);
  });
  return row;
}

/** The number of rows in `INSERT 0 1` or `UPDATE 3`. */
function countIn(command: string): number {
  return Number(/^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(command)?.[1] ?? 0);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import type { Process } from '../processes.ts';
import { canaries } from './questions.ts';

// Where words of a question, its credentials or a reply stand that may not stand there.

const words: readonly string[] = Object.values(canaries);

/** As they are, as bytes in hexadecimal, and in base64 at each of its three places. */
const forms = words.flatMap((word) => [
  word,
  Buffer.from(word).toString('hex'),
  ...[0, 1, 2].map((skipped) =>
    Buffer.from(word.slice(skipped, skipped + 3 * Math.floor((word.length - skipped) / 3))).toString('base64'),
  ),
]);

export function leakIn(text: string): string | undefined {
  return forms.find((form) => text.includes(form));
}

/** What the processes of the bridge printed. */
export function leaksInLogs(folder: string): readonly string[] {
  const logs = readdirSync(folder).filter((name) => /^(web|worker)-\d+\.log$/.test(name));
  if (logs.length === 0) throw new Error(`there are no logs in ${folder}`);
  return logs.flatMap((name) => leakNamed(`log ${name}`, readFileSync(join(folder, name), 'utf8')));
}

/** What `/metrics` says of each process that is up. */
export async function leaksInMetrics(processes: readonly Process[]): Promise<readonly string[]> {
  const found = await Promise.all(
    processes.map(async ({ name, metricsPort }) => {
      const reply = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => undefined);
      return reply === undefined ? [] : leakNamed(`metrics of ${name}`, await reply.text());
    }),
  );
  return found.flat();
}

type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Every row of every table. The processes of the bridge have ended. */
export async function leaksInStore(
  at: { readonly databaseUrl: string } | { readonly folder: string },
): Promise<{ readonly rows: number; readonly leaks: readonly string[] }> {
  if ('folder' in at) {
    const database = await PGlite.create({ dataDir: join(at.folder, 'pg') });
    try {
      return await leaksInTables(async (sql) => (await database.query<Record<string, unknown>>(sql)).rows);
    } finally {
      await database.close();
    }
  }
  const client = new Client({ connectionString: at.databaseUrl });
  await client.connect();
  try {
    return await leaksInTables(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
  } finally {
    await client.end();
  }
}

const own = `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema')`;

async function leaksInTables(query: Query) {
  const leaks: string[] = [];
  let rows = 0;
  for (const { name } of await query(own))
    for (const { text } of await query(`select row_to_json(one)::text as text from ${String(name)} as one`)) {
      rows += 1;
      leaks.push(...leakNamed(`table ${String(name)}`, String(text)));
    }
  return { rows, leaks };
}

function leakNamed(place: string, text: string): readonly string[] {
  const leak = leakIn(text);
  return leak === undefined ? [] : [`${place} has ${leak}`];
}

import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { PartNotes } from '../file-ledger.ts';

/** A saved state of a run: its record, and its files up to these lengths, are complete. */
export interface Checkpoint {
  readonly fingerprint: string;
  /** The run's reference time. */
  readonly now: string;
  readonly lengths: Readonly<Record<string, number>>;
}

export interface RecordedOrder {
  readonly line: string;
  readonly facts: string;
}

/** The completed parts of a run, in an embedded database. A run can resume from the last save. */
export class RunRecord {
  private readonly database: DatabaseSync;
  private readonly insertOrder;
  private readonly selectFirst;
  private readonly insertEarlier;
  private readonly selectEarlier;

  constructor(readonly path: string) {
    closeSync(openSync(path, 'a', 0o600)); // only its owner can read the file
    const database = new DatabaseSync(path);
    database.exec(`
      PRAGMA journal_mode = TRUNCATE;
      PRAGMA busy_timeout = 10000;
      PRAGMA cache_size = -16384;
      CREATE TABLE IF NOT EXISTS part (number INTEGER PRIMARY KEY, folder INTEGER, notes TEXT) STRICT;
      CREATE TABLE IF NOT EXISTS made (number INTEGER PRIMARY KEY, folder INTEGER, digest TEXT, line TEXT, facts TEXT)
        STRICT;
      CREATE INDEX IF NOT EXISTS made_folder ON made (folder);
      CREATE INDEX IF NOT EXISTS made_digest ON made (digest) WHERE digest IS NOT NULL;
      CREATE TABLE IF NOT EXISTS state (number INTEGER PRIMARY KEY, checkpoint TEXT) STRICT;
      CREATE TEMP TABLE earlier (digest TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      BEGIN`);
    this.database = database;
    this.insertOrder = database.prepare('INSERT INTO made (folder, digest, line, facts) VALUES (?, ?, ?, ?)');
    this.selectFirst = database.prepare('SELECT line FROM made WHERE digest = ? ORDER BY number LIMIT 1');
    this.selectEarlier = database.prepare('SELECT 1 FROM earlier WHERE digest = ?');
    this.insertEarlier = database.prepare('INSERT OR IGNORE INTO earlier VALUES (?)');
  }

  addEarlier(digest: string): void {
    this.insertEarlier.run(digest);
  }

  addPart(folder: number, notes: PartNotes): void {
    const insert = this.database.prepare('INSERT INTO part (folder, notes) VALUES (?, ?)');
    insert.run(folder, JSON.stringify(notes));
  }

  addOrder(folder: number, digest: string | undefined, { line, facts }: RecordedOrder): void {
    this.insertOrder.run(folder, digest ?? null, line, facts);
  }

  get orders(): number {
    return Number(this.database.prepare('SELECT count(*) AS orders FROM made').get()?.orders);
  }

  firstWith(digest: string): string | undefined {
    return this.selectFirst.get(digest)?.line as string | undefined; // the column has text
  }

  isEarlier(digest: string): boolean {
    return this.selectEarlier.get(digest) !== undefined;
  }

  notesOf(folder: number): readonly PartNotes[] {
    const found = this.database.prepare('SELECT notes FROM part WHERE folder = ? ORDER BY number').all(folder);
    return found.map(({ notes }) => JSON.parse(String(notes)) as PartNotes); // `addPart` wrote these notes
  }

  ordersOf(folder: number): Iterable<RecordedOrder> {
    const found = this.database.prepare('SELECT line, facts FROM made WHERE folder = ? ORDER BY number');
    return found.iterate(folder) as Iterable<unknown> as Iterable<RecordedOrder>; // the columns have these types
  }

  /** Saves everything added so far, so that a crash does not lose it. */
  save(checkpoint: Checkpoint): void {
    this.database.prepare('INSERT OR REPLACE INTO state VALUES (1, ?)').run(JSON.stringify(checkpoint));
    this.database.exec('COMMIT; BEGIN');
  }

  close(): void {
    this.database.close();
  }
}

/** Returns the checkpoint of a run; undefined if it stopped before its first checkpoint or was completed. */
export function checkpointAt(path: string): Checkpoint | undefined {
  try {
    const [saved] = existsSync(path) ? rowsOf(path, 'SELECT checkpoint FROM state') : [];
    return saved === undefined ? undefined : (JSON.parse(String(saved.checkpoint)) as Checkpoint);
  } catch {
    return undefined; // the run stopped while it created the record
  }
}

export function* recordedLines(path: string): Generator<string> {
  for (const { line } of rowsOf(path, 'SELECT line FROM made ORDER BY number')) yield String(line);
}

/** The digest of each order of a saved run; empty for an order without a digest. */
export function* recordedDigests(path: string): Generator<string> {
  for (const { digest } of rowsOf(path, 'SELECT digest FROM made ORDER BY number')) yield `${digest ?? ''}\n`;
}

function* rowsOf(path: string, sql: string): Generator<Record<string, unknown>> {
  const database = new DatabaseSync(path);
  try {
    yield* database.prepare(sql).iterate();
  } finally {
    database.close();
  }
}

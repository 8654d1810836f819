import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** The stored facts of a resource: its place, its patient and its identity. */
export interface FoundResource {
  /** The index of its source, and its line there, counted from 1; 0 in a document of its own. */
  readonly source: number;
  readonly line: number;
  readonly start: number;
  readonly length: number;
  /** In a document: `entry[3].resource`; else empty. */
  readonly path: string;
  readonly json: string | null;
  readonly url: string;
  readonly type: string;
  readonly id: string | null;
  /** JSON of the reference to its patient. */
  readonly owner: string | null;
  /** Why the status of an order rules it out; null if more than the status decides. */
  readonly refusal: string | null;
  /** The common end of all spellings of its name; empty if it has no name. */
  readonly tail: string;
  readonly deletion: string | null;
  /** Its patient's id; null if the type belongs to no patient, empty if it states none. */
  readonly patient: string | null;
  readonly names?: readonly Name[];
}

export type Name = readonly [kind: 'name' | 'identifier' | 'role' | 'deletion', text: string];

/** The columns that are read of a stored resource. */
export interface Kept extends Omit<FoundResource, 'patient' | 'names' | 'tail'> {
  readonly row: number;
  /** The part that it belongs to; null for resources that belong to no patient. */
  readonly part: number | null;
}

const placed = ['source', 'line', 'start', 'length', 'path', 'json'] as const;
const asRead = [...placed, 'url', 'type', 'id', 'owner', 'refusal', 'deletion'] as const;
const asFound = [...asRead, 'tail'] as const;
const keptColumns = ['row', 'part', ...asRead] as const;
/** A resource as threads pass it on: a list is cloned faster than an object. */
export type FoundRow = readonly [string | null, readonly Name[], ...ColumnsOf<typeof asFound>];

export function rowOf({ patient, names = [], ...found }: FoundResource): FoundRow {
  const { source, line, start, length, path, json, url, type, id, owner, refusal, deletion, tail } = found;
  return [patient, names, source, line, start, length, path, json, url, type, id, owner, refusal, deletion, tail];
}

/** `patient`: patients are numbered in the order in which they are first seen. */
const columns = ['row INTEGER PRIMARY KEY', 'part', 'patient', ...asFound];

/** Most files of an export list their patients in the same order: this many are read at once. */
const patientsTogether = 64;

/**
 * The resources of a folder, in an embedded database in a temporary file, since an export may have more than fit into
 * memory. The thread that distributes the work writes it; the threads that map read it.
 */
export class ResourceStore {
  /** Whether there are orders, resources that belong to no patient, and deletions. */
  readonly has = { orders: false, supporting: false, deletions: false };
  private readonly database: DatabaseSync;
  private readonly resource: StatementSync;
  private readonly name: StatementSync;
  private readonly patients = new Map<string, number>();
  private row = 0;

  /** `patientsPerPart`: the number of patients, in order of first appearance, in one part. */
  constructor(
    readonly path: string,
    private readonly patientsPerPart = patientsTogether,
  ) {
    closeSync(openSync(path, 'wx', 0o600));
    this.database = new DatabaseSync(path);
    this.database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA cache_size = -16384;
      CREATE TABLE resource (${columns.join(', ')});
      CREATE TABLE name (kind TEXT, text TEXT, row INTEGER) STRICT;
      BEGIN`);
    this.resource = this.database.prepare(`INSERT INTO resource VALUES (${columns.map(() => '?').join(', ')})`);
    this.name = this.database.prepare('INSERT INTO name VALUES (?, ?, ?)');
  }

  /** `before`: the number of lines of its source before the piece in which it was found. */
  add([patient, names, source, line, ...others]: FoundRow, before = 0): void {
    this.row += 1;
    const [, , , , , type, , , , deletion] = others;
    this.has.orders ||= type === 'MedicationRequest' && deletion === null;
    this.has.supporting ||= patient === null;
    this.has.deletions ||= deletion !== null;
    const number = patient === null ? null : this.numberOf(patient);
    this.resource.run(this.row, this.partOf(number), number, source, line === 0 ? 0 : line + before, ...others);
    for (const [kind, text] of names) this.name.run(kind, text, this.row);
  }

  /** -1 for resources that refer to no patient. */
  private numberOf(patient: string): number {
    if (patient === '') return -1;
    if (!this.patients.has(patient)) this.patients.set(patient, this.patients.size);
    return this.patients.get(patient) ?? -1;
  }

  private partOf(patient: number | null): number | null {
    if (patient === null) return null;
    return Math.floor(Math.max(0, patient) / this.patientsPerPart);
  }

  /**
   * Ends the adding of resources and returns the number of parts. `isOnePart`: patient ids do not identify which
   * resources belong together, so everything is one part.
   */
  end(isOnePart: boolean): number {
    const parts = isOnePart ? 1 : Math.max(1, Math.ceil(this.patients.size / this.patientsPerPart));
    this.patients.clear();
    this.database.exec(`
      ${isOnePart ? 'UPDATE resource SET part = 0 WHERE part > 0;' : ''}
      CREATE INDEX resource_part ON resource (part);
      CREATE INDEX resource_tail ON resource (tail, type);
      CREATE INDEX name_text ON name (text, kind);
      CREATE TABLE repeated (row INTEGER PRIMARY KEY);
      INSERT INTO repeated SELECT row FROM resource JOIN
        (SELECT tail, type FROM resource WHERE part IS NOT NULL GROUP BY tail, type HAVING count(*) > 1)
        USING (tail, type) WHERE part IS NOT NULL;
      CREATE TABLE elsewhere AS
        WITH parts AS (SELECT DISTINCT tail, type, part FROM resource JOIN repeated USING (row) WHERE tail <> '')
        SELECT parts.part AS part, resource.row AS row FROM parts JOIN resource USING (tail, type)
        WHERE resource.part <> parts.part;
      CREATE INDEX elsewhere_part ON elsewhere (part);
      COMMIT`);
    return parts;
  }

  /** Deletions, each with JSON of the fullUrls of the resources that have its name. */
  deletions(): Iterable<Kept & { readonly urls: string }> {
    const found = this.database.prepare(`SELECT *, (SELECT json_group_array(named.url) FROM resource AS named
        WHERE named.tail = gone.tail AND named.type = gone.type AND named.deletion IS NULL) AS urls
      FROM resource AS gone WHERE deletion IS NOT NULL AND type <> '' ORDER BY row`);
    return found.iterate() as Iterable<unknown> as Iterable<Kept & { readonly urls: string }>; // the column types
  }

  close(): void {
    this.database.close();
  }
}

export class StoreReader {
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();

  constructor(path: string) {
    this.database = new DatabaseSync(path, { readOnly: true });
  }

  /**
   * The resources to read for a part, in input order: orders and their patients, all resources of patients with an
   * order that may be current, and other resources with the same name, also from other parts.
   */
  ofPart(part: number): readonly Kept[] {
    const own = this.all(
      `WHERE part = ?1 AND (type IN ('MedicationRequest', 'Patient')
        OR patient IN (SELECT patient FROM resource WHERE part = ?1 AND type = 'MedicationRequest' AND refusal IS NULL)
        OR row IN (SELECT row FROM repeated)) ORDER BY row`,
      part,
    );
    // A separate query: in one query with the others every row would be sorted.
    const others = this.all('WHERE row IN (SELECT row FROM elsewhere WHERE part = ?)', part);
    return others.length === 0 ? own : [...own, ...others].sort((one, other) => one.row - other.row);
  }

  personal(): readonly Kept[] {
    return this.all('WHERE part IS NOT NULL ORDER BY row');
  }

  at(row: number): Kept {
    const [kept] = this.all('WHERE row = ?', row);
    if (kept === undefined) throw new RangeError('a resource was kept there');
    return kept;
  }

  named(kind: Name[0], text: string): readonly number[] {
    const found = this.rows('SELECT DISTINCT row FROM name WHERE text = ? AND kind = ? ORDER BY row', text, kind);
    return found.map(([row]) => Number(row));
  }

  /** Rows of resources that belong to no patient and may be repeated or deleted. */
  disputed(): readonly number[] {
    const found = this.rows(`SELECT row FROM resource WHERE part IS NULL AND deletion IS NULL AND (tail, type) IN
        (SELECT tail, type FROM resource WHERE part IS NULL AND deletion IS NULL
          GROUP BY tail, type HAVING count(*) > 1)
      UNION SELECT named.row FROM name AS deletion JOIN name AS named USING (text)
        WHERE deletion.kind = 'deletion' AND named.kind = 'name' ORDER BY row`);
    return found.map(([row]) => Number(row));
  }

  close(): void {
    this.database.close();
  }

  private all(which: string, ...values: (string | number)[]): readonly Kept[] {
    const found = this.rows(`SELECT ${keptColumns.join(', ')} FROM resource ${which}`, ...values);
    return found.map((columns) => keptOf(columns as KeptColumns)); // the columns just selected
  }

  private rows(sql: string, ...values: (string | number)[]): readonly Columns[] {
    const statement = this.statements.get(sql) ?? this.database.prepare(sql);
    this.statements.set(sql, statement);
    // objects made by the driver take half as long again
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as readonly Columns[]; // the columns just selected
  }
}

type Columns = readonly unknown[];
type Column = Kept & FoundResource;
type ColumnsOf<Names extends readonly (keyof Column)[]> = { readonly [At in keyof Names]: Column[Names[At]] };
type KeptColumns = ColumnsOf<typeof keptColumns>;

function keptOf(columns: KeptColumns): Kept {
  const [row, part, source, line, start, length, path, json, url, type, id, owner, refusal, deletion] = columns;
  return { row, part, source, line, start, length, path, json, url, type, id, owner, refusal, deletion };
}

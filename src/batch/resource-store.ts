import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** What is stored of a resource: its place, its patient and its identity. */
export interface FoundResource {
  /** `source`: index of its source. `line`: counted from 1; 0 if the source is one document. */
  readonly source: number;
  readonly line: number;
  readonly start: number;
  readonly length: number;
  /** The path in a document, such as `entry[3].resource`; empty in NDJSON. */
  readonly path: string;
  readonly json: string | null;
  readonly url: string;
  readonly type: string;
  readonly id: string | null;
  /** JSON of the reference to the patient. */
  readonly owner: string | null;
  /** Why the status rules the resource out as an order; null if more than the status decides. */
  readonly refusal: string | null;
  /** The common end of all spellings of the resource's name; empty if it has none. */
  readonly tail: string;
  readonly deletion: string | null;
  /** The patient's id; null if the type belongs to no patient, empty if no patient is stated. */
  readonly patient: string | null;
  readonly names?: readonly Name[];
}

export type Name = readonly [kind: 'name' | 'identifier' | 'role' | 'deletion', text: string];

/** The columns that are read. */
export interface Kept extends Omit<FoundResource, 'patient' | 'names' | 'tail'> {
  readonly row: number;
  /** The part of the resource; null if it belongs to no patient. */
  readonly part: number | null;
}

const placed = ['source', 'line', 'start', 'length', 'path', 'json'] as const;
const asRead = [...placed, 'url', 'type', 'id', 'owner', 'refusal', 'deletion'] as const;
const asFound = [...asRead, 'tail'] as const;
const keptColumns = ['row', 'part', ...asRead] as const;
/** A resource as threads send it. A list is cloned faster than an object. */
export type FoundRow = readonly [string | null, readonly Name[], ...ColumnsOf<typeof asFound>];

export function rowOf({ patient, names = [], ...found }: FoundResource): FoundRow {
  const { source, line, start, length, path, json, url, type, id, owner, refusal, deletion, tail } = found;
  return [patient, names, source, line, start, length, path, json, url, type, id, owner, refusal, deletion, tail];
}

/** `patient`: patients are numbered as they are first seen. */
const columns = ['row INTEGER PRIMARY KEY', 'part', 'patient', ...asFound];

/** Most files of an export list patients in the same order, so this many are read together. */
const patientsTogether = 64;

/**
 * The resources of a folder, in an embedded database in a temporary file, since an export may not fit into memory. Only
 * the thread that distributes the work writes it. Threads that map read it.
 */
export class ResourceStore {
  /** Whether there are orders, resources that belong to no patient, and deletions. */
  readonly has = { orders: false, supporting: false, deletions: false };
  private readonly database: DatabaseSync;
  private readonly resource: StatementSync;
  private readonly name: StatementSync;
  private readonly patients = new Map<string, number>();
  private row = 0;

  /** `patientsPerPart`: how many patients a part has, in the order in which they are first seen. */
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

  /** `before`: how many lines of the source precede the piece in which the resource was found. */
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

  /** Returns -1 if the resource refers to no patient. */
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
   * Ends the adding of resources and returns the number of parts. `isOnePart`: patient ids do not show which resources
   * belong together, so there is only one part.
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

  /** Returns the deletions, each with JSON of the fullUrls of the resources that have its name. */
  deletions(): Iterable<Kept & { readonly urls: string }> {
    const found = this.database.prepare(`SELECT *, (SELECT json_group_array(named.url) FROM resource AS named
        WHERE named.tail = gone.tail AND named.type = gone.type AND named.deletion IS NULL) AS urls
      FROM resource AS gone WHERE deletion IS NOT NULL AND type <> '' ORDER BY row`);
    return found.iterate() as Iterable<unknown> as Iterable<Kept & { readonly urls: string }>; // column types
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
   * Returns the resources to read for a part, in input order: orders and their patients, all resources of patients with
   * an order that may be current, and resources of any part with the same name as one of these.
   */
  ofPart(part: number): readonly Kept[] {
    const own = this.all(
      `WHERE part = ?1 AND (type IN ('MedicationRequest', 'Patient')
        OR patient IN (SELECT patient FROM resource WHERE part = ?1 AND type = 'MedicationRequest' AND refusal IS NULL)
        OR row IN (SELECT row FROM repeated)) ORDER BY row`,
      part,
    );
    // A separate query, since SQLite would sort all rows of a combined one.
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

  /** Returns the rows of resources that belong to no patient and may be repeated or deleted. */
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
    return found.map((columns) => keptOf(columns as KeptColumns)); // the query selects these columns
  }

  private rows(sql: string, ...values: (string | number)[]): readonly Columns[] {
    const statement = this.statements.get(sql) ?? this.database.prepare(sql);
    this.statements.set(sql, statement);
    // arrays, since objects take half as long again
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as readonly Columns[]; // the query selects these columns
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

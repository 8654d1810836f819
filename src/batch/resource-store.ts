import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** What is kept of a resource that was found: where it stands, and whose and which it is. */
export interface FoundResource {
  /** The index of its source, and the line in it, from 1; 0 in a document of its own. */
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
  /** 1 for an order that has ended, as its status says. */
  readonly ended: number;
  /** What its name ends with however it is spelled; empty for none. */
  readonly tail: string;
  readonly deletion: string | null;
  /** The id of its patient; null for what is about nobody, empty where it names none. */
  readonly patient: string | null;
  readonly names?: readonly Name[];
}

export type Name = readonly [kind: 'name' | 'identifier' | 'role' | 'deletion', text: string];

/** What is read of one that is kept. */
export interface Kept extends Omit<FoundResource, 'patient' | 'names' | 'ended' | 'tail'> {
  readonly row: number;
  /** The part it belongs to; null for what is about nobody. */
  readonly part: number | null;
}

const asRead = ['source', 'line', 'start', 'length', 'path', 'json', 'url', 'type', 'id', 'owner', 'deletion'] as const;
const asFound = [...asRead, 'ended', 'tail'] as const;
const keptColumns = ['row', 'part', ...asRead] as const;
/** `patient`: patients are numbered as they are first met. */
const columns = ['row INTEGER PRIMARY KEY', 'part', 'patient', ...asFound];

/** Most files of an export have their patients in the same order: these are read in one go. */
const patientsTogether = 64;

/**
 * The resources of a folder, in an embedded database in a temporary file: an export has more of them than fit into
 * memory. Written by the thread that hands out the work, read by those that map.
 */
export class ResourceStore {
  /** Whether there are orders, resources that are about nobody, and deletions. */
  readonly has = { orders: false, supporting: false, deletions: false };
  private readonly database: DatabaseSync;
  private readonly resource: StatementSync;
  private readonly name: StatementSync;
  private readonly patients = new Map<string, number>();
  private row = 0;

  /** `patientsPerPart`: how many patients, as they are first met, make a part. */
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

  add(found: FoundResource): void {
    this.row += 1;
    const { type, patient, deletion, names = [] } = found;
    this.has.orders ||= type === 'MedicationRequest' && deletion === null;
    this.has.supporting ||= patient === null;
    this.has.deletions ||= deletion !== null;
    const number = patient === null ? null : this.numberOf(patient);
    this.resource.run(this.row, this.partOf(number), number, ...asFound.map((column) => found[column]));
    for (const [kind, text] of names) this.name.run(kind, text, this.row);
  }

  /** -1 for what names no patient. */
  private numberOf(patient: string): number {
    if (patient === '') return -1;
    const number = this.patients.get(patient) ?? this.patients.size;
    this.patients.set(patient, number);
    return number;
  }

  private partOf(patient: number | null): number | null {
    if (patient === null) return null;
    return Math.floor(Math.max(0, patient) / this.patientsPerPart);
  }

  /**
   * No resource is added after this. Returns the number of parts. `isOnePart`: the patients' ids do not say what
   * belongs together, so that everything goes into one.
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
    return found.iterate() as Iterable<unknown> as Iterable<Kept & { readonly urls: string }>; // as their columns
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
   * What is read of a part, in the order of the input: orders and their patients, everything of patients with an order
   * that its status does not rule out, and what there is another of with the same name, in other parts too.
   */
  ofPart(part: number): readonly Kept[] {
    const own = this.all(
      `WHERE part = ?1 AND (type IN ('MedicationRequest', 'Patient')
        OR patient IN (SELECT patient FROM resource WHERE part = ?1 AND type = 'MedicationRequest' AND ended = 0)
        OR row IN (SELECT row FROM repeated)) ORDER BY row`,
      part,
    );
    // Asked for alone: in one question with the others every row would be sorted.
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

  /** Rows of what is about nobody and may stand twice or be deleted. */
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
    return found.map((columns) => keptOf(columns as KeptColumns)); // as just asked for
  }

  private rows(sql: string, ...values: (string | number)[]): readonly Columns[] {
    const statement = this.statements.get(sql) ?? this.database.prepare(sql);
    this.statements.set(sql, statement);
    // objects of the driver's own making take half as long again
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as readonly Columns[]; // as just asked for
  }
}

type Columns = readonly unknown[];
type ColumnsOf<Names extends readonly (keyof Kept)[]> = { readonly [At in keyof Names]: Kept[Names[At]] };
type KeptColumns = ColumnsOf<typeof keptColumns>;

function keptOf(columns: KeptColumns): Kept {
  const [row, part, source, line, start, length, path, json, url, type, id, owner, deletion] = columns;
  return { row, part, source, line, start, length, path, json, url, type, id, owner, deletion };
}

/** What the first look at one resource keeps: where it stands, and marks of whose it is and which one it is. */
export interface ResourceRecord {
  /** The piece of a file that it was found in, and its line in that piece, from 1; 0 in a document of its own. */
  readonly piece: number;
  readonly line: number;
  readonly offset: number;
  readonly length: number;
  readonly kind: RecordKind;
  /** Marks of the patient's id and of type and id: equal for equal ones, different for nearly all others. 0: none. */
  readonly owner: number;
  readonly key: number;
  /** In a document: `entry[3].resource`, and the entry's fullUrl; else empty. */
  readonly path: string;
  readonly fullUrl: string;
}

export const recordKinds = { other: 0, order: 1, patient: 2, supporting: 3, deletion: 4 } as const;
export type RecordKind = (typeof recordKinds)[keyof typeof recordKinds];

/** The kind of a resource; `isPersonal`: whether it is about a patient. */
export function kindOf(type: string, isPersonal: boolean): RecordKind {
  if (type === 'MedicationRequest') return recordKinds.order;
  if (type === 'Patient') return recordKinds.patient;
  return isPersonal ? recordKinds.other : recordKinds.supporting;
}

/** The bytes of a record before its path and fullUrl. */
export const recordHead = 41;

/** Records one after the other in one piece of memory, since an export has millions of them. */
export class RecordWriter {
  private bytes = Buffer.allocUnsafe(1 << 12);
  private end = 0;

  add(record: ResourceRecord): void {
    const { path, fullUrl } = record;
    const pathLength = path === '' ? 0 : Buffer.byteLength(path);
    const urlLength = fullUrl === '' ? 0 : Buffer.byteLength(fullUrl);
    this.reserve(recordHead + pathLength + urlLength);
    const { bytes, end } = this;
    bytes.writeUInt32LE(record.piece, end);
    bytes.writeUInt32LE(record.line, end + 4);
    bytes.writeDoubleLE(record.offset, end + 8);
    bytes.writeUInt32LE(record.length, end + 16);
    bytes[end + 20] = record.kind;
    bytes.writeDoubleLE(record.owner, end + 21);
    bytes.writeDoubleLE(record.key, end + keyOffset);
    bytes.writeUInt16LE(pathLength, end + 37);
    bytes.writeUInt16LE(urlLength, end + 39);
    if (pathLength > 0) bytes.write(path, end + recordHead);
    if (urlLength > 0) bytes.write(fullUrl, end + recordHead + pathLength);
    this.end = end + recordHead + pathLength + urlLength;
  }

  /** Records that were written elsewhere, one after the other. */
  addAll(records: Uint8Array): void {
    this.reserve(records.length);
    this.bytes.set(records, this.end);
    this.end += records.length;
  }

  /** What was written so far, in memory of its own that can be handed to another thread. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.bytes.subarray(0, this.end));
    this.end = 0;
    return taken;
  }

  private reserve(more: number): void {
    if (this.end + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.end + more));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}

/** All records of a piece of memory. */
export function readRecords(bytes: Buffer): ResourceRecord[] {
  const records: ResourceRecord[] = [];
  forEachRecord(bytes, (at) => void records.push(recordAt(bytes, at)));
  return records;
}

/** Where each record stands, without making the record: it begins at `at`, and the next one at `end`. */
export function forEachRecord(bytes: Buffer, see: (at: number, end: number) => void): void {
  for (let at = 0; at < bytes.length; ) {
    const end = at + recordSize(bytes, at);
    see(at, end);
    at = end;
  }
}

/** How many bytes the record at a place has. */
export function recordSize(bytes: Buffer, at: number): number {
  return recordHead + bytes.readUInt16LE(at + 37) + bytes.readUInt16LE(at + 39);
}

/** The record that begins at a place. */
export function recordAt(bytes: Buffer, at: number): ResourceRecord {
  const pathEnd = at + recordHead + bytes.readUInt16LE(at + 37);
  const urlEnd = pathEnd + bytes.readUInt16LE(at + 39);
  return {
    piece: bytes.readUInt32LE(at),
    line: bytes.readUInt32LE(at + 4),
    offset: bytes.readDoubleLE(at + 8),
    length: bytes.readUInt32LE(at + 16),
    kind: kindAt(bytes, at),
    owner: ownerAt(bytes, at),
    key: bytes.readDoubleLE(at + keyOffset),
    path: pathEnd === at + recordHead ? '' : bytes.toString('utf8', at + recordHead, pathEnd),
    fullUrl: urlEnd === pathEnd ? '' : bytes.toString('utf8', pathEnd, urlEnd),
  };
}

/** Its kind alone. */
export function kindAt(bytes: Buffer, at: number): RecordKind {
  return bytes[at + 20] as RecordKind; // written above
}

/** The mark of its patient alone. */
export function ownerAt(bytes: Buffer, at: number): number {
  return bytes.readDoubleLE(at + 21);
}

/** Where in a record its key stands, a double. */
export const keyOffset = 29;

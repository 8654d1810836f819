import { closeSync, openSync, readSync } from 'node:fs';
import type { Blocks } from './block-file.ts';
import { type ResourceRecord, recordAt, recordHead, recordSize } from './records.ts';
import type { Spilled } from './spill.ts';

/** Records that were put aside, read where they stand. */
export interface RecordReader {
  /** Each record and its place. */
  all(): Generator<{ readonly at: number; readonly record: ResourceRecord }>;
  at(place: number): ResourceRecord;
  close(): void;
}

export function openRecords(spilled: Spilled): RecordReader {
  if ('path' in spilled) return new RecordsInFile(spilled);
  const bytes = Buffer.from(spilled.bytes.buffer, spilled.bytes.byteOffset, spilled.bytes.byteLength);
  return {
    *all() {
      for (let at = 0; at < bytes.length; at += recordSize(bytes, at)) yield { at, record: recordAt(bytes, at) };
    },
    at: (place) => recordAt(bytes, place),
    close: () => {},
  };
}

const stepOfAll = 1 << 18;
const stepOfOne = 1 << 8;

/** A file that holds these records alone, with its blocks in order. */
class RecordsInFile implements RecordReader {
  private readonly file: number;
  private readonly length: number;
  private bytes = Buffer.allocUnsafe(stepOfAll);
  private start = 0;
  private end = 0;

  constructor({ path, blocks, length }: Blocks) {
    if (blocks.some((block, at) => block !== at))
      throw new RangeError('records that are read by place have a file of their own');
    this.file = openSync(path, 'r');
    this.length = length;
  }

  *all(): Generator<{ at: number; record: ResourceRecord }> {
    for (let at = 0; this.holds(at, recordHead, stepOfAll); ) {
      const size = this.sizeAt(at, stepOfAll);
      yield { at, record: recordAt(this.bytes, at - this.start) };
      at += size;
    }
  }

  at(place: number): ResourceRecord {
    this.sizeAt(place, stepOfOne);
    return recordAt(this.bytes, place - this.start);
  }

  close(): void {
    closeSync(this.file);
  }

  /** Makes sure that all of a record is here. */
  private sizeAt(place: number, step: number): number {
    const isHere = this.holds(place, recordHead, step);
    const size = isHere ? recordSize(this.bytes, place - this.start) : 0;
    if (!isHere || !this.holds(place, size, step)) throw new RangeError('a record begins there');
    return size;
  }

  private holds(place: number, length: number, step: number): boolean {
    if (place >= this.start && place + length <= this.end) return true;
    const wanted = Math.max(0, Math.min(Math.max(length, step), this.length - place));
    if (wanted > this.bytes.length) this.bytes = Buffer.allocUnsafe(wanted);
    this.start = place;
    this.end = place + readSync(this.file, this.bytes, 0, wanted, place);
    return place + length <= this.end;
  }
}

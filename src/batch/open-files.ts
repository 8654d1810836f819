import { closeSync, openSync, readSync } from 'node:fs';
import { BridgeError } from '../core/errors.ts';
import type { Span } from './spans.ts';

/** Files that parts are read from again and again: opening one for every part would take longer than reading it. */
export interface OpenFiles {
  /**
   * The bytes of a part, which hold until the next one is read; throws `input_unreadable` when the file does not hold
   * it any more.
   */
  read(path: string, span: Span): Buffer;
  close(): void;
}

/** What is read at once of short parts that stand behind each other. */
const blockLength = 1 << 16;

/** Keeps the files open that were used last; a folder may hold more of them than a process may open. */
export function createOpenFiles(atMost = 32): OpenFiles {
  const files = new Map<string, number>();
  const bytes = Buffer.allocUnsafe(blockLength);
  const block = { path: '', start: 0, end: 0 };
  const open = (path: string): number => {
    const file = files.get(path) ?? openSync(path, 'r');
    files.delete(path);
    files.set(path, file);
    const [oldest] = files;
    if (files.size > atMost && oldest !== undefined) {
      files.delete(oldest[0]);
      closeSync(oldest[1]);
    }
    return file;
  };
  return {
    read: (path, { start, end }) => {
      if (end - start > blockLength / 4) return readAll(open(path), path, { start, end });
      if (block.path !== path || start < block.start || end > block.end) {
        const isNext = block.path === path && start >= block.start && start - block.end < blockLength;
        const length = isNext ? blockLength : end - start;
        block.end = start + readSync(open(path), bytes, 0, length, start);
        [block.path, block.start] = [path, start];
      }
      if (end > block.end) throw changed(path);
      return bytes.subarray(start - block.start, end - block.start);
    },
    close: () => {
      for (const file of files.values()) closeSync(file);
      files.clear();
      block.path = '';
    },
  };
}

function readAll(file: number, path: string, { start, end }: Span): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  if (readSync(file, bytes, 0, bytes.length, start) === bytes.length) return bytes;
  throw changed(path);
}

function changed(path: string): BridgeError {
  return new BridgeError('input_unreadable', { file: path, reason: 'it changed while it was read' });
}

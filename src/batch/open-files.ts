import { closeSync, openSync, readSync } from 'node:fs';
import { BridgeError } from '../errors.ts';
import type { Span } from './spans.ts';

/** Files that parts are read from again and again: opening one for every part would take longer than reading it. */
export interface OpenFiles {
  /** The bytes of a part; throws `input_unreadable` when the file does not hold it any more. */
  read(path: string, span: Span): Buffer;
  close(): void;
}

/** Keeps the files open that were used last; a folder may hold more of them than a process may open. */
export function createOpenFiles(atMost = 32): OpenFiles {
  const files = new Map<string, number>();
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
      const bytes = Buffer.allocUnsafe(end - start);
      if (readSync(open(path), bytes, 0, bytes.length, start) === bytes.length) return bytes;
      throw new BridgeError('input_unreadable', { file: path, reason: 'it changed while it was read' });
    },
    close: () => {
      for (const file of files.values()) closeSync(file);
      files.clear();
    },
  };
}

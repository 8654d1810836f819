import { writeSync } from 'node:fs';

/** Writes all of the bytes at the end of an open file: one call may write a part of them, as where the disk is full. */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

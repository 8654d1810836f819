/**
 * A number for a text, 53 bits of it: equal for equal bytes. It only tells what may belong together; what does is
 * decided by the texts themselves. Never 0.
 */
export function markOf(bytes: Uint8Array, start: number, end: number, seed = 0): number {
  let low = 0xdeadbeef ^ seed;
  let high = 0x41c6ce57 ^ seed;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    low = Math.imul(low ^ byte, 2654435761);
    high = Math.imul(high ^ byte, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (2097151 & high) + (low >>> 0) || 1;
}

export function markOfText(text: string, seed = 0): number {
  const bytes = Buffer.from(text);
  return markOf(bytes, 0, bytes.length, seed);
}

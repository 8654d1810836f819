import { createHash, timingSafeEqual } from 'node:crypto';

/** `bytes` random bytes as base64url text. */
export function randomText(random: (bytes: number) => Uint8Array, bytes: number): string {
  return Buffer.from(random(bytes)).toString('base64url');
}

/** SHA-256 of a secret, base64url: what a store may know of it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether `secret` has this hash; takes the same time whatever differs. */
export function hasHash(secret: string, hash: string): boolean {
  const mine = Buffer.from(hashOf(secret));
  const other = Buffer.from(hash);
  return mine.length === other.length && timingSafeEqual(mine, other);
}

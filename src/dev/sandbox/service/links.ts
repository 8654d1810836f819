import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds for which a signed link is valid. */
export const linkLife = 300;

/** Returns `/files/<id>/<name>?expires=...&signature=...`, signed with `key`. */
export function signedPath(key: Buffer, id: string, name: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + linkLife;
  const signature = signatureOf(key, id, name, expires);
  return `/files/${encodeURIComponent(id)}/${encodeURIComponent(name)}?expires=${expires}&signature=${signature}`;
}

export function isSigned(
  key: Buffer,
  id: string,
  name: string,
  query: { readonly expires: number; readonly signature: string },
  now: Date,
): boolean {
  const expected = Buffer.from(signatureOf(key, id, name, query.expires));
  const given = Buffer.from(query.signature);
  return given.length === expected.length && timingSafeEqual(given, expected) && query.expires >= now.getTime() / 1000;
}

function signatureOf(key: Buffer, id: string, name: string, expires: number): string {
  return createHmac('sha256', key).update(`${id}\n${name}\n${expires}`).digest('hex');
}

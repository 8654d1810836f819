import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * Seals what is stored about people and tokens. `open` throws when the text was changed, moved to another record, or
 * made with an unknown key.
 */
export interface Vault {
  /** `about` binds the sealed text to its record, e.g. `launch|<id>`. */
  seal(plain: string, about: string): string;
  open(sealed: string, about: string): string;
  /**
   * Keyed hashes of a text, for finding a sealed record again: the current key's first, then one for each older key.
   */
  marks(plain: string): readonly [string, ...string[]];
}

/**
 * AES-256-GCM, a random nonce per text. The first key seals; all keys open, so that keys can be rotated. Keys are 32
 * bytes in base64 or hex.
 */
export function createVault(keys: readonly string[]): Vault {
  const ring = new Map(keys.map((key) => [keyId(key), keyBytes(key)]));
  const [first] = ring;
  if (first === undefined) throw new TypeError('createVault needs at least one key');
  const [currentId, current] = first;
  return {
    seal(plain, about) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [
        'v1',
        currentId,
        nonce.toString('base64url'),
        body.toString('base64url'),
        cipher.getAuthTag().toString('base64url'),
      ].join('.');
    },
    open(sealed, about) {
      const [version, id, nonce, body, tag] = sealed.split('.');
      const key = ring.get(id ?? '');
      if (version !== 'v1' || key === undefined || nonce === undefined || body === undefined || tag === undefined)
        throw new Error('sealed text has an unknown form or key');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
        .setAAD(Buffer.from(about))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8');
    },
    marks(plain) {
      const mark = (key: Buffer) => createHmac('sha256', key).update(`mark|${plain}`).digest('base64url');
      const [, ...older] = ring.values();
      return [mark(current), ...older.map(mark)];
    },
  };
}

export function newKey(): string {
  return randomBytes(32).toString('base64');
}

function keyBytes(key: string): Buffer {
  const bytes = /^[0-9a-f]{64}$/i.test(key) ? Buffer.from(key, 'hex') : Buffer.from(key, 'base64');
  if (bytes.length !== 32) throw new TypeError('a key must be 32 bytes in base64 or hex');
  return bytes;
}

function keyId(key: string): string {
  return createHash('sha256').update(keyBytes(key)).digest('hex').slice(0, 8);
}

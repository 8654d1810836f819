import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Seals stored data about people, and tokens. `open` throws when the text was changed, moved to another record, or
 * sealed with an unknown key.
 */
export interface Vault {
  /** `about` binds the sealed text to its record, e.g. `launch|<id>`. */
  seal(plain: string, about: string): string;
  open(sealed: string, about: string): string;
  /** The prefix of every text sealed now; a text with another prefix has an older key or form. */
  readonly sealsAs: string;
  /** A keyed hash that only the bridge can make, for the forms of its pages. */
  token(text: string): string;
  /** Whether `token` was made from `text` with any of the keys; compares in constant time. */
  isToken(text: string, token: string): boolean;
}

/** The purpose of a key; each purpose has its own key (RFC 5869). */
type Purpose = 'content' | 'forms';

interface RingKey {
  readonly id: string;
  readonly content: KeyObject;
  readonly forms: KeyObject;
}

const form = 'v1';
const tagBytes = 16;

/**
 * AES-256-GCM with a random nonce per text. Keys are 32 bytes in base64 or hex: the first key seals and every key
 * opens, so that keys can be rotated.
 */
export function createVault(keys: readonly string[]): Vault {
  const ring = new Map(keys.map((key) => [keyId(key), ringKey(key)]));
  const ordered = [...ring.values()];
  const [current] = ordered;
  if (current === undefined) throw new TypeError('createVault needs at least one key');
  const token = (key: KeyObject, text: string) => hmac(key, `form|${text}`);
  return {
    seal: (plain, about) => sealed(plain, about, current),
    open: (text, about) => opened(text, about, ring),
    sealsAs: `${form}.${current.id}.`,
    token: (text) => token(current.forms, text),
    isToken: (text, given) => ordered.some(({ forms }) => sameText(given, token(forms, text))),
  };
}

/** A new 32-byte key in base64. */
export function newKey(): string {
  return randomBytes(32).toString('base64');
}

function sealed(plain: string, about: string, key: RingKey): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.content, nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(about),
  );
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return [form, key.id, ...[nonce, body, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}

function opened(text: string, about: string, ring: ReadonlyMap<string, RingKey>): string {
  const [version = '', id = '', ...parts] = text.split('.');
  const key = ring.get(id);
  const [nonce, body, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (version !== form || key === undefined || nonce === undefined || body === undefined || tag?.length !== tagBytes)
    throw new Error('sealed text has an unknown form or key');
  const decipher = createDecipheriv('aes-256-gcm', key.content, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(about))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

function ringKey(key: string): RingKey {
  const bytes = keyBytes(key);
  // Created once: Node takes eight times as long for a hash or a seal when the key is passed as bytes.
  return {
    id: keyId(key),
    content: derived(bytes, 'content'),
    forms: derived(bytes, 'forms'),
  };
}

function derived(key: Buffer, purpose: Purpose): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `prior-auth-bridge ${purpose}`, 32)));
}

function hmac(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function keyBytes(key: string): Buffer {
  const bytes = /^[0-9a-f]{64}$/i.test(key) ? Buffer.from(key, 'hex') : Buffer.from(key, 'base64');
  if (bytes.length !== 32) throw new TypeError('a key must be 32 bytes in base64 or hex');
  return bytes;
}

function keyId(key: string): string {
  return createHash('sha256').update(keyBytes(key)).digest('hex').slice(0, 8);
}

import { createDecipheriv, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createVault, newKey } from '../../src/base/vault.ts';

test('a sealed text opens with its key and record, and shows nothing', () => {
  const vault = createVault([newKey()]);
  const sealed = vault.seal('member 0042', 'case|1');
  expect(sealed).not.toContain('0042');
  expect(vault.open(sealed, 'case|1')).toBe('member 0042');
});

test('a sealed text moved to another record does not open', () => {
  const vault = createVault([newKey()]);
  expect(() => vault.open(vault.seal('x', 'case|1'), 'case|2')).toThrow();
});

test('a changed byte does not open', () => {
  const vault = createVault([newKey()]);
  const sealed = vault.seal('hello there', 'a');
  const parts = sealed.split('.');
  parts[3] = Buffer.from(Buffer.from(parts[3]!, 'base64url').map((byte) => byte ^ 1)).toString('base64url');
  expect(() => vault.open(parts.join('.'), 'a')).toThrow();
});

test('after a rotation the old key still opens and the new one seals', () => {
  const [old, next] = [newKey(), newKey()];
  const sealed = createVault([old]).seal('x', 'a');
  const rotated = createVault([next, old]);
  expect(rotated.open(sealed, 'a')).toBe('x');
  expect(() => createVault([old]).open(rotated.seal('x', 'a'), 'a')).toThrow();
});

describe('one key per purpose [S15]', () => {
  const [old, next] = ['a1'.repeat(32), 'b2'.repeat(32)];

  test('what is sealed and what is stamped is made with two keys, none of them the configured one', () => {
    const vault = createVault([old]);
    const raw = (text: string) => createHmac('sha256', Buffer.from(old, 'hex')).update(text).digest('base64url');
    expect(vault.token('x')).not.toBe(raw('form|x'));
    const [, , nonce = '', body = '', tag = ''] = vault.seal('secret', 'a').split('.');
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(old, 'hex'), Buffer.from(nonce, 'base64url'))
      .setAAD(Buffer.from('a'))
      .setAuthTag(Buffer.from(tag, 'base64url'));
    decipher.update(Buffer.from(body, 'base64url'));
    expect(() => decipher.final()).toThrow();
  });

  test('a form that one process made under the old key is taken by one that has the new key in front', () => {
    const [before, after] = [createVault([old]), createVault([next, old])];
    expect(after.isToken('launch-1', before.token('launch-1'))).toBe(true);
    expect(after.isToken('launch-2', before.token('launch-1'))).toBe(false);
    expect(createVault([next]).isToken('launch-1', before.token('launch-1'))).toBe(false);
  });
});

test('a sealed text of a form that this version does not know does not open', () => {
  const vault = createVault(['a1'.repeat(32)]);
  const sealed = vault.seal('hello there', 'a');
  expect(() => vault.open(sealed.replace(/^v1/, 'v2'), 'a')).toThrow('unknown form');
});

test('a sealed text whose tag was cut does not open [S12]', () => {
  const vault = createVault(['a1'.repeat(32)]);
  const [version, id, nonce, body, tag = ''] = vault.seal('hello there', 'a').split('.');
  for (const bytes of [4, 8, 12, 15]) {
    const short = Buffer.from(tag, 'base64url').subarray(0, bytes).toString('base64url');
    expect(() => vault.open([version, id, nonce, body, short].join('.'), 'a')).toThrow();
  }
});

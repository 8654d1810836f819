import { expect, test } from 'vitest';
import { createVault, newKey } from '../src/vault.ts';

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

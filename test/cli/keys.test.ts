import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createVault } from '../../src/base/vault.ts';
import { createKeyring } from '../../src/ehr/smart/keys.ts';
import { cli } from './run-cli.ts';

test.skipIf(process.platform === 'win32')(
  'a shell that reads what keys prints has a key that seals and keys that sign for both algorithms',
  async () => {
    const { code, out, err } = await cli(['keys']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const folder = mkdtempSync(join(tmpdir(), 'keys-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'bridge.env'), out);
    const print = 'process.stdout.write(JSON.stringify([process.env.BRIDGE_KEYS, process.env.BRIDGE_JWKS]))';
    const read = execFileSync('sh', ['-c', 'set -a; . ./bridge.env; "$0" -e "$1"', process.execPath, print], {
      cwd: folder,
      encoding: 'utf8',
    });
    const [key, jwks] = JSON.parse(read) as [string, string];
    const vault = createVault([key]);
    expect(vault.open(vault.seal('kept', 'test'), 'test')).toBe('kept');
    const ring = createKeyring(jwks);
    for (const alg of ['ES384', 'RS384'] as const) expect((await ring.signingKey(alg)).key.type).toBe('private');
    expect(ring.publicJwks().keys.map((each) => each.alg)).toEqual(['ES384', 'RS384']);
  },
);

test('keys --json prints the same, and every call makes new ones', async () => {
  const made = async () =>
    JSON.parse((await cli(['keys', '--json'])).out) as {
      BRIDGE_KEYS: string;
      BRIDGE_JWKS: { keys: { alg: string; d: string }[] };
    };
  const [one, other] = [await made(), await made()];
  expect(Buffer.from(one.BRIDGE_KEYS, 'base64')).toHaveLength(32);
  expect(one.BRIDGE_JWKS.keys.map(({ alg }) => alg)).toEqual(['ES384', 'RS384']);
  expect(one.BRIDGE_KEYS).not.toBe(other.BRIDGE_KEYS);
  expect(one.BRIDGE_JWKS.keys[0]?.d).not.toBe(other.BRIDGE_JWKS.keys[0]?.d);
});

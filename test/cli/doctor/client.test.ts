import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { newKey } from '../../../src/base/vault.ts';
import type { KeysShown } from '../../../src/cli/doctor/bridge.ts';
import type { DoctorFinding } from '../../../src/cli/doctor/finding.ts';
import { clientFindings } from '../../../src/cli/doctor/sign-in-findings.ts';
import { configOf, Site } from '../../../src/config/config.ts';
import { type SandboxEhr, startSandboxEhr } from '../../../src/dev/sandbox/ehr/index.ts';
import { inspectSite } from '../../../src/ehr/smart/inspect.ts';
import { createKeyring, generateKeys } from '../../../src/ehr/smart/keys.ts';

const bridge = 'http://localhost:9';
const [keys, otherKeys] = await Promise.all([generateKeys(), generateKeys()]);
const keySet = createServer((_request, response) =>
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify(createKeyring(JSON.stringify(keys)).publicJwks())),
);
let ehr: SandboxEhr;

beforeAll(async () => {
  await new Promise<void>((resolve) => keySet.listen(0, '127.0.0.1', resolve));
  const redirectUris = [`${bridge}/callback/valley`];
  ehr = await startSandboxEhr({
    host: '127.0.0.1',
    port: 0,
    launchUrl: `${bridge}/launch`,
    clients: [
      { auth: 'public', id: 'open', redirectUris },
      { auth: 'client_secret', id: 'quiet', secret: 'right-secret', redirectUris },
      {
        auth: 'private_key_jwt',
        id: 'signing',
        jwksUri: `http://127.0.0.1:${(keySet.address() as AddressInfo).port}/`,
        redirectUris,
      },
    ],
    seed: [],
    clock: () => new Date(),
    log: silentLog,
  });
});
afterEach(() => ehr.switches.clear());
afterAll(async () => {
  await ehr?.close();
  keySet.close();
});

const right = {
  public: { auth: 'public', id: 'open' },
  client_secret: { auth: 'client_secret', id: 'quiet', secretEnv: 'EHR_SECRET' },
  private_key_jwt: { auth: 'private_key_jwt', id: 'signing' },
} as const;
const auths = Object.keys(right) as (keyof typeof right)[]; // the names of a literal
const wrong = {
  public: { client: { auth: 'public', id: 'opne' } },
  client_secret: { client: right.client_secret, secret: 'wrong-secret' },
  private_key_jwt: { client: right.private_key_jwt, jwks: otherKeys },
} as const;

async function found({
  client,
  secret = 'right-secret',
  jwks = keys,
  shown = 'ours',
}: {
  client: object;
  secret?: string;
  jwks?: object;
  shown?: KeysShown;
}): Promise<DoctorFinding> {
  const site = Site.parse({
    id: 'valley',
    name: 'Valley',
    iss: ehr.fhirBase,
    client,
    service: { url: 'https://service.example', tokenEnv: 'TOKEN' },
  });
  const env = {
    BRIDGE_URL: bridge,
    BRIDGE_KEYS: newKey(),
    BRIDGE_JWKS: JSON.stringify(jwks),
    EHR_SECRET: secret,
  };
  const { config } = configOf(site, env);
  const inspection = inspectSite({ config, clock: () => new Date(), log: silentLog }, site);
  const [finding] = await clientFindings(site, inspection, shown);
  return finding!;
}

describe('[E6] at an EHR that answers as RFC 6749 says', () => {
  test.each(auths)('a right client is known: %s', async (auth) => {
    expect(await found({ client: right[auth] })).toMatchObject({ level: 'ok' });
  });

  test.each(auths)('a wrong id, secret or key is a problem with the words of the EHR: %s', async (auth) => {
    const { level, text } = await found(wrong[auth]);
    expect(level).toBe('problem');
    expect(text).toContain('error: invalid_client');
    expect(text).toContain('The EHR says: “client authentication failed”.');
  });

  test('a key that nobody can read yet is a note that says to start the bridge', async () => {
    expect(await found({ ...wrong.private_key_jwt, shown: 'none' })).toEqual({
      level: 'note',
      untried: true,
      text: expect.stringContaining('It says: invalid_client, “client authentication failed” (HTTP 401).'),
      next: expect.stringContaining('it needs no site for that'),
    });
  });

  test('a key that is none of those that a bridge shows is a note that says so, not one of no bridge', async () => {
    const { level, text, next } = await found({ ...wrong.private_key_jwt, shown: 'others' });
    expect(level).toBe('note');
    expect(text).toContain(`at ${bridge}/.well-known/jwks.json shows other keys than those of BRIDGE_JWKS`);
    expect(text).not.toContain('no bridge');
    expect(next).toContain('the environment of that bridge');
  });
});

describe('[E6] at a server that looks at the code first', () => {
  const says = {
    medplum: 'invalid_request, “Invalid code” (HTTP 400)',
    'smart-launcher':
      'invalid_client, “Invalid token (supplied as code parameter in the POST body). jwt malformed” (HTTP 401)',
  } as const;

  test.each([
    ['medplum', 'public'],
    ['medplum', 'client_secret'],
    ['smart-launcher', 'public'],
    ['smart-launcher', 'client_secret'],
    ['smart-launcher', 'private_key_jwt'],
  ] as const)('as %s does, a right client is a note with its own words and no problem: %s', async (as, auth) => {
    ehr.switches.set({ switch: 'token-refusals', value: as });
    const { level, text } = await found({ client: right[auth] });
    expect(level).toBe('note');
    expect(text).toContain('cannot be told');
    expect(text).toContain(says[as]);
  });

  test.each(['client_secret', 'public'] as const)(
    'what it answers proves nothing of a wrong client either, and the note does not say that it is right: %s',
    async (auth) => {
      ehr.switches.set({ switch: 'token-refusals', value: 'medplum' });
      expect(await found(wrong[auth])).toMatchObject({
        level: 'note',
        text: expect.stringContaining('cannot be told'),
      });
    },
  );

  test('as Medplum does, which looks at a signature before the code, the right key is known', async () => {
    ehr.switches.set({ switch: 'token-refusals', value: 'medplum' });
    expect(await found({ client: right.private_key_jwt })).toMatchObject({ level: 'ok' });
  });

  test('as Medplum does, a wrong key is a problem with its words', async () => {
    ehr.switches.set({ switch: 'token-refusals', value: 'medplum' });
    const { level, text, next } = await found(wrong.private_key_jwt);
    expect(level).toBe('problem');
    expect(text).toContain('The EHR says: “Invalid client assertion signature”.');
    expect(next).toContain(`the EHR reads the keys at ${bridge}/.well-known/jwks.json`);
  });
});

test('[E6] a token endpoint that is none is a problem, and not a client that cannot be told', async () => {
  ehr.switches.set({ switch: 'status', value: { status: 404 }, path: '/oauth/token' });
  expect(await found({ client: right.public })).toMatchObject({
    level: 'problem',
    text: expect.stringContaining('http: 404'),
  });
});

import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { run } from '../../src/cli/program.ts';
import { type SandboxClient, type SandboxEhr, startSandboxEhr } from '../../src/dev/sandbox/ehr/index.ts';
import { startSandboxService } from '../../src/dev/sandbox/service/index.ts';
import { generateKeys } from '../../src/ehr/smart/keys.ts';
import { draftColumns } from '../store/requests.ts';
import { putDatabase } from '../support/embedded.ts';
import { eventually } from '../support/eventually.ts';
import { tempFolder } from '../support/temp.ts';
import { createVisitor } from '../support/visitor.ts';

interface Day {
  readonly url: string;
  readonly sites: string;
  readonly env: Record<string, string>;
}

const jwks = JSON.stringify(await generateKeys());
let day: Day;
const started: (() => unknown)[] = [];
const clock = () => new Date();

beforeEach(async () => {
  const folder = tempFolder('first-day');
  started.push(folder.remove);
  await putDatabase(join(folder.path, 'store'));
  const url = `http://localhost:${await freePort()}`;
  const sites = join(folder.path, 'sites.json');
  const env = {
    BRIDGE_URL: url,
    BRIDGE_SITES: sites,
    BRIDGE_KEYS: newKey(),
    BRIDGE_DATA: join(folder.path, 'store'),
    BRIDGE_JWKS: jwks,
    VALLEY_SERVICE_TOKEN: 'service-token-of-valley',
    VALLEY_CLIENT_SECRET: 'client-secret-of-valley',
    NODE_ENV: 'test',
  };
  day = { url, sites, env };
});
afterEach(async () => {
  for (const stop of started.splice(0).reverse()) await stop();
});

/** A command as it is typed, now. */
async function typed(argv: readonly string[], stopped: () => Promise<string> = async () => 'SIGTERM') {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text) };
  const io = { stdout: output, stderr: output, stdin: (async function* () {})(), env: day.env, clock, stopped };
  return { ended: run(argv, io), told: () => written.join('') };
}

/** `serve` until it is stopped; resolves when it answers. */
async function serve(): Promise<{ stop(): Promise<void>; told(): string }> {
  const { promise: stopped, resolve: end } = Promise.withResolvers<string>();
  const { ended, told } = await typed(['serve'], () => stopped);
  const stop = async () => {
    end('SIGTERM');
    expect(await ended, told()).toBe(0);
  };
  started.push(stop);
  await eventually(() => expect(told()).toContain('"listening"'));
  return { stop, told };
}

describe('[E6] serve before there is a site', () => {
  test('starts, serves its keys and its health, and says on every other page what to do next', async () => {
    const bridge = await serve();
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
    const keySet = (await (await fetch(`${day.url}/.well-known/jwks.json`)).json()) as { keys: { alg: string }[] };
    expect(keySet.keys.map(({ alg }) => alg)).toEqual(['ES384', 'RS384']);
    expect(bridge.told()).toContain('"event":"no_site"');
    expect(bridge.told()).toContain(`"file":"${day.sites}"`);
    const pages = [
      '/',
      '/launch?iss=https%3A%2F%2Fehr.example%2Ffhir&launch=1',
      '/callback/valley?code=a&state=b',
      '/sign-in?site=valley',
      '/app/launch-one-of-this-browser-000001/worklist',
      '/nowhere',
    ];
    for (const path of pages) {
      const page = await createVisitor().go(`${day.url}${path}`);
      expect(page.status, path).toBe(503);
      expect(page.body, path).toContain('This bridge has no site yet.');
      expect(page.body, path).toContain('prior-auth-bridge site add');
      expect(page.body, path).toContain(`${day.url}/callback/&lt;site id`);
    }
    const webhook = await fetch(`${day.url}/webhooks/valley`, { method: 'POST', body: '{}' });
    expect({ status: webhook.status, ...((await webhook.json()) as object) }).toMatchObject({
      status: 503,
      error: 'no_site',
      next: expect.stringContaining('site add'),
    });
  });

  test('starts with an empty list too, and says that the key set is empty where no keys were made', async () => {
    writeFileSync(day.sites, '{ "sites": [] }');
    delete day.env.BRIDGE_JWKS;
    await serve();
    expect((await createVisitor().go(day.url)).body).toContain('BRIDGE_JWKS is not set');
  });

  test('is refused for a file that cannot be read or is wrong', async () => {
    writeFileSync(day.sites, '{ "sites": [{}] }');
    const { ended, told } = await typed(['serve']);
    expect(await ended).toBe(3);
    expect(told()).toContain('sites.0.iss');
  });

  test('is refused over a store that has requests: the file of before is not there', async () => {
    const { startBridge } = await import('../../src/cli/server.ts');
    const { loadConfig } = await import('../../src/config/config.ts');
    const { openStore } = await import('../../src/store/open.ts');
    const config = loadConfig(day.env, { noSite: true });
    const store = await openStore({ config, log: silentLog, queues: [] });
    const keys = { patient: 'Patient/p1', order: 'm1' };
    await store.cases.open({ site: 'valley', kind: 'prior-auth', ...keys }, () => ({
      id: randomUUID(),
      keys,
      columns: draftColumns,
      head: {},
    }));
    await store.close();
    await expect(startBridge({ config, log: silentLog })).rejects.toThrow(/the store has requests of valley/);
  });
});

test.each(['work', 'audit verify', 'describe --site valley'])(
  '[E6] %s needs a site, and says how one is made',
  async (command) => {
    writeFileSync(day.sites, '{ "sites": [] }');
    const { ended, told } = await typed(command.split(' '));
    expect(await ended).toBe(3);
    expect(told()).toContain('there is no site yet; the command site add makes one');
  },
);

const registered: Readonly<Record<'public' | 'client_secret' | 'private_key_jwt', (day: Day) => SandboxClient>> = {
  public: ({ url }) => ({ auth: 'public', id: 'app', redirectUris: [`${url}/callback/valley`] }),
  client_secret: ({ url, env }) => ({
    auth: 'client_secret',
    id: 'app',
    secret: env.VALLEY_CLIENT_SECRET ?? '',
    redirectUris: [`${url}/callback/valley`],
  }),
  private_key_jwt: ({ url }) => ({
    auth: 'private_key_jwt',
    id: 'app',
    jwksUri: `${url}/.well-known/jwks.json`,
    redirectUris: [`${url}/callback/valley`],
  }),
};

describe('[E6] the order of the README works without --anyway', () => {
  test.each(Object.keys(registered) as (keyof typeof registered)[])('for a client of the kind %s', async (auth) => {
    const first = await serve();
    const { ehr, service } = await registration(registered[auth](day));
    const lines = ['--name', 'Valley', '--iss', ehr.fhirBase, '--client', 'app', '--service', service.url];
    const adding = await typed(['site', 'add', 'valley', '--auth', auth, ...lines]);
    expect(await adding.ended, adding.told()).toBe(0);
    expect(adding.told()).toContain('of a made-up sign-in it refused the code alone');
    expect(JSON.parse(readFileSync(day.sites, 'utf8')).sites).toHaveLength(1);
    await first.stop();
    started.pop();

    await serve();
    const looking = await typed(['doctor', 'valley']);
    expect(await looking.ended, looking.told()).toBe(0);
    const { address } = ehr.launch({ patient: 'complete-patient' });
    const page = await createVisitor().go(address);
    expect(page.address).toMatch(new RegExp(`^${day.url}/app/`));
    expect(page.status).toBe(200);
  });
});

async function registration(client: SandboxClient): Promise<{ ehr: SandboxEhr; service: { url: string } }> {
  const ehr = await startSandboxEhr({
    host: '127.0.0.1',
    port: 0,
    launchUrl: `${day.url}/launch`,
    clients: [client],
    clock,
    log: silentLog,
  });
  started.push(() => ehr.close());
  const service = await startSandboxService({
    host: '127.0.0.1',
    port: 0,
    sites: [
      {
        id: 'valley',
        token: day.env.VALLEY_SERVICE_TOKEN ?? '',
        profile: 'documented',
        webhook: { url: `${day.url}/webhooks/valley`, secret: 'unused' },
      },
    ],
    clock,
    log: silentLog,
  });
  started.push(() => service.close());
  return { ehr, service };
}

async function status(path: string): Promise<number> {
  return (await fetch(`${day.url}${path}`)).status;
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, 'localhost', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

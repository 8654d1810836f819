import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { makeConfig, Site } from '../../src/config/config.ts';
import { type SandboxEhr, startSandboxEhr } from '../../src/dev/sandbox/ehr/index.ts';
import { generateKeys } from '../../src/ehr/smart/keys.ts';
import { createSmart } from '../../src/ehr/smart/smart.ts';
import { createMemoryStore } from '../ehr/smart/memory-store.ts';

// The requests that docs/sites/launch.md draws are those of a launch, in their order.
const bridge = 'http://localhost:9';
const keys = await generateKeys();
const sent: string[] = [];
/** The hosts of the EHR and of the published keys: nothing else in this process counts. */
const ours = new Set<string>();
const arrivals = 'http.server.request.start';
let ehr: SandboxEhr;
let published: { readonly address: string; close(): void };

beforeAll(async () => {
  subscribe(arrivals, arrived);
  published = await publishKeys();
  ours.add(new URL(published.address).host);
  ehr = await startSandboxEhr({
    host: '127.0.0.1',
    port: 0,
    launchUrl: `${bridge}/launch`,
    clock: () => new Date(),
    log: silentLog,
    clients: [
      {
        auth: 'private_key_jwt',
        id: 'bridge',
        jwksUri: `${published.address}/.well-known/jwks.json`,
        redirectUris: [`${bridge}/callback/valley`],
      },
    ],
  });
  ours.add(new URL(ehr.fhirBase).host);
});

afterAll(async () => {
  unsubscribe(arrivals, arrived);
  published?.close();
  await ehr?.close();
});

test('docs/sites/launch.md draws the requests of a launch in their order', async () => {
  const site = Site.parse({
    id: 'valley',
    name: 'Valley',
    iss: ehr.fhirBase,
    client: { auth: 'private_key_jwt', id: 'bridge' },
    service: { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN' },
  });
  const environment = { BRIDGE_URL: bridge, BRIDGE_KEYS: '0'.repeat(64), BRIDGE_JWKS: JSON.stringify(keys) };
  const smart = createSmart({
    config: makeConfig(environment, [site], { SERVICE_TOKEN: 't' }),
    store: createMemoryStore(),
    clock: () => new Date(),
    log: silentLog,
  });
  const opened = new URL(ehr.launch({ patient: 'complete-patient', order: 'complete-order' }).address);
  say('P->>B', 'GET', opened.pathname);
  const { redirect } = await smart.startLaunch(Object.fromEntries(opened.searchParams), 'session');
  const answer = await fetch(redirect, { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  say('P->>B', 'GET', back.pathname);
  await smart.completeLaunch('valley', Object.fromEntries(back.searchParams), ['session']);

  const page = readFileSync(join(import.meta.dirname, '../../docs/sites/launch.md'), 'utf8');
  const drawn = [...page.matchAll(/^ {2}([PBE]->>[PBE]): (GET|POST) (\S+)/gm)];
  expect(drawn.map(([, arrow, method, path]) => `${arrow} ${method} ${path}`)).toEqual(sent);
});

/** What arrives at a server of this process: at the EHR from the browser or the bridge, at the bridge from the EHR. */
function arrived(message: unknown): void {
  const { method = '', url = '', headers } = (message as { request: IncomingMessage }).request;
  if (!ours.has(headers.host ?? '')) return;
  const { pathname } = new URL(url, bridge);
  if (pathname === '/.well-known/jwks.json') say('E->>B', method, pathname);
  else say(pathname === '/oauth/auth' ? 'P->>E' : 'B->>E', method, pathname);
}

function say(arrow: string, method: string, pathname: string): void {
  sent.push(`${arrow} ${method} ${pathname}`);
}

/** The public keys as the bridge publishes them, for the EHR to read. */
async function publishKeys(): Promise<{ readonly address: string; close(): void }> {
  const open = keys.keys.map(({ d: _, p: __, q: ___, dp, dq, qi, ...rest }) => rest);
  const server = createServer((_, reply) => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: open }));
  });
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
  const { port } = server.address() as AddressInfo;
  return { address: `http://localhost:${port}`, close: () => server.close() };
}

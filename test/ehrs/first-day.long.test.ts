import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { productIds, products } from '../../src/dev/sandbox/ehr/products.ts';
import { tempFolder } from '../support/temp.ts';
import { createVisitor } from '../support/visitor.ts';
import { freePorts } from '../torture/processes.ts';
import { writtenAt } from './written.ts';

// The steps of docs/sites/ehrs.md, as a site engineer takes them: each is a process of its own, from the build.

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'bin/prior-auth-bridge.cjs');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const steps = stepsOf(readFileSync(join(root, 'docs/sites/ehrs.md'), 'utf8'));

test('docs/sites/ehrs.md needs ten steps from nothing to a written outcome [E6]', () => {
  expect(steps).toHaveLength(10);
});

// One for each way of signing in; `npm run proof -- ehrs` takes every one.
const signIns = Map.groupBy(productIds, (product) => products[product].auth);
const taken = process.env.EVERY_EHR === '1' ? productIds : [...signIns.values()].flatMap(([first]) => first ?? []);

test.each(taken)('%s: from nothing to a written outcome, by the steps of ehrs.md [E6]', async (product) => {
  const done: string[] = [];
  const step = (words: string) => {
    expect(steps[done.length]).toContain(words);
    done.push(words);
  };
  const [bridgePort = 0, ehrPort = 0, servicePort = 0] = await freePorts(3);
  const folder = tempFolder(`first-day-${product}`);
  closing.push(() => folder.remove());
  const bridgeUrl = `http://localhost:${bridgePort}`;
  const run = promisify(execFile);

  step('npm ci');

  step('keys > bridge.env');
  const keys = await run(process.execPath, [bin, 'keys'], { cwd: folder.path });
  const env = { PATH: process.env.PATH ?? '', BRIDGE_URL: bridgeUrl, ...variablesOf(keys.stdout) };
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    startProcess(args, { cwd: folder.path, env: { ...env, ...more } });

  step('npm run serve');
  const first = start(['serve']);
  await isReady(bridgeUrl, first);
  expect((await fetch(`${bridgeUrl}/.well-known/jwks.json`)).status).toBe(200);

  step('sandbox --ehr');
  const alone = ['--memory', '--json', '--as', 'valley', '--bridge', bridgeUrl];
  const ehr = await said<{ url: string; iss: string; clients: { launch: string }; secret?: string }>(
    start(['sandbox', '--ehr', '--product', product, '--port', String(ehrPort), ...alone]),
  );

  step('sandbox --service');
  const service = await said<{ url: string; sites: { token: string; webhook: { secret: string } }[] }>(
    start(['sandbox', '--service', '--speed', '22', '--port', String(servicePort), ...alone]),
  );

  step('site add valley');
  // a key client, but where the product prefers a secret
  expect(ehr.secret !== undefined).toBe(products[product].auth === 'client_secret');
  const printed = new Map([
    ['EHR_SECRET', ehr.secret],
    ['SERVICE_TOKEN', service.sites[0]?.token],
    ['WEBHOOK_SECRET', service.sites[0]?.webhook.secret],
  ]);
  const secrets = Object.fromEntries(
    exportedBy(steps).flatMap((name) => {
      const value = printed.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const args = siteAddOf(steps[done.length - 1] ?? '', ehr.secret !== undefined, {
    epic: product,
    'http://127.0.0.1:8081/fhir': ehr.iss,
    'prior-auth-bridge': ehr.clients.launch,
    'http://127.0.0.1:8082': service.url,
  });
  const added = await run(process.execPath, [bin, ...args], { cwd: folder.path, env: { ...env, ...secrets } });
  expect(added.stdout).toContain(' 0 problems. Nothing is missing.');

  step('start it again');
  await ended(first);
  await isReady(bridgeUrl, start(['serve'], secrets));

  step('Start prior authorization');
  const visitor = createVisitor();
  const launch = await fetch(`${ehr.url}/sandbox/launches`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ patient: 'complete-patient', order: 'complete-order' }),
  });
  await visitor.go(((await launch.json()) as { address: string }).address);
  expect(visitor.body).toContain('Marisol June Tennyson');

  step('Review and send');
  await visitor.submit('patient', { action: 'check' });

  step('Send');
  expect(visitor.body).toContain(/\*\*(.*?)\*\*/.exec(steps.at(-1) ?? '')?.[1]);
  await visitor.submit('digest', { action: 'send' });
  const page = visitor.address;
  await expect.poll(async () => (await visitor.go(page)).body, patience).toMatch(writtenAt[product].says);

  const written = async () => {
    const made = await fetch(`${ehr.url}/sandbox/ledger?kind=write.created`);
    const { entries } = (await made.json()) as { entries: { resource: string }[] };
    return entries.map(({ resource }) => resource.split('/')[0]).sort();
  };
  await expect.poll(written, patience).toEqual(writtenAt[product].written);
  expect(done).toHaveLength(steps.length);
});

// A busy machine makes it slow, not wrong.
const patience = { timeout: 240_000, interval: 500 };

/** The numbered steps of the section, each with the lines that belong to it. */
function stepsOf(text: string): readonly string[] {
  const [, section = ''] = text.split('## From nothing to a written outcome, with a bridge of your own\n');
  const steps = (section.split('\n## ')[0] ?? '').split(/^\d+\. /m).slice(1);
  return steps.map((step) => step.replaceAll(/\s+/g, ' '));
}

/** The variables that the steps say to export. */
function exportedBy(steps: readonly string[]): string[] {
  const exports = steps.flatMap((step) => [...step.matchAll(/`export ([^`]*)`/g)].map(([, said = '']) => said));
  return exports.flatMap((said) => [...said.matchAll(/(\w+)=\.\.\./g)].map(([, name = '']) => name));
}

/** The command of the step with its options for a key or for a secret; `values` stand for those of the page. */
function siteAddOf(step: string, hasSecret: boolean, values: Readonly<Record<string, string>>): string[] {
  const [command = '', secret = '', key = ''] = [...step.matchAll(/`(?:npm run bridge -- )?(.*?)`/g)].map(([, c]) => c);
  const typed = hasSecret ? command.replace(key, secret) : command;
  return [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? values[word] ?? word);
}

/** What a shell reads from `NAME='value'` lines. */
function variablesOf(file: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...file.matchAll(/^(\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]));
}

interface Started {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly printed: () => string;
}

function startProcess(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Started {
  const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)));
  const started = { child, printed: () => text };
  closing.push(() => ended(started));
  return started;
}

async function ended({ child }: Started): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exit;
}

async function isReady(url: string, { child, printed }: Started): Promise<void> {
  const ready = async () => {
    if (child.exitCode !== null) throw new Error(printed());
    return (await fetch(`${url}/readyz`).catch(() => undefined))?.status;
  };
  await expect.poll(ready, patience).toBe(200);
}

/** The line of JSON that a sandbox prints once it runs. */
async function said<Said>({ child, printed }: Started): Promise<Said> {
  const line = () => {
    if (child.exitCode !== null) throw new Error(printed());
    return printed()
      .split('\n')
      .find((one) => one.startsWith('{"url"'));
  };
  await expect.poll(line, patience).toBeDefined();
  return JSON.parse(line() ?? '') as Said;
}

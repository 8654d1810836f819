import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/prior-auth-bridge.cjs', import.meta.url));
const preload = new URL('./preload.mjs', import.meta.url).href;

/** A busy machine makes a start slow, not wrong. */
const longestStartMs = 600_000;

/** One process of the product: killed, stopped and started as often as one likes. */
export interface Process {
  readonly name: string;
  readonly port: number;
  /** Where it shows its metrics. */
  readonly metricsPort: number;
  /** 0 before it was started. */
  readonly pid: number;
  /** false while it is killed. */
  readonly isUp: boolean;
  start(skewMs: number): void;
  /** From its next start on it has these variables besides. */
  change(env: Readonly<Record<string, string>>): void;
  /** Resolves with the milliseconds since `start` once it says that it is ready. Rejects when it ends before. */
  ready(): Promise<number>;
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** SIGTERM, and SIGKILL when that is not enough; why it ended otherwise than cleanly, if it did. */
  end(): Promise<string | undefined>;
}

/** Longer than the bridge takes at most to end by itself. */
const longestEndMs = 60_000;

export interface ProcessOptions {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it listens, or shows its metrics; `/readyz` stands there. */
  readonly port: number;
  /** Where it shows its metrics, if not at `port`. */
  readonly metricsPort?: number;
  readonly readyPath: string;
  /** What it prints is appended here. */
  readonly logFile: string;
}

export function createProcess(options: ProcessOptions): Process {
  let child: ChildProcess | undefined;
  let began = 0;
  let { env } = options;
  const isUp = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const one: Process = {
    name: options.name,
    port: options.port,
    metricsPort: options.metricsPort ?? options.port,
    get pid() {
      return child?.pid ?? 0;
    },
    get isUp() {
      return isUp();
    },
    start(skewMs) {
      began = performance.now();
      const log = openSync(options.logFile, 'a');
      child = spawn(process.execPath, ['--import', preload, bin, ...options.args], {
        stdio: ['ignore', log, log],
        env: { PATH: process.env.PATH ?? '', TORTURE_SKEW_MS: String(skewMs), ...env },
      });
      closeSync(log);
    },
    change(more) {
      env = { ...env, ...more };
    },
    async ready() {
      const address = `http://127.0.0.1:${options.port}${options.readyPath}`;
      while (performance.now() - began < longestStartMs) {
        if (!isUp()) throw new Error(`${options.name} ended with ${child?.exitCode ?? child?.signalCode}`);
        if (await isAnswered(address)) return performance.now() - began;
        await pause(50);
      }
      throw new Error(`${options.name} was not ready after ten minutes`);
    },
    signal: (signal) => void child?.kill(signal),
    async end() {
      if (child === undefined || !isUp()) return undefined;
      const ended = new Promise<void>((done) => child?.once('exit', () => done()));
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      if (!(await Promise.race([ended.then(() => true), pause(longestEndMs, false, { ref: false })])))
        child.kill('SIGKILL');
      await ended;
      return child.exitCode === 0 ? undefined : `${options.name} ended with ${child.exitCode ?? child.signalCode}`;
    },
  };
  return one;
}

async function isAnswered(address: string): Promise<boolean> {
  const reply = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  await reply?.body?.cancel();
  return reply?.ok === true;
}

/** A process that has printed a line of JSON and goes on running, or has ended. */
export interface Speaking<Said> {
  readonly said: Said;
  readonly pid: number;
  close(): Promise<void>;
}

/** One command of the bridge. */
export async function startSandbox<Said>(
  args: readonly string[],
  { logFile }: { readonly logFile: string },
): Promise<Speaking<Said>> {
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [bin, ...args], {
    stdio: ['ignore', 'pipe', log],
    env: { PATH: process.env.PATH ?? '' },
  });
  closeSync(log);
  return await speaking(child, `${args.join(' ')}, see ${logFile}`);
}

/** One script of the tests, told its options as JSON. */
export async function startScript<Said>(script: string, options: unknown): Promise<Speaking<Said>> {
  const args = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning', script];
  const child = spawn(process.execPath, [...args, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH ?? '' },
  });
  return await speaking(child, script);
}

async function speaking<Said>(child: ChildProcess, name: string): Promise<Speaking<Said>> {
  const line = await new Promise<string>((done, fail) => {
    let text = '';
    child.stdout?.on('data', (part) => {
      text += String(part);
      if (isJson(text)) done(text);
    });
    child.once('exit', (code) => fail(new Error(`${name} ended with ${code}`)));
  });
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((done) => child.once('exit', () => done()));
    child.kill('SIGTERM');
    const isEnded = await Promise.race([ended.then(() => true), pause(10_000, false, { ref: false })]);
    if (!isEnded) child.kill('SIGKILL');
    await ended;
  };
  return { said: JSON.parse(line) as Said, pid: child.pid ?? 0, close };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** One address before several processes: each connection goes to one that listens, as behind a load balancer. */
export async function startBalancer(
  port: number,
  backends: () => readonly number[],
): Promise<{ close(): Promise<void> }> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer((client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    const ports = backends();
    turn += 1;
    join(client, [...ports.slice(turn % ports.length), ...ports.slice(0, turn % ports.length)]);
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  return {
    close: () =>
      new Promise((done) => {
        for (const socket of open) socket.destroy();
        server.close(() => done());
      }),
  };
}

function join(client: Socket, [port, ...others]: readonly number[]): void {
  if (port === undefined) {
    client.destroy();
    return;
  }
  const backend = connect(port, '127.0.0.1');
  const tryNext = () => join(client, others);
  backend.once('error', tryNext);
  backend.once('connect', () => {
    backend.off('error', tryNext);
    backend.on('error', () => client.destroy());
    client.once('close', () => backend.destroy());
    backend.once('close', () => client.destroy());
    client.pipe(backend).pipe(client);
  });
}

/** Ports that nobody listens on. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (typeof address === 'object' && address !== null) ports.push(address.port);
  }
  for (const server of servers) await new Promise((done) => server.close(done));
  return ports;
}

import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL server that a test started for itself, in a folder of its own, on a free port of this machine. */
export interface Cluster {
  /** `postgresql://bridge@127.0.0.1:54321/bridge`; stays the same over stops and starts. */
  readonly url: string;
  /** Major version: `15`. */
  readonly version: string;
  start(): void;
  /** `fast` ends every connection and shuts down cleanly. */
  stop(): void;
  restart(): void;
  /** SIGKILL of the whole server (`immediate` shutdown): what was not written to the log is lost. */
  kill(): void;
  /** Kills the server if it runs and deletes its files. */
  remove(): void;
}

/** The folder of the newest installed server's programs; undefined when PostgreSQL is not installed. */
export function installedPostgres(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).filter((version) => existsSync(join(root, version, 'bin', 'initdb')));
  const newest = versions.sort((a, b) => Number(a) - Number(b)).at(-1);
  return newest === undefined ? undefined : join(root, newest, 'bin');
}

/**
 * Starts a new cluster with an empty database. Throws when PostgreSQL is not installed: ask `installedPostgres` first.
 * `settings` are lines of postgresql.conf by name.
 */
export async function startCluster(settings: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const bin = installedPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'bridge-postgres-'));
  const user = ownerOf(folder);
  const data = join(folder, 'data');
  const port = await freePort();
  const run = (program: string, ...args: string[]) => runAs(user, folder, join(bin, program), args);
  const control = (...args: string[]) => run('pg_ctl', '-D', data, '-w', '-t', '60', ...args);
  const options = Object.entries({ ...defaults, ...settings, port: String(port), unix_socket_directories: '' })
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
  const cluster: Cluster = {
    url: `postgresql://bridge@127.0.0.1:${port}/bridge`,
    version: /(\d+)\/bin$/.exec(bin)?.[1] ?? '',
    start: () => control('-l', join(folder, 'log'), '-o', options, 'start'),
    stop: () => control('-m', 'fast', 'stop'),
    restart() {
      cluster.stop();
      cluster.start();
    },
    kill: () => control('-m', 'immediate', 'stop'),
    remove() {
      // Not running is fine here.
      spawnAs(user, folder, join(bin, 'pg_ctl'), ['-D', data, '-w', '-m', 'immediate', 'stop']);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  try {
    run('initdb', '-D', data, '-U', 'bridge', '-A', 'trust', '-E', 'UTF8', '--no-sync');
    cluster.start();
    run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'bridge', 'bridge');
    return cluster;
  } catch (thrown) {
    cluster.remove();
    throw thrown;
  }
}

// Commits still reach the log in order; only a power cut of the test machine could lose them.
const defaults = { fsync: 'off', max_connections: '200', listen_addresses: '127.0.0.1', log_min_messages: 'fatal' };

/** The user that runs the server: it refuses to run as root. */
function ownerOf(folder: string): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = ['postgres', 'nobody'].find((name) => spawnSync('id', ['-u', name]).status === 0) ?? 'nobody';
  const idOf = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  chownSync(folder, idOf('-u'), idOf('-g'));
  return user;
}

function runAs(user: string | undefined, folder: string, program: string, args: readonly string[]): void {
  const { status } = spawnAs(user, folder, program, args);
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}

function spawnAs(user: string | undefined, cwd: string, program: string, args: readonly string[]) {
  const [command, ...rest] = user === undefined ? [program, ...args] : ['runuser', '-u', user, '--', program, ...args];
  // The server keeps what it inherits: with pipes this call would wait for the server's end.
  return spawnSync(command ?? program, rest, { cwd, stdio: 'ignore' });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

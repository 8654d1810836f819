import { chmodSync, fsyncSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { Kysely } from 'kysely';
import { fromPglite, PgBoss } from 'pg-boss';
import { z } from 'zod';
import { BridgeError } from '../core/errors.ts';
import { putEmptyDatabase } from './empty-database.ts';
import type { Engine } from './engine.ts';
import { awaitFolder } from './folder-lock.ts';
import { localLocks } from './locks.ts';
import { PreparedDialect } from './pglite-dialect.ts';
import { bossOptions } from './queue.ts';
import { assertReleasedFolder, markRelease } from './release-mark.ts';
import type { Database } from './schema.ts';

/**
 * Opens the embedded database in `dataDir`. Throws `store_locked` if another process holds the folder for longer than
 * `patienceMs`, `store_older` if no release made the database, `store_unavailable` if the database does not start (the
 * disk is full, or files are damaged).
 */
export async function openPglite(
  dataDir: string,
  schema: string,
  { patienceMs = 0, onWait = () => {} }: { readonly patienceMs?: number; readonly onWait?: () => void } = {},
): Promise<Engine> {
  const folder = resolve(dataDir);
  assertReleasedFolder(folder);
  const lock = await awaitFolder(folder, patienceMs, onWait);
  try {
    const pglite = await startPglite(folder);
    const db = new Kysely<Database>({ dialect: new PreparedDialect(pglite) });
    return {
      db,
      unhurried: (work) => work(db),
      tidy: async () => void (await pglite.exec('vacuum analyze')),
      boss: new PgBoss({ ...bossOptions(schema), db: fromPglite(pglite), backend: 'pglite' }),
      exclusive: true,
      exclusively: localLocks(),
      async release() {
        await pglite.close();
        lock.release();
      },
    };
  } catch (thrown) {
    lock.release();
    // PGlite's WebAssembly may throw values that are not Errors and that an operator cannot use.
    throw new BridgeError(
      'store_unavailable',
      { folder, reason: 'the embedded database does not start' },
      {
        cause: thrown,
      },
    );
  }
}

/** Starts the embedded PostgreSQL in `folder/pg`. The caller must hold the folder's lock. */
export async function startPglite(folder: string): Promise<PGlite> {
  const path = join(folder, 'pg');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  markRelease(folder);
  putEmptyDatabase(path);
  ownOnly(path);
  compileOnce();
  const startParams = [
    ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
    '-c',
    'fsync=on',
    '-c',
    'wal_sync_method=fsync',
    // instead of 128 MB; repeated reads come from the operating system's cache
    '-c',
    'shared_buffers=16MB',
  ];
  return await PGlite.create({ fs: new DurableFS(path), startParams });
}

/**
 * V8 recompiles WebAssembly that is used often. For PostgreSQL that takes 500 MB and more CPU time than it saves. V8
 * also frees the replaced code, and sometimes miscounts its uses, which ends the process
 * (https://github.com/nodejs/node/issues/64500). Keeping the code costs a few megabytes.
 */
function compileOnce(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-code-gc');
}

const NodeFsModule = z.object({
  NODEFS: z.object({
    stream_ops: z.record(z.string(), z.unknown()),
    node_ops: z.record(z.string(), z.unknown()),
  }),
});
const OpenFile = z.object({ nfd: z.number() });

// A copied or restored folder may have other permissions.
function ownOnly(path: string): void {
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const member = join(path, entry.name);
    if (entry.isDirectory()) ownOnly(member);
    else if (entry.isFile()) chmodSync(member, 0o600);
  }
}

/**
 * PGlite's file system never flushes to the disk, so a power cut would lose commits. This class passes fsync on. It
 * also makes files readable only for the process's user; PGlite makes them readable for everyone.
 */
class DurableFS extends NodeFS {
  override async init(...[pg, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), syncToDisk, keepPrivate] },
    };
  }
}

function syncToDisk(module: unknown): void {
  // Only checked here: parse() returns a copy, but the module's own table must be changed.
  NodeFsModule.parse(module);
  const { NODEFS } = module as z.infer<typeof NodeFsModule>;
  NODEFS.stream_ops.fsync = (stream: unknown) => {
    const open = OpenFile.safeParse(stream);
    if (open.success) fsyncSync(open.data.nfd);
    return 0;
  };
}

type MakeNode = (parent: unknown, name: string, mode: number, device: number) => unknown;
type SetAttributes = (node: unknown, attributes: { mode?: number }) => unknown;

function keepPrivate(module: unknown): void {
  NodeFsModule.parse(module);
  const { node_ops } = (module as z.infer<typeof NodeFsModule>).NODEFS;
  // Emscripten documents these signatures for every file system.
  const [mknod, setattr] = [node_ops.mknod as MakeNode, node_ops.setattr as SetAttributes];
  node_ops.mknod = ((parent, name, mode, device) => mknod(parent, name, mode & ~0o077, device)) satisfies MakeNode;
  node_ops.setattr = ((node, attributes) => {
    if (attributes.mode !== undefined) attributes.mode &= ~0o077;
    return setattr(node, attributes);
  }) satisfies SetAttributes;
}

import { fsyncSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { z } from 'zod';

/** The embedded PostgreSQL in `folder/pg`, ready. The caller holds the folder's lock. */
export async function openEmbedded(folder: string): Promise<PGlite> {
  const path = join(folder, 'pg');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const startParams = [
    ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
    '-c',
    'fsync=on',
    '-c',
    'wal_sync_method=fsync',
  ];
  return await PGlite.create({ fs: new DurableFS(path), startParams });
}

const NodeFsModule = z.object({ NODEFS: z.object({ stream_ops: z.record(z.string(), z.unknown()) }) });
const OpenFile = z.object({ nfd: z.number() });

/**
 * PGlite's file system never reaches the disk: a commit would survive a killed process, but not a power cut. This one
 * passes fsync on.
 */
class DurableFS extends NodeFS {
  override async init(...[pg, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), syncToDisk] } };
  }
}

function syncToDisk(module: unknown): void {
  // Checked, then used as it is: parse() would give a copy, and the module's own table must change.
  NodeFsModule.parse(module);
  const { NODEFS } = module as z.infer<typeof NodeFsModule>;
  NODEFS.stream_ops.fsync = (stream: unknown) => {
    const open = OpenFile.safeParse(stream);
    if (open.success) fsyncSync(open.data.nfd);
    return 0;
  };
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The folder of this package, whether this runs from src or from dist/src. */
export const packageFolder = packageRoot(import.meta.dirname);
/** The built files of the browser. */
const folder = join(packageFolder, 'dist', 'assets');

/** Where a built file of the browser is on this machine. */
export function assetPath(name: string): string {
  return join(folder, name);
}

const versions = new Map<string, string>();

/** Address of an asset, with its content's hash, so that browsers may keep it. */
export function asset(name: string): string {
  const known = versions.get(name);
  if (known !== undefined) return known;
  const path = join(folder, name);
  const address = existsSync(path)
    ? `/assets/${name}?v=${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12)}`
    : `/assets/${name}`;
  versions.set(name, address);
  return address;
}

/** `/assets/*`: public files, cached for good because their addresses change with their content. */
export async function registerAssets(app: FastifyInstance): Promise<void> {
  await app.register(serveStatic, {
    root: folder,
    prefix: '/assets/',
    index: false,
    list: false,
    cacheControl: true,
    immutable: true,
    maxAge: '365d',
  });
}

function packageRoot(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));
}

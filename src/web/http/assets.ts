import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

export const packageFolder = packageRoot(import.meta.dirname);
/** The built browser files. */
const folder = join(packageFolder, 'dist', 'assets');

/** The path of a built browser file. */
export function assetPath(name: string): string {
  return join(folder, name);
}

const versions = new Map<string, string>();

/** The URL of a built browser file. It contains a hash of the content, so that browsers may cache the file. */
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

/** `/assets/*`: public files that browsers may cache without limit, because the URL changes with the content. */
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

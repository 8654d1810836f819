import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The built files of the browser; the same folder whether this runs from src or from dist/src. */
const folder = join(packageRoot(import.meta.dirname), 'dist', 'assets');

const versions = new Map<string, string>();

/** Address of an asset, with its content's hash, so that browsers may keep it. */
export function asset(name: string): string {
  const known = versions.get(name);
  if (known !== undefined) return known;
  const path = join(folder, name);
  const address = existsSync(path) ? `/assets/${name}?v=${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12)}` : `/assets/${name}`;
  versions.set(name, address);
  return address;
}

/** `/assets/*`: public files, cached for good because their addresses change with their content. */
export async function registerAssets(app: FastifyInstance): Promise<void> {
  await app.register(serveStatic, { root: folder, prefix: '/assets/', index: false, list: false, cacheControl: true, immutable: true, maxAge: '365d' });
}

/** true when `npm run build` has put the assets in their place. */
export function assetsAreBuilt(): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

function packageRoot(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));
}

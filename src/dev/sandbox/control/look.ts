import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sharedCss } from './shared-css.ts';

export interface Asset {
  readonly type: string;
  readonly content: Buffer | string;
}

const { resolve } = createRequire(import.meta.url);
// The first folder is found from the sources, the second from a build.
const folders = ['../../../web/assets', '../../../../assets'].map((path) => join(import.meta.dirname, path));

/**
 * The assets of all sandbox pages, by name: Pico, htmx, and the bridge's own tokens and components, so that all pages
 * look alike.
 */
export function sharedAssets(): Readonly<Record<string, Asset>> {
  const css = 'text/css; charset=utf-8';
  return {
    'pico.min.css': { type: css, content: readFileSync(resolve('@picocss/pico/css/pico.min.css')) },
    'bridge.css': { type: css, content: readFileSync(ofBridge('bridge.css')) },
    'sandbox.css': { type: css, content: sharedCss },
    'icon.svg': { type: 'image/svg+xml', content: readFileSync(ofBridge('icon.svg')) },
    'htmx.min.js': {
      type: 'text/javascript; charset=utf-8',
      content: readFileSync(resolve('htmx.org/dist/htmx.min.js')),
    },
  };
}

function ofBridge(name: string): string {
  const path = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`no ${name} among the assets of the pages`);
  return path;
}

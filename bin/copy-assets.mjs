// The browser assets of the pages: our own files and those of pico and htmx, side by side under dist/assets.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ofPackages = {
  'pico.min.css': 'node_modules/@picocss/pico/css/pico.min.css',
  'htmx.min.js': 'node_modules/htmx.org/dist/htmx.min.js',
};

/** Copies them for the checkout in `root` into the build `out`, and deletes what is none any more. */
export function copyAssets(root, out) {
  const own = join(root, 'src/web/assets');
  const assets = join(out, 'assets');
  mkdirSync(assets, { recursive: true });
  for (const [name, file] of Object.entries(ofPackages)) cpSync(join(root, file), join(assets, name));
  cpSync(own, assets, { recursive: true });
  const wanted = new Set([...Object.keys(ofPackages), ...readdirSync(own, { recursive: true })]);
  for (const name of readdirSync(assets, { recursive: true }))
    if (!wanted.has(name)) rmSync(join(assets, name), { recursive: true, force: true });
}

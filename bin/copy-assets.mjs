// Copies the pages' browser assets to dist/assets: shared assets, assets of single pages, files of pico and htmx, and
// the icons in use.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { iconNames } from '../src/web/ui/icon-names.ts';

const ofPackages = ['node_modules/@picocss/pico/css/pico.min.css', 'node_modules/htmx.org/dist/htmx.min.js'];
const icons = 'icons.json';
const folders = ['src/web/assets', 'src/web/pages', 'src/dev/playground'];

/**
 * Copies the assets of `root` into the build `out` and deletes files that are no longer assets. Throws if two assets
 * have the same name.
 */
export function copyAssets(root, out) {
  const assets = join(out, 'assets');
  mkdirSync(assets, { recursive: true });
  const files = [...ofPackages, ...folders.flatMap((folder) => assetsIn(root, folder))];
  const names = files.map((file) => basename(file));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two assets of the pages are called ${twice}`);
  for (const file of files) cpSync(join(root, file), join(assets, basename(file)));
  writeFileSync(join(assets, icons), JSON.stringify(usedIcons(root)));
  for (const name of readdirSync(assets))
    if (name !== icons && !names.includes(name)) rmSync(join(assets, name), { recursive: true, force: true });
}

/** Returns the SVG body of each icon that the pages use. Throws if Lucide has no icon of that name. */
function usedIcons(root) {
  const all = JSON.parse(readFileSync(join(root, 'node_modules/@iconify-json/lucide/icons.json'), 'utf8')).icons;
  return Object.fromEntries(
    iconNames.map((name) => {
      if (all[name] === undefined) throw new Error(`Lucide has no icon ${name}`);
      return [name, all[name].body];
    }),
  );
}

function assetsIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.(?:css|js|svg)$/.test(name))
    .map((name) => join(folder, name));
}

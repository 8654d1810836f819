// The browser assets of the pages: our own files and those of pico and htmx, side by side under dist/assets.
import { cpSync, mkdirSync } from 'node:fs';

mkdirSync('dist/assets', { recursive: true });
for (const [from, to] of [
  ['node_modules/@picocss/pico/css/pico.min.css', 'pico.min.css'],
  ['node_modules/htmx.org/dist/htmx.min.js', 'htmx.min.js'],
]) {
  cpSync(from, `dist/assets/${to}`);
}
cpSync('src/web/assets', 'dist/assets', { recursive: true });

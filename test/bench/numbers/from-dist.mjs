import { registerHooks } from 'node:module';

// The product as it was built: Node loads no TSX, and what is measured is what is installed.
const root = new URL('../../../', import.meta.url).href;
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const path = found.url.startsWith(root) ? found.url.slice(root.length) : '';
    if (!/^(?:src|mappings)\/.*\.tsx?$/.test(path)) return found;
    return { ...found, url: `${root}dist/${path.replace(/\.tsx?$/, '.js')}`, format: 'module' };
  },
});

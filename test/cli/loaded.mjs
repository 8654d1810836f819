import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// Writes the address of every module that a process loaded into the file that LOADED names.
const loaded = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.LOADED, loaded.join('\n')));

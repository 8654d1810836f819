// npm run build: what is out of date in dist/, and nothing else, so that npm start costs no compiler.
import { join } from 'node:path';
import { compile } from './compile.mjs';
import { copyAssets } from './copy-assets.mjs';
import { setup as generateModel } from './generate-fhir-model.mjs';
import { copyDefinitions, setup as generateDefinitions } from './generate-sandbox-definitions.mjs';
import { setup as generateWasm } from './generate-wasm.mjs';
import { makeEmptyDatabase } from './make-empty-database.mjs';

const root = join(import.meta.dirname, '..');
generateModel();
generateDefinitions();
await generateWasm();
process.exitCode = await compile(root);
copyAssets(root);
copyDefinitions();
await makeEmptyDatabase(root);

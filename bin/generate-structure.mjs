// Writes src/batch/structure.generated.ts: the WebAssembly of src/batch/structure.wat. Skipped while it is up to date.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(import.meta.dirname, '../src/batch');
const source = join(folder, 'structure.wat');
const target = join(folder, 'structure.generated.ts');

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();

/** vitest calls it before the tests, so that they also run without a build. */
export async function setup() {
  const text = readFileSync(source, 'utf8');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const stamp = `// src/batch/structure.wat ${digest}, assembled by bin/generate-structure.mjs; not to be edited.\n`;
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(stamp)) return;
  // Loaded only here: it takes longer than everything else.
  const { default: wabt } = await import('wabt');
  const { buffer } = (await wabt()).parseWat(source, text, { simd: true }).toBinary({});
  const bytes = Buffer.from(buffer).toString('base64');
  writeFileSync(target, `${stamp}\nexport const structureModule =\n  '${bytes}';\n`);
}

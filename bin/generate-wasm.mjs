// Writes src/batch/*.generated.ts: the WebAssembly of each src/batch/*.wat. Skipped while it is up to date.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(import.meta.dirname, '../src/batch');
/** File names and what the text of each becomes. */
const modules = [
  ['structure', 'structureModule'],
  ['json-check', 'jsonCheckModule'],
  ['line-scan', 'lineScanModule'],
];

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();

/** vitest calls it before the tests, so that they also run without a build. */
export async function setup() {
  for (const [file, name] of modules) await generate(file, name);
}

async function generate(file, name) {
  const source = join(folder, `${file}.wat`);
  const target = join(folder, `${file}.generated.ts`);
  const text = readFileSync(source, 'utf8');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const stamp = `// src/batch/${file}.wat ${digest}, assembled by bin/generate-wasm.mjs; not to be edited.\n`;
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(stamp)) return;
  // Loaded only here: it takes longer than everything else.
  const { default: wabt } = await import('wabt');
  const { buffer } = (await wabt()).parseWat(source, text, { simd: true }).toBinary({});
  const bytes = Buffer.from(buffer).toString('base64');
  writeFileSync(target, `${stamp}\nexport const ${name} =\n  '${bytes}';\n`);
}

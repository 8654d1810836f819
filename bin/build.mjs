// npm run build: updates dist/ from the sources. A build that fails leaves dist/ unchanged.
import { join } from 'node:path';

// An older Node.js lacks functions that the build imports, and would end with a syntax error. bin/prior-auth-bridge.cjs
// has the same check.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 20)) process.exitCode = await buildAll(join(import.meta.dirname, '..'));
else {
  console.error(
    `This Node.js is too old to build (${process.versions.node}; 22.20 or later is needed); dist/ is as it was. ` +
      'Next: npm run build, which takes the Node.js that npm ci brought along.',
  );
  process.exitCode = 3;
}

async function buildAll(root) {
  const { setup: generateModel } = await import('./generate-fhir-model.mjs');
  const { copyDefinitions, setup: generateDefinitions } = await import('./generate-sandbox-definitions.mjs');
  const { build } = await import('./staged.mjs');
  generateModel();
  generateDefinitions();
  return build(root, async (out) => {
    const { compile } = await import('./compile.mjs');
    const { copyAssets } = await import('./copy-assets.mjs');
    const { makeEmptyDatabase } = await import('./make-empty-database.mjs');
    const code = await compile(root, out);
    if (code !== 0) return code;
    copyAssets(root, out);
    copyDefinitions(out);
    await makeEmptyDatabase(root, out);
    return 0;
  });
}

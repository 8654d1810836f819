import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { mappings } from '/tmp/wt/roles/mappings/index.ts';
import { formatDiff } from '/tmp/wt/roles/src/proof/diff.ts';
import { listFixtures, loadFixture, runFixture } from '/tmp/wt/roles/src/proof/fixture.ts';

test('all', async () => {
  let out = '';
  for (const folder of listFixtures('/tmp/wt/roles/fixtures/charts')) {
    try {
      const r = await runFixture(loadFixture(folder), mappings);
      if (!r.ok) {
        out += `## ${r.name}\n`;
        for (const d of r.diffs) out += `  [${d.file}]${formatDiff([d])}\n`;
      }
    } catch (e) {
      out += `## ${folder} THREW ${e}\n${(e as Error).stack}\n`;
    }
  }
  writeFileSync('/tmp/fx.txt', out);
}, 120000);

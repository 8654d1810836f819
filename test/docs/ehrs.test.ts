import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSites } from '../../src/config/config.ts';
import { scopesOf } from '../../src/config/presets/preset-scopes.ts';
import { presets } from '../../src/config/presets/presets.ts';
import { productIds, products } from '../../src/dev/sandbox/ehr/products.ts';
import { markdownTable, withTables } from '../support/marked-tables.ts';

const path = join(import.meta.dirname, '../../docs/sites/ehrs.md');
const page = readFileSync(path, 'utf8');

const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ');
const overview = presets.map(({ id, name, signIn, scopes, may, channels }) => [
  `[${name}](#${name.toLowerCase().replaceAll(' ', '-')})`,
  code([id]),
  code(signIn.auth),
  code(signIn.auth.includes('private_key_jwt') ? signIn.algs : []) || 'none',
  code(signIn.refresh.slice(0, 1)),
  scopes.styles[0] ?? '',
  code(Object.entries(may).flatMap(([type, letters]) => (letters === '' ? [] : [`${type}.${letters}`]))),
  code(channels),
]);
const head = [
  'EHR',
  '`preset`',
  'signs in by',
  'signature',
  'refresh by',
  'scopes',
  'an app may',
  '`writeback.channels`',
];
const scopeTables = presets.map((preset) => [
  `scopes ${preset.id}`,
  markdownTable(
    ['scope'],
    [
      [
        scopesOf(preset)
          .map((scope) => `\`${scope}\``)
          .join(' '),
      ],
    ],
  ),
]);

// `npx vitest run test/docs/ehrs.test.ts -u` writes the tables anew.
test('docs/sites/ehrs.md has the presets as they are, and the scopes of each', async () => {
  const tables = { presets: markdownTable(head, overview), ...Object.fromEntries(scopeTables) };
  await expect(withTables(page, tables)).toMatchFileSnapshot(path);
});

test('each section of docs/sites/ehrs.md has lines that are a whole site, and limits with their source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ehrs-'));
  try {
    for (const { id, name } of presets) {
      const section = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
      const lines: unknown = JSON.parse(/```json\n(.*?)```/s.exec(section)?.[1] ?? '');
      const file = join(folder, 'sites.json');
      writeFileSync(file, JSON.stringify({ sites: [lines] }));
      expect(loadSites(file)).toMatchObject([{ id, preset: id }]);
      expect(section).toContain(`/callback/${id}`);
      for (const part of ['**Register**', '**What is written.**', '**What staff will see.**'])
        expect(section).toContain(part);
      const limits = section.split('| known limit | source |\n|---|---|\n')[1] ?? '';
      const rows = limits.split('\n').filter((line) => line.startsWith('|'));
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(row).toMatch(/\| (Statement|Vendor|Third party, [^|]+|No source: [^|]+)[^|]*\|$/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// The sandbox has its own table, so that the bridge is tried against something that it did not write itself.
test('the sandbox can be each preset’s EHR, and both tables say the same of it', () => {
  expect([...productIds].sort()).toEqual(presets.map(({ id }) => id as string).sort());
  for (const preset of presets) {
    const { name, auth, signIn } = products[preset.id as keyof typeof products];
    expect([name, auth]).toEqual([preset.name, preset.signIn.auth[0]]);
    expect([...signIn.refresh].sort()).toEqual([...preset.signIn.refresh].sort());
    expect(signIn.styles).toEqual(expect.arrayContaining([...preset.scopes.styles]));
    expect(signIn.algs).toEqual(expect.arrayContaining([...preset.signIn.algs]));
  }
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entries, examplesOf, exportsOf, root } from './exports.ts';

const exported = Object.values(entries).flatMap(exportsOf);

test('a name that the package exports stands for one thing', () => {
  const names = exported.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('everything that the package exports says what it is', () => {
  expect(exported.filter(({ comment }) => comment.split('@example')[0]?.trim() === '').map(named)).toEqual([]);
});

test('every word that the package exports has an example', () => {
  expect(exported.filter((each) => !each.isType && examplesOf(each).length === 0).map(named)).toEqual([]);
});

test('the examples compile, each by itself', () => {
  const folder = join(root, 'node_modules/.cache/api-examples');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const each of exported)
    for (const [at, example] of examplesOf(each).entries())
      writeFileSync(join(folder, `${each.name}-${at + 1}.ts`), program(example));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  expect(stdout.split('\n').filter((line) => line.includes('error'))).toEqual([]);
});

function named({ file, name }: { readonly file: string; readonly name: string }): string {
  return `${file}: ${name}`;
}

// What a reader has at hand: everything that is exported, zod, a bundle that was parsed and the chart of its order.
function program(example: string): string {
  const imports = Object.entries(entries).map(
    ([specifier, entry]) => `import { ${exportsOf(entry).map(word).join(', ')} } from '${specifier}';`,
  );
  const given = ['declare const bundle: unknown;', 'declare const chart: Chart;'];
  return [...imports, "import { z } from 'zod';", ...given, '{', example, '}', ''].join('\n');
}

function word({ name, isType }: { readonly name: string; readonly isType: boolean }): string {
  return isType ? `type ${name}` : name;
}

const settings = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    noUnusedLocals: false,
    allowUnusedLabels: true,
    rootDir: root,
    paths: Object.fromEntries(Object.entries(entries).map(([specifier, entry]) => [specifier, [join(root, entry)]])),
  },
  include: ['*.ts'],
};
